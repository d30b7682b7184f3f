#!/usr/bin/env python3
"""Measures what a move costs the house when its clients are its own and, in turns with that, when they are a door's:
the CPU time of the thread of its loop.

    python3 tests/bench/doors.py [BUILD]        PAIRS=200 SECONDS=5 ROUNDS=3 RATE=0 WATCHERS=1000

Then what an event costs for each watcher of a game: at a single node, and at a door.

With --capacity: what a move costs the house, a door and PostgreSQL with 1, 2 and 3 doors, at a steady rate and when all
clients play as fast as they can, and how much these costs let each of them carry.

    python3 tests/bench/doors.py [BUILD] --capacity     PAIRS=200 SECONDS=5 RATE=500 moves a second at each door
"""
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
IS_CAPACITY = "--capacity" in sys.argv
sys.argv[1:] = [word for word in sys.argv[1:] if word != "--capacity"] or ["build"]
sys.path[:0] = [os.path.join(HERE, "..", "cluster"), os.path.join(HERE, "..", "lib")]
from cluster import SHARED  # noqa: E402 (found beside this file only now)
from nodes import cluster  # noqa: E402
from hosting import BUILD, Server, wait_until  # noqa: E402

PAIRS, SECONDS, ROUNDS, RATE, WATCHERS = (
    os.environ.get(name, default) for name, default in
    (("PAIRS", "200"), ("SECONDS", "5"), ("ROUNDS", "3"), ("RATE", "0"), ("WATCHERS", "1000")))
OPTIONS = "--connections", "20000", "--accepts-per-s", "0"


def start(port, pid, rate=RATE, more=()):
    return subprocess.Popen([os.path.join(BUILD, "tests/bench/bench"), "--at", f"{port}:{pid}", "--pairs", PAIRS,
                             "--seconds", SECONDS, "--rate", rate, *more], text=True, stdout=subprocess.PIPE)


def result(process):
    said = process.communicate()[0]
    if process.returncode != 0:
        raise RuntimeError(f"bench ended with status {process.returncode}")
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", said)}


def measure(port, pid):
    return result(start(port, pid))


# --- How much several doors carry -------------------------------------------------------------


def cpu_s(pid):
    """CPU seconds of a process and its children: PostgreSQL has a child for each connection."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], text=True, capture_output=True,
                           check=False).stdout.split()
    ticks = 0
    for one in [str(pid), *found]:
        with contextlib.suppress(OSError), open(f"/proc/{one}/stat", encoding="utf-8") as file:
            ticks += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def play_at(doors, house, rate, primary):
    """Plays at all doors at once. The first load generator measures the house, each other one its own door."""
    before = cpu_s(primary.pid())
    running = [start(door.port, pid, rate) for door, pid in
               zip(doors, [house.process.pid] + [door.process.pid for door in doors[1:]])]
    rows = [result(process) for process in running]
    return rows, sum(row["moves_per_s"] for row in rows), cpu_s(primary.pid()) - before


def cost(doors, house, primary, rate):
    """Microseconds a move: of the house's loop, of its other threads, and of a door."""
    rows, moves_per_s, primary_s = play_at(doors, house, rate, primary)
    part = rows[0]["moves_per_s"] / moves_per_s
    door = result(start(doors[0].port, doors[0].process.pid, rate))["all_us"] if len(doors) == 1 else statistics.mean(
        row["all_us"] for row in rows[1:])
    found = {"doors": len(doors), "moves_per_s": moves_per_s, "house": rows[0]["loop_us"] * part,
             "store": (rows[0]["all_us"] - rows[0]["loop_us"]) * part, "door": door,
             "primary": primary_s * 1e6 / moves_per_s / (float(SECONDS) + 1),
             "p99_ms": max(row["p99_us"] for row in rows) / 1000}
    print(" ".join(f"{name}={value:.1f}" for name, value in found.items()) + f" load={os.getloadavg()[0]:.1f}", flush=True)
    return found


def capacity(directory, most=3):
    rate = os.environ.get("RATE", "500")
    with cluster(directory, count=1 + most, options=OPTIONS) as made:
        house = made.wait_for_house()
        doors = [node for node in made.nodes if node is not house]
        for door in doors:
            wait_until(lambda door=door: door.status().get("link") == "up", "no link")
        print(f"Microseconds of CPU time a move, with {2 * int(PAIRS)} clients at each door. At {rate} moves a second there:")
        for count in range(1, most + 1):
            cost(doors[:count], house, made.primary, rate)
        print("All clients as fast as they can:")
        found = [cost(doors[:count], house, made.primary, "0") for count in range(1, most + 1)]
    first, last = found[0], found[-1]
    print(f"{last['house'] * last['moves_per_s'] / 1e4:.0f} % of a core was the house's loop busy behind {most} doors; the "
          f"costs behind one say {first['house'] * last['moves_per_s'] / 1e4:.0f} %")
    print("The later costs let a core carry, in moves a second:")
    for name in ("primary", "door", "house", "store"):
        if last[name] > 0:
            print(f"  {name:8} {1e6 / last[name]:.0f}")
    print(f"So {last['door'] / last['house']:.1f} doors make one house busy")


# --- A door beside none -----------------------------------------------------------------------


def main(directory):
    rows = {"direct": [], "door": [], "the door itself": []}
    with cluster(directory, count=2, options=OPTIONS) as made:
        house = made.wait_for_house()
        door = next(node for node in made.nodes if node is not house)
        wait_until(lambda: door.status().get("link") == "up", "no link")
        for _ in range(int(ROUNDS)):
            for name, port, pid in (("direct", house.port, house.process.pid), ("door", door.port, house.process.pid),
                                    ("the door itself", door.port, door.process.pid)):
                rows[name].append(measure(port, pid))
                print(name, rows[name][-1], f"load={os.getloadavg()[0]:.1f}", flush=True)
        watch(door, os.path.join(directory, "single"))
    for name, found in rows.items():
        print(f"{name}: loop {statistics.median(row['loop_us'] for row in found):.1f} us a move, all threads "
              f"{statistics.median(row['all_us'] for row in found):.1f}, "
              f"{statistics.median(row['moves_per_s'] for row in found):.0f} moves a second")
    print("ratio of the loop: {:.2f}".format(statistics.median(row["loop_us"] for row in rows["door"]) /
                                             statistics.median(row["loop_us"] for row in rows["direct"])))


def watch(door, directory):
    """Watchers of one game at a node alone, with SQLite, and at the door, in turns. The players are where the watchers are.
    Prints the ratio first."""
    single = Server(directory, *OPTIONS)
    rows = {"a single node": [], "a door": []}
    try:
        for _ in range(int(ROUNDS)):
            for name, node in (("a single node", single), ("a door", door)):
                rows[name].append(result(start(node.port, node.process.pid, more=("--watchers", WATCHERS))))
                print(name, rows[name][-1], f"load={os.getloadavg()[0]:.1f}", flush=True)
    finally:
        single.stop()
    alone, behind = (statistics.median(row["loop_us"] for row in found) for found in rows.values())
    print(f"a watcher's cost at a door : at a single node, {WATCHERS} watchers of a game: {behind / alone:.2f} "
          f"({behind:.2f} us : {alone:.2f} us of the loop for each event)", flush=True)


if __name__ == "__main__":
    try:
        with tempfile.TemporaryDirectory(prefix="janggi-bench-") as folder:
            (capacity if IS_CAPACITY else main)(folder)
    finally:
        for pair in SHARED:
            pair.end()
