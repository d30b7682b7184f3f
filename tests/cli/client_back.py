#!/usr/bin/env python3
"""What a client does by itself when a lost connection is back: what was waiting waits again.

    python3 client_back.py BUILD
"""
import os
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import BUILD, PATIENCE, Checks
from stepped_clock import SteppedClock

PATIENCE_S = 20
CLOCK = "red_ms=600000 blue_ms=600000"
START = "! game 1 0 start red=hong blue=kim rules=martin time=10m+5s"
SET_UP = [START, "! game 1 1 setup red NBNB", "! game 1 2 setup blue NBBN"]
EVENT = f"! game 1 3 move 1 red A3-B3 {CLOCK}"

check = Checks()


class Visit(client_pty.Visit):
    """games: for each connection, the list of running games with which it is let in. answers: for each verb, the answers
    that it gets, one after the other."""

    def __init__(self, *games, settings="", answers=(), options=(), clock=None):
        self.next_games, self.answers, self.clock = list(games), dict(answers), clock
        super().__init__(*options, settings=settings, environment=clock.environment(BUILD, "janggi") if clock else ())

    def serve(self, talk):
        self.games = self.next_games.pop(0) if self.next_games else "-"
        super().serve(talk)

    def answer(self, line, tag):
        verb = line.split(" ")[0]
        answers = self.answers.get(verb, [])
        rows, answer = cut(answers.pop(0) if answers else f"OK {verb}")
        return rows + tag + answer

    def has_heard(self, line):
        """Waits until the client has said a line that begins with `line` in this connection."""
        until = time.monotonic() + PATIENCE_S * PATIENCE
        while not any(said.startswith(line) for said in self.said):
            if time.monotonic() > until:
                return False
            self.terminal.watch(0.05)
        return True

    def hears(self, line):
        """Waits until the client has said `line` and has read the answer."""
        return self.has_heard(line) and self.reads()

    def types(self, line, answer):
        """hong types a line, which gets that answer."""
        self.answers.setdefault(line.split(" ")[0], []).append(answer)
        self.terminal.type(line + "\r")
        return self.hears(line.split(" ")[0])

    def comes(self):
        """Waits for the next connection."""
        until = time.monotonic() + PATIENCE_S * PATIENCE
        while not self.has_come.acquire(blocking=False):
            if time.monotonic() > until:
                return False
            self.terminal.watch(0.05)
        return True

    def lose(self, minutes=0):
        """Breaks the connection and waits until the client comes again; with a stepped clock, after `minutes`
        minutes."""
        self.talk.cut()
        if self.clock:
            check(self.terminal.wait_for("connection lost", PATIENCE_S), "it-is-lost", tail(self))
            self.clock.step_ms(minutes * 60000)
        check(self.comes(), "one-comes-back", tail(self))

    def comes_back(self, minutes=0):
        """Calls lose(). Returns what the client then says by itself, before what hong types. The client has sent all
        that by the time when it says that it is back."""
        self.lose(minutes)
        check(self.terminal.wait_for("back after", PATIENCE_S), "and-says-so", tail(self))
        self.terminal.type("who\r")
        check(self.hears("who"), "and-is-answered", tail(self))
        return self.said[:-1]

    def __enter__(self):
        self.comes()
        return self


def cut(answer):
    """Cuts an answer into its rows, which have no tag, and the rest."""
    rows = re.match(r"(\|.*\n)*", answer)[0]
    return rows, answer[len(rows):]


def tail(visit):
    return bytes(visit.terminal.seen[-600:])


# --- What was waiting ------------------------------------------------------------------------

