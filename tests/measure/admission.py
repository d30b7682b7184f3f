#!/usr/bin/env python3
"""What admission and quotas cost: user instructions of a move and of a login with the default limits, beside
--quotas off. They are counted by callgrind, one line after the other, so that they do not depend on what else
the machine does. The control is dearer by pings, one for a move and 16 for a login, and must miss the goal.

    python3 tests/measure/admission.py BUILD [MOVES [LOGINS]]
"""
import glob
import os
import re
import shutil
import sys
import tempfile
import time

# Under valgrind janggid may measure another suite as the fastest in each run, so the callers offer only one.
ONE_SUITE = """openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = one
[one]
Ciphersuites = TLS_AES_128_GCM_SHA256
"""
CONF = tempfile.NamedTemporaryFile("w", suffix=".cnf")
CONF.write(ONE_SUITE)
CONF.flush()
os.environ["OPENSSL_CONF"] = CONF.name  # before ssl is imported

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
COUNTS = [int(word) for word in sys.argv[2:]]
del sys.argv[2:]
from callers import field, network  # noqa: E402
from players import Player, recorded_moves  # noqa: E402
from hosting import JANGGID, Server  # noqa: E402

MOVES, LOGINS = COUNTS + [32, 60][len(COUNTS):]  # moves of each pair; logins in all
PAIRS = 8
GOALS = {"move": 3.0, "login": 5.0}  # per cent
PINGS = {"move": 1, "login": 16}


def wrapper(directory):
    """A program that starts janggid under callgrind."""
    path = os.path.join(directory, "janggid-counted")
    with open(path, "w", encoding="ascii") as script:
        script.write(f"#!/bin/sh\nexec valgrind -q --tool=callgrind --separate-threads=yes "
                     f"--callgrind-out-file='{directory}/count.%p' "
                     f"'{JANGGID}' \"$@\" --sandbox off\n")
    os.chmod(path, 0o755)
    return path


def instructions(directory):
    """Returns the instructions of the first thread, which does all but write to the disk. The other thread is left
    out, because the number of its commits depends on the machine."""
    with open(glob.glob(os.path.join(directory, "count.*-01"))[0], encoding="utf-8", errors="replace") as file:
        return int(re.findall(r"(?m)^(?:summary|totals): (\d+)", file.read())[-1])


def must(caller, line):
    answer = caller.ask(line)
    assert answer.startswith("OK"), f"{line}: {answer}"
    return answer


def enter(server, name, number, code):
    caller = Player(server.port, source=network(number))
    caller.login(name, invite=code)
    return caller


def play(server, code, moves, pings):
    """Plays games of `moves` moves, each after the last one's answer, and sends `pings` pings with each move."""
    pairs, games = [], []
    for number in range(PAIRS):
        red, blue = (enter(server, f"p{number}{side}", 2 * number + side, code) for side in (0, 1))
        offer = field(must(red, "seek time=none side=red"), "id")
        games.append(field(must(blue, f"accept {offer}"), "game"))
        for caller, setup in ((red, "NBNB"), (blue, "BNNB")):
            must(caller, f"setup game={games[-1]} {setup}")
        pairs.append({"red": red, "blue": blue})
    for number, (side, move) in enumerate(recorded_moves()[:moves], 1):
        for pair, game in zip(pairs, games):
            must(pair[side], f"move game={game} {number} {move}")
            for _ in range(pings):
                must(pair[side], "ping")
        time.sleep(0.06)  # a player may make ten moves a second
    for pair in pairs:
        pair["red"].cut()
        pair["blue"].cut()


def log_in(server, code, logins, pings):
    """A member comes back `logins` times, each time from another network, and sends `pings` pings each time."""
    member = enter(server, "kim", 0, code)
    must(member, "quit")
    for number in range(logins):
        caller = Player(server.port, source=network(number + 1))
        caller.login("kim", member.token)
        for _ in range(pings):
            must(caller, "ping")
        must(caller, "quit")
        caller.cut()


def count(work, quotas, pings, times):
    directory = tempfile.mkdtemp(prefix="janggi-count-")
    try:
        server = Server(os.path.join(directory, "d"), "--quotas", quotas, program=wrapper(directory))
        code = re.search(r"/enter/([0-9A-Z-]+)/", server.ctl("invite", "door", "uses=50")[1])[1]
        work(server, code, times, pings)
        server.stop()
        return instructions(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def cost(work, quotas, pings, times, each):
    """Returns the cost of one move or login: what many cost less what few cost, divided by the difference in their
    number. All else is the same in both."""
    few = times // 4
    return (count(work, quotas, pings, times) - count(work, quotas, pings, few)) / ((times - few) * each)


def main():
    if not shutil.which("valgrind"):
        print("admission: NOT MEASURED, valgrind is not installed")
        return 0
    good = True
    print(f"{'user instructions of':22}{'--quotas off':>14}{'default':>12}{'more':>9}   goal   with pings (control)")
    for name, work, times, each in (("move", play, MOVES, PAIRS), ("login", log_in, LOGINS, 1)):
        off = cost(work, "off", 0, times, each)
        on = cost(work, "on", 0, times, each)
        more, control = 100 * (on / off - 1), 100 * (cost(work, "off", PINGS[name], times, each) / off - 1)
        is_good, is_seen = more <= GOALS[name], control > GOALS[name]
        good = good and is_good and is_seen
        print(f"{'a ' + name:22}{off:14,.0f}{on:12,.0f}{more:+8.1f} %   {GOALS[name]:.0f} %   {control:+.1f} %"
              f"{'' if is_good else '   MISSED'}{'' if is_seen else '   THE CONTROL IS NOT SEEN'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
