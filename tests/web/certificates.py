#!/usr/bin/env python3
"""The ways of the manual, janggid(8), to a page that browsers trust: certbot and uacme with pebble
as the authority, and caddy and nginx in front. The lines are those of the manual; only ports and
directories are changed. Debian's packages; a way whose program is not here is skipped, and says so.

    python3 tests/web/certificates.py BUILD_DIR [TEST ...]
"""
import contextlib
import http.server
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import websocket
from hosting import PATIENCE_S, Player, Server, begin, expect, run

MANUAL = os.path.join(HERE, "..", "..", "server", "janggid.8")
HOST = "game.example"


def block(section, number=0):
    """That literal block of a section of the manual, as it is read."""
    with open(MANUAL, encoding="utf-8") as file:
        text = file.read().partition(f".Ss {section}\n")[2]
    found = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", re.split(r"^\.S[sh] ", text, flags=re.M)[0],
                       flags=re.M | re.S)[number]
    return found.replace("\\e\n", "\\\n")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for_port(port, process):
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, f"{process.args[0]} ended with {process.returncode}"
            assert time.monotonic() < until, f"{process.args[0]} does not listen"
            time.sleep(0.05)


@contextlib.contextmanager
def running(directory, *words, **options):
    """A program beside the test; its words are kept in a file of its name."""
    with open(os.path.join(directory, os.path.basename(words[0]) + ".log"), "ab") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def self_signed(directory, name, alternatives):
    cert, key = (os.path.join(directory, f"{name}.{kind}") for kind in ("crt", "key"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName={alternatives}"], check=True, capture_output=True)
    return cert, key


# --- The authority

class Authority:
    """pebble, which looks names up at pebble-challtestsrv: all are this machine."""

    def __init__(self, directory):
        self.directory = directory
        self.http, self.port, self.management, self.dns = (free_port() for _ in range(4))
        self.url = f"https://localhost:{self.port}/dir"
        self.cert, self.key = self_signed(directory, "pebble", "DNS:localhost,IP:127.0.0.1")
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        config = os.path.join(self.directory, "pebble.json")
        with open(config, "w", encoding="ascii") as file:
            json.dump({"pebble": {
                "listenAddress": f"127.0.0.1:{self.port}", "managementListenAddress": f"127.0.0.1:{self.management}",
                "certificate": self.cert, "privateKey": self.key, "httpPort": self.http,
                "tlsPort": free_port(), "ocspResponderURL": ""}}, file)
        self.stack.enter_context(running(
            self.directory, "pebble-challtestsrv", "-dns01", f"127.0.0.1:{self.dns}", "-defaultIPv6", "",
            "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", f"127.0.0.1:{free_port()}"))
        pebble = self.stack.enter_context(running(
            self.directory, "pebble", "-config", config, "-dnsserver", f"127.0.0.1:{self.dns}",
            env=dict(os.environ, PEBBLE_VA_NOSLEEP="1", PEBBLE_WFE_NONCEREJECT="0")))
        wait_for_port(self.management, pebble)
        return self

    def __exit__(self, *_):
        self.stack.close()

    def trust(self):
        """TLS of a browser that trusts this authority alone."""
        url = f"https://localhost:{self.management}/roots/0"
        with urllib.request.urlopen(url, context=ssl.create_default_context(cafile=self.cert)) as answer:
            context = ssl.create_default_context(cadata=answer.read().decode())
        context.set_alpn_protocols(["http/1.1"])
        return context


class Page:
    """A connection of a browser that judges the certificate."""

    def __init__(self, port, context, host=HOST):
        self.host = f"{host}:{port}"
        raw = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self.socket = context.wrap_socket(raw, server_hostname=host)
        self.socket.settimeout(PATIENCE_S)
        self.rest, self.frames = b"", websocket.Frames()

    def get(self, path):
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while received := self.socket.recv(65536):
            answer += received
        return answer.decode()

    def upgrade(self):
        self.socket.sendall(websocket.upgrade(self.host))
        while b"\r\n\r\n" not in self.rest:
            received = self.socket.recv(65536)
            assert received, self.rest
            self.rest += received
        head, _, rest = self.rest.partition(b"\r\n\r\n")
        expect(head.decode(), "^HTTP/1.1 101 ")
        self.frames.add(rest)

    def ask(self, line, pattern):
        self.socket.sendall(websocket.frame(line.encode()))
        return self.hear(pattern)

    def hear(self, pattern):
        while True:
            while (found := self.frames.take()) is not None:
                if match := re.search(pattern, found[1].decode()):
                    return match
            received = self.socket.recv(65536)
            assert received, f"the end before {pattern}"
            self.frames.add(received)


def watch_a_game(server, port, context):
    """A browser loads the page and follows a game over the WebSocket."""
    red, blue = Player(server, "hong"), Player(server, "kim")
    game = begin(red, blue, "none")
    expect(Page(port, context).get(f"/game/{game}"), r"(?s)^HTTP/1.1 200 .*<h1>Game 1</h1>")
    page = Page(port, context)
    page.upgrade()
    page.ask("login", "^OK login name=guest")
    page.ask(f"watch {game}", f"^OK watch game={game}")
    red.move(game, "a3a4")
    page.hear(f"^! game {game} 3 move 1 red A3-A4")
    return page


# --- Certificates

def serving(directory, *options, **how):
    """A server that admits browsers."""
    return Server(os.path.join(directory, "data"), "--web", "play", *options, **how)


def options_of(command, directory, place):
    """The options of the line that starts janggid, with the directory in place of the system's."""
    line = re.search(r"^janggid (.*)", command.replace("\\\n", " "), flags=re.M)[1]
    return [word.replace(place, directory) for word in line.split() if word not in ("--web", "play")]


def renewed_while_they_watch(directory, options, authority, renew):
    """The server has the authority's certificate. renew(server) makes a new one, and nobody notices."""
    with serving(directory, *options) as server:
        context = authority.trust()
        page = watch_a_game(server, server.port, context)
        before, pinned = page.socket.getpeercert(True), Player(server).socket.getpeercert(True)
        renew(server)
        while Page(server.port, context).socket.getpeercert(True) == before:
            Player(server).cut()
        assert Player(server).socket.getpeercert(True) == pinned, "the links are those of the other key"
        page.ask("ping", "^OK ping")


def certbot_makes_and_renews_a_certificate(directory):
    lines = block("A certificate by certbot")
    made = re.search(r"^(certbot .*?)\njanggid ", lines, flags=re.M | re.S)[1]
    with Authority(directory) as authority:
        home = os.path.join(directory, "letsencrypt")
        places = ["--config-dir", home, "--work-dir", home, "--logs-dir", home]
        local = [*places, "--server", authority.url, "--no-verify-ssl", "--http-01-port", str(authority.http)]
        hook = os.path.join(directory, "reload")
        quiet = ["--non-interactive", "--agree-tos", "--register-unsafely-without-email"]
        command = made.replace("systemctl reload janggid", f"sh {hook}") + " " + " ".join(local + quiet)

        def tell(words):
            with open(hook, "w", encoding="ascii") as file:
                file.write(words + "\n")
        tell("true")  # no server is running yet
        subprocess.run(command, shell=True, check=True, capture_output=True, timeout=PATIENCE_S)

        def renew(server):
            tell(f"kill -HUP {server.process.pid}")
            subprocess.run(["certbot", "renew", "--force-renewal", "--non-interactive",
                            "--no-random-sleep-on-renew", *local],
                           check=True, capture_output=True, timeout=PATIENCE_S)
        renewed_while_they_watch(directory, options_of(lines, home, "/etc/letsencrypt"), authority, renew)


@contextlib.contextmanager
def web_server(root, port):
    def handler(*args):
        return Quiet(*args, directory=root)
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def uacme_makes_and_renews_a_certificate(directory):
    """uacme trusts the authorities of the system alone: in a mount namespace, those are pebble."""
    lines = block("A certificate by uacme")
    home, root = os.path.join(directory, "uacme"), os.path.join(directory, "www")
    challenges = os.path.join(root, ".well-known", "acme-challenge")
    os.makedirs(challenges)
    with Authority(directory) as authority, web_server(root, authority.http):
        def execute(line):
            inside = f"mount --bind {authority.cert} /etc/ssl/certs/ca-certificates.crt && {line}"
            subprocess.run(["unshare", "--mount", "sh", "-c", inside], check=True, capture_output=True,
                           timeout=PATIENCE_S, env=dict(os.environ, UACME_CHALLENGE_PATH=challenges))
        here = lines.replace("/etc/ssl/uacme", home).replace("uacme -c", f"uacme -a {authority.url} -c")
        new, issue = re.search(r"^(uacme .*? new)\n(uacme .*?) && systemctl", here, flags=re.M | re.S).groups()
        execute(new)
        execute(issue)

        def renew(server):
            execute(issue.replace("issue", "-f issue") + f" && kill -HUP {server.process.pid}")
        renewed_while_they_watch(directory, options_of(lines, home, "/etc/ssl/uacme"), authority, renew)


# --- Proxies

def options_behind(port, outside):
    line = options_of(block("Behind caddy"), str(port), "9080")
    return [word.replace(f"https://{HOST}", f"https://{HOST}:{outside}") for word in line]


def behind_nginx_a_page_is_whole(directory):
    inside, outside = free_port(), free_port()
    cert, key = self_signed(directory, HOST, f"DNS:{HOST}")
    config = os.path.join(directory, "nginx.conf")
    location = block("Behind nginx").replace("9080", str(inside))
    with open(config, "w", encoding="ascii") as file:
        file.write(f"""daemon off; pid {directory}/nginx.pid; error_log {directory}/nginx-error.log;
            events {{}}
            http {{ access_log off; client_body_temp_path {directory}/b; proxy_temp_path {directory}/p;
              fastcgi_temp_path {directory}/f; uwsgi_temp_path {directory}/u; scgi_temp_path {directory}/s;
              server {{ listen 127.0.0.1:{outside} ssl; server_name {HOST};
                ssl_certificate {cert}; ssl_certificate_key {key};
                {location} }} }}""")
    context = ssl.create_default_context(cafile=cert)
    with serving(directory, *options_behind(inside, outside)) as server, \
            running(directory, "nginx", "-e", f"{directory}/nginx-error.log", "-c", config) as nginx:
        wait_for_port(outside, nginx)
        watch_a_game(server, outside, context).ask("ping", "^OK ping")
        forged = Page(outside, context)
        forged.socket.sendall(websocket.upgrade(forged.host, x_forwarded_for="192.0.2.66"))
        expect(forged.socket.recv(12).decode(), "^HTTP/1.1 101$")
        listed = server.ctl("sessions")[1] + server.ctl("top")[1]
        assert "192.0.2.66" not in listed, listed
        expect(listed, r"127\.0\.0\.1")


def behind_caddy_a_page_is_whole(directory):
    inside, outside = free_port(), free_port()
    config = os.path.join(directory, "Caddyfile")
    site = block("Behind caddy", 1).replace("9080", str(inside))
    site = site.replace(HOST + " {", f"{HOST}:{outside} {{\n    tls internal\n    bind 127.0.0.1")
    with open(config, "w", encoding="ascii") as file:
        file.write(f"{{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n}}\n{site}")
    environment = dict(os.environ, XDG_DATA_HOME=directory, XDG_CONFIG_HOME=directory, HOME=directory)
    with serving(directory, *options_behind(inside, outside)) as server, \
            running(directory, "caddy", "run", "--config", config, "--adapter", "caddyfile", env=environment) as caddy:
        wait_for_port(outside, caddy)
        root = os.path.join(directory, "caddy", "pki", "authorities", "local", "root.crt")
        while not os.path.exists(root):
            time.sleep(0.05)
        watch_a_game(server, outside, ssl.create_default_context(cafile=root)).ask("ping", "^OK ping")


def needs(test, *programs):
    """The test, or one that says loudly that a program is not here."""
    missing = [name for name in programs if shutil.which(name) is None and (name != "root" or os.geteuid() != 0)]
    if not missing:
        return test

    def skipped(_):
        print(f"# NOT TESTED: {test.__name__}: {', '.join(missing)} not here; sh tests/deps.sh cert installs it")
    skipped.__name__ = test.__name__ + "_SKIPPED"
    return skipped


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # nginx
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(run([
        needs(certbot_makes_and_renews_a_certificate, "certbot", "pebble", "pebble-challtestsrv"),
        needs(uacme_makes_and_renews_a_certificate, "uacme", "pebble", "pebble-challtestsrv", "unshare", "root"),
        needs(behind_nginx_a_page_is_whole, "nginx"), needs(behind_caddy_a_page_is_whole, "caddy")]))
