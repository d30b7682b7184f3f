#!/usr/bin/env python3
"""valgrind's memcheck: unit programs, and a server at which people play, come back, are refused and send
mutated lines. It finds what sanitizers do not: values that were never set. No error and no lost memory may be
reported; the control is a program that reads what it has not set.

    python3 tests/proof/memcheck.py BUILD [--long]

The short form takes a few unit programs, and the server for a moment.
"""
import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "attack"), os.path.join(HERE, "..", "lib")]
IS_LONG = "--long" in sys.argv
sys.argv = [word for word in sys.argv if word != "--long"]
from callers import network  # noqa: E402
from hosting import BUILD, JANGGID, Player, Refused, Server, begin, expect, must_fail, run  # noqa: E402
from lines import LINES, mutated  # noqa: E402
from players import recorded_moves  # noqa: E402

MEMCHECK = ("valgrind", "-q", "--error-exitcode=99")
LEAKS = ("--leak-check=full", "--errors-for-leak-kinds=definite")
# Looked through for leaks too. Others have children that die with all they have; ASan looks through them.
SHORT_UNITS = ("proto", "wire_lines", "admission", "usage", "deadline")
TOO_LONG = ("record_sign", "render", "search", "store_wal")  # many minutes under valgrind
UNFIT = ("listener",)  # lowers the limit of descriptors, which valgrind keeps in a way of its own
UNSET = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); return *p == 7 ? 1 : 0; }\n"


def check_program(command, *options):
    done = subprocess.run([*MEMCHECK, *options, *command], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=580, check=False,
                          env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP"))
    if done.returncode != 0 or "==" in "".join(line[:2] for line in done.stdout.splitlines()):
        raise AssertionError(f"{command[0]}: status {done.returncode}: {done.stdout[-1500:]}")


def units():
    """{name: path} of the unit programs."""
    found = {}
    for folder, _, files in os.walk(os.path.join(BUILD, "tests", "unit")):
        for name in files:
            if name.startswith("test_") and "." not in name:
                found[name[len("test_"):]] = os.path.join(folder, name)
    return found


def unit_programs_have_no_memory_error(directory, is_control=False):
    if is_control:
        source, program = os.path.join(directory, "unset.c"), os.path.join(directory, "unset")
        with open(source, "w", encoding="ascii") as file:
            file.write(UNSET)
        subprocess.run([os.environ.get("CC", "cc"), "-O0", "-w", "-o", program, source], check=True)
        check_program([program], *LEAKS)
        return
    found = units()
    names = [name for name in found if name not in TOO_LONG + UNFIT] if IS_LONG else SHORT_UNITS
    for name in sorted(names):
        check_program([found[name]], *(LEAKS if name in SHORT_UNITS else ()))
    print(f"# {len(names)} unit programs")


def wrapper(directory):
    """A program that starts janggid under memcheck."""
    path = os.path.join(directory, "janggid-checked")
    with open(path, "w", encoding="ascii") as script:
        script.write(f"#!/bin/sh\nexec {' '.join((*MEMCHECK, *LEAKS))} '{JANGGID}' \"$@\" --sandbox off\n")
    os.chmod(path, 0o755)
    return path


def come_in(server, number, name):
    caller = Player(server.port, source=network(number))
    expect(caller.login(name), "^OK ")
    return caller


def play(server, moves):
    """Two people play; one comes back, and both go."""
    red, blue = (come_in(server, number, name) for number, name in ((1, "hong"), (2, "kim")))
    game = begin(red, blue, "none", ("NBNB", "BNNB"))
    for number, (side, move) in enumerate(recorded_moves()[:moves], 1):
        (red if side == "red" else blue).move(game, number, move)
    red.cut()
    again = Player(server.port, source=network(1))
    expect(again.login("hong", red.token), "^OK ")
    for line in (f"resume game={game} 0", f"record {game}", "board", "who", "games", "help", "quit"):
        again.ask(line)
    blue.ask("quit")


def disturb(server, batches):
    """Strangers send mutated lines."""
    random.seed(int(os.environ.get("SEED", "1")))
    for number in range(batches):
        try:
            caller = Player(server.port, source=network(3 + number))
            caller.socket.sendall(b"".join(mutated(random.choice(LINES)) + b"\n" for _ in range(50)) + b"\nping\n")
            caller.expect("^(OK ping|! bye)")
            caller.cut()
        except Refused:
            pass


def a_server_has_no_memory_error(directory):
    server = Server(os.path.join(directory, "d"), program=wrapper(directory))
    try:
        play(server, 45 if IS_LONG else 6)
        disturb(server, 100 if IS_LONG else 4)
    finally:
        status = server.stop()
    if status != 0 or "==" in [line[:2] for line in server.log().splitlines()]:
        raise AssertionError(f"status {status}: {server.log()[-3000:]}")


if not shutil.which("valgrind"):
    print("ok a_server_has_no_memory_error # SKIP valgrind is not installed")
    sys.exit(0)
if "SAN_OPTIONS" in "".join(os.environ) or any(mark in BUILD for mark in ("asan", "tsan")):
    print("ok a_server_has_no_memory_error # SKIP this build has a sanitizer")
    sys.exit(0)
sys.exit(run([unit_programs_have_no_memory_error, must_fail(unit_programs_have_no_memory_error),
              a_server_has_no_memory_error]))
