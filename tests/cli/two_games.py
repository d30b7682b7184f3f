#!/usr/bin/env python3
"""What a player reads who has two games at once.

    python3 two_games.py BUILD
"""
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import PATIENCE, Checks

FIRST = ["! game 1 0 start red=hong blue=kim rules=martin time=10m+5s", "! game 1 1 setup red NBNB",
         "! game 1 2 setup blue NBBN", "! clock game=1 red_ms=600000 blue_ms=600000 running=red"]
SECOND = ["! game 2 0 start red=hong blue=lee rules=martin time=5m", "! setup game=2 side=red left_ms=60000"]

check = Checks()


class Visit(client_pty.Visit):
    def __init__(self, *lines):
        super().__init__(lines=lines)

    def __enter__(self):
        super().__enter__()
        self.say()
        return self

    def say(self, *lines):
        """Returns what is on the terminal after these lines of the server, without colours and with spaces for line
        ends."""
        at = len(self.terminal.seen)
        self.reads(*lines)
        return self.words(at)

    def words(self, at):
        seen = re.sub(rb"\x1b\][^\x07]*\x07|\x1b\[[0-9;?]*[a-zA-Z]|[\x01\x02]", b"", bytes(self.terminal.seen[at:]))
        return re.sub(r"\s+", " ", seen.decode(errors="replace"))

    def type(self, line, answer):
        """Types a line, waits for the answer, and returns what has come on the terminal."""
        at = self.terminal.looked = len(self.terminal.seen)
        self.terminal.type(line + "\r")
        self.terminal.wait_for(answer, 5)
        return self.words(at)


def test_begin():
    """The choice of line-ups in another game than the current one says which game it is about."""
    with Visit(*FIRST) as visit:
        seen = visit.say(*SECOND)
        check('-- game 2, red hong, blue lee: you choose a set-up; "game 2" goes there Choose how' in seen,
              "a-choice-in-another-game-says-whose-it-is", seen)


LINE_UPS = ["! game 2 1 setup red NBNB", "! game 2 2 setup blue NBBN",
            "! clock game=2 red_ms=240000 blue_ms=300000 running=red"]
END = "! game 1 3 end red resignation by=blue"


def test_end():
    """After the end of the current game, the other one is named, but gets no move before the player goes there."""
    with Visit(*FIRST, *SECOND, *LINE_UPS) as visit:
        at = len(visit.terminal.seen)
        visit.talk.send(END)
        visit.terminal.wait_for("goes there", 5)
        visit.say()
        seen = visit.words(at)
        check(re.search(r'Type "rematch".* -- game 2 against lee goes on \(your move, [34]:\d\d\): Enter or "game 2" '
                        'goes there', seen), "the-game-that-goes-on-is-named-after-the-end", seen)
        check(re.search(r"\[game 2: your move, [34]:\d\d\] janggi>", seen), "and-stands-in-the-prompt", seen)
        seen = visit.type("a3b3", "goes there")
        check('Game 1 is over. Game 2 goes on: "game 2" goes there.' in seen and "move" not in str(visit.said),
              "a-move-is-not-played-there-unseen", (seen, visit.said))
        seen = visit.type("", "YOUR MOVE")
        check("Game 2 red hong vs blue lee" in seen, "enter-goes-there", seen)
        visit.terminal.type("a3b3\r")
        until = time.monotonic() + 20 * PATIENCE
        while "move" not in str(visit.said) and time.monotonic() < until:
            visit.terminal.watch(0.05)
        check("move 2 1 A3-B3" in str(visit.said), "and-then-a-move-is-sent", visit.said)


MOVES = ["! game 2 3 move 1 red A3-B3 red_ms=240000 blue_ms=300000",
         "! game 2 4 move 2 blue A6-B6 red_ms=240000 blue_ms=300000"]


def test_news_after_the_end():
    """A move of the opponent in the other game does not make it the current one: a line may have been typed meanwhile."""
    with Visit(*FIRST, *SECOND, *LINE_UPS, MOVES[0], END) as visit:
        visit.terminal.looked = 0
        visit.terminal.wait_for("goes there", 5)
        visit.say(MOVES[1])
        seen = visit.type("c3c4", "goes there")
        check('Game 1 is over. Game 2 goes on: "game 2" goes there.' in seen and "move" not in str(visit.said),
              "news-of-the-other-game-do-not-change-the-game", (seen, visit.said))


def test_end_in_a_set_up():
    with Visit(*FIRST, *SECOND, END) as visit:
        visit.terminal.looked = 0
        visit.terminal.wait_for("goes on (you choose a set-up, ", 5)
        seen = visit.type("", "Enter chooses setup")
        check("setup 4 BNNB" in seen, "line-ups-are-shown-there", seen)


test_begin()
test_end()
test_news_after_the_end()
test_end_in_a_set_up()
sys.exit(1 if check.failed else 0)
