"""Attackers who send lines that must change nothing: mutated ones, and moves that are refused; the board
that they look at; and how long a refused proof takes. Standard library only.
"""
import itertools
import math
import os
import random
import re
import statistics
import sys
import time

from attackers import Witness, clock
from browsers import open_browser
from callers import field, network
from players import Player, Refused

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import websocket  # noqa: E402

BATCH = 1000
SQUARES = [column + row for column in "ABCDEFGHI" for row in "0123456789"]


class Board(Witness):
    """Has seen a game before, and looks at it again; and reads the log for what a sanitizer reports."""

    def __init__(self, stage):
        super().__init__(stage)
        red, blue = stage.member("han", 1), stage.member("cho", 2)
        game = field(blue.ask("accept " + field(red.ask("seek time=none side=red"), "id")), "game")
        for caller in (red, blue):
            caller.ask(f"setup game={game} NBNB")
        blue.ask("clock")
        stage.given = {"game": game, "players": [("han", red.token, 1), ("cho", blue.token, 2)]}
        self.before = self._state()

    def _state(self):
        looker = Player(self.stage.port, source=network(3, 210))
        looker.login()
        answer = looker.ask("state game=" + self.stage.given["game"])
        looker.cut()
        return [field(answer, key) for key in ("events", "ply", "phase", "turn", "last", "points", "position")]

    def look(self):
        reports = len(re.findall(r"Sanitizer|runtime error|Assertion", self.stage.server.log()))
        return {"changes": int(self._state() != self.before), "reports": reports,
                "alive": int(self.stage.server.process.poll() is None)}


# --- Moves that are refused ----------------------------------------------------------


def _refused_moves(game, mine, legal):
    """A batch: illegal moves, and moves out of turn."""
    moves = (random.sample(SQUARES, 2) for _ in iter(int, 1))
    wrong = (f"move game={game} {a}{b}\n" for a, b in moves if not mine or f"{a}-{b}" not in legal)
    return "".join(itertools.islice(wrong, BATCH)).encode()


def _count_answers(connection, wanted):
    """Reads `wanted` answers. Returns how many of them refuse."""
    answers, refused, rest = 0, 0, b""
    while answers < wanted:
        got = connection.recv(1 << 18)
        if not got:
            raise Refused("closed")
        *whole, rest = (rest + got).split(b"\n")
        refused += sum(line.startswith(b"ERR ") for line in whole)
        answers += sum(line.startswith((b"ERR ", b"OK ")) for line in whole)
    return refused


def refused_moves(ask, stage, networks, player, most):
    """One of two players sends moves that must be refused, until `most` are sent or the time is over. The control makes
    one of them legal."""
    name, token, number = stage.given["players"][player]
    caller, game = Player(stage.port, source=network(number, 210), patience_s=60), stage.given["game"]
    caller.login(name, token)
    legal = field(caller.ask(f"moves game={game}"), "list").split(",")
    goes_on, mine, count = clock(stage), player == 0, 0
    if stage.is_control:  # a few of them are enough there
        most = min(most, 20 * BATCH)
    if stage.is_control and mine:
        caller.ask(f"move game={game} {legal[0]}")
    while goes_on() and count < most:
        caller.socket.sendall(_refused_moves(game, mine, legal))
        count += _count_answers(caller.socket, BATCH)
    ask("peak")
    return {"refused_moves": count}


# --- Mutated lines ----------------------------------------------------------------------


LINES = """login hong|login hong token=abc|login 홍길동 code=ABCD-EFGH|login a invite=ABCD-EFGH|login b owner=x
seek time=10m+5s rules=kja side=blue|seek time=none private=yes|seeks|challenge kim time=3d side=red|accept 1|decline 1
withdraw 1|invite time=20m+3x40s|invite door uses=3 days=7|join ABCD-EFGH|setup game=1 NBNB|setup 1 2|move game=1 1 b0c2
b0c2|nB0-C2|B0xC2|pass 1|moves game=1 B0|board 1|clock 1|state game=1|draw 1|takeback 1|abort 1|resign 1|adjourn 1
continue 1|claim 1|rematch 1|say 1 hello there|games|watch 1|unwatch 1|resume 1 0|whisper 1 hm|who|history hong|record 1
view board|rules kja|limits|ping|help move|device|devices|pending|watchers 1|let kim 1|unlet kim|watchlink 1|ignore kim
unignore kim|block kim|unblock kim|quiet auto|members|kick hong why|ban addr:10.0.0.0/8 for=7d why|unban kim|bans
mute kim for=10m why|unmute kim|end 1 red why|notice hi|role kim member|audit kim|reports|motd hi|name x|reload
report kim rude|#tag1 ping|access open|erase kim|export kim""".replace("\n", "|").split("|")
PIECES = [b"\x00", b"\xff", b"\x1b[2J", b"%n%s", b"=", b"game=", b"  ", b"-1", b"99999999999999999999", b"\r", b"\t",
          "홍".encode(), b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"#", b"#t ", b"A0", b"x" * 600, b"9" * 5000, b"\n",
          "\u202e".encode(), b"+", b":", b"/", b"token=", b"0x10", b"1e9"]


