#!/usr/bin/env python3
"""What a delivered event costs the server for watchers in browsers, beside watchers on raw lines:
processor time for an event and memory for a watcher, in the same run.

    python3 tests/measure/web.py BUILD_DIR [WATCHERS [MOVES [ROUNDS]]]
"""
import os
import random
import re
import resource
import selectors
import socket
import ssl
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
COUNTS = [int(word) for word in sys.argv[2:]]
del sys.argv[2:]
import websocket
from hosting import Player, Server, begin

WATCHERS, MOVES, ROUNDS = COUNTS + [300, 60, 9][len(COUNTS):]


class Watcher:
    """A connection that watches a game; its bytes are counted and thrown away."""

    def __init__(self, server, game, is_web):
        if is_web:
            raw = socket.create_connection(("127.0.0.1", server.port))
            self.socket = websocket.tls_context().wrap_socket(raw)
            self.socket.sendall(websocket.upgrade(f"127.0.0.1:{server.port}") +
                                websocket.frame(b"login") + websocket.frame(f"watch {game}".encode()))
        else:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            raw = socket.create_connection(("127.0.0.1", server.port))
            self.socket = context.wrap_socket(raw)
            self.socket.sendall(f"login\nwatch {game}\n".encode())
        self.seen = b""
        while b" 2 setup blue" not in self.seen:
            self.seen += self.socket.recv(65536)
        self.socket.setblocking(False)


def cpu_s(pid):
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def memory_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


def drain(watchers, selector, ply):
    """Reads until each watcher has that move."""
    mark = f" move {ply} ".encode()
    waiting = set(watchers)
    while waiting:
        for key, _ in selector.select(10):
            watcher = key.data
            try:
                watcher.seen = watcher.seen[-200:] + watcher.socket.recv(65536)
            except OSError:
                continue
            if mark in watcher.seen:
                waiting.discard(watcher)


def measure(directory, is_web):
    """(microseconds for an event, bytes for a watcher)"""
    server = Server(os.path.join(directory, "data-web" if is_web else "data"), "--web", "watch",
                    "--connections", "100000", "--per-address", "100000")
    red, blue = Player(server, "hong"), Player(server, "kim")
    game = begin(red, blue, "none")
    pid = server.process.pid
    warm = [Watcher(server, game, is_web) for _ in range(20)]
    before_kb = memory_kb(pid)
    watchers = [Watcher(server, game, is_web) for _ in range(WATCHERS)]
    used_kb = memory_kb(pid) - before_kb
    selector = selectors.DefaultSelector()
    for watcher in warm + watchers:
        selector.register(watcher.socket, selectors.EVENT_READ, watcher)
    lot = random.Random(1)
    began_s = cpu_s(pid)
    for ply in range(MOVES):
        mover = (red, blue)[ply % 2]
        moves = re.search(r"list=(\S+)", mover.ask(f"moves {game}"))[1].split(",")
        mover.move(game, lot.choice(moves))
        drain(warm + watchers, selector, ply + 1)
    us = (cpu_s(pid) - began_s) * 1e6 / MOVES / (WATCHERS + len(warm))
    for watcher in warm + watchers:
        watcher.socket.close()
    server.stop()
    return us, used_kb * 1024 / WATCHERS


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
    found = {False: [], True: []}
    for round_number in range(ROUNDS):
        for is_web in (False, True) if round_number % 2 == 0 else (True, False):
            with tempfile.TemporaryDirectory(prefix="janggi-bench-") as directory:
                found[is_web].append(measure(directory, is_web))
    rows = {is_web: [statistics.median(values) for values in zip(*found[is_web])] for is_web in found}
    print(f"{WATCHERS} watchers, {MOVES} events, median of {ROUNDS}")
    for is_web, name in ((False, "raw lines"), (True, "WebSocket")):
        us, size = rows[is_web]
        print(f"{name:10}  {us:6.2f} us an event  {size:8.0f} bytes a watcher")
    print(f"WebSocket / raw: {rows[True][0] / rows[False][0]:.3f} of the time, "
          f"{rows[True][1] - rows[False][1]:+.0f} bytes")


if __name__ == "__main__":
    main()
