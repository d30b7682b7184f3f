#!/usr/bin/env python3
"""Sources from which somebody has logged in share half of all handshakes. One account that logs in from many
of them makes only a few known: it cannot flush those of other people.

    python3 tests/host/known_sources.py BUILD
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from callers import Caller, network  # noqa: E402
from hosting import Server, expect, must_fail, run  # noqa: E402

ADDRESSES, KEY_BYTES, ROW_BYTES, MOST = 30, 16, 16, 8


def known(server):
    """How many sources the server has written to its file."""
    return (os.path.getsize(os.path.join(server.data, "regulars")) - KEY_BYTES) // ROW_BYTES


def log_in(server, name, token, number):
    caller = Caller(server.port, network(number))
    expect(caller.login(name, token=token), f"^OK login name={name} ")
    caller.close()
    return caller.token


def one_account_makes_few_sources_known(directory, is_control=False):
    server = Server(os.path.join(directory, "d"), "--quotas", "on")
    names = [f"player{number}" if is_control else "hong" for number in range(ADDRESSES)]
    tokens = {}
    try:
        for _ in range(2):
            for number, name in enumerate(names):
                tokens[name] = log_in(server, name, tokens.get(name), number)
    finally:
        server.stop()
    if known(server) > MOST:
        raise AssertionError(f"{known(server)} sources are known, not {MOST}")


sys.exit(run([one_account_makes_few_sources_known, must_fail(one_account_makes_few_sources_known)]))
