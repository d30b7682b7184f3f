#!/usr/bin/env python3
"""The walk of a move: which of our functions one legal move enters on each thread of the server, those in headers
too. A game is played to ply 6 under callgrind with one spectator; then one move with its OK, the commit, and the
lines to the opponent and the spectator is recorded.

    python3 tests/measure/walk.py BUILD [--list]        BUILD is made with CFLAGS="-O0 -g" (make walk-of-a-move)

--list names the functions of each thread, the costliest first.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
IS_LIST = "--list" in sys.argv
sys.argv = [word for word in sys.argv if word != "--list"]
from hosting import JANGGID, Player, Server, begin, expect  # noqa: E402

MOVES = "red I3-H3", "blue I6-H6", "red A3-B3", "blue A6-B6", "red C3-D3", "blue C6-D6", "red E3-F3"
OURS = re.compile(r"(?:^|/)((?:common|server)/.*)\.[ch]$")


def wrapper(directory):
    """A program that starts janggid under callgrind, which records nothing yet."""
    path = os.path.join(directory, "janggid-walked")
    with open(path, "w", encoding="ascii") as script:
        script.write(f"#!/bin/sh\nexec valgrind -q --tool=callgrind --separate-threads=yes --instr-atstart=no "
                     f"--callgrind-out-file={directory}/out '{JANGGID}' \"$@\" --sandbox off\n")
    os.chmod(path, 0o755)
    return path


def record(server, is_on):
    subprocess.run(["callgrind_control", "-i", "on" if is_on else "off", str(server.process.pid)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def move(game, number, players):
    """The mover is told OK, and the others see the move."""
    side, move_words = MOVES[number - 1].split()
    mover = players[side == "blue"]
    expect(mover.ask(f"move {game} {number} {move_words}"), "^OK move")
    for player in players:
        if player is not mover:
            player.expect(rf"^! game {game} \d+ move {number} ")


def functions_in(path):
    """{(module, function): [own instructions, calls]} of ours, from a file that callgrind wrote."""
    names, found = {}, {}
    file = called_file = function = called = None
    is_of_call = False

    def full(kind, value):
        """A name is written once, and then its number."""
        number, _, name = value.partition(" ")
        return names.setdefault((kind, number), name)

    with open(path, encoding="utf-8") as lines:
        for key, is_set, value in (line.rstrip("\n").partition("=") for line in lines):
            if is_set and key in ("fl", "fi", "fe"):
                file = full("file", value)
            elif is_set and key in ("cfi", "cfl"):
                called_file = full("file", value)
            elif is_set and key == "fn":
                function = file, full("function", value)
            elif is_set and key == "cfn":
                called, called_file = (called_file or file, full("function", value)), None
            elif is_set and key == "calls":
                found.setdefault(called, [0, 0])[1] += int(value.split()[0])
                is_of_call = True
            elif key[:1] and key[0] in "+-*0123456789":
                if not is_of_call:
                    found.setdefault(function, [0, 0])[0] += int(key.split()[1])
                is_of_call = False
    return {(OURS.search(file)[1], function): costs for (file, function), costs in found.items()
            if OURS.search(file or "")}


def main():
    directory = tempfile.mkdtemp(prefix="janggi-walk-")
    server = Server(os.path.join(directory, "data"), program=wrapper(directory))
    players = [Player(server, name) for name in ("hong", "kim", "park")]
    game = begin(*players[:2], "10m+5s")
    expect(players[2].ask(f"watch {game}"), "^OK watch")
    for number in range(1, len(MOVES)):
        move(game, number, players)
    record(server, True)
    move(game, len(MOVES), players)
    record(server, False)
    if server.stop() != 0:
        raise SystemExit(server.log())
    threads = []
    for path in sorted(glob.glob(os.path.join(directory, "out*"))):
        functions = functions_in(path)
        if functions:
            threads.append(functions)
    shutil.rmtree(directory)
    row = "{:12} {:>10} {:>10} {:>10} {:>14}".format
    print(row("one move", "functions", "modules", "calls", "instructions"))
    names = "loop thread", "store thread"
    threads.sort(key=len, reverse=True)
    for name, functions in zip(names, threads):
        print(row(name, len(functions), len({module for module, _ in functions}),
                  sum(calls for _, calls in functions.values()), sum(own for own, _ in functions.values())))
    if IS_LIST:
        for name, functions in zip(names, threads):
            print(f"\n{name}")
            for (module, function), (own, calls) in sorted(functions.items(), key=lambda row: -row[1][0]):
                print(f"{own:8} {calls:5} {module} {function}")


main()
