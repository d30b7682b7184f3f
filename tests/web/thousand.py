#!/usr/bin/env python3
"""A thousand watchers in browsers, as scripted WebSockets: each hears each event of a game, in its
order, as one on raw lines does.

    python3 tests/web/thousand.py BUILD_DIR [TEST ...]
"""
import os
import resource
import selectors
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import websocket
from hosting import Player, Server, begin, expect, must_fail, run

WATCHERS = 1000
MOVES = ["a3a4", "a6a5", "a4a5", "i6i5", "i3i4", "i5i4"]


class Watcher:
    """Watches a game in frames, and keeps its events."""

    def __init__(self, server, game):
        host = f"127.0.0.1:{server.port}"
        raw = socket.create_connection(("127.0.0.1", server.port))
        self.socket = websocket.tls_context().wrap_socket(raw)
        self.socket.sendall(websocket.upgrade(host) + websocket.frame(b"login") +
                            websocket.frame(f"watch {game}".encode()))
        self.socket.setblocking(False)
        self.frames, self.head, self.events = websocket.Frames(), b"", []
        self.begin = f"! game {game} "

    def take(self):
        """What has come. True: the game is over."""
        try:
            received = self.socket.recv(65536)
        except BlockingIOError:
            return False
        if not received:
            raise EOFError(f"closed after {self.events[-1:]}")
        if self.head is not None:
            self.head += received
            head, end, rest = self.head.partition(b"\r\n\r\n")
            if not end:
                return False
            expect(head.decode(), "^HTTP/1.1 101 ")
            self.head, received = None, rest
        self.frames.add(received)
        while (found := self.frames.take()) is not None:
            line = found[1].decode()
            if line.startswith(self.begin):
                self.events.append(line)
        return bool(self.events) and " end " in self.events[-1]


def a_thousand_watchers_hear_each_event(directory, is_control=False):
    count = 60 if is_control else WATCHERS
    server = Server(os.path.join(directory, "data"), "--web", "watch",
                    "--connections", "3000", "--per-address", "3000")
    red, blue = Player(server, "hong"), Player(server, "kim")
    game = begin(red, blue, "none")
    raw = Player(server)
    raw.ask("login")
    raw.ask(f"watch {game}")
    selector, watchers = selectors.DefaultSelector(), []
    for i in range(count):
        if i % (count // len(MOVES)) == 0 and i // (count // len(MOVES)) < len(MOVES):
            move = i // (count // len(MOVES))  # they come early and late
            (red, blue)[move % 2].move(game, MOVES[move])
        watchers.append(Watcher(server, game))
        selector.register(watchers[-1].socket, selectors.EVENT_READ, watchers[-1])
    red.ask(f"resign {game}")
    left = set(watchers)
    while left:
        ready = selector.select(60)
        assert ready, f"{len(left)} watchers hear nothing"
        for key, _ in ready:
            if key.data.take():
                selector.unregister(key.data.socket)
                left.discard(key.data)
    raw.expect(f"^! game {game} \\d+ end ")
    wanted = [line for line in raw.seen if line.startswith(f"! game {game} ")]
    assert len(wanted) == 3 + len(MOVES) + 1, wanted
    if is_control:
        watchers[count // 2].events.pop(4)
    for watcher in watchers:
        assert watcher.events == wanted, (watcher.events, wanted)
        watcher.socket.close()
    server.stop()


if __name__ == "__main__":
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    sys.exit(run([a_thousand_watchers_hear_each_event, must_fail(a_thousand_watchers_hear_each_event)]))
