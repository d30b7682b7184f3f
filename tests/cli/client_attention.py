#!/usr/bin/env python3
"""When janggi rings the bell and what it writes into the window's title; that both can be turned
off, and are for terminals alone. And that the last line of a game says what can be done now.

    python3 client_attention.py BUILD
"""
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import PATIENCE, Checks, judge

START = ["! game 1 0 start red=hong blue=kim rules=martin time=10m+5s", "! game 1 1 setup red NBNB",
         "! game 1 2 setup blue NBBN"]
TITLE = b"\x1b]0;janggi: %s\x07"
BEFORE = b"\x1b]0;\x07\x1b[23;0t"  # the title that was there

check = Checks()


class Visit(client_pty.Visit):
    """A player in game 1."""

    def __enter__(self):
        super().__enter__()
        self.at = 0
        self.seen()
        return self

    def seen(self):
        """Returns everything that was written since the last call. The title may be written after the lines
        that came with it, so what the client does with them is complete when it shows a second marker."""
        at = self.at
        for _ in range(2):
            assert self.reads(), bytes(self.terminal.seen[at:])
        self.at = len(self.terminal.seen)
        return bytes(self.terminal.seen[at:])

    def say(self, *lines):
        self.talk.send("\n".join(lines))
        return self.seen()

    def type(self, words, answer):
        self.terminal.type(words + "\r")
        assert self.terminal.wait_for(answer, 20), bytes(self.terminal.seen[self.at:])
        return self.seen()

    def wait_for_ring(self):
        until = time.monotonic() + 20 * PATIENCE
        while rings(bytes(self.terminal.seen[self.at:])) == 0 and time.monotonic() < until:
            self.terminal.watch(0.1)


def rings(seen):
    """Counts the bells that do not end a title."""
    return re.sub(rb"\x1b\]0;[^\x07]*(\x07|$)", b"", seen).count(b"\x07")


def test_terminal():
    with Visit() as visit:
        seen = visit.say(*START)
        check(TITLE % b"your line-up, game 1" in seen, "the-title-says-when-you-set-up", seen)
        check(rings(seen) == 2, "the-bell-rings-when-it-is-your-turn", seen)
        check(TITLE % b"your move, game 1" in seen, "and-the-title-says-so", seen)
        seen = visit.say("! game 1 3 move 1 red A3-B3 red_ms=600000 blue_ms=600000")
        check(rings(seen) == 0, "it-does-not-when-it-is-not", seen)
        check(TITLE % b"game 1" in seen, "and-the-title-says-that", seen)
        seen = visit.say("! challenge 5 by=lee time=5m rules=martin side=any")
        check(rings(seen) == 1, "it-rings-for-a-challenge", seen)
        check(TITLE % b"a challenge" in seen, "which-stands-in-the-title", seen)
        seen = visit.say("! presence game=1 side=blue here=0 claim_ms=1000")
        check(rings(seen) == 0, "not-for-who-goes", seen)
        seen = visit.say("! claim game=1 side=blue")
        check(rings(seen) == 1, "but-for-a-claim", seen)
        visit.say("! game 1 4 move 2 blue E6-D6 red_ms=600000 blue_ms=600000")
        visit.talk.send("! clock game=1 red_ms=20000 blue_ms=600000 running=red")
        visit.wait_for_ring()
        seen = visit.seen()
        check(rings(seen) == 1, "it-rings-once-for-little-time", seen)
        visit.type("set bell off", "-- bell: off")
        seen = visit.say("! challenge 6 by=lee time=5m rules=martin side=any")
        check(rings(seen) == 0, "it-can-be-turned-off", seen)
        seen = visit.type("set title off", "-- title: off")
        check(BEFORE in seen, "and-the-title-too", seen)
        seen = visit.say("! game 1 5 move 3 red B2-B6 red_ms=600000 blue_ms=600000")
        check(b"\x1b]" not in seen, "and-stays-so", seen)
        seen = visit.type("set title on", "-- title: on")
        check(b"\x1b[22;0t" + TITLE % b"a challenge" in seen, "and-come-back", seen)
        visit.terminal.type("quit\r")
        visit.terminal.end(20)
        check(BEFORE in visit.terminal.seen[visit.at:], "the-old-title-is-back-at-the-end")
        why = judge(visit.terminal.seen)
        check(not why, "nothing-else-is-written", why)


def test_blue():
    """A found game rings also for Blue, whose turn comes second."""
    with Visit() as visit:
        seen = visit.say(START[0].replace("red=hong blue=kim", "red=kim blue=hong"))
        check(rings(seen) == 1, "the-bell-rings-for-blue-when-a-game-begins", seen)
        seen = visit.say("! game 1 1 setup red NBNB")
        check(rings(seen) == 1, "and-when-blue-sets-up", seen)
        seen = visit.say("! game 2 0 start red=kim blue=lee rules=martin time=10m+5s")
        check(rings(seen) == 0, "not-for-a-game-of-others", seen)


OVER = ["! game 1 3 move 1 red A3-B3 red_ms=600000 blue_ms=600000", "! game 1 4 end red resignation by=blue"]
WHISPERS = ["! whisper game=1 by=lee ply=0 : who will win", "! whisper game=1 by=lee ply=1 : a soldier"]


def test_end():
    """What can be done after the end of a game is said last, and without anything that follows."""
    with Visit() as visit:
        seen = visit.say(*START, *OVER, *WHISPERS)
        places = [seen.find(words) for words in (b"You win!", b"who will win", b"a soldier", b'Type "rematch"')]
        check(-1 not in places and places == sorted(places), "whispers-come-before-what-can-be-done", seen)
        check(seen.count(b'Type "rematch"') == 1, "which-is-said-once", seen)
    with Visit() as visit:
        visit.say(*START)
        visit.talk.send("\n".join(OVER))
        check(visit.terminal.wait_for('Type "rematch"', 20), "it-waits-for-nothing")


def test_plain():
    with Visit("--plain") as visit:
        visit.say(*START)
        visit.say("! challenge 5 by=lee time=5m rules=martin side=any")
        check(b"\x07" not in visit.terminal.seen and b"\x1b" not in visit.terminal.seen, "plain-is-plain")
        check(b"kim (blue) sets up NBBN" in visit.terminal.seen, "and-says-what-goes-on")


test_terminal()
test_blue()
test_end()
test_plain()
sys.exit(1 if check.failed else 0)
