#!/usr/bin/env python3
"""A line is never carried out for another board or another question than it was typed for.

    python3 half_typed.py BUILD
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import PATIENCE, Checks

CLEARED = "was meant for something else"
START = "! game 1 0 start red=hong blue=kim rules=martin time=10m+5s"
CLOCK = "! clock game=1 red_ms=600000 blue_ms=600000 running="
PLAYING = [START, "! game 1 1 setup red NBNB", "! game 1 2 setup blue NBBN"]
CHOOSING = [START, "! setup game=1 side=red left_ms=60000"]

check = Checks()


class Visit(client_pty.Visit):
    """A server that may be down."""

    def __init__(self, *lines, games="-"):
        self.is_down = False
        super().__init__(games=games, lines=lines)

    def serve(self, talk):
        if self.is_down:
            talk.cut()
        else:
            super().serve(talk)

    def __enter__(self):
        super().__enter__()
        self.reads()
        return self

    def types(self, keys, echo=None):
        """Types keys, and waits until they are on the terminal."""
        self.terminal.type(keys)
        return self.terminal.wait_for(keys if echo is None else echo, 20)

    def sends(self, keys):
        """What the client has said after these keys."""
        del self.said[:]
        self.terminal.type(keys + "who\r")
        while not any(said.startswith("who") for said in self.said) and self.terminal.is_open:
            self.terminal.watch(0.05)
        return [said for said in self.said if said.split(" ")[0] not in ("who", "rank", "watchers")]  # the others: asked by itself

    def tail(self):
        return repr(re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", bytes(self.terminal.seen[-4000:])).decode(errors="replace"))


def test_private_board():
    with Visit(*PLAYING, "! game 1 3 move 1 red A3-B3 red_ms=600000 blue_ms=600000", CLOCK + "blue") as visit:
        visit.types("try a6b6\r", "nothing is sent")
        visit.types("c3d3")
        visit.reads("! game 1 4 move 2 blue C6-D6 red_ms=600000 blue_ms=600000", CLOCK + "red")
        check(CLEARED in visit.tail(), "a-line-for-the-private-board-is-cleared", visit.tail())
        check(visit.sends("\r") == [], "and-enter-plays-nothing", f"{visit.said} {visit.tail()}")
        visit.types("c3d3")
        visit.reads()
        check(CLEARED not in visit.tail()[-300:] and any("C3-D3" in said for said in visit.sends("\r")),
              "a-line-for-the-same-board-stays", f"{visit.said} {visit.tail()}")


def test_typed_on():
    with Visit() as visit:
        visit.types("seek ")
        visit.talk.send("\n".join(CHOOSING))
        check(visit.terminal.wait_for(CLEARED, 20) and visit.sends("2\r") == [],
              "the-rest-of-a-cleared-line-chooses-no-line-up", f"{visit.said} {visit.tail()}")


def test_setup_under_a_line():
    with Visit() as visit:
        visit.types("help")
        visit.reads(*CHOOSING)
        check(visit.sends("\r") == [], "enter-for-a-half-typed-line-chooses-no-line-up", f"{visit.said} {visit.tail()}")
        check(any(said.startswith("setup") for said in visit.sends("\r")), "and-the-next-enter-does",
              f"{visit.said} {visit.tail()}")


def test_another_game():
    with Visit(*PLAYING, CLOCK + "blue") as visit:
        visit.types("c3d3")
        visit.reads("! game 1 3 end blue resignation by=red", "! game 2 0 start red=hong blue=lee rules=martin time=5m",
                    "! game 2 1 setup red NBNB", "! game 2 2 setup blue NBBN",
                    "! clock game=2 red_ms=600000 blue_ms=600000 running=red")
        check(CLEARED in visit.tail() and visit.sends("\r") == [], "a-line-for-another-game-is-cleared",
              f"{visit.said} {visit.tail()}")


def test_enter_tries_now():
    with Visit(*CHOOSING, games="1") as visit:
        visit.is_down = True
        visit.talk.cut()
        check(visit.terminal.wait_for("Enter tries now", 20), "the-connection-is-lost", visit.tail())
        visit.is_down = False
        visit.terminal.type("\r")
        check(visit.has_come.acquire(timeout=20 * PATIENCE) and visit.terminal.wait_for("back after", 20),
              "enter-connects", visit.tail())
        visit.reads()
        check(visit.sends("\r") == [], "a-second-enter-chooses-no-line-up", f"{visit.said} {visit.tail()}")


def test_question():
    with Visit(*PLAYING, CLOCK + "red") as visit:
        visit.terminal.type("resign\r\ry\r")
        check(visit.terminal.wait_for(CLEARED, 20), "keys-typed-ahead-do-not-answer", visit.tail())
        check(visit.types("\r", "nothing was done") and visit.sends("no\r") == [], "the-question-is-still-open", f"{visit.said} {visit.tail()}")


if __name__ == "__main__":
    for test in (test_private_board, test_typed_on, test_setup_under_a_line, test_another_game, test_enter_tries_now,
                 test_question):
        test()
    sys.exit(check.failed > 0)
