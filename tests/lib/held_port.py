#!/usr/bin/env python3
"""A port on 127.0.0.1 that stays ours while its server is away: a socket is bound to it and never listens, so the
system gives the port to nobody, a client is refused, and a server that reuses addresses may listen there.

    python3 tests/lib/held_port.py FILE      writes the number to FILE and holds the port until it is killed
"""
import os
import signal
import socket
import sys


def hold():
    """Returns the socket, which must be kept, and the number."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held, held.getsockname()[1]


KEPT = []


def keep():
    """Returns the number of a port that this program holds until it ends."""
    held, number = hold()
    KEPT.append(held)
    return number


if __name__ == "__main__":
    HELD, NUMBER = hold()
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as file:
        file.write(f"{NUMBER}\n")
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    signal.pause()
