#!/usr/bin/env python3
"""The ready scripts for --notify-program, with a listener on this machine in place of ntfy, Telegram, Discord and a
server for mail.

    python3 tests/host/notify.py BUILD [NAME...]
"""
import http.server
import os
import queue
import shutil
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from hosting import JANGGID, PATIENCE_S, Player, Server, expect, run  # noqa: E402 (found beside this file only now)

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "server", "package", "notify")
LINES = ("turn account=18 name=kim why=waiting games=1 game=3 left_s=86000\n"
         "other account=17 name=hong\n"
         "turn account=17 name=hong why=quarter games=2 game=3 left_s=86000\n"
         "begin account=17 name=hong game=5 left_s=30\n"
         "round account=19 name=lee evening=4 round=2 board=3 in_s=60\n")
HEARD = [("/to-hong", "Games wait for your move: why=quarter games=2 game=3 left_s=86000"),
         ("/to-hong", "Your game begins: game=5 left_s=30"),
         ("/to-19?chat_id=7", "You are paired: evening=4 round=2 board=3 in_s=60")]


class Listener(http.server.ThreadingHTTPServer):
    """Puts each request into `heard`, as (path, body, headers)."""

    def __init__(self):
        heard = self.heard = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802 (the name is the library's)
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                heard.put((self.path, body, self.headers))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


def copy_of(directory, name, people):
    """A copy of the script, with these names beside it."""
    shutil.copy(os.path.join(SCRIPTS, name), directory)
    shutil.copy(os.path.join(SCRIPTS, "names"), directory)
    with open(os.path.join(directory, "names"), "a", encoding="utf-8") as file:
        file.writelines(f"{who} {address}\n" for who, address in people.items())
    return os.path.join(directory, name)


def heard_by(directory, name, key):
    listener = Listener()
    path = copy_of(directory, name, {"hong": listener.url("/to-hong"), "19": listener.url("/to-19?chat_id=7")})
    subprocess.run([path], input=LINES, text=True, timeout=PATIENCE_S, check=True)
    heard = [listener.heard.get_nowait() for _ in range(listener.heard.qsize())]
    listener.shutdown()
    words = [(where, urllib.parse.parse_qs(body)[key][0] if key else body) for where, body, _ in heard]
    assert words == HEARD, words
    return heard


def ntfy(directory):
    assert all(headers["Title"] == "janggi" for _, _, headers in heard_by(directory, "ntfy", None))


def telegram(directory):
    heard_by(directory, "telegram", "text")


def discord(directory):
    heard_by(directory, "discord", "content")


def mail(directory):
    """A program stands in for msmtp: it keeps what it is given."""
    path = copy_of(directory, "mail", {"hong": "hong@example.org", "19": "lee@example.org"})
    stand_in = os.path.join(directory, "msmtp")
    with open(stand_in, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{{ echo \"$@\"; cat; }} >>{directory}/mails\n")
    os.chmod(stand_in, 0o700)
    subprocess.run([path], input=LINES, text=True, timeout=PATIENCE_S, check=True,
                   env=dict(os.environ, PATH=directory + ":" + os.environ["PATH"]))
    with open(os.path.join(directory, "mails"), encoding="utf-8") as file:
        mails = file.read()
    expected = "".join(f"-- {to}\nTo: {to}\nSubject: janggi\n\n{words}\n" for to, (_, words) in
                       zip(["hong@example.org"] * 2 + ["lee@example.org"], HEARD))
    assert mails == expected, mails


def a_server_calls_who_is_paired_and_not_here(directory):
    """kim is here and is not called; hong is told of the round, and then that the game begins."""
    listener = Listener()
    path = copy_of(directory, "ntfy", {"hong": listener.url("/hong"), "kim": listener.url("/kim")})
    server = Server(os.path.join(directory, "data"), "--evenings", "members", "--notify-program", path)
    players = [Player(server, name) for name in ("kim", "hong")]
    for player in players:
        server.ctl("role", player.name, "member")
    expect(players[0].ask("evening new club system=rr time=20m shown=5s"), "^OK")
    for player in players:
        expect(player.ask("evening join 1"), "^OK")
    players[1].say("quit")
    players[1].expect_end()
    expect(players[0].ask("evening start 1"), "^OK evening id=1 round=1")
    where, body, _ = listener.heard.get(timeout=PATIENCE_S)
    assert where == "/hong", where
    expect(body, r"^You are paired: evening=1 round=1 board=1 in_s=[1-5]$")
    where, body, _ = listener.heard.get(timeout=PATIENCE_S)
    assert where == "/hong", where
    expect(body, r"^Your game begins: game=1 left_s=\d+$")
    assert listener.heard.empty()
    assert server.stop() == 0
    listener.shutdown()


def data_of_the_version_with_addresses_opens(directory):
    """Made before the server knew no addresses: an evening with every= and adjust, and hong's address."""
    data = os.path.join(directory, "data")
    os.mkdir(data, 0o700)
    shutil.copy(os.path.join(SCRIPTS, "../../../tests/data/before_removals.db"), os.path.join(data, "janggid.db"))
    os.chmod(os.path.join(data, "janggid.db"), 0o600)
    server = Server(data, "--notify-program", "/bin/cat")
    rows = Player(server, "moon").block("evening 1")[0]
    assert any("name=kim number=2 score=1 " in row for row in rows), rows
    assert server.stop() == 0


def a_program_that_is_not_there_ends_the_start_for_good(directory):
    """systemd starts the server again after 75, and not after 78."""
    command = [JANGGID, "--data", os.path.join(directory, "data"), "--listen", "127.0.0.1:0", "--allow-root",
               "--notify-program", "/nowhere/at/all"]
    assert subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          timeout=PATIENCE_S, check=False).returncode == 78


if __name__ == "__main__":
    sys.exit(run([ntfy, telegram, discord, mail, a_server_calls_who_is_paired_and_not_here,
                  data_of_the_version_with_addresses_opens,
                  a_program_that_is_not_there_ends_the_start_for_good]))
