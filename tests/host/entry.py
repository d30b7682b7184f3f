#!/usr/bin/env python3
"""The first minutes of a new server, as its host has them: it is by invitation, and its owner link goes
to a terminal only.

  python3 tests/host/entry.py [BUILD]
"""
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from client_pty import Terminal  # noqa: E402
from hosting import JANGGI, JANGGID, Player, Server, expect, run  # noqa: E402


def a_new_server_is_by_invitation(directory):
    with Server(os.path.join(directory, "d"), "--access", "") as server:
        stranger = Player(server)
        expect(stranger.ask("login kim"), "^ERR entry why=invitation : a new name needs an invitation here")
        expect(stranger.ask("login"), "^OK login name=guest")
        code = expect(server.ctl("invite", "door", "uses=1")[1], r"janggi://\S+/enter/([0-9A-Z-]+)/")[1]
        expect(stranger.ask(f"login kim invite={code}"), "^OK login name=kim .* role=member")
        expect(stranger.ask("seek"), "^OK seek")


def first_lines(data, *options):
    """Returns the output of janggid on a terminal, to the end of its start."""
    screen = Terminal([JANGGID, "--allow-root", "--data", data, "--listen", "127.0.0.1:0", *options], os.environ)
    talk(screen, ("start version=", None))
    screen.process.terminate()
    screen.process.wait()
    screen.kill()
    return screen.seen.decode()


def talk(terminal, *steps):
    """Waits for words, then types; for each step."""
    for awaited, typed in steps:
        assert terminal.wait_for(awaited, 20), f"no {awaited!r} in {bytes(terminal.seen)!r}"
        if typed:
            terminal.type(typed)


def the_owner_link_goes_to_a_terminal_until_there_is_an_owner(directory):
    data, link = os.path.join(directory, "d"), r"janggi janggi://127\.0\.0\.1:\d+/owner/[\w-]{22}/"
    expect(first_lines(data), link)
    expect(first_lines(data), link)  # nobody has used the first one
    server = Server(data)
    used = expect(server.ctl("owner")[1], r"janggi://\S+/owner/\S+")[0]
    subprocess.run([JANGGI, "--plain", "-n", "hong", "-c", "quit", used.removeprefix("janggi ")], check=True,
                   capture_output=True, env=dict(os.environ, HOME=directory))
    server.stop()
    assert "/owner/" not in first_lines(data), "a server that has an owner printed an owner link"
    key, cert = os.path.join(directory, "key.pem"), os.path.join(directory, "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", cert],
                   check=True, capture_output=True)
    expect(first_lines(data + "1", "--key", key, "--cert", cert), link)
    quiet = subprocess.Popen([JANGGID, "--allow-root", "--data", data + "2", "--listen", "127.0.0.1:0"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = ""
    for line in quiet.stdout:
        said += line
        if "start version=" in line:
            break
    quiet.send_signal(signal.SIGTERM)
    said += quiet.stdout.read()
    quiet.wait()
    assert "/owner/" not in said, "an owner link went into a file"


def who_plays_already_becomes_the_owner(directory):
    """The order of the README: the join link in one terminal, then the owner link in another one."""
    server = Server(os.path.join(directory, "d"), "--access", "")
    join = expect(server.ctl("invite")[1], r"janggi://\S+/join/\S+")[0]
    owner = expect(server.ctl("owner")[1], r"janggi://\S+/owner/\S+")[0]
    environment = {"HOME": directory, "USER": "club", "TERM": "xterm", "PATH": os.environ["PATH"]}
    terminals = [Terminal([JANGGI, join], environment)]
    try:
        talk(terminals[0], ("Your name [club]:", "\n"), ("you have a seat", None))
        terminals.append(Terminal([JANGGI, owner], environment))
        talk(terminals[1], ("You are club here: make club the owner? (Y/n)", "y\n"), ("You are an owner", None))
        expect(server.ctl("who")[1], r"^player club from=\S+ .*\nwho count=1")
        expect(server.ctl("members")[1], r"club\b.*owner")
    finally:
        for terminal in terminals:
            terminal.kill()
        server.stop()


def an_owner_link_in_the_session_makes_its_name_the_owner(directory):
    """The join link, and the owner link pasted where the game is."""
    server = Server(os.path.join(directory, "d"), "--access", "")
    join, owner = (expect(server.ctl(word)[1], rf"janggi janggi://\S+/{kind}/\S+")[0]
                   for word, kind in (("invite", "join"), ("owner", "owner")))
    terminal = Terminal([JANGGI, join.removeprefix("janggi ")],
                        {"HOME": directory, "USER": "club", "TERM": "xterm", "PATH": os.environ["PATH"]})
    try:
        talk(terminal, ("Your name [club]:", "\n"), ("you have a seat", owner + "\n"),
             ("You are an owner of this server", None))
        expect(server.ctl("who")[1], r"^player club from=\S+ .*\nwho count=1")
        expect(server.ctl("members")[1], r"^member club role=owner here=1")
    finally:
        terminal.kill()
        server.stop()


def at_a_terminal(*words):
    """Returns what janggid prints there until it ends."""
    screen = Terminal([JANGGID, *words], {"HOME": "/proc/none", "TERM": "xterm", "PATH": os.environ["PATH"]})
    screen.end(20)
    return bytes(screen.seen).decode()


def errors_say_what_to_do(directory):
    data = os.path.join(directory, "d")
    with Server(data) as server:
        Player(server, "lee")
        ban = server.ctl("ban", "lee", "1h", "spam")
        assert ban[0] == 0, f"no ban: {ban}"
        expect(server.ctl("bans")[1], r"until_s=\d{10} ")
        expect(at_a_terminal("--data", data, "ctl", "bans"), r"until=20\d\d-\d\d-\d\d \d\d:\d\d ")
        options = ["--allow-root", "--data", data + "2", "--listen"]
        expect(at_a_terminal(*options, "9302"), "a port alone with a colon, as :9032")
        said = at_a_terminal(*options, f"127.0.0.1:{server.port}")
        expect(said, r"another program has this port, .* choose another port: --listen :9033\r\n")
        assert " warn " not in said, f"a line of the log for a person: {said!r}"
        expect(at_a_terminal("--allow-root", "--data", data, "--listen", "127.0.0.1:0"),
               "another janggid runs on this directory .* give this one a directory of its own: --data DIR")
    expect(at_a_terminal("--allow-root", "--data", "/proc/none"), "choose another directory with --data DIR")
    expect(at_a_terminal("--nonsense"), "janggid --help lists the options")
    expect(at_a_terminal("ctl", "staus"), r'unknown request "staus"; did you mean status\?')
    expect(at_a_terminal("ctl"), r"The requests are:\s+status +show how the server is doing\s")


def an_open_server_says_so(directory):
    said = first_lines(os.path.join(directory, "d"), "--access", "open")
    expect(said, "access open: anybody who reaches this server may take a name and play")
    if re.search("access open:", first_lines(os.path.join(directory, "e"))):
        raise AssertionError("a server by invitation says that it is open")


if __name__ == "__main__":
    sys.exit(run([a_new_server_is_by_invitation, the_owner_link_goes_to_a_terminal_until_there_is_an_owner,
                  who_plays_already_becomes_the_owner, an_owner_link_in_the_session_makes_its_name_the_owner, errors_say_what_to_do, an_open_server_says_so]))
