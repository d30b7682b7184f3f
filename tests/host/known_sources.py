#!/usr/bin/env python3
"""A source where somebody has logged in is known for a day: a penalty does not keep its callers out. One account that
logs in from many sources makes only a few of them known. And strangers from many sources cannot fill the log.

    python3 tests/host/known_sources.py BUILD
"""
import os
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from callers import network  # noqa: E402
from hosting import Player, Server, expect, must_fail, run, wait_until  # noqa: E402

STRANGERS, LISTED = 500, 300  # stranger_lines_rate of server/net/session.c
ADDRESSES, MOST = 30, 8  # ACCOUNT_SOURCES_MAX of server/account/account.h
FAULTS = 15  # two seconds of penalty each; 15 s have no effect


def break_off(server, number):
    """A caller who does not speak TLS."""
    with socket.socket() as stranger:
        stranger.bind((network(number), 0))
        stranger.connect(("127.0.0.1", server.port))
        stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
        stranger.recv(100)


def is_known(server, number):
    """Whether a caller from there is let in under a penalty."""
    try:
        for _ in range(FAULTS):
            break_off(server, number)
        Player(server.port, source=network(number)).cut()
        return True
    except OSError:  # Refused is one too
        return False


def log_in(server, name, token, number):
    caller = Player(server.port, source=network(number))
    expect(caller.login(name, token=token), f"^OK login name={name} ")
    caller.cut()
    return caller.token


def one_account_makes_few_sources_known(directory, is_control=False):
    server = Server(os.path.join(directory, "d"), "--quotas", "on")
    names = [f"player{number}" if is_control else "hong" for number in range(ADDRESSES)]
    tokens = {}
    try:
        for _ in range(2):
            for number, name in enumerate(names):
                tokens[name] = log_in(server, name, tokens.get(name), number)
        known = sum(is_known(server, number) for number in range(ADDRESSES))
    finally:
        server.stop()
    assert 1 <= known <= MOST, f"{known} sources are known, not {MOST}"


def strangers_do_not_fill_the_log(directory):
    with Server(os.path.join(directory, "d")) as server:
        for number in range(STRANGERS):
            break_off(server, number)
        time.sleep(2)  # two lines more
        caller = Player(server.port, source=network(0))
        caller.cut()
        wait_until(lambda: "sessions unlogged=" in server.log(), "nobody says what was not written")
        lines = server.log().count("session=")
    if not LISTED <= lines <= LISTED + 100:  # one more each second
        raise AssertionError(f"{lines} lines about {STRANGERS} strangers")


sys.exit(run([strangers_do_not_fill_the_log, one_account_makes_few_sources_known, must_fail(one_account_makes_few_sources_known)]))
