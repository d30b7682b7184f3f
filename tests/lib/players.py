"""One scripted player for the tests in Python: connects over TLS, or runs a program that reads and writes lines; logs
in, says lines, waits for lines. Standard library only.
"""
import os
import re
import socket
import ssl
import subprocess

GAME_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "mate_game.txt")
PATIENCE_S = 120 * float(os.environ.get("PLAY_SLOW", "1"))  # a line that takes longer is lost

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname, CONTEXT.verify_mode = False, ssl.CERT_NONE
CONTEXT.set_alpn_protocols(["janggi/1"])  # else a server with pages waits for a request first


class Refused(ConnectionError):
    """The other side did not accept the connection, or ended it."""


class Player:
    """seen: the lines that have come. A wait begins behind the line that the last one found."""

    def __init__(self, server=None, name=None, token=None, **how):
        """With a server, connects as `how` says and waits for the greeting; with a name, also logs in."""
        self.name, self.token, self.seen, self.at, self.rest, self.process = name, token, [], 0, b"", None
        if server is None:
            return
        self.connect(server, **how)
        self.expect(r"^\* janggi/1 ")
        if name is not None:
            answer = self.login(name, token)
            if self.token is None:
                raise Refused(answer)

    def connect(self, server, source="", host="127.0.0.1", patience_s=None, receive_bytes=0):
        """server: a Server, or the port of one. source: the address to come from. Waits for no greeting."""
        plain = socket.socket()
        try:
            plain.settimeout(patience_s or PATIENCE_S)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if receive_bytes:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            plain.bind((source, 0))
            plain.connect((host, getattr(server, "port", server)))
            self.socket = CONTEXT.wrap_socket(plain)
        except OSError as error:
            plain.close()
            raise Refused(str(error)) from error
        if hasattr(server, "players"):
            server.players.append(self)
        return self

    def run(self, command, **options):
        """Runs a program in place of a connection. Its output comes over a socket, which can be read with a timeout."""
        self.socket, its = socket.socketpair()
        self.socket.settimeout(PATIENCE_S)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=its, bufsize=0, **options)
        its.close()
        return self

    def say(self, line):
        try:
            (self.process.stdin.write if self.process else self.socket.sendall)((line + "\n").encode())
        except OSError as error:
            raise Refused(str(error)) from error

    def read(self):
        """Waits for more lines. Returns False at the end of the connection or of the program."""
        try:
            got = self.socket.recv(65536)
        except (TimeoutError, ssl.SSLWantReadError):
            raise
        except OSError:
            got = b""
        *whole, self.rest = (self.rest + got).split(b"\n")
        self.seen += [line.decode(errors="surrogateescape").rstrip("\r") for line in whole]
        return got != b""

    def expect(self, pattern):
        """Waits for a line that matches, and returns the match."""
        wanted = re.compile(pattern)
        while True:
            while self.at < len(self.seen):
                found = wanted.search(self.seen[self.at])
                self.at += 1
                if found:
                    return found
            why = f"{self.name} has not seen \"{pattern}\"; the last lines: {self.seen[-3:]}"
            try:
                if not self.read():
                    raise Refused(why)
            except TimeoutError as error:
                raise TimeoutError(why) from error

    def ask(self, line):
        """Says a line and returns its answer. What came before counts as found."""
        self.say(line)
        return self.expect(r"^(?:OK|ERR) ").string

    def block(self, line):
        """Says a line. Returns the rows of the text block that answers it, and the answer."""
        first = len(self.seen)
        answer = self.ask(line)
        return [row[2:] for row in self.seen[first:] if row.startswith("| ")], answer

    def login(self, name=None, token=None, invite=None):
        """Returns the answer, and keeps the token of the name."""
        words = [f"{key}={value}" for key, value in (("token", token), ("invite", invite)) if value]
        answer = self.ask(" ".join(["login", *([name] if name else []), *words]))
        made = re.search(r" token=(\S+)", answer)
        self.token = made[1] if made else token
        return answer

    def move(self, game, *words):
        """words: the move, perhaps after its number."""
        answer = self.ask(" ".join(["move", f"game={game}", *map(str, words)]))
        if not answer.startswith("OK move "):
            raise AssertionError(f"{words}: {answer}")

    def forget(self):
        """Removes the lines up to the one that was found last."""
        del self.seen[:self.at]
        self.at = 0

    def expect_end(self):
        """Waits for the end. Returns the lines behind the one that was found last."""
        while self.read():
            pass
        rest, self.at = self.seen[self.at:], len(self.seen)
        self.cut()
        return rest

    def leave(self):
        """Types no more, waits for the end of the program, and returns its exit status."""
        self.process.stdin.close()
        while self.read():
            pass
        return self.process.wait(PATIENCE_S)

    def cut(self):
        """Closes the connection, or kills the program, without a goodbye."""
        self.socket.close()
        if self.process is not None:
            self.process.stdin.close()
            self.process.kill()
            self.process.wait()


def recorded_game():
    """The events of a game to checkmate: number 0 first."""
    with open(GAME_FILE, encoding="utf-8") as file:
        return file.read().splitlines()


def recorded_moves():
    """The sides and moves of that game."""
    return [event.split()[2:4] for event in recorded_game() if event.startswith("move ")]
