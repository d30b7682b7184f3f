#!/usr/bin/env python3
"""No byte that tells of a move leaves the server before the move is on disk: neither to 1,000 spectators
while the disk has no room, nor to anybody when the file system turns read-only in the middle of play.

    python3 tests/proof/gated.py BUILD_DIR [TEST ...]
"""
import os
import re
import resource
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import BUILD, JANGGID, Player, Server, begin, expect, run
from stepped_clock import before_sanitizer

SPECTATORS, FAILED = 1000, 74
EARLY = os.path.join(BUILD, "tests", "proof", "fault", "janggid-early")  # answers and shows before the disk


def serve(directory, error, program=JANGGID):
    """A server whose writes fail with that error while there is the second result, a file."""
    flag = os.path.join(directory, "fails")
    preload = before_sanitizer(program, os.path.join(BUILD, "tests", "proof", "fault", "preload.so"))
    environment = {"JANGGI_FAULT_CALL": "write", "JANGGI_FAULT_ERRNO": error, "JANGGI_FAULT_WHILE": flag,
                   "LD_PRELOAD": preload}
    return Server(os.path.join(directory, "d"), "--connections", str(SPECTATORS + 100), "--per-address",
                  str(SPECTATORS + 100),
                  program=program, environment=environment), flag


def told_early(directory, program, spectators):
    """A move is made while the disk has no room. Returns how many were told of it before there was room again."""
    server, flag = serve(directory, "ENOSPC", program)
    with server:
        red, blue = Player(server, "hong"), Player(server, "kim")
        game = begin(red, blue, "10m+5s")
        crowd = [blue]
        for _ in range(spectators):
            crowd.append(Player(server))
            expect(crowd[-1].ask("login"), "^OK")
            expect(crowd[-1].ask(f"watch {game}"), "^OK watch")
            crowd[-1].expect(f"^! game {game} 2 ")
        with open(flag, "w", encoding="ascii"):
            red.say(f"move game={game} 1 a3a4")
        early = 0
        for reader in [red, *crowd]:
            reader.expect("^! notice why=storage-full")
        for reader in crowd:
            expect(reader.ask("ping"), "^OK ping")  # is sent at once: nothing that may go is left behind
        early = sum(any(re.match(rf"OK move|! game {game} 3 ", line) for line in reader.seen)
                    for reader in [red, *crowd])
        os.unlink(flag)
        for reader in crowd:
            if not any(line.startswith(f"! game {game} 3 ") for line in reader.seen):
                reader.expect(f"^! game {game} 3 move 1 red A3-A4 ")
        return early


def a_thousand_spectators_wait_for_the_disk(directory):
    early = told_early(directory, JANGGID, SPECTATORS)
    assert not early, f"{early} were told of a move that was not on disk"


def a_server_that_does_not_wait_is_noticed(directory):
    assert told_early(directory, EARLY, 10), "nobody was told too early by a server that answers at once"


def a_read_only_file_system_ends_the_server(directory):
    server, flag = serve(directory, "EROFS")
    with server:
        red, blue = Player(server, "hong"), Player(server, "kim")
        guest = Player(server)
        game = begin(red, blue, "10m+5s")
        expect(guest.ask("login"), "^OK")
        expect(guest.ask(f"watch {game}"), "^OK watch")
        red.move(game, 1, "a3a4")
        blue.expect(f"^! game {game} 3 move 1 red A3-A4 ")
        guest.expect(f"^! game {game} 3 move 1 red A3-A4 ")
        with open(flag, "w", encoding="ascii"):
            blue.say(f"move game={game} 2 a6a5")
        for player in (red, blue, guest):
            for line in player.expect_end():
                assert not re.match(rf"OK move|! game {game} 4 ", line), f"{player.name} was told: {line}"
        assert server.wait() == FAILED, f"the server ended with status {server.process.returncode}"
        os.unlink(flag)
        server.start()
        red, blue = (Player(server, player.name, player.token) for player in (red, blue))
        expect(red.ask(f"resume {game} 0"), "^OK resume")
        red.expect(f"^! game {game} 3 move 1 red A3-A4 ")
        expect(blue.ask(f"state {game}"), f"^OK state game={game} events=4 ")  # what was acknowledged, no more
        blue.move(game, 2, "a6a5")
        red.expect(f"^! game {game} 4 move 2 blue A6-A5 ")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    sys.exit(run([a_thousand_spectators_wait_for_the_disk,
                  a_server_that_does_not_wait_is_noticed,
                  a_read_only_file_system_ends_the_server]))
