#!/usr/bin/env python3
"""A client requests one old game after the other: the server keeps only a few of them in memory, and
can still send every one.

    python3 tests/proof/past_games.py BUILD_DIR [TEST ...]
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import Player, Server, expect, must_fail, run

GAMES, KEPT = 300, 256  # the latter as janggid(8) says


def old_games_do_not_fill_the_memory(directory, is_control=False):
    server = Server(os.path.join(directory, "d"), "--lines-per-s", "0")
    try:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        for game in range(1, GAMES + 1):
            offer = expect(hong.ask("seek time=none"), r"id=(\d+)")[1]
            expect(kim.ask(f"accept {offer}"), f"game={game}$")
            expect(kim.ask(f"abort {game}"), "^OK")
        if not is_control:  # as it is, the server has all of them in its memory still
            server.stop()
            server.start()
        guest = Player(server)
        name = expect(guest.ask("login"), r"name=(\S+)")[1]
        for game in range(1, GAMES + 1):
            expect(guest.ask(f"watch {game}"), f"^OK watch game={game} next=0 events=2")
            guest.hear(f"^! game {game} 1 end none aborted by=")
        rows, _ = guest.block("who")
        row = next(row for row in rows if row.startswith(f"player {name} "))
        if int(re.search(r"watching=(\d+)", row)[1]) != KEPT:
            raise AssertionError(row)
        for game in (1, GAMES // 2, GAMES):
            expect(guest.ask(f"state {game}"), f"^OK state game={game} events=2 .* phase=over ")
        server.stop()
    finally:
        if server.process.poll() is None:
            server.stop(9)


if __name__ == "__main__":
    sys.exit(run([old_games_do_not_fill_the_memory,
                  must_fail(old_games_do_not_fill_the_memory)]))
