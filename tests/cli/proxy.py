#!/usr/bin/env python3
"""janggi --proxy: a visit through a real SOCKS server (microsocks), also of a bot, and what the client says
when that does not work.

    python3 tests/cli/proxy.py BUILD_DIR [TEST ...]
"""
import os
import shutil
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import held_port
from client_pty import make_identity
from hosting import JANGGI, PATIENCE_S, Server, expect, run
from players import Player

MICROSOCKS = shutil.which("microsocks")


class Socks:
    """microsocks, which reaches servers from an address of its own."""

    def __init__(self, *options):
        self.port = held_port.keep()
        self.process = subprocess.Popen(
            [MICROSOCKS, "-i", "127.0.0.1", "-p", str(self.port), "-b", "127.0.0.9", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None:
                    raise RuntimeError("microsocks does not start") from None

    def end(self):
        self.process.terminate()
        return self.process.communicate(timeout=PATIENCE_S)[1]


def visit(directory, proxy, server, *words, env=None, script="who; quit"):
    """(status, output, errors) of a client through that proxy."""
    option = ["--proxy", proxy] if proxy else []
    done = subprocess.run([JANGGI, "--plain", "-n", "hong", *option, "-c", script, *words, server], text=True,
                          capture_output=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, check=False,
                          env=dict(os.environ, HOME=directory, **(env or {})))
    return done.returncode, done.stdout, done.stderr


def bot(directory, proxy, server, *words):
    """A bot that goes through that proxy."""
    return subprocess.Popen([JANGGI, "bot", "-n", "deep", "--proxy", proxy, *words, server], text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(os.environ, HOME=directory))


def with_server(test):
    """The test gets a server and its own directory."""
    def wrapped(directory):
        with Server(os.path.join(directory, "d")) as server:
            test(directory, server)
    wrapped.__name__ = test.__name__
    return wrapped


@with_server
def a_visit_goes_through_the_proxy(directory, server):
    socks = Socks()
    proxy = f"socks5://127.0.0.1:{socks.port}"
    for host in ("127.0.0.1", "localhost"):  # an address, and a name that the proxy resolves
        status, output, errors = visit(directory, proxy, f"{host}:{server.port}", "--pin", server.key)
        assert status == 0, f"{host}: status {status}: {errors}"
        expect(output, "hong")
    said = socks.end()
    expect(said, f"127.0.0.1:{server.port}")
    expect(said, f"localhost:{server.port}")
    if "open from=127.0.0.1" in server.log() or server.log().count("open from=127.0.0.9") != 2:
        raise AssertionError("the server saw a connection that came another way")


@with_server
def the_environment_names_a_proxy(directory, server):
    socks = Socks()
    status, _, errors = visit(directory, None, f"127.0.0.1:{server.port}", "--pin", server.key,
                              env={"JANGGI_PROXY": f"socks5h://localhost:{socks.port}"})
    assert status == 0 and "open from=127.0.0.1" not in server.log(), f"status {status}: {errors}"
    socks.end()


@with_server
def without_a_proxy_the_server_sees_the_client(directory, server):
    status, _, errors = visit(directory, None, f"127.0.0.1:{server.port}", "--pin", server.key)
    assert status == 0, errors
    expect(server.log(), "open from=127.0.0.1")


@with_server
def a_bot_goes_through_the_proxy(directory, server):
    socks = Socks()
    process = bot(directory, f"socks5://127.0.0.1:{socks.port}", f"127.0.0.1:{server.port}", "--pin", server.key)
    for said in process.stdout:
        if "here as" in said:
            process.terminate()
    errors = process.communicate(timeout=PATIENCE_S)[1]
    expect(socks.end(), f"127.0.0.1:{server.port}")
    if process.returncode != 143 or "open from=127.0.0.1" in server.log():
        raise AssertionError(f"status {process.returncode}: {errors}")


@with_server
def the_computer_takes_our_way(directory, server):
    """The computer is started with our proxy and our files, which are not those of the environment."""
    cert, key, _ = make_identity(directory)
    socks = Socks()
    words = os.path.join(directory, "words")
    computer = os.path.join(directory, "computer")
    with open(computer, "w", encoding="utf-8") as script:
        script.write(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{words}\nexec {JANGGI} \"$@\"\n")
    os.chmod(computer, 0o755)
    client = Player(name="hong").run(
        [JANGGI, "--plain", "-n", "hong", "--proxy", f"socks5://127.0.0.1:{socks.port}", "--cert", cert, "--key", key,
         "--ca", cert, "--pin", server.key, f"127.0.0.1:{server.port}"],
        env=dict(os.environ, HOME=directory, JANGGI_COMPUTER=computer, JANGGI_PROXY="socks5://x.invalid:1"))
    client.say("computer 1")
    client.expect("level1-bot")
    client.say("quit")
    client.leave()
    with open(words, encoding="utf-8") as said:
        expect(said.read(), f"--ca\n{cert}\n--cert\n{cert}\n--key\n{key}\n")
    expect(socks.end(), f"127.0.0.1:{server.port}")
    if "open from=127.0.0.1" in server.log() or server.log().count("open from=127.0.0.9") != 2:
        raise AssertionError("the server saw a connection that came another way")


def must_not_reach(directory, proxy, server, words):
    status, output, errors = visit(directory, proxy, server)
    assert status == 3, f"status {status}"
    expect(output + errors, words)


@with_server
def what_fails_is_said_and_no_other_way_is_tried(directory, server):
    there = f"127.0.0.1:{server.port}"
    must_not_reach(directory, f"socks5://127.0.0.1:{held_port.keep()}", there, "no proxy answers there")
    socks = Socks("-u", "user", "-P", "secret")
    must_not_reach(directory, f"socks5://127.0.0.1:{socks.port}", there, "the proxy requires a password")
    socks.end()
    socks = Socks()
    must_not_reach(directory, f"socks5://127.0.0.1:{socks.port}", f"127.0.0.1:{held_port.keep()}", "connection")
    socks.end()
    assert "open from=" not in server.log(), "the server saw a connection"


def another_service_is_not_a_proxy(directory):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def answer():
            caller, _ = listener.accept()
            caller.recv(3)
            caller.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
            caller.close()
        thread = threading.Thread(target=answer)
        thread.start()
        must_not_reach(directory, f"socks5://127.0.0.1:{listener.getsockname()[1]}", "example.invalid",
                       "not a SOCKS 5 proxy")
        thread.join()


def another_form_is_refused(directory):
    for proxy in ("127.0.0.1:9050", "http://127.0.0.1:80", "socks5://", "socks5://host:0", "socks5://a@b:1",
                  "socks5://host:1/x"):
        status, _, errors = visit(directory, proxy, "127.0.0.1")
        assert status == 2, f"{proxy}: status {status}"
        expect(errors, "--proxy")


def a_bot_tries_no_other_way(directory):
    for proxy, wanted in ((f"socks5://127.0.0.1:{held_port.keep()}", 3), ("http://127.0.0.1:80", 2)):
        process = bot(directory, proxy, "127.0.0.1")
        errors = process.communicate(timeout=PATIENCE_S)[1]
        assert process.returncode == wanted, f"{proxy}: status {process.returncode}: {errors}"
        expect(errors, "no proxy answers there" if wanted == 3 else "--proxy")


TESTS = [another_service_is_not_a_proxy, another_form_is_refused, a_bot_tries_no_other_way,
         without_a_proxy_the_server_sees_the_client]
if MICROSOCKS:
    TESTS += [a_visit_goes_through_the_proxy, a_bot_goes_through_the_proxy, the_computer_takes_our_way,
              the_environment_names_a_proxy, what_fails_is_said_and_no_other_way_is_tried]
else:
    print("ok a_visit_goes_through_the_proxy # SKIP microsocks is not installed (Debian: microsocks)")

if __name__ == "__main__":
    sys.exit(run(TESTS))
