#!/usr/bin/env python3
"""The door for browsers, without a browser: pages, the WebSocket, and what is refused.

    python3 tests/host/web.py BUILD_DIR [TEST ...]
"""
import contextlib
import email.utils
import html.parser
import os
import random
import re
import resource
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import autobahn
import held_port
import websocket
from hosting import JANGGI, JANGGID, PATIENCE_S, Player, Server, begin, expect, must_fail, run


def serving(directory, *options, **how):
    """A server that admits browsers."""
    return Server(os.path.join(directory, "data"), "--web", "play", *options, **how)


class Browser:
    """A connection that sends bytes and reads answers of HTTP, or frames."""

    def __init__(self, server, plain=None, source=None):
        self.frames = websocket.Frames()
        self.host = f"127.0.0.1:{server.port}"
        if plain is not None:
            self.socket = plain
        else:
            raw = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S,
                                           source_address=(source, 0) if source else None)
            self.socket = websocket.tls_context().wrap_socket(raw)
            assert self.socket.selected_alpn_protocol() == "http/1.1"
        self.socket.settimeout(PATIENCE_S)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def read_until(self, end):
        while end not in self.rest:
            received = self.socket.recv(65536)
            if not received:
                raise EOFError(f"the server closed after {self.rest!r}")
            self.rest += received
        head, _, self.rest = self.rest.partition(end)
        return head

    def answer(self, has_body=True):
        """(status, headers, body) of the next answer."""
        lines = self.read_until(b"\r\n\r\n").decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in
                   (line.partition(": ") for line in lines[1:])}
        if not lines[0].startswith("HTTP/1.1 101 "):
            assert email.utils.parsedate_to_datetime(headers.pop("date")).tzinfo is not None
        size = int(headers.get("content-length", "0")) if has_body else 0
        while len(self.rest) < size:
            self.rest += self.socket.recv(65536)
        body, self.rest = self.rest[:size], self.rest[size:]
        return int(lines[0].split()[1]), headers, body

    def line(self, pattern):
        """The next line in a frame that matches."""
        while True:
            self.frames.add(self.rest)
            self.rest = b""
            found = self.frames.take()
            if found is None:
                self.rest = self.socket.recv(65536)
                if not self.rest:
                    raise EOFError(f"no \"{pattern}\" before the end")
            elif re.search(pattern, found[1].decode("utf-8" if found[0] == 0x81 else "latin-1")):
                return found[1].decode("utf-8", "replace")

    def is_closed(self):
        """Waits for the end."""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while self.socket.recv(65536):
                pass
        return True


def ask(server, request, has_body=True, source=None):
    with Browser(server, source=source) as browser:
        browser.send(request)
        return browser.answer(has_body)


