"""janggi on a pseudo terminal, a TLS server that says whatever a test wants, and a judge of
every byte that reaches the terminal. Standard library and the openssl command only.
"""
import atexit
import base64
import fcntl
import functools
import hashlib
import os
import re
import select
import selectors
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unicodedata

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
# How many times as long as a test says a busy machine may take.
PATIENCE = 0.1 * float(os.environ.get("PATIENCE_TENTHS", "60"))

# --- The server ----------------------------------------------------------------------------


def make_identity(directory):
    """Makes a certificate. Returns its files, and its key as links carry it."""
    cert, key = os.path.join(directory, "c.pem"), os.path.join(directory, "k.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=hostile", "-out", cert, "-keyout", key],
        check=True, capture_output=True)
    pem = subprocess.run(["openssl", "x509", "-in", cert, "-pubkey", "-noout"], check=True,
                         capture_output=True).stdout.decode()
    der = base64.b64decode("".join(pem.split("\n")[1:-2]))
    digest = hashlib.sha256(der).digest()
    return cert, key, base64.urlsafe_b64encode(digest).decode().rstrip("=")


@functools.lru_cache(None)
def identity():
    """An identity that all visits share."""
    directory = tempfile.mkdtemp(prefix="janggi-identity-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return make_identity(directory)


class Gone(Exception):
    """The client has left."""


class Talk:
    """One connection, seen from the server. One thread may send while another hears. OpenSSL allows one
    call at a time, so each call takes the lock, and no call waits while it has it."""

    def __init__(self, sock):
        self.sock, self.waits, self.lock, self.sending = sock, b"", threading.Lock(), threading.Lock()
        sock.setblocking(False)

    def _do(self, call, *args):
        """Calls again and again until the connection is ready for it."""
        until = time.monotonic() + 120
        try:
            while time.monotonic() < until:
                with self.lock:
                    try:
                        return call(*args)
                    except ssl.SSLWantReadError:
                        wants = [self.sock], []
                    except ssl.SSLWantWriteError:
                        wants = [], [self.sock]
                select.select(*wants, [], 1)
        except (OSError, ValueError) as error:  # the latter: it is closed
            raise Gone from error
        raise Gone

    def send(self, data):
        """Sends bytes as they are, and text with a line end."""
        left = data if isinstance(data, bytes) else data.encode() + b"\n"
        with self.sending:
            while left:
                left = left[self._do(self.sock.send, left):]

    def hear(self):
        """Returns a line of the client without its tag, and the tag with a space behind it."""
        while b"\n" not in self.waits:
            got = self._do(self.sock.recv, 65536)
            if not got:
                raise Gone
            self.waits += got
        line, self.waits = self.waits.split(b"\n", 1)
        found = re.match(r"(#\S+ )?(.*)", line.decode())
        return found[2], found[1] or ""

    def hear_verb(self, verb):
        """Reads up to a line with that verb, and answers pings on the way."""
        while True:
            line, tag = self.hear()
            if line.split(" ")[0] == verb:
                return line, tag
            if line == "ping":
                self.send(f"{tag}OK ping")

    def let_in(self, games="-"):
        self.send("* janggi/1 server=\"none\" : welcome")
        _, tag = self.hear_verb("login")
        self.send(f"{tag}OK login name=hong proof=key games={games}")

    def say_ready(self):
        """Sends a line that the terminal shows: once it is there, all earlier lines have been
        read."""
        self.send("! notice : marker")

    def until_gone(self):
        while True:
            self.hear()

    def cut(self):
        """Ends the connection while another thread may hear. SSLSocket.shutdown() would let that thread read
        bytes of TLS as text."""
        with self.lock:
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


class Server:
    """Runs script(talk) for each connection, one after the other, and counts the connections."""

    def __init__(self, identity, script):
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.minimum_version = ssl.TLSVersion.TLSv1_3
        self.tls.load_cert_chain(identity[0], identity[1])
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.script, self.connections, self.is_closed = script, 0, False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            try:
                raw, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                raw.settimeout(120)
                self._serve(raw)
            except (Gone, OSError, ValueError):  # the last: it is closed, or speaks no UTF-8
                pass

    def _serve(self, raw):
        with self.tls.wrap_socket(raw, server_side=True) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.script(Talk(sock))

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()


# --- The client ----------------------------------------------------------------------------

class Terminal:
    """A program on a terminal of its own; keeps every byte that it writes there."""

    def __init__(self, command, environment, has_echo=True):
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        modes = termios.tcgetattr(slave)
        modes[3] &= ~(0 if has_echo else termios.ECHO)
        termios.tcsetattr(slave, termios.TCSANOW, modes)

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave,
                                        env=environment, preexec_fn=take_terminal)
        os.close(slave)
        self.master, self.seen, self.is_open = master, bytearray(), True
        self.looked = 0
        self.selector = selectors.DefaultSelector()
        self.selector.register(master, selectors.EVENT_READ)

    def read(self, seconds):
        """Reads what the program has written, or waits up to `seconds` for it. False when the
        terminal is closed."""
        if not self.selector.select(seconds):
            return True
        try:
            got = os.read(self.master, 65536)
        except OSError:
            got = b""
        self.seen += got
        self.is_open = bool(got)
        return self.is_open

    def wait_for(self, words, seconds):
        """Waits until `words` are on the terminal, after the text found last."""
        wanted, by, start = words.encode(), time.monotonic() + seconds * PATIENCE, self.looked
        while True:
            at = self.seen.find(wanted, start)
            if at >= 0:
                self.looked = at + len(wanted)
                return True
            if not self.is_open or time.monotonic() > by:
                return False
            start = max(start, len(self.seen) - len(wanted) + 1)
            self.read(0.1)

    def watch(self, seconds):
        by = time.monotonic() + seconds
        while self.is_open and time.monotonic() < by:
            self.read(0.05)

    def type(self, words):
        os.write(self.master, words.encode())

    def memory_kib(self):
        """The most memory that the program has had, or 0 when it has ended."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])
        except (OSError, TypeError):
            return 0

    def end(self, seconds):
        """Reads to the end. Returns the exit status, negative for a signal; None: the program
        hangs."""
        by = time.monotonic() + seconds * PATIENCE
        while self.is_open and time.monotonic() < by:
            self.read(0.1)
        try:
            return self.process.wait(max(0.1, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.master)


class Visit:
    """hong's client at a terminal, and a server that lets it in with those running games, and then says the lines.
    said: what the client has said in this connection, without pings and its question for the verbs."""

    def __init__(self, *options, games="-", lines=(), settings="", environment=(), client=None):
        self.home = tempfile.mkdtemp(prefix="janggi-visit-")
        os.makedirs(os.path.join(self.home, ".config/janggi"))
        with open(os.path.join(self.home, ".config/janggi/config"), "w", encoding="utf-8") as file:
            file.write(settings)
        self.games, self.lines, self.said, self.talk, self.markers = games, lines, [], None, 0
        self.has_come = threading.Semaphore(0)
        self.server = Server(identity(), self.serve)
        self.terminal = Terminal(
            [client or os.path.join(BUILD, "janggi"), "--pin", identity()[2], "-n", "hong", *options,
             f"127.0.0.1:{self.server.port}"],
            {"HOME": self.home, "TERM": "xterm-256color", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
             **dict(environment)})

    def serve(self, talk):
        self.said = []
        talk.let_in(self.games)
        talk.send("".join(line + "\n" for line in self.lines).encode())
        self.talk = talk
        self.has_come.release()
        while True:
            line, tag = talk.hear()
            talk.send(self.answer(line, tag))
            if line not in ("ping", "help verbs"):
                self.said.append(line)

    def answer(self, line, tag):
        return f"{tag}OK {line.split(' ')[0]}"

    def reads(self, *lines):
        """Says lines, and waits until the client has read them. Returns whether it has."""
        self.markers += 1
        self.talk.send("\n".join([*lines, f"! notice : marker {self.markers}."]))
        return self.terminal.wait_for(f"marker {self.markers}.", 20)

    def __enter__(self):
        self.terminal.wait_for("Hello hong", 20)
        self.has_come.acquire(timeout=20 * PATIENCE)
        return self

    def __exit__(self, *problem):
        self.terminal.kill()
        self.server.close()
        shutil.rmtree(self.home, ignore_errors=True)


# --- The judge -----------------------------------------------------------------------------

# All escape sequences that janggi and its line editor send on purpose.
MEANT = re.compile(
    rb"\r|\n|\a|\x08"
    rb"|\x1b\[(?:\?2004[hl]|K|J|H|[0-9]*[ABCDP@]|0?m|7m|1;31m|1;34m)"
    rb"|\x1b\[2[23];0t|\x1b\]0;(?:janggi[a-z0-9:, -]*)?\a")
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Me"}
# Code points that are drawn as nothing, although their category is that of a letter.
BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0,
          *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)}


def is_plain(char):
    """Whether Python's Unicode tables say that the character is visible."""
    point, category = ord(char), unicodedata.category(char)
    if category in HIDDEN or point in BLANKS:
        return False
    # An unassigned character may be a letter of a later Unicode; these code points never will
    # be.
    return not (category == "Cn" and
                (point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF))


def judge(seen):
    """Returns a sentence about output that the client did not intend, or "" if there is none."""
    at = 0
    data = bytes(seen)
    for run in re.finditer(rb"[\x20-\x7e]+|[\x80-\xff]+|[\x00-\x1f\x7f]", data):
        if run.start() < at:
            continue
        text = run[0]
        if text[0] >= 0x80:
            try:
                bad = next((c for c in text.decode() if not is_plain(c)), None)
            except UnicodeDecodeError:
                return f"no UTF-8 at byte {run.start()}: {text[:16]!r}"
            if bad is not None:
                return f"U+{ord(bad):04X} at byte {run.start()}"
        elif text[0] < 0x20 or text[0] == 0x7F:
            found = MEANT.match(data, run.start())
            if not found:
                return f"at byte {run.start()}: {data[run.start():run.start() + 24]!r}"
            at = found.end()
    return ""


class Checks:
    """Prints a line of TAP for each check, and counts those that failed."""

    def __init__(self):
        self.failed = 0

    def __call__(self, is_good, name, why=""):
        print(f"ok {name}" if is_good else f"not ok {name} {why}", flush=True)
        self.failed += not is_good