def mutated(line):
    """The line with some bytes changed, left out, doubled, or with words of other lines."""
    line = bytearray(line.encode())
    for _ in range(random.randint(0, 4)):
        at = random.randint(0, len(line))
        change = random.randrange(6)
        if change == 0 and at < len(line):
            line[at] ^= 1 << random.randrange(8)
        elif change == 1:
            line[at:at] = random.choice(PIECES)
        elif change == 2:
            del line[at:at + random.randint(1, 4)]
        elif change == 3:
            line[at:at] = line[at:at + random.randint(1, 30)] * random.randint(1, 3)
        elif change == 4:
            line[at:] = random.choice(LINES).encode()[random.randint(0, 9):]
        elif line:
            line = bytearray(b" ".join(random.sample(bytes(line).split(b" "), len(bytes(line).split(b" ")))))
    return bytes(line)


def _batch(size):
    return b"".join(mutated(random.choice(LINES)) + b"\n" for _ in range(size))


def _sentence(stage, number, token):
    """Opens a connection, sends mutated lines, and reads the answers. Returns the number of lines sent."""
    caller = Player(stage.port, source=network(number), patience_s=60)
    if token is not None:
        caller.login(*token)
    elif random.random() < 0.7:
        caller.ask(random.choice(["login", f"login n{random.randrange(10 ** 6)}"]))
    sent = 0
    try:
        for _ in range(4):
            caller.socket.sendall(_batch(50) + b"\n#zz9 ping\n")
            sent += 50
            caller.expect("^(#zz9 OK ping|! bye)")
            caller.forget()
        if token is not None:  # the control: one line that is right
            caller.ask(f"resign game={stage.given['game']}")
    except (Refused, OSError):
        pass  # a line among them was "quit"
    caller.cut()
    return sent


def _request(stage, number):
    """Opens a browser's connection and sends mutated requests, or mutated frames of a WebSocket. Returns the number of
    lines sent."""
    browser = open_browser(stage.port, network(number), timeout=60)
    head = websocket.upgrade(f"127.0.0.1:{stage.port}")
    try:
        if random.random() < 0.5:
            browser.sendall(mutated(head.decode()) + b"\r\n\r\n")
        else:
            frames = bytearray(b"".join(websocket.frame(mutated(random.choice(LINES))[:4000]) for _ in range(20)))
            for _ in range(random.randint(0, 3)):
                frames[random.randrange(len(frames))] ^= 1 << random.randrange(8)
            browser.sendall(head + bytes(frames))
        browser.settimeout(0.05)
        while browser.recv(65536):
            pass
    except OSError:
        pass
    browser.close()
    return 20


def fuzz(ask, stage, networks, most):
    """Sends mutated lines over TLS, until `most` are sent or the time is over. The control has the key of a player, and
    so its lines change the game."""
    sent = 0
    goes_on = clock(stage, lambda: sent >= stage.least.get("fuzzed_lines", 0))
    token = stage.given["players"][0][:2] if stage.is_control else None
    most = min(most, 2000) if stage.is_control else most
    for number in itertools.cycle(networks):
        if not goes_on() or sent >= most:
            break
        try:
            sent += _request(stage, number) if random.random() < 0.1 else _sentence(stage, number, token)
        except (Refused, TimeoutError, OSError):
            time.sleep(0.02)
    ask("peak")
    return {"fuzzed_lines": sent}


def fuzz_until_it_ends(server, most=5000):
    """Sends up to `most` mutated lines to a server, until it ends."""
    sent = 0
    while server.process.poll() is None and sent < most:
        try:
            caller = Player(server.port, source=network(1))
            caller.ask("login")
            caller.socket.sendall(_batch(50) + b"\n#zz9 ping\n")
            caller.expect("^(#zz9 OK ping|! bye)")
            caller.cut()
        except (Refused, TimeoutError, OSError):
            time.sleep(0.02)
        sent += 50


# --- How long a refusal takes -----------------------------------------------------------


def _welch_t(first, second):
    """Welch's t of two samples, without the slowest twentieth: those waited for something else."""
    first, second = (sorted(each)[:len(each) * 19 // 20] for each in (first, second))
    spread = math.sqrt(statistics.variance(first) / len(first) + statistics.variance(second) / len(second))
    return abs(statistics.fmean(first) - statistics.fmean(second)) / spread


def timed_logins(ask, stage, networks, most):
    """Proofs that are wrong from the first character, and proofs that are wrong in the last one only: is the
    time of the answer different? The control sends one line more with the latter."""
    name, token, _ = stage.given["players"][0]
    wrong = {is_near: (token[:-1] if is_near else "") + ("A" if token[-1] != "A" else "B")
             + ("" if is_near else token[1:][::-1]) for is_near in (False, True)}
    took = {False: [], True: []}
    caller, goes_on = Player(stage.port, source=network(networks[0])), clock(stage)
    while goes_on() and len(took[True]) + len(took[False]) < most:
        is_near = random.random() < 0.5
        line = ("ping\n" if stage.is_control and is_near else "") + f"login {name} token={wrong[is_near]}"
        began = time.perf_counter()
        caller.say(line)
        caller.expect("^ERR ")
        took[is_near].append(time.perf_counter() - began)
        caller.forget()
    ask("peak")
    return {"logins": sum(map(len, took.values())), "t": round(_welch_t(took[False], took[True]), 1)}
