#!/usr/bin/env python3
"""A class of thirty behind one address: all come in through one door invitation, after they have asked for a name that is
taken, and play. The server has its default limits; the time is printed, and is no part of the verdict.

    python3 tests/host/class_of_thirty.py BUILD
"""
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from callers import field, network  # noqa: E402
from hosting import Player, Server, expect, must_fail, run  # noqa: E402

PUPILS, ADDRESS = 30, network(1)
MOVES = ("A3-A4", "A6-A5", "C3-C4", "C6-C5")


def enter(port, name, code):
    """A pupil who is logged in; an error if the server refuses. The names that come to mind first are taken."""
    caller = Player(port, source=ADDRESS)
    expect(caller.login("teacher", invite=code), "^ERR proof name=teacher ")
    expect(caller.login("teacher"), "^ERR proof name=teacher ")
    expect(caller.login(name, invite=code), f"^OK login name={name} .*role=member")
    return caller


def offer(red, blue, name, is_challenge):
    """The number of the offer that blue accepts: half of the pairs find each other by a seek."""
    words = f"challenge {name} time=none side=red" if is_challenge else "seek time=none side=red"
    return field(expect(red.ask(words), "^OK .*").string, "id")


def play(pair):
    """Plays a game of two pupils: the line-ups and some moves. Returns the events that blue has seen."""
    (_, red), (name, blue), is_challenge = pair
    game = field(expect(blue.ask(f"accept {offer(red, blue, name, is_challenge)}"), "^OK accept ").string, "game")
    for number, caller in enumerate((red, blue)):
        expect(caller.ask(f"setup game={game} NBNB"), "^OK setup ")
        blue.expect(f"^! game {game} {number + 1} setup")
    for number, move in enumerate(MOVES):
        (red, blue)[number % 2].move(game, move)
        if number % 2 == 0:
            blue.expect(f"^! game {game} {number + 3} move")
        else:
            red.expect(f"^! game {game} {number + 3} move")
    return game


def a_class_of_thirty_enters_and_plays(directory, is_control=False):
    with Server(os.path.join(directory, "d"), "--quotas", "on", "--access", "invited") as server:
        uses = PUPILS if is_control else PUPILS + 1
        link = server.ctl("invite", "door", f"uses={uses}")[1]
        code = expect(link, r"/enter/([0-9A-Z-]+)/")[1]
        teacher = Player(server.port, source=ADDRESS)
        expect(teacher.login("teacher", invite=code), "^OK login name=teacher .*role=member")
        names = [f"pupil{number:02}" for number in range(PUPILS)]
        began = time.monotonic()
        with ThreadPoolExecutor(PUPILS) as pool:
            pupils = list(pool.map(lambda name: enter(server.port, name, code), names))
            entered_s = time.monotonic() - began
            people = list(zip(names, pupils))
            pairs = [(*pair, number % 2 == 0) for number, pair in enumerate(zip(people[::2], people[1::2]))]
            games = set(pool.map(play, pairs))
        assert len(games) == PUPILS // 2, f"{len(games)} games of {PUPILS // 2}"
        print(f"# {PUPILS} pupils behind one address entered in {entered_s:.1f} s; "
              f"{len(games)} games of {len(MOVES)} moves after {time.monotonic() - began:.1f} s")
        expect(Player(server.port, source=network(2)).login("late", invite=code), "^ERR ")
        for caller in (teacher, *pupils):
            caller.cut()


sys.exit(run([a_class_of_thirty_enters_and_plays, must_fail(a_class_of_thirty_enters_and_plays)]))
