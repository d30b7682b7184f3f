"""Attackers at the door for browsers: WebSockets that never read, and requests that never end. Standard
library only.
"""
import itertools
import os
import socket
import ssl
import sys
import time

from attackers import Kernel, allow_files, clock
import players
from callers import network

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import websocket  # noqa: E402

CONTEXT = websocket.tls_context()


def open_browser(port, source, receive_bytes=0, timeout=5):
    """TLS as a browser has it; OSError if the server refuses."""
    plain = socket.socket()
    try:
        plain.settimeout(timeout)
        if receive_bytes:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        plain.bind((source, 0))
        plain.connect(("127.0.0.1", port))
        return CONTEXT.wrap_socket(plain)
    except OSError:
        plain.close()
        raise


def _crowd(stage, networks, each, greet, **how):
    """Connections from those networks on which greet(connection) was done, until many in a row are refused."""
    allow_files()
    crowd, refused, goes_on = [], 0, clock(stage)
    for number in itertools.chain.from_iterable(itertools.repeat(list(networks), each)):
        if not goes_on() or refused > 20:
            break
        refused += 1
        try:
            connection = open_browser(stage.port, network(number), **how)
            greet(connection)
            connection.setblocking(False)
            crowd.append(connection)
            refused = 0
        except OSError:
            pass
    return crowd, goes_on


def _try_send(connection, request):
    try:
        connection.send(request)
    except (ssl.SSLError, OSError):
        pass


def watchers_never_read(ask, stage, networks):
    """Browsers that log in to watch, ask for much and do not read it."""
    def greet(connection):
        connection.sendall(websocket.upgrade(f"127.0.0.1:{stage.port}") + websocket.frame(b"login")
                           + websocket.frames_of(b"help\nrules\n" * 40))
    crowd, goes_on = _crowd(stage, networks, 5, greet, receive_bytes=4096)
    while goes_on():
        for connection in crowd:
            _try_send(connection, websocket.frames_of(b"help\nrules\nhelp\nrules\n" * 5))
        time.sleep(0.1)
    ask("peak")
    return {"browsers": len(crowd)}


def slow_requests(ask, stage, networks):
    """Half of the browsers send a header line byte by byte, the others half a request and then nothing."""
    crowd, goes_on = _crowd(stage, networks, 8, lambda connection: connection.sendall(b"GET / HTTP/1.1\r\nHost: "))
    while goes_on():
        for connection in crowd[::2]:
            _try_send(connection, b"a")
        time.sleep(0.2)
    ask("peak")
    return {"browsers": len(crowd)}


class Reader(Kernel):
    """Reads a page at the peak of the attack; sees how many attackers remain after the time in which one
    must log in."""

    login_s = 3

    def _reads_page(self):
        try:
            with open_browser(self.stage.port, network(6, 210), timeout=10 if self.stage.is_long else players.PATIENCE_S) as browser:
                browser.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.stage.port}\r\n\r\n".encode())
                return int(browser.recv(4096).startswith(b"HTTP/1.1 200 "))
        except OSError:
            return 0

    def look(self):
        return {"page": self._reads_page(), "open_at_peak": len(self.held()),
                "open_after": self.open_after(self.login_s + 2)}
