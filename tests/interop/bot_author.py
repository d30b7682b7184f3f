#!/usr/bin/env python3
"""PROTOCOL.md for the author of a bot: its example session is what the server really answers, and a bot
that was written from the text (tests/interop/examples/bot.py) plays whole games over a bad
connection."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import PATIENCE_S, Player, Server, expect, must_fail, run
from relay import Relay

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROTOCOL = TESTS.parent / "common" / "PROTOCOL.md"
BOT = TESTS / "interop" / "examples" / "bot.py"


# --- The session -----------------------------------------------------------------------------

class Session:
    """The session of the text, played line by line: every line of the server must be the next one."""

    def __init__(self, server, lines):
        self.server, self.lines = server, lines
        self.kim, self.token = Player(server, "kim"), None

    def play(self):
        self.connect()
        for mark, line in self.lines:
            {"S": self.hear, "C": self.say, "K": self.let_kim_say, "-": self.cut}[mark](line)
        assert not self.bot.expect_end(), "the server says more than the text"

    def connect(self):
        self.bot = Player().connect(self.server)

    def hear(self, line):
        got = self.bot.expect("").string
        pattern = re.escape(line.removesuffix("..."))
        pattern = re.sub(r"_ms=\d+", r"_ms=\\d+", pattern)
        pattern = re.sub(r" token=[\w\\-]+", r" token=(\\S{32})", pattern.replace("\\ ", " "))
        found = re.match(pattern + ("" if line.endswith("...") else "$"), got)
        assert found, f"the text has {line!r}, the server says {got!r}"
        if found.groups():
            self.token = found[1]

    def say(self, line):
        self.bot.say(re.sub(r"token=\S+", f"token={self.token}", line))

    def let_kim_say(self, line):
        expect(self.kim.ask(line), "^OK ")

    def cut(self, _):
        """Kim has received the move that the bot sent last; the bot reads nothing more on that
        connection."""
        self.kim.expect(r"^! game 1 5 move 3 ")
        self.bot.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.bot.cut()
        self.connect()


def the_session_of_the_text_is_what_the_server_says(directory, is_control=False):
    block = re.search(r"```session\n(.*?)```", PROTOCOL.read_text(), re.S)[1]
    lines = [(line[0], line[2:]) for line in block.splitlines()]
    if is_control:  # the text has a line less than the server says
        lines = [(mark, line) for mark, line in lines if "! clock game=1" not in line]
    # Its clock stands still, because the text has no line about a slow disk.
    with Server(os.path.join(directory, "d"), "--name", "Hong's board", is_stepped=True) as server:
        Session(server, lines).play()


# --- The bot ---------------------------------------------------------------------------------

class Bot:
    """The bot of the examples, and the lines that it has printed."""

    def __init__(self, directory, port, name, *options):
        self.process = subprocess.Popen(
            [sys.executable, BOT, f"127.0.0.1:{port}", name, "--token-file",
             os.path.join(directory, name + ".token"), *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.name, self.lines, self.news = name, [], threading.Condition()
        self.thread = threading.Thread(target=self.collect)
        self.thread.start()

    def collect(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()

    def await_line(self, pattern):
        with self.news:
            if not self.news.wait_for(lambda: any(re.search(pattern, line) for line in self.lines),
                                      PATIENCE_S):
                raise AssertionError(f"{self.name} did not print {pattern!r}: {self.lines[-3:]}")

    def events(self):
        return [line for line in self.lines if re.match(r"\d+ \d+ ", line)]

    def end(self, patience_s=0):
        """Its status; it is killed when it takes longer."""
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            self.thread.join()


def disturb(server, relay, watcher):
    """Cuts both bots off, again and again: at once, and so that what they sent arrives and its answer
    does not. Then the server is killed, and comes back."""
    for number in (1, 4, 9, 16):
        watcher.expect(rf"^! game 1 {number} ")
        relay.do("cut")
    for number in (25, 36, 49, 64):
        watcher.expect(rf"^! game 1 {number} ")
        relay.do("hold down")
        expect(watcher.ask("ping"), "^OK")
        relay.do("cut")
    watcher.expect(r"^! game 1 80 ")
    server.stop(9)
    server.start()


def watch(server):
    watcher = Player(server)
    expect(watcher.ask("login"), "^OK")
    expect(watcher.ask("watch game=1"), "^OK")
    return watcher


def judge_bots(server, bots):
    """Both bots ended by themselves, received all events of the server, and were cut off at least once."""
    for bot in bots:
        assert bot.end(4 * PATIENCE_S) == 0, f"{bot.name} ended badly: {bot.lines[-3:]}"
    watcher = watch(server)
    watcher.expect(r"^! game 1 \d+ end ")
    wanted = [line.removeprefix("! game ") for line in watcher.seen if line.startswith("! game ")]
    for bot in bots:
        assert bot.events() == wanted, f"{bot.name} has seen other events than the server has"
        assert bot.lines.count("connection lost") >= 9, f"{bot.name} was not cut off as often as it should be"


def a_bot_from_the_text_plays_a_whole_game_over_a_bad_connection(directory, is_control=False):
    server = Server(os.path.join(directory, "d"))
    relay = Relay(server.port)
    bots = []
    try:
        code = expect(server.ctl("invite", "time=10m+5s", "rules=martin", "side=red")[1], "/join/([A-Z0-9-]+)/")[1]
        for name, pattern in (("anna", "^OK join waiting=1"), ("bert", "^1 0 start ")):
            bots.append(Bot(directory, relay.port, name, "--join", code, "--seed", name))
            bots[-1].await_line(pattern)
        if not is_control:
            disturb(server, relay, watch(server))
        judge_bots(server, bots)
        server.stop()
    finally:
        for bot in bots:
            bot.end()
        relay.end()
        if server.process.poll() is None:
            server.stop(9)


if __name__ == "__main__":
    sys.exit(run([the_session_of_the_text_is_what_the_server_says,
                  must_fail(the_session_of_the_text_is_what_the_server_says),
                  a_bot_from_the_text_plays_a_whole_game_over_a_bad_connection,
                  must_fail(a_bot_from_the_text_plays_a_whole_game_over_a_bad_connection)]))
