"""Attackers who make the server keep things: on its disk, in its log, in its memory; and the witnesses who
measure that. Also who searches what is kept for secrets. Standard library only.
"""
import collections
import glob
import itertools
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from attackers import Witness, allow_files, clock, enter_guests, new_names, send
from callers import field, network
from players import Player, Refused, recorded_moves

STARTS = ("OK ", "ERR ")


def _pairs(stage, networks, most=16):
    """Returns pairs of new names."""
    got = new_names(stage, networks, most, stage.seconds / 4)
    return list(zip(got[::2], got[1::2]))


def _insist(caller, line, goes_on):
    """Says the line until the server accepts it. False: the time is over."""
    while goes_on():
        if caller.ask(line).startswith("OK "):
            caller.forget()
            return True
        time.sleep(0.02)
    return False


def _one_game(red, blue, moves, goes_on):
    """Two names play as fast as the server lets them, and one resigns. Returns the number of accepted lines."""
    seek = field(red.ask("seek time=none side=red"), "id")
    game = field(blue.ask(f"accept {seek}"), "game") if seek else None
    if game is None:
        time.sleep(0.02)
        return 0
    count = 3
    for caller, setup in ((red, "NBNB"), (blue, "BNNB")):
        count += _insist(caller, f"setup game={game} {setup}", goes_on)
    for number, (side, move) in enumerate(moves, 1):
        count += _insist(red if side == "red" else blue, f"move game={game} {number} {move}", goes_on)
    red.ask(f"resign game={game}")
    return count


def _play_all(stage, networks, moves):
    """Lets all pairs play at once. Returns how many of their lines were accepted."""
    counts, began = collections.Counter(), time.monotonic()

    def is_enough():
        """A control writes on until it is seen to write too much: its disk may have hung before."""
        most = stage.most.get("writes_per_s")
        return most is None or not pairs or sum(counts.values()) > 1.2 * most * (time.monotonic() - began + 1)
    goes_on, pairs = clock(stage, is_enough), _pairs(stage, networks)

    def live(pair):
        try:
            while goes_on():
                counts[pair] += _one_game(*pair, moves, goes_on)
        except (Refused, TimeoutError):
            pass
    with ThreadPoolExecutor(max(1, len(pairs))) as pool:
        list(pool.map(live, pairs))
    return sum(counts.values())


def writes(ask, stage, networks):
    """Names of one address play without a pause."""
    count = _play_all(stage, networks, recorded_moves())
    ask("peak")
    return {"writes": count}


def short_games(ask, stage, networks):
    """Guests who hold what they can, and names whose games end after two moves: they stay in memory."""
    allow_files()
    crowd = enter_guests(stage, networks, 64 if not stage.is_control else 400, receive_bytes=4096)
    for caller in crowd:
        caller.socket.setblocking(False)
        send(caller, b"help\nrules\n" * 20 + b"x" * 4000)  # answers that they do not read, and half a line
    count = _play_all(stage, networks, recorded_moves()[:2])
    ask("peak")
    return {"guests": len(crowd), "writes": count}


def talkers(ask, stage, networks):
    """They connect, say nonsense and go, to fill the log."""
    goes_on, counts = clock(stage), {"let_in": 0, "refused": 0}
    lock = threading.Lock()

    def live(number):
        while goes_on():
            try:
                caller = Player(stage.port, source=network(number), patience_s=2)
                caller.say("nonsense\nlogin\n" + "seek time=soon\nmove A0-A0\nwatch 77\n" * 5 + "quit")
                caller.expect("^! bye")
                caller.cut()
                name = "let_in"
            except (Refused, TimeoutError):
                name = "refused"
            with lock:
                counts[name] += 1
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(live, itertools.islice(itertools.cycle(networks), 8)))
    ask("peak")
    return counts


# --- Witnesses ---------------------------------------------------------------------


class Disk(Witness):
    """Measures how the database grows."""

    def __init__(self, stage):
        super().__init__(stage)
        self.before, self.began = self._bytes(), time.monotonic()

    def _bytes(self):
        return sum(os.path.getsize(path) for path in glob.glob(os.path.join(self.stage.server.data, "janggid.db*")))

    def look(self):
        hours = (time.monotonic() - self.began) / 3600
        return {"disk_mb_per_h": round((self._bytes() - self.before) / 1e6 / hours)}


class Log(Witness):
    """Measures how the log grows."""

    def __init__(self, stage):
        super().__init__(stage)
        self.before, self.began = len(stage.server.log()), time.monotonic()

    def look(self):
        took = time.monotonic() - self.began
        return {"log_kb_per_s": round((len(self.stage.server.log()) - self.before) / 1000 / took, 1)}


