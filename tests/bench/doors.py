#!/usr/bin/env python3
"""What a move costs the house, from clients of its own and from those of a door: CPU time of its loop's thread, from the
system's accounts, in turns.

    python3 tests/bench/doors.py [BUILD]        PAIRS=200 SECONDS=5 ROUNDS=3 RATE=0
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.argv[1:] = sys.argv[1:] or ["build"]
sys.path[:0] = [os.path.join(HERE, "..", "proof"), os.path.join(HERE, "..", "lib")]
from cluster import SHARED, wait_until  # noqa: E402 (found beside this file only now)
from nodes import cluster  # noqa: E402
from hosting import BUILD  # noqa: E402

PAIRS, SECONDS, ROUNDS, RATE = (os.environ.get(name, default) for name, default in
                                (("PAIRS", "200"), ("SECONDS", "5"), ("ROUNDS", "3"), ("RATE", "0")))


def measure(port, pid):
    done = subprocess.run([os.path.join(BUILD, "tests/bench/bench"), "--at", f"{port}:{pid}", "--pairs", PAIRS,
                           "--seconds", SECONDS, "--rate", RATE], text=True, capture_output=True, check=True)
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", done.stdout)}


def main(directory):
    rows = {"direct": [], "door": [], "the door itself": []}
    with cluster(directory, count=2, options=("--connections", "20000", "--accepts-per-s", "0")) as made:
        house = made.wait_for_house()
        door = next(node for node in made.nodes if node is not house)
        wait_until(lambda: door.status().get("link") == "up", "no link")
        for _ in range(int(ROUNDS)):
            for name, port, pid in (("direct", house.port, house.process.pid), ("door", door.port, house.process.pid),
                                    ("the door itself", door.port, door.process.pid)):
                rows[name].append(measure(port, pid))
                print(name, rows[name][-1], f"load={os.getloadavg()[0]:.1f}", flush=True)
    for name, found in rows.items():
        print(f"{name}: loop {statistics.median(row['loop_us'] for row in found):.1f} us a move, all threads "
              f"{statistics.median(row['all_us'] for row in found):.1f}, "
              f"{statistics.median(row['moves_per_s'] for row in found):.0f} moves a second")
    print("ratio of the loop: {:.2f}".format(statistics.median(row["loop_us"] for row in rows["door"]) /
                                             statistics.median(row["loop_us"] for row in rows["direct"])))


if __name__ == "__main__":
    try:
        with tempfile.TemporaryDirectory(prefix="janggi-bench-") as folder:
            main(folder)
    finally:
        for pair in SHARED:
            pair.end()