def test_what_waits():
    with Visit() as visit:
        visit.types("seek 5 red", "OK seek id=12 time=5m rules=martin side=red")
        visit.types("play 10+5", "OK play id=13 waiting=1 minutes=15 time=10m+5s rules=martin side=any")
        visit.types("tv kja", "OK tv waiting=1")
        visit.types("seeks on", "OK seeks news=on")
        seek, play = visit.said[:2]
        visit.answers = {"seek": ["OK seek id=22 time=5m rules=martin side=red"],
                         "play": ["ERR limit what=seeks max=3 : too many"]}
        said = visit.comes_back()
        check(said == ["tv kja after=0", "seeks on", seek, play], "what-waited-is-sent-again", said)
        for words in (f"-- the connection was lost, so this is sent again: {seek}\r", "-- seek 22 (5m",
                      "-- not done: too many"):
            check(words.encode() in visit.terminal.seen, "and-that-is-said", (words, tail(visit)))
        visit.reads("! gone 12 why=playing kind=seek by=hong")
        said = visit.comes_back()
        check(said == ["tv kja after=0", "seeks on", seek], "what-was-refused-then-is-not", said)


def test_what_waited_too_long():
    with Visit(clock=SteppedClock(os.path.join(DIRECTORY, "clock"))) as visit:
        visit.types("seek 5", "OK seek id=12 time=5m rules=martin side=any")
        visit.types("play 10+5", "OK play id=13 waiting=1 minutes=6 time=10m+5s rules=martin side=any")
        visit.types("tv kja", "OK tv waiting=1")
        seek, play = visit.said[:2]
        visit.answers = {"seek": ["OK seek id=22 time=5m rules=martin side=any"],
                         "play": ["OK play id=23 waiting=1 minutes=6 time=10m+5s rules=martin side=any"]}
        said = visit.comes_back(4)
        check(said == ["tv kja after=0", seek, play], "after-4-minutes-all-is-sent-again", said)
        visit.answers = {"seek": ["OK seek id=32 time=5m rules=martin side=any"]}
        said = visit.comes_back(4)
        check(said == ["tv kja after=0", seek], "a-play-ends-with-its-minutes", said)
        said = visit.comes_back(6)
        check(said == ["tv kja after=0"], "a-seek-ends-with-a-long-loss", said)
        for line in (seek, play):
            words = f"-- this request ended while the connection was lost; type it again: {line}\r"
            unwrapped = bytes(visit.terminal.seen).replace(b"\r\n   ", b" ")
            check(words.encode() in unwrapped, "and-that-is-said", (words, tail(visit)))


def test_what_waits_no_more():
    with Visit() as visit:
        visit.types("seek 5", "OK seek id=12 time=5m rules=martin side=any")
        visit.reads("! gone 12 why=withdrawn kind=seek by=hong")
        visit.types("tv", "\n".join([f"OK tv game=1 next=0 events=3 {CLOCK}", *SET_UP]).replace("hong", "lee"))
        visit.types("unwatch 1", "OK unwatch game=1")
        visit.types("seeks on", "OK seeks news=on")
        visit.said.clear()
        visit.types("seeks off", "OK seeks news=off")
        said = visit.comes_back()
        check(said == [], "what-was-ended-is-not-sent-again", said)


def test_tv_goes_on():
    with Visit() as visit:
        visit.types("tv", "\n".join([f"OK tv game=1 next=0 events=3 {CLOCK}", *SET_UP]).replace("hong", "lee"))
        visit.answers["resume"] = [f"OK resume game=1 next=3 events=3 {CLOCK}"]
        said = visit.comes_back()
        check(said == ["resume 1 3", "tv after=1"], "tv-goes-on-with-its-game", said)


def test_an_opponent_is_found():
    with Visit("-", "1") as visit:
        visit.types("seek 5", "OK seek id=12 time=5m rules=martin side=any")
        visit.answers["resume"] = ["\n".join([f"OK resume game=1 next=0 events=3 {CLOCK}", *SET_UP])]
        said = visit.comes_back()
        check("resume 1 0" in said and not [line for line in said if line.startswith("seek")],
              "nobody-is-looked-for-when-a-game-has-begun", said)


# --- A private game --------------------------------------------------------------------------

WATCHED = "\n".join([f"OK watch game=1 next=0 events=4 {CLOCK}", *SET_UP]).replace("hong", "lee")


