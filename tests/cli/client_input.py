#!/usr/bin/env python3
"""What is typed at a terminal, and what is kept of it.

    python3 client_input.py BUILD
"""
import fcntl
import os
import shutil
import struct
import sys
import tempfile
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import BUILD, Checks, Terminal

GAME_CODE, CODE = "17-K7Q29F3MW4XHT6PB", "K7Q2-9F3M"
SECRETS = [f"watch 17 {GAME_CODE}", f"wat 17 {GAME_CODE}", f"observe {GAME_CODE}",
           f"https://h.example/watch#{GAME_CODE}", f"janggi://h/watch/{GAME_CODE}/KEY",
           f"https://h.example/enter#{CODE}", f"janggi://h/enter/{CODE}/KEY",
           f"janggi://h/owner/{CODE}/KEY", f"https://h.example/join#{CODE}",
           f"hello invite={CODE}", f"hello owner={CODE}"]
PASTE_BYTES = 200000
KEPT = ["watch 17", "help watch", "help owner"]

check = Checks()


class Visit(client_pty.Visit):
    """hong, in the lobby of a server that knows no command."""

    def answer(self, line, tag):
        return f"{tag}ERR unknown : no such verb"

    def leave(self):
        """Returns the exit status."""
        self.terminal.type("quit\r")
        return self.terminal.end(20)


def test_history():
    with Visit() as visit:
        for line in SECRETS + KEPT:
            visit.terminal.type(line + "\r")
            visit.terminal.watch(0.1)
        check(visit.leave() == 0, "one-leaves", bytes(visit.terminal.seen[-500:]))
        with open(os.path.join(visit.home, ".local/state/janggi/history"), encoding="utf-8") as file:
            kept = file.read().splitlines()
    check(not [line for line in kept if "K7Q2" in line], "no-code-is-in-the-history", kept)
    check(all(line in kept for line in KEPT), "other-lines-are", kept)


def test_a_long_paste():
    """A line longer than any command, pasted but not sent, on a terminal that changes its width."""
    with Visit() as visit:
        terminal = visit.terminal
        terminal.type("\x1b[200~")
        for _ in range(PASTE_BYTES // 1000):
            terminal.type("x" * 1000)
            terminal.watch(0.002)
        terminal.type("end\x1b[201~")
        check(terminal.wait_for("xend", 60), "a-long-paste-is-shown", bytes(terminal.seen[-200:]))
        for columns in (50, 90):
            fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            terminal.watch(1)
        terminal.type("\x15")
        check(visit.leave() == 0, "and-the-terminal-may-change-its-width", bytes(terminal.seen[-200:]))


def test_hangul_without_a_language():
    """A line-up that is not the proposed one, typed in Hangul where the environment names no UTF-8."""
    for variables in ({}, {"LANG": "C"}, {"LC_ALL": "C"}):
        terminal = Terminal([os.path.join(BUILD, "janggi"), "local"],
                            {"HOME": DIRECTORY, "TERM": "xterm-256color", "PATH": os.environ["PATH"], **variables})
        # What is typed before the prompt is meant for something else, and is cleared.
        terminal.wait_for("red> ", 20)
        terminal.type("상마마상\r")
        check(terminal.wait_for("Red has BNNB", 20), "hangul-is-read", (variables, bytes(terminal.seen[-300:])))
        terminal.kill()


DIRECTORY = tempfile.mkdtemp(prefix="janggi-input-")
test_history()
test_a_long_paste()
test_hangul_without_a_language()
shutil.rmtree(DIRECTORY, ignore_errors=True)
sys.exit(1 if check.failed else 0)
