#!/usr/bin/env python3
"""A client requests one old game after the other: the server keeps only a few of them in memory, and
can still send every one.

    python3 tests/proof/past_games.py BUILD_DIR [TEST ...]
"""
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import Player, Server, expect, must_fail, run

GAMES, KEPT, WATCHED = 300, 256, 64  # the latter two as janggid(8) says


def play_games(server, hong, kim):
    for game in range(1, GAMES + 1):
        offer = expect(hong.ask("seek time=none"), r"id=(\d+)")[1]
        expect(kim.ask(f"accept {offer}"), f"game={game}$")
        expect(kim.ask(f"abort {game}"), "^OK")


def watching(player, name):
    rows, _ = player.block("who")
    row = next(row for row in rows if row.startswith(f"player {name} "))
    return int(re.search(r"watching=(\d+)", row)[1])


def enter(server):
    """A guest, and the guest's name."""
    guest = Player(server)
    return guest, expect(guest.ask("login"), r"name=(\S+)")[1]


def read_all(guest):
    for game in range(1, GAMES + 1):
        expect(guest.ask(f"watch {game}"), f"^OK watch game={game} next=0 events=2")
        guest.expect(f"^! game {game} 1 end none aborted by=")


def old_games_do_not_fill_the_memory(directory, is_control=False):
    with Server(os.path.join(directory, "d"), "--limits", f"watch={GAMES}") as server:
        play_games(server, Player(server, "hong"), Player(server, "kim"))
        if not is_control:  # without a restart the server still has all games in memory
            server.stop()
            server.start()
        guest, name = enter(server)
        read_all(guest)
        assert watching(guest, name) == KEPT, watching(guest, name)
        for game in (1, GAMES // 2, GAMES):
            expect(guest.ask(f"state {game}"), f"^OK state game={game} events=2 .* phase=over ")


def one_guest_follows_few_ended_games(directory, is_control=False):
    limit = GAMES if is_control else WATCHED
    with Server(os.path.join(directory, "d"), "--limits", f"watch={limit}") as server:
        play_games(server, Player(server, "hong"), Player(server, "kim"))
        guest, name = enter(server)
        read_all(guest)
        assert watching(guest, name) == WATCHED, watching(guest, name)


def a_slow_guest_keeps_few_games_in_memory(directory):
    """The guest has the board view, so a few games fill the buffers, and reads nothing."""
    with Server(os.path.join(directory, "d"), "--limits", f"watch={GAMES}",
                "--limits", "slow-reader-s=0") as server:
        play_games(server, Player(server, "hong"), Player(server, "kim"))
        server.stop()
        server.start()
        slow = Player(server, receive_bytes=2048)
        name = expect(slow.ask("login"), r"name=(\S+)")[1]
        expect(slow.ask("view board"), "^OK")
        guest, _ = enter(server)
        for game in range(1, GAMES + 1):
            slow.say(f"watch {game}")
        while watching(guest, name) < KEPT:
            time.sleep(0.05)
        read_all(guest)
        assert watching(guest, name) <= KEPT, watching(guest, name)
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        slow.say("ping")
        slow.expect("^OK ping")
        closed = [line for line in slow.seen if re.match(r"! closed game=\d+ why=slow ", line)]
        assert closed, "no game was closed for the slow guest"


if __name__ == "__main__":
    sys.exit(run([old_games_do_not_fill_the_memory,
                  must_fail(old_games_do_not_fill_the_memory),
                  one_guest_follows_few_ended_games,
                  must_fail(one_guest_follows_few_ended_games),
                  a_slow_guest_keeps_few_games_in_memory]))
