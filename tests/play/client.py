"""One client of a play: a connection, the lines that it received, and the checks for every line of a
server."""

import asyncio
import contextlib
import os
import pathlib
import re
import ssl
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))

from protocol import Protocol, TEXT  # noqa: E402

SLOW = float(os.environ.get("PLAY_SLOW", "1"))  # for sanitizers and loaded machines
PATIENCE_S = 180 * SLOW  # reached only by what fails

PROTOCOL = Protocol(TEXT.read_text())
ANSWER = re.compile(r"(#\S+ )?(OK|ERR) ")
GAME_EVENT = re.compile(r"! game (\d+) (\d+) (.*)")


class Fault(Exception):
    """An expectation of a script failed."""


class Closed(Exception):
    """The connection has ended."""


class Client:
    """A connection, the lines it got, and how far the script has read them."""

    def __init__(self, play, name, reader, writer):
        self.play, self.name = play, name
        self.reader, self.writer = reader, writer
        self.lines, self.read_to = [], 0
        self.news = asyncio.Event()
        self.is_closed = False
        self.is_deaf = False
        self.asked = self.answered = 0
        self.next_event = {}
        self.task = asyncio.ensure_future(self.collect())

    async def collect(self):
        """Takes lines off the socket until it ends, and checks each."""
        try:
            while True:
                raw = await self.reader.readline()
                if not raw.endswith(b"\n"):
                    break
                self.take(raw)
        except (OSError, ssl.SSLError, ValueError, asyncio.IncompleteReadError):
            pass
        self.is_closed = True
        self.news.set()

    def take(self, raw):
        try:
            line = raw[:-1].decode("utf-8", "strict")
        except UnicodeDecodeError:
            self.play.complain(f"{self.name} got bytes that are no UTF-8: {raw!r}")
            return
        self.play.log(f"{self.name} < {line}")
        self.lines.append(line)
        facts, complaint = PROTOCOL.check_line(line)
        self.play.facts |= facts
        if complaint:
            self.play.complain(f"{self.name} got a line, {complaint}: {line}")
        if len(raw) > 4097:
            self.play.complain(f"{self.name} got a line of {len(raw)} bytes")
        self.count(line)
        self.news.set()

    def count(self, line):
        answer = ANSWER.match(line)
        if answer:
            self.answered += 1
            if self.answered > self.asked:
                self.play.complain(f"{self.name} got an answer to nothing: {line}")
            if re.match(r"(#\S+ )?OK (watch|resume|unwatch) ", line):
                found = re.search(r" game=(\d+)(?: next=(\d+))?", line)
                self.next_event[found[1]] = found[2] and int(found[2])
        event = GAME_EVENT.fullmatch(line)
        if event:
            game, number, text = event[1], int(event[2]), event[3]
            wanted = self.next_event.get(game)
            if wanted is not None and number != wanted:
                self.play.complain(f"{self.name} got event {number}, {wanted} was next: {line}")
            self.next_event[game] = number + 1
            self.play.note_event(game, number, text)

    async def send(self, data):
        if self.is_closed and self.is_deaf:
            return  # it cannot know
        if self.is_closed:
            raise Fault(f"{self.name} has no connection any more")
        self.asked += sum(1 for line in data.split(b"\n")[:-1] if line.strip(b" \r"))
        self.writer.write(data)
        with contextlib.suppress(OSError):
            await asyncio.wait_for(self.writer.drain(), PATIENCE_S)

    async def more(self, deadline):
        """Waits until there is something new. False when time is up."""
        if self.is_closed:
            raise Closed
        self.news.clear()
        left = deadline - asyncio.get_running_loop().time()
        try:
            await asyncio.wait_for(self.news.wait(), max(left, 0.001))
            return True
        except asyncio.TimeoutError:
            return False

    async def find(self, matches, patience):
        """The first unread line that matches; those before it count as read."""
        deadline = asyncio.get_running_loop().time() + patience
        at = self.read_to
        while True:
            while at < len(self.lines):
                line = self.lines[at]
                at += 1
                if matches(line):
                    self.read_to = at
                    return line
            if not await self.more(deadline):
                return None

    async def cut(self):
        """Ends the TCP connection without a goodbye."""
        self.writer.transport.abort()
        await self.ended()

    async def ended(self, patience=PATIENCE_S):
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.task), patience)
        return self.is_closed

    async def close(self):
        self.writer.close()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.writer.wait_closed(), PATIENCE_S)
        self.task.cancel()