def test_a_private_game():
    """The client sends the code of the link again. When the game is gone, a script goes on."""
    with Visit() as visit:
        visit.answers["resume"] = [f"OK resume game=1 next=4 events=4 {CLOCK}",
                                   "ERR no-such game=1 : no such game"]
        visit.types("watch 1 1-K7Q29F3MW4XHT6PB", WATCHED)
        visit.reads(EVENT.replace("hong", "lee"))
        said = visit.comes_back()
        check(said == ["resume 1 4 code=1-K7Q29F3MW4XHT6PB"], "a-private-game-is-resumed-by-its-code", said)
        said = visit.comes_back()
        check(len(said) == 1, "each-time", said)
        said = visit.comes_back()
        check(said == [], "but-not-once-it-is-refused", said)
    answers = {"watch": [WATCHED], "resume": ["ERR no-such game=1 : no such game"]}
    with Visit(options=["-c", "watch 1 1-K7Q29F3MW4XHT6PB; who"], answers=answers) as visit:
        visit.hears("watch")
        visit.lose()
        check(visit.has_heard("who"), "a-script-does-not-wait-for-it", visit.said)


def test_a_resume_that_comes_too_fast():
    with Visit(answers={"watch": [WATCHED]}) as visit:
        visit.terminal.type("watch 1\r")
        visit.hears("watch")
        visit.answers["resume"] = ["ERR slow-down retry=1 : too fast",
                                   f"OK resume game=1 next=4 events=5 {CLOCK}\n" + MOVES[1]]
        visit.reads(EVENT.replace("hong", "lee"))
        visit.lose()
        check(visit.terminal.wait_for("E6-D6", PATIENCE_S), "a-watched-game-is-resumed-when-the-server-says",
              (visit.said, tail(visit)))


# --- An adjourned game -----------------------------------------------------------------------

def test_an_adjourned_game():
    """Who plays in it, and its position, are shown when the player comes back with a new client."""
    events = [RESUMED % (0, 5), *SET_UP, MOVES[0], "! game 1 4 adjourn " + CLOCK]
    for option, wanted in (("--color=never", [b"Game 1: red hong, blue kim.", b"-- the game is adjourned",
                                              b"Game 1   red hong  vs  blue kim", b"Adjourned;"]),
                           ("--speech", [b"Game 1. Red hong, blue kim.", b"The game is adjourned."])):
        with Visit("1", answers={"resume": ["\n".join(events)]}, options=[option]) as visit:
            visit.hears("resume")
            places = [visit.terminal.seen.find(words) for words in wanted]
            check(-1 not in places and places == sorted(places), "an-adjourned-game-is-shown-to-who-comes",
                  tail(visit))
            at = len(visit.terminal.seen)
            visit.reads("! game 1 5 continue", "! game 1 6 adjourn " + CLOCK)
            check(wanted[0] not in visit.terminal.seen[at:], "but-its-players-only-once", tail(visit))


# --- Who watches -----------------------------------------------------------------------------

def board(visit):
    """Returns what the board says about watchers."""
    at = len(visit.terminal.seen)
    visit.terminal.type("board\r")
    check(visit.terminal.wait_for("A  B  C  D", PATIENCE_S), "a-board-is-shown", tail(visit))
    found = re.search(rb"Watching: [^\r\n]*", bytes(visit.terminal.seen[at:]))
    return found[0].decode() if found else ""