class Memory(Witness):
    """Measures what the server has in memory at the peak."""

    def __init__(self, stage):
        super().__init__(stage)
        self.before = self._mb()

    def _mb(self):
        with open(f"/proc/{self.stage.server.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def look(self):
        return {"peak_more_mb": round(self._mb() - self.before)}


# --- Secrets -----------------------------------------------------------------------


WRONG_TOKEN = "Qk9HVVNUT0tFTkJPR1VTVE9LRU5C"
WRONG_CODE = "ZZZZ-YYYY"


def leak(ask, stage, networks):
    """Gives the server every kind of secret, right ones and wrong ones, in right lines and in mistyped
    ones; then others do the same."""
    stage_secrets, count = stage.given["secrets"], 0
    goes_on = clock(stage, lambda: count >= stage.least.get("secret_lines", 0))
    for number in itertools.cycle(networks):
        if not goes_on():
            break
        try:
            caller = Player(stage.port, source=network(number), patience_s=5)
            for line in (f"login minho token={WRONG_TOKEN}", f"login minho code={WRONG_CODE}",
                         f"login minho owner={WRONG_TOKEN}", f"login stranger invite={WRONG_CODE}",
                         *(f"lgoin minho token={secret}" for secret in stage_secrets),
                         *(f"login minho tokne={secret}" for secret in stage_secrets)):
                count += caller.ask(line).startswith("ERR ")
            caller.cut()
        except (Refused, TimeoutError):
            time.sleep(0.02)
    ask("peak")
    return {"secret_lines": count}


class Searcher(Witness):
    """Has secrets of every kind, and at the peak searches for them: in all files of the server, in its
    command line and environment, in what janggid ctl prints. The control takes a name for a secret."""

    def __init__(self, stage):
        super().__init__(stage)
        member = stage.member("minho", 1)
        device = field(member.ask("device"), "code")
        owner = re.search(r"/owner/([\w-]+)/", stage.server.ctl("owner")[1])[1]
        reset = stage.server.ctl("reset", "minho")[1].split()[-1]
        caller = Player(stage.port, source=network(2, 210))
        second = re.search(r" token=(\S+)", caller.ask(f"login minho code={device}"))[1]
        self.secrets = [member.token, second, owner, reset, WRONG_TOKEN]
        stage.given = {"secrets": list(self.secrets)}
        if stage.is_control:
            self.secrets.append("minho")

    def _places(self):
        server, where = self.stage.server, {}
        for path in glob.glob(os.path.join(server.data, "**"), recursive=True) + [server.data + ".log"]:
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    where[path] = file.read()
        for name in ("cmdline", "environ"):
            with open(f"/proc/{server.process.pid}/{name}", "rb") as file:
                where[name] = file.read()
        for words in (("status",), ("metrics",), ("top",), ("audit",), ("members",)):
            where["ctl " + words[0]] = "".join(map(str, server.ctl(*words))).encode()
        return where

    def look(self):
        hits = [(place, secret) for place, content in self._places().items()
                for secret in self.secrets if secret.encode() in content]
        for place, _ in hits[:5]:
            print(f"# a secret is in {place}", flush=True)
        return {"secrets": len(self.secrets), "secrets_found": len(hits)}


HOSTILE = ["\x1b[2J\x1b]0;owned\x07", "a\rb", "%n%s%99999d", "\u202egnp.exe", "\x00nul", "\x9b31m", "\u200bzero",
           "\xff".encode("latin-1").decode("utf-8", "replace"), "x\x7fy"]


def hostile_words(ask, stage, networks):
    """Puts bytes that a terminal would obey into every word that a log might quote."""
    count = 0
    goes_on = clock(stage, lambda: count >= stage.least.get("hostile_lines", 0))
    for number in itertools.cycle(networks):
        if not goes_on():
            break
        try:
            caller = Player(stage.port, source=network(number), patience_s=5)
            caller.ask("login")
            for words in HOSTILE:
                for line in (f"login {words}", f"login hong token={words}", f"{words}", f"say 1 {words}",
                             f"report hong {words}", f"challenge {words}", f"#{words} ping"):
                    caller.say(line)
                    count += 1
            caller.ask("ping")
            caller.cut()
        except (Refused, TimeoutError):
            time.sleep(0.02)
    ask("peak")
    return {"hostile_lines": count}


def raw_bytes(content):
    """The bytes of a log that a terminal might obey: controls but the ends of lines, DEL, C1, and what is
    not UTF-8."""
    text = content.decode("utf-8", "surrogateescape")
    return sum(1 for c in text if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff"
               or c in "\u200b\u202e")


class LogReader(Witness):
    """Looks for raw bytes in the log. The control reads what was sent instead."""

    def look(self):
        if self.stage.is_control:
            return {"raw_log_bytes": raw_bytes("".join(HOSTILE).encode())}
        with open(self.stage.server.data + ".log", "rb") as log:
            content = log.read()
        return {"raw_log_bytes": raw_bytes(content)}