def get(server, path, host=None, verb="GET", language=None):
    host = host or f"127.0.0.1:{server.port}"
    more = f"Accept-Language: {language}\r\n" if language else ""
    return ask(server, f"{verb} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode(), verb == "GET")


# --- Pages

class Elements(html.parser.HTMLParser):
    """Fails where an element is not closed, or not in its order."""

    ALONE = {"meta", "link", "input", "br", "hr", "img"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> does not belong here"


def closes_its_elements(page):
    elements = Elements()
    elements.feed(page.decode())
    elements.close()
    assert not elements.open, f"not closed: {elements.open}"


def pages_show_what_a_guest_may_watch(directory):
    with serving(directory, "--name", "<b>Hong & Kim's</b>") as server:
        expect(get(server, "/")[2].decode(), "<h1>&lt;b&gt;Hong &amp; Kim's&lt;/b&gt;</h1>")
        red, blue = Player(server, "hong"), Player(server, "kim")
        game = begin(red, blue, "10m+5s")
        red.move(game, "a3a4")
        status, headers, body = get(server, "/")
        expect(body.decode(), f"<h1>Game {game}</h1>")  # the only one
        expect(body.decode(), r"<li>red A3-A4</li>")
        closes_its_elements(body)
        closes_its_elements(get(server, f"/game/{game}")[2])
        expect(headers["content-security-policy"], "^default-src 'none'; .*frame-ancestors 'self'$")
        expect(get(server, f"/game/{game}?embed")[1]["content-security-policy"],
               r"frame-ancestors \*$")
        for path in ("/", "/join", "/enter", "/watch", f"/game/{game}?games", "/game/", "/?evening=1"):
            policy = get(server, path if "?" in path else path + "?embed")[1]["content-security-policy"]
            expect(policy, "frame-ancestors 'self'$")
        status, headers, body = get(server, f"/game/{game}.txt")
        assert (status, headers["cache-control"]) == (200, "no-store")
        rows, _ = red.block(f"board {game}")
        assert all(row in "\n".join(rows) for row in body.decode().splitlines()), rows
        assert get(server, f"/game/{game}.txt", verb="HEAD")[1]["content-length"] == \
            headers["content-length"]
        status, headers, body = get(server, f"/game/{game}.svg")
        assert (status, headers["content-type"]) == (200, "image/svg+xml")
        assert picture_of(body) == picture_of(drawn_by_the_tool(red, game)), body
        assert get(server, f"/game/{game}.record") == get(server, "/game/999"), "not over"
        begin(Player(server, "lee"), Player(server, "park"), "none")
        expect(get(server, "/")[2].decode(), r'href="/game/1">.*\n.*href="/game/2">')
        red.ask(f"resign {game}")
        red.expect(r"^! game \d+ \d+ end ")
        server.stop(signal.SIGKILL)
        server.start()
        expect(get(server, f"/game/{game}")[2].decode(), "Blue wins by resignation")
        the_record_is_that_of_the_verb(server, game, directory)


def pages_are_in_the_language_of_the_reader(directory):
    with serving(directory, is_stepped=True) as server:
        expect(get(server, "/", language="ko")[2].decode(), r'(?s)<html lang="ko">.*지금 두는 대국이 없습니다\.')
        red, blue = Player(server, "hong"), Player(server, "kim")
        game = begin(red, blue, "10m+5s")
        red.move(game, "a3a4")
        for language in ("ko", "ko-KR,ko;q=0.9,en-US;q=0.8", "KO_KR", "ko;q=0.5"):
            page = get(server, f"/game/{game}", language=language)[2].decode()
            expect(page, '<html lang="ko">')
            expect(page, f"<h1>대국 {game}</h1>\n<p>hong \\(한\\), kim \\(초\\)</p>\n<p>초 차례. 한 10:0\\d 남음. 초 ")
            expect(page, "<li>한 A3-A4</li>")
            closes_its_elements(page.encode())
        for language in (None, "en-US,ko;q=0.9", "kok", "k", "*", "fr"):
            page = get(server, f"/game/{game}", language=language)[2].decode()
            expect(page, '<html lang="en">')
            expect(page, f"<h1>Game {game}</h1>\n<p>hong \\(red\\) and kim \\(blue\\)</p>\n<p>Blue to move. ")
        red.ask(f"resign {game}")
        red.expect(r"^! game \d+ \d+ end ")
        page = get(server, f"/game/{game}", language="ko")[2].decode()
        expect(page, r"<p>초 승: 기권\.</p>")
        left = re.sub(r"<[^>]*>|&middot;|hong|kim", "", page.partition("<main>")[2])
        assert not re.search("[a-z]{3}", left), left
        for terms, clock, words in (("0m+3x40s", "0:40 left and 2 more periods", "0:40 남음, 초읽기 2회 더"),
                                    ("0m+2x40s", "0:40 left and 1 more period", "0:40 남음, 초읽기 1회 더"),
                                    ("0m+1x40s", "0:40 left", "0:40 남음"),
                                    ("20m+3x40s", "20:00 left and 3 more periods", "20:00 남음, 초읽기 3회 더")):
            game = begin(red, blue, terms)
            expect(get(server, f"/game/{game}")[2].decode(), f"Blue has {clock}\\. ")
            expect(get(server, f"/game/{game}", language="ko")[2].decode(), f"초 {words}\\. ")
            red.ask(f"resign {game}")
        game = begin(red, blue, "none rules=kja")
        expect(blue.ask(f"pass {game}"), "^OK move")
        expect(get(server, f"/game/{game}", language="ko")[2].decode(), "<li>초 한수쉼</li>")
        expect(get(server, f"/game/{game}")[2].decode(), "<li>blue pass</li>")
        expect(get(server, f"/game/{game}.svg", language="ko")[2].decode(), "<title>한 병 A3</title>")
        for path in ("/game/999", "/join"):
            left = re.sub("<[^>]*>|JavaScript", "", get(server, path, language="ko")[2].decode().partition("<main>")[2])
            assert not re.search("[a-z]{3}", left), left
        expect(get(server, "/game/999", language="ko")[2].decode(), "그런 페이지가 없")
        expect(get(server, "/game/999")[2].decode(), "There is no such page")


def pages_are_as_late_as_the_terms_say(directory):
    with serving(directory, is_stepped=True) as server:
        red, blue = Player(server, "hong"), Player(server, "kim")
        offer = re.search(r"id=(\d+)", red.ask(
            "challenge kim time=10m side=red delay=1 setup=NBBN/NBBN"))[1]
        game = int(re.search(r"game=(\d+)", blue.ask(f"accept {offer}"))[1])
        before = [get(server, f"/game/{game}{form}")[2] for form in ("", ".txt", ".svg")]
        red.move(game, "a3a4")
        assert [get(server, f"/game/{game}{form}")[2] for form in ("", ".txt", ".svg")] == before
        blue.move(game, "a6a5")
        page = get(server, f"/game/{game}")[2].decode()
        expect(page, r"<li>red A3-A4</li>\n</ol>")
        expect(page, "Blue to move. Red has 9:5|Blue to move. Red has 10:00")
        assert get(server, f"/game/{game}.txt")[2] != before[1]
        secret = re.search(r"id=(\d+)", red.ask("seek time=none watchers=none"))[1]
        hidden = int(re.search(r"game=(\d+)", blue.ask(f"accept {secret}"))[1])
        for form in ("", ".txt", ".svg", ".record"):
            assert get(server, f"/game/{hidden}{form}") == get(server, "/game/999"), form
        red.ask(f"resign {game}")
        red.expect(r"^! game \d+ \d+ end ")
        expect(get(server, f"/game/{game}")[2].decode(), r"<li>blue A6-A5</li>\n</ol>")
        expect(get(server, "/")[2].decode(), f"<li>Game {hidden}: ")  # listed, without a link


def drawn_by_the_tool(player, game):
    position = re.search(r'position="([^"]*)"', player.ask(f"state {game}"))[1]
    return subprocess.run([JANGGI, "rules", "show", position, "--svg"], check=True,
                          capture_output=True).stdout


def picture_of(svg):
    """Returns the pieces, each with its place. The picture's title is left out: its counts change while a game runs."""
    return re.findall(rb'<g class="(\w+)" transform="([^"]*)"><title>([^<]*)<', svg)


def the_record_is_that_of_the_verb(server, game, directory):
    status, headers, body = get(server, f"/game/{game}.record")
    assert (status, headers["content-disposition"]) == (200, "attachment"), headers
    reader = Player(server)
    reader.ask("login")
    rows, _ = reader.block(f"record {game}")
    unsigned = [line for line in body.decode().splitlines() if not line.startswith("signature=")]
    assert unsigned == [row for row in rows if not row.startswith("signature=")], (rows, body)
    path = os.path.join(directory, "game.record")
    with open(path, "wb") as file:
        file.write(body)
    subprocess.run([JANGGI, "verify", path, "--server", server.key], check=True, capture_output=True)


def what_is_not_for_everybody_is_the_same_404(directory):
    with serving(directory) as server:
        red, blue = Player(server, "hong"), Player(server, "kim")
        offer = re.search(r"id=(\d+)", red.ask("challenge kim private=yes time=none"))[1]
        private = int(re.search(r"game=(\d+)", blue.ask(f"accept {offer}"))[1])
        lee = Player(server, "lee")
        public = begin(lee, Player(server, "park"), "none")
        absent = get(server, "/game/999")
        assert absent[0] == 404
        forms = ("", ".txt", ".svg", ".record")
        paths = [*(f"/game/{private}{form}" for form in forms), "/game/999.svg", "/game/0", f"/game/0{public}",
                 f"/game/{public}.exe", "/game/", "/nothing", "/a/00000000/page.js",
                 "/game/99999999999999999999", f"/game/{private}?embed"]
        for path in paths:
            assert get(server, path) == absent, path
        assert get(server, f"/game/{public}")[0] == 200
        expect(get(server, "/")[2].decode(), f"<title>[^<]*{public}")  # the only public game
        expect(lee.ask("block guest"), "^OK block")
        assert get(server, f"/game/{public}") == absent
        expect(get(server, "/")[2].decode(), f"<li>Game {public}: ")
        expect(lee.ask("unblock guest"), "^OK unblock")
        red.ask(f"resign {private}")
        server.stop()
        server.start()
        for form in forms:
            assert get(server, f"/game/{private}{form}") == absent, "a private game that is over"
        for rules in (["--watching", "members"], ["--guests", "none"], ["--access", "closed"]):
            server.stop()
            server.options = ("--web", "play", *rules)
            server.start()
            for form in forms:
                assert get(server, f"/game/{public}{form}") == absent, (rules, form)
            assert b"/game/" not in get(server, "/")[2], rules


# --- Requests

def what_is_no_request_is_refused(directory):
    host = b"Host: localhost\r\n"
    requests = [
        (b"hello\r\n", 400), (b"GET / HTTP/2.0\r\n", 505), (b"GET / HTTP/1.10\r\n", 505),
        (b"GET / HTTP/1.0\r\n\r\n", 200), (b"GET / HTTP/1.0\r\n" + host + b"\r\n", 200),
        (b"GET / HTTP/1.0\r\nHost: elsewhere.example\r\n\r\n", 421),
        (b"GET / HTTP/1.0\r\n" + host + host + b"\r\n", 400),
        (b"GET / HTTP/1.7\r\n" + host + b"\r\n", 200), (b"GET / HTTP/1.7\r\n\r\n", 400),
        (b"\r\nGET / HTTP/1.1\r\n" + host + b"\r\n", 200), (b"\r\n\r\nGET / HTTP/1.1\r\n", 400),
        (b"POST / HTTP/1.1\r\n", 501), (b"get / HTTP/1.1\r\n", 501), (b"BREW / HTTP/1.1\r\n", 501),
        (b"GET https://localhost/ HTTP/1.1\r\n" + host + b"\r\n", 200),
        (b"GET HTTPS://localhost:9032 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 200),
        (b"GET http://localhost/no?x HTTP/1.1\r\n" + host + b"\r\n", 404),
        (b"GET https://elsewhere.example/ HTTP/1.1\r\n" + host + b"\r\n", 421),
        (b"GET https://elsewhere.example/ HTTP/1.0\r\n\r\n", 421),
        (b"GET https://localhost/ HTTP/1.1\r\n\r\n", 400), (b"GET localhost/ HTTP/1.1\r\n", 400),
        (b"GET /" + b"x" * 300 + b" HTTP/1.1\r\n", 414),
        (b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1:9032@evil.example\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1 evil\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1:+1\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: [localhost]\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: [::1]:9032\r\n\r\n", 200),
        (b"GET / HTTP/1.1\r\nHost: :9032\r\n\r\n", 421), (b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\n" + host + b" folded: yes\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"Name : space\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"no colon\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"A: \x07\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"A: one\rtwo\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 5\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + host + b"A: b\r\n" * 64, 431),
        (b"GET / HTTP/1.1\r\n" + host + b"A: " + b"b" * 4096 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 0\r\n" + b"A: b\r\n" * 62 + b"\r\n", 200),
    ]
    with serving(directory) as server:
        for request, wanted in requests:
            status = ask(server, request)[0]
            assert status == wanted, f"{request[:60]!r}: {status}, not {wanted}"
        with Browser(server) as browser:  # one byte in each TLS record
            for byte in b"GET /nothing HTTP/1.1\r\n" + host + b"\r\n":
                browser.send(bytes([byte]))
            assert browser.answer()[0] == 404 and browser.is_closed()
        assert "why=login" not in server.log(), server.log()


def is_closed_late(server, browser):
    """Steps the clock until the server ends the connection, whose time may begin only after the first step."""
    until = time.monotonic() + PATIENCE_S
    browser.socket.settimeout(0.2)
    while time.monotonic() < until:
        server.clock.step_ms(31000)
        with contextlib.suppress(TimeoutError):
            try:
                if not browser.socket.recv(65536):
                    return True
            except ConnectionError:
                return True
    return False


def half_a_request_has_its_time(directory):
    with serving(directory, is_stepped=True) as server:
        for begun in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nA:"):
            with Browser(server) as browser:
                browser.send(begun)
                assert is_closed_late(server, browser)
        assert server.log().count("closing why=login") == 3, server.log()
        assert get(server, "/")[0] == 200


# --- The WebSocket

def a_websocket_is_for_our_pages_only(directory):
    changes = [
        ({"origin": "https://evil.example"}, 403), ({"origin": "http://HOST"}, 403),
        ({"origin": "https://HOST.evil.example"}, 403), ({"origin": "null"}, 403),
        ({"host": "evil.example", "origin": "https://evil.example"}, 421),
        ({"sec_websocket_version": "8"}, 426), ({"sec_websocket_version": None}, 426),
        ({"sec_websocket_protocol": "chat"}, 426), ({"sec_websocket_protocol": None}, 426),
        ({"upgrade": None}, 426), ({"connection": "close"}, 426),
        ({"sec_websocket_key": "short"}, 400), ({"sec_websocket_key": None}, 400),
        ({"connection": "keep-alive, upgrade", "upgrade": "WebSocket",
          "sec_websocket_protocol": "chat, janggi.1"}, 101), ({}, 101),
    ]
    with serving(directory) as server:
        host = f"127.0.0.1:{server.port}"
        for change, wanted in changes:
            change = {name: value and value.replace("HOST", host) for name, value in change.items()}
            status = ask(server, websocket.upgrade(**{"host": host, **change}))[0]
            assert status == wanted, f"{change}: {status}, not {wanted}"
        old = websocket.upgrade(host).replace(b" HTTP/1.1", b" HTTP/1.0")
        assert ask(server, old)[0] == 426, "HTTP/1.0 has no upgrade"
        key = ask(server, websocket.upgrade(host, sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ=="))
        assert key[1]["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # RFC 6455


def plain_socket(server):
    """Over TLS without ALPN, as wget, Python's urllib and npm's ws come."""
    context = websocket.tls_context()
    context.set_alpn_protocols([])
    plain = context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S))
    assert plain.selected_alpn_protocol() is None
    return plain


def who_names_no_protocol_may_begin_with_a_request(directory):
    with serving(directory) as server:
        with Browser(server, plain_socket(server)) as browser:
            browser.send(f"GET / HTTP/1.1\r\nHost: {browser.host}\r\n\r\n".encode())
            assert browser.answer()[0] == 200
        with Browser(server, plain_socket(server)) as browser:
            browser.send(re.sub(rb"(?i)\r\norigin: [^\r]*", b"", websocket.upgrade(browser.host)))
            assert browser.answer(has_body=False)[0] == 101, "a program has no origin"
        for first, wanted in ((b"", r"^\* janggi/1 "), (b"ping\n", r"^OK ping"), (b"GET / janggi\n", "^ERR unknown")):
            with Browser(server, plain_socket(server)) as caller:
                caller.send(first)
                greeting = caller.read_until(b"\n")
                assert greeting.startswith(b"* janggi/1 "), greeting
                if first:
                    expect(caller.read_until(b"\n").decode(), wanted)
        fetched = urllib.request.urlopen(f"https://127.0.0.1:{server.port}/", context=ssl._create_unverified_context())
        assert fetched.status == 200


def who_names_no_protocol_is_greeted_at_once_without_pages(directory):
    with serving(directory, "--web", "off") as server, Browser(server, plain_socket(server)) as caller:
        caller.send(b"GET / HTTP/1.1\r\n")
        assert caller.read_until(b"\n").startswith(b"* janggi/1 ")
        expect(caller.read_until(b"\n").decode(), "^ERR unknown")


def frames_may_follow_the_request_at_once(directory):
    with serving(directory) as server:
        exchange_frames(server)
        server.stop()
        expect(server.log(), "closed why=bad-frame name=hong")


def exchange_frames(server):
    with Browser(server) as browser:
        lines = b"".join(map(websocket.frame, [b"#1 login hong", b"#2 ping\r\n", b"#3 ping"]))
        browser.send(websocket.upgrade(browser.host) + lines)
        assert browser.answer()[0] == 101
        browser.line(r"^\* janggi/1 ")
        for answer in (r"^#1 OK login name=hong token=", "^#2 OK ping", "^#3 OK ping"):
            browser.line(answer)
        browser.send(websocket.frame(b"hi", 0x89) + websocket.frame(b"two\nlines"))
        browser.line("^hi$")
        browser.line("^ERR line why=bad-text")
        browser.send(websocket.frame(b"x" * 5000))
        browser.line("^\x03\xf1$")  # close code 1009
        assert browser.is_closed()


def frames_are_answered_as_autobahn_asks(directory):
    with serving(directory, "--quotas", "off") as server:
        for number, sent, wanted in autobahn.cases():
            with Browser(server) as browser:
                browser.send(websocket.upgrade(browser.host))
                browser.answer()
                browser.line(r"^\* janggi/1 ")
                for part in sent:
                    browser.send(part)
                try:
                    for answer in wanted:
                        browser.line(answer)
                except (EOFError, AssertionError) as error:
                    raise AssertionError(f"case {number}: {answer}: {error}") from error


def a_whole_game_is_the_same_for_both(directory, is_control=False):
    """One player uses a browser, the other a terminal; a late watcher of each kind reads the same."""
    lot = random.Random(1)
    with serving(directory) as server:
        kim = Player(server, "kim")
        with Browser(server) as hong, Browser(server) as late:
            for browser, name in ((hong, "login hong"), (late, "login")):
                browser.send(websocket.upgrade(browser.host))
                browser.answer()
                browser.send(websocket.frame(name.encode()))
                browser.line("^OK login ")

            def say(line):
                hong.send(websocket.frame(line.encode()))
                return hong.line("^(OK|ERR) ")
            offer = re.search(r"id=(\d+)", say("seek time=none side=red"))[1]
            game = int(re.search(r"game=(\d+)", kim.ask(f"accept {offer}"))[1])
            expect(say(f"setup {game} NBNB"), "^OK setup")
            expect(kim.ask(f"setup {game} NBNB"), "^OK setup")
            for ply in range(40):
                mover = say if ply % 2 == 0 else kim.ask
                moves = re.search(r"list=(\S+)", mover(f"moves {game}"))[1].split(",")
                expect(mover(f"move {game} {lot.choice(moves)}"), "^OK move")
            expect(say(f"resign {game}"), "^OK resign")
            kim.expect(f"^! game {game} 43 end ")
            late.send(websocket.frame(f"watch {game}".encode()))
            seen = [late.line(f"^! game {game} {number} ") for number in range(44)]
        watcher = Player(server)
        watcher.ask("login")
        watcher.ask(f"watch {game}")
        watcher.expect(f"^! game {game} 43 end ")
        heard = [line for line in watcher.seen if line.startswith(f"! game {game} ")]
        if is_control:
            heard.pop(7)
        assert heard == seen, (heard, seen)


# --- Names and certificates

def make_certificate(directory, name, hosts):
    cert, key = (os.path.join(directory, f"{name}.{kind}") for kind in ("crt", "key"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts)],
                   check=True, capture_output=True)
    os.chmod(key, 0o600)
    return cert, key


def browsers_see_a_certificate_of_their_own(directory):
    cert, key = make_certificate(directory, "web", ["game.example", "*.club.example"])
    with serving(directory, "--web-cert", cert, "--web-key", key) as server:
        def seen():
            with Browser(server) as browser:
                return browser.socket.getpeercert(True)
        first, player = seen(), Player(server)
        assert player.socket.getpeercert(True) != first, "links name the key of the other one"
        for host, wanted in [("game.example", 200), ("GAME.example:9032", 200),
                             ("one.club.example", 200), ("example", 421), (".example", 421), ("127.0.0.1", 421),
                             ("localhost", 421)]:
            assert get(server, "/", host)[0] == wanted, host
        with open(cert, encoding="ascii") as file:
            before = file.read()
        make_certificate(directory, "web", ["new.example"])
        server.process.send_signal(signal.SIGHUP)
        player.ask("login")  # its answer comes after the signal was handled, or soon after
        while get(server, "/", "new.example")[0] != 200:
            player.ask("ping")
        assert seen() != first and before
        assert get(server, "/", "game.example")[0] == 421


def a_proxy_comes_without_tls(directory, is_control=False):
    path = os.path.join(directory, "web.sock")
    origin = ["--web-origin", "https://game.example"]
    options = ["--web-listen", f"unix:{path}", "--quotas", "on", "--per-address", "2"]
    with serving(directory, *options, *origin) as server:
        def come(address):
            plain = socket.socket(socket.AF_UNIX)
            plain.connect(path)
            browser = Browser(server, plain)
            forwarded = None if is_control else f"203.0.113.9, {address}"
            browser.send(websocket.upgrade("game.example", x_forwarded_for=forwarded))
            return browser, browser.answer()[0]
        first, status = come("192.0.2.1")
        assert status == 101
        first.line(r"^\* janggi/1 ")
        first.send(websocket.frame(b"login hong"))
        first.line("^OK login name=hong")
        expect(server.ctl("sessions")[1] + server.ctl("top")[1], r"192\.0\.2\.1")
        others = [come("192.0.2.1"), come("192.0.2.1"), come("192.0.2.2")]
        assert [status for _, status in others] == [101, 429, 101], others
        assert others[1][0].is_closed()
        for browser, _ in [(first, 0), *others]:
            browser.socket.close()


def requests_that_are_refused_cost_the_neighbours_nothing(directory):
    options = ["--quotas", "on", "--limits", "work-per-s=1", "--limits", "work-burst=30"]
    with serving(directory, *options, is_stepped=True) as server:
        host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        long = b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 20 + b"\r\n"
        seen = []
        with contextlib.suppress(ConnectionResetError):  # without budget a source opens no connection
            for _ in range(12):
                seen.append(ask(server, long, source="127.0.0.2")[0])
        assert seen[0] == 200 and seen[-1] == 429 and len(seen) < 12, seen
        assert ask(server, b"GET / HTTP/1.1\r\n" + host + b"\r\n", source="127.0.0.3")[0] == 200


def without_tls_it_is_this_machine_alone(directory):
    data = os.path.join(directory, "data")
    origin = ["--web-origin", "https://game.example"]
    for listen, more, status in [("0.0.0.0:0", origin, 71), ("[::]:0", origin, 71),
                                 ("192.0.2.1:80", origin, 71), ("unix:relative", origin, 71),
                                 ("127.0.0.1:0", [], 2)]:
        done = subprocess.run([JANGGID, "--allow-root", "--data", data, "--listen", "127.0.0.1:0",
                               "--web", "play", "--web-listen", listen, *more],
                              capture_output=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == status, (listen, done)
    port = held_port.keep()
    with serving(directory, "--web-listen", f"127.0.0.1:{port}", *origin) as server:
        assert get(server, "/", "game.example")[0] == 200  # and at the usual port
        with Browser(server, socket.create_connection(("127.0.0.1", port))) as browser:
            browser.send(b"GET / HTTP/1.1\r\nHost: game.example\r\n\r\n")
            assert browser.answer()[0] == 200


def probes_of_this_machine_need_no_shell(directory):
    """A request without X-Forwarded-For does not come through the proxy; what the proxy brings sees no figures."""
    port = held_port.keep()
    with serving(directory, "--web-listen", f"127.0.0.1:{port}", "--web-origin", "https://game.example") as server:
        def probe(path, more=b""):
            with Browser(server, socket.create_connection(("127.0.0.1", port))) as browser:
                browser.send(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + more + b"\r\n")
                status, _, body = browser.answer()
                return status, body.decode()
        assert probe(b"/health") == (200, "accepts players and moves\n")
        status, text = probe(b"/metrics")
        assert status == 200 and re.search(r"(?m)^janggid_moves_total 0$", text), text
        assert probe(b"/metrics", b"X-Forwarded-For: 192.0.2.1\r\n")[0] in (404, 421)
        for path in ("/metrics", "/health"):
            assert get(server, path, "game.example")[0] == 404
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, hard))
        server.ctl("motd", "a row for the disk")
        by = time.monotonic() + PATIENCE_S
        while probe(b"/health") != (503, "the disk is full; moves wait\n"):
            assert time.monotonic() < by, probe(b"/health")
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


def callers_wait_while_there_is_no_descriptor(directory):
    """A caller that cannot be accepted must not keep the server busy: each attempt would be a line of the log."""
    port = held_port.keep()
    origin = ("--web-origin", "https://game.example")
    with serving(directory, "--web-listen", f"127.0.0.1:{port}", *origin) as server:
        soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (24, hard))
        callers = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
        by = time.monotonic() + PATIENCE_S
        while "Too many open files" not in server.log():
            assert time.monotonic() < by, server.log()
            time.sleep(0.05)
        time.sleep(1)  # in which a server that does not wait writes thousands of lines
        assert server.log().count("Too many open files") < 20, server.log()[-2000:]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        for caller in callers:
            caller.close()
        with Browser(server, socket.create_connection(("127.0.0.1", port))) as browser:
            browser.send(b"GET / HTTP/1.1\r\nHost: game.example\r\n\r\n")
            assert browser.answer()[0] == 200


TESTS = [
    probes_of_this_machine_need_no_shell,
    pages_show_what_a_guest_may_watch, pages_are_in_the_language_of_the_reader, pages_are_as_late_as_the_terms_say,
    what_is_not_for_everybody_is_the_same_404, what_is_no_request_is_refused, half_a_request_has_its_time, a_websocket_is_for_our_pages_only,
    who_names_no_protocol_may_begin_with_a_request, who_names_no_protocol_is_greeted_at_once_without_pages,
    frames_may_follow_the_request_at_once, frames_are_answered_as_autobahn_asks, a_whole_game_is_the_same_for_both,
    must_fail(a_whole_game_is_the_same_for_both), browsers_see_a_certificate_of_their_own,
    a_proxy_comes_without_tls, must_fail(a_proxy_comes_without_tls),
    requests_that_are_refused_cost_the_neighbours_nothing,
    without_tls_it_is_this_machine_alone, callers_wait_while_there_is_no_descriptor,
]

if __name__ == "__main__":
    sys.exit(run(TESTS))