def test_who_watches():
    """The names beside the board are those that the server has, whether it has told the client each of them or not."""
    answers = {"resume": ["\n".join([RESUMED % (0, 3), *SET_UP]), RESUMED % (3, 3)],
               "watchers": ["| watcher guest3\nOK watchers game=1 count=1", "OK watchers game=1 count=0",
                            "| watcher park\n| watcher lee\nOK watchers game=1 count=3 shown=2",
                            "| watcher lee\nOK watchers game=1 count=1", "OK watchers game=1 count=0",
                            "| watcher choi\nOK watchers game=1 count=1"]}
    with Visit("1", "1", answers=answers) as visit:
        visit.hears("watchers 1")
        seen = board(visit)
        check(seen == "Watching: 1 (guest3)", "who-watched-before-the-player-came", seen)
        for line, wanted in (("unlet guest3", ""), ("watchlink new", "Watching: 3 (park, lee, ...)")):
            visit.said.clear()
            visit.types(line, f"OK {line.split(' ')[0]} game=1 name=guest3")
            visit.hears("watchers 1")
            seen = board(visit)
            check(seen == wanted, "who-watches-after-" + line.replace(" ", "-"), seen)
        visit.said.clear()
        visit.reads("! watchers game=1 count=1 came=0 left=2")
        visit.hears("watchers 1")
        seen = board(visit)
        check(seen == "Watching: 1 (lee)", "who-is-left-of-those-who-were-only-counted", seen)
        visit.said.clear()
        visit.terminal.type("watchers 1\r")
        visit.hears("watchers 1")
        seen = board(visit)
        check(seen == "", "what-the-player-has-read", seen)
        visit.lose()
        visit.hears("watchers 1")
        seen = board(visit)
        check(seen == "Watching: 1 (choi)", "who-watches-after-a-lost-connection", seen)


# --- The program for a turn ------------------------------------------------------------------

RESUMED = f"OK resume game=1 next=%d events=%d {CLOCK}"
MOVES = ["! game 1 3 move 1 red A3-B3 " + CLOCK, "! game 1 4 move 2 blue E6-D6 " + CLOCK]


class Hook:
    """Programs for on-turn and on-match that note what they were started for."""

    def __init__(self):
        self.out, program = os.path.join(DIRECTORY, "hook.out"), os.path.join(DIRECTORY, "hook")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$JANGGI_EVENT $JANGGI_GAME $JANGGI_PLY" >>{self.out}\n')
        os.chmod(program, 0o755)
        self.settings = f"on-turn = {program}\non-match = {program}\n"
        self.clear()

    def clear(self):
        with open(self.out, "w", encoding="utf-8"):
            pass

    def runs(self, visit, *wanted):
        """Waits until the programs have run as often as `wanted` has words. True: they ran for these, in any
        order."""
        until = time.monotonic() + PATIENCE_S * PATIENCE
        while True:
            with open(self.out, encoding="utf-8") as file:
                got = sorted(file.read().splitlines())
            if len(got) >= len(wanted) or time.monotonic() > until:
                return got == sorted(wanted)
            visit.terminal.watch(0.05)


def test_a_turn_while_away():
    hook = Hook()
    resumed = ["\n".join([RESUMED % (0, 3), *SET_UP]), "\n".join([RESUMED % (3, 5), *MOVES])]
    with Visit("1", "1", settings=hook.settings, answers={"resume": resumed}) as visit:
        visit.hears("resume")
        visit.comes_back()
        check(hook.runs(visit, "turn 1 2"), "on-turn-is-run-for-a-turn-that-came-meanwhile", tail(visit))


def test_agreed_line_ups():
    hook = Hook()
    with Visit(settings=hook.settings) as visit:
        visit.reads(START + " setup=NBNB/NBBN", START.replace("game 1", "game 2"))
        check(hook.runs(visit, "match 1 0", "match 2 0", "turn 2 0"), "agreed-line-ups-are-no-turn", tail(visit))


DIRECTORY = tempfile.mkdtemp(prefix="janggi-back-")
test_what_waits()
test_what_waited_too_long()
test_what_waits_no_more()
test_tv_goes_on()
test_an_opponent_is_found()
test_a_private_game()
test_a_resume_that_comes_too_fast()
test_an_adjourned_game()
test_who_watches()
test_a_turn_while_away()
test_agreed_line_ups()
shutil.rmtree(DIRECTORY, ignore_errors=True)
sys.exit(1 if check.failed else 0)
