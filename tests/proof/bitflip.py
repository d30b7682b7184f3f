"""Bits flip in a database and in the log of a server that was killed. What was acknowledged is
then served unchanged, or its game is frozen, or the start is refused, or "janggid verify" says
so. Nothing ends by a signal, and nothing changed is ever served.

    python3 tests/proof/bitflip.py BUILD [--seeds N] [--first SEED] [--forge text|end]

A real server plays some games and is stopped; it plays on and is killed. Each seed takes a copy
of the files that are left then, of the files after another start and stop, or of the files with
a journal that was trimmed. It flips 1 to 8 bits in the database, in the log or in both, lets verify judge
it, starts a server on it, and reads every game. Some seeds flip a bit in the number of a page's
cells, so that rows disappear: SQLite's SELECT does not notice that. --forge changes something
together with its digests, which nothing can notice but this harness: it must then fail.
"""
import argparse
import collections
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import Player, Server  # noqa: E402
from players import recorded_game  # noqa: E402

PATIENCE_S = 300
SOUND, DAMAGED, CANNOT, FAILED_DISK = 0, 1, 73, 74
FILES = ("janggid.db", "janggid.db-wal")
# The exit status of a sanitizer's report, which janggid itself never uses.
SANITIZED = {name: os.environ.get(name, "") + ":exitcode=99"
             for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")}
ENVIRONMENT = dict(os.environ, **SANITIZED)


# --- A server, and somebody who talks to it ------------------------------------------------


def start(data):
    return Server(data, "--reserve-mb", "0", "--limits", "accepts-per-s=0", environment=SANITIZED)


def events_of(player):
    """The events that the player has seen: {game: {number: text}}."""
    events = collections.defaultdict(dict)
    for line in player.seen:
        if line.startswith("! game "):
            _, _, game, number, text = line.split(" ", 4)
            events[int(game)][int(number)] = text
    return events


def items(answer):
    """The key=value words, without those for people."""
    words = answer.split(" : ")[0].split()
    return dict(word.split("=", 1) for word in words if "=" in word)


# --- The games -----------------------------------------------------------------------------


class World:
    """Two players, the lines that they received, and the files that their server left behind."""

    def __init__(self, build, directory):
        self.build, self.directory = build, directory
        self.tokens, self.truth = {}, {}
        self.last = None  # the game and number of the last event

    def enter(self, server, name):
        player = Player(server, name, self.tokens.get(name))
        self.tokens[name] = player.token
        return player

    def begin(self, people, terms):
        seek = items(people["red"].ask(f"seek side=red {terms}"))["id"]
        return int(items(people["blue"].ask(f"accept {seek}"))["game"])

    def play(self, people, game, texts):
        for text in texts:
            kind, *words = text.split()
            side = words[0] if kind == "setup" else words[1]
            act = (f"setup {game} {words[1]}" if kind == "setup"
                   else f"move {game} {words[0]} {words[2]}")
            answer = people[side].ask(act)
            if not answer.startswith("OK "):
                raise RuntimeError(f"{act}: {answer}")
            self.last = game

    def hear_all(self, people):
        """Notes all events that the players have received: these have been acknowledged."""
        for player in people.values():
            player.ask("ping")
            for game, events in events_of(player).items():
                self.truth.setdefault(game, {}).update(events)

    def make(self, data):
        recorded = [text for text in recorded_game() if not text.startswith("end")]
        recorded = recorded[1:]
        server = start(data)
        people = {"red": self.enter(server, "hong"), "blue": self.enter(server, "kim")}
        self.play(people, self.begin(people, "time=none"), recorded)  # to checkmate
        running = self.begin(people, "time=1h+5s")
        self.play(people, running, recorded[:10])
        resigned = self.begin(people, "time=none")
        self.play(people, resigned, recorded[:4])
        people["blue"].ask(f"resign {resigned}")
        self.hear_all(people)
        if server.stop() != 0:
            raise RuntimeError("the server did not stop in order")
        server = start(data)
        people = {"red": self.enter(server, "hong"), "blue": self.enter(server, "kim")}
        self.play(people, running, recorded[10:16])
        self.play(people, self.begin(people, "time=none"), recorded)
        self.play(people, self.begin(people, "time=20m+3x40s"), recorded[:9])
        people["red"].ask("invite time=5m")
        last = self.begin(people, "time=none")
        self.play(people, last, recorded[:2])
        self.hear_all(people)
        self.last = (last, max(self.truth[last]))
        server.stop(signal.SIGKILL)


def copy_data(source, to):
    """The files that a server finds at its start, without its socket."""
    shutil.rmtree(to, ignore_errors=True)
    os.mkdir(to)
    for name in (*FILES, "key.pem", "cert.pem"):
        if os.path.exists(os.path.join(source, name)):
            shutil.copy(os.path.join(source, name), to)


# --- One seed --------------------------------------------------------------------------------


def commits_in(log):
    """Returns the offsets at which the transactions of a write-ahead log end, in bytes."""
    at, ends = 32, []
    while at + 4120 <= len(log):
        if struct.unpack(">I", log[at + 4:at + 8])[0] and log[at + 8:at + 16] == log[16:24]:
            ends.append(at + 4120)
        at += 4120
    return ends


class Trial:
    """A copy with some bits flipped, and what became of it."""

    def __init__(self, world, source, seed, scratch):
        self.world, self.faults, self.notes = world, [], []
        self.data = os.path.join(scratch, "data")
        copy_data(os.path.join(scratch, source), self.data)
        open(self.data + ".log", "w", encoding="utf-8").close()
        self.random = random.Random(seed)
        self.is_in_last = False  # something in the log's last transaction was flipped
        self.what, self.kind = "", "served"
        self.verdict = None

    def path(self, name):
        return os.path.join(self.data, name)

    def bytes_of(self):
        return {name: open(self.path(name), "rb").read()
                for name in FILES if os.path.exists(self.path(name))}

    def flip(self):
        files = self.bytes_of()
        names = [name for name in files if len(files[name]) > 0]
        names = self.random.choice([[name] for name in names] + [names])
        places = []
        manner = self.random.choice(["anywhere", "anywhere", "heads", "cells"])
        if manner == "cells":
            names = [FILES[0]]
        for _ in range(1 if manner == "cells" else self.random.randint(1, 8)):
            name, bit = self.random.choice(names), self.random.randrange(8)
            at = self.random.randrange(len(files[name]))
            if manner == "heads":
                at = self.head_near(name, at)
            elif manner == "cells":
                at, bit = self.cells_in(files[name])
            changed = bytearray(files[name])
            changed[at] ^= 1 << bit
            files[name] = bytes(changed)
            places.append(f"{name[8:]}:{at}.{bit}")
            self.is_in_last |= self.is_last(name, at)
        for name, changed in files.items():
            with open(self.path(name), "wb") as file:
                file.write(changed)
        self.what = " ".join(places)

    def head_near(self, name, at):
        """Returns a random offset in the header of the file, or of the page or frame around
        `at`."""
        if not name.endswith("-wal"):
            return at // 4096 * 4096 + self.random.randrange(100 if at < 4096 else 24)
        if at < 32 or self.random.randrange(20) == 0:
            return self.random.randrange(32)
        return 32 + (at - 32) // 4120 * 4120 + self.random.randrange(24)

    def cells_in(self, database):
        """Returns the offset and number of a bit that is set in the number of a leaf's cells:
        without it, rows are missing."""
        leaves = [at for at in range(4096, len(database), 4096)
                  if database[at] in (0x0a, 0x0d) and database[at + 4] > 0]
        at = self.random.choice(leaves) + 4
        bits = [bit for bit in range(8) if database[at] >> bit & 1]
        return at, self.random.choice(bits)

    def is_last(self, name, at):
        if not name.endswith("-wal"):
            return False
        with open(self.path(name), "rb") as log:
            ends = commits_in(log.read())
        return at >= ends[-2]

    def verify(self):
        before = self.bytes_of()
        words = [os.path.join(self.world.build, "janggid"), "verify", "--data", self.data]
        try:
            self.verdict = subprocess.run(words, capture_output=True, timeout=PATIENCE_S,
                                          check=False, env=ENVIRONMENT)
        except subprocess.TimeoutExpired:
            self.faults.append("verify does not end")
            return
        if self.verdict.returncode not in (SOUND, DAMAGED, CANNOT):
            self.faults.append(f"verify ended with {self.verdict.returncode}: "
                               f"{self.verdict.stderr.decode(errors='replace')[-2000:]}")
        if self.bytes_of() != before:
            self.faults.append("verify changed the files")

    def is_reported(self):
        return self.verdict is not None and self.verdict.returncode != SOUND

    def serve(self):
        try:
            server = start(self.data)
        except RuntimeError as error:
            self.refused(str(error))
            return
        try:
            self.read_all(server)
        except OSError as error:
            self.notes.append(f"hung up: {error}")
            self.kind = "ended"
        status = server.stop()
        if status == FAILED_DISK:
            self.kind = "ended"
        elif status != 0 or self.kind == "ended":
            self.faults.append(f"the server ended with {status}: {self.log_end()}")

    def refused(self, why):
        self.kind = "refused"
        if f" status {CANNOT}: " not in why:
            self.faults.append(why)
        elif " warn store " not in self.log_end():
            self.faults.append(f"the start was refused without a word: {self.log_end()}")
        if not self.is_reported():
            self.faults.append(f"verify finds nothing in what cannot be started: "
                               f"{self.log_end()}")

    def log_end(self):
        with open(self.data + ".log", errors="replace", encoding="utf-8") as log:
            return log.read()[-3000:]

    def read_all(self, server):
        reader = Player(server)
        reader.login()
        for game, wanted in sorted(self.world.truth.items()):
            self.read_game(reader, game, wanted)
        for name in ("hong", "kim"):
            self.read_history(reader, name)

    def read_game(self, reader, game, wanted):
        answer = reader.ask(f"watch {game}")
        count = int(items(answer).get("events", 0)) if answer.startswith("OK ") else 0
        if count > 0:
            reader.expect(f"^! game {game} {count - 1} ")
        served = events_of(reader)[game]
        for number, text in served.items():
            if wanted.get(number) != text:
                self.faults.append(f"game {game} event {number} was \"{wanted.get(number)}\" "
                                   f"and is served as \"{text}\"")
        if len(served) < len(wanted):
            state = items(reader.ask(f"state {game}")).get("phase", "gone")
            self.lost(game, len(served), len(wanted), state)

    def lost(self, game, served, wanted, state):
        self.kind = "frozen" if state == "frozen" else "reported"
        if self.is_reported():
            return
        if self.is_in_last and (game, wanted - 1) == self.world.last and served == wanted - 1:
            self.kind = "in doubt"
            return
        self.faults.append(f"game {game} has {served} of {wanted} events, is {state}, and "
                           f"verify finds nothing")

    def read_history(self, reader, name):
        for line in reader.block(f"history {name}")[0]:
            game = int(line.split()[1])
            end = self.world.truth.get(game, {})
            end = end[max(end)].split() if end else []
            row = items(line)
            if end[:1] != ["end"] or [row["result"], row["reason"]] != end[1:3]:
                self.faults.append(f"history says {line}")

    def run(self):
        self.verify()
        self.serve()
        return not self.faults


# --- Controls ----------------------------------------------------------------------------------


def number_bytes(number):
    return struct.pack(">q", number)


def text_bytes(text):
    return number_bytes(len(text.encode())) + text.encode()


def seal_of(kind, *parts):
    return hashlib.sha256(kind + b"".join(parts)).digest()[:16]


def seal_log(file, game):
    """Computes the digests of a game again: the chain of one that runs, the seal of one that is over."""
    link = bytes(16)
    rows = file.execute("SELECT seq, number, text, wall_s, age_ms FROM journal WHERE game = ?"
                        " ORDER BY number", (game,)).fetchall()
    for seq, number, text, wall_s, age_ms in rows:
        link = seal_of(b"e", link, *map(number_bytes, (game, number, wall_s, age_ms)),
                       text_bytes(text))
        file.execute("UPDATE journal SET link = ? WHERE seq = ?", (link, seq))
    row = file.execute("SELECT id, is_over, events, age_ms, ended_s, red, blue, red_shown,"
                       " blue_shown, rules, time, result, reason, plies, log FROM game"
                       " WHERE id = ?", (game,)).fetchone()
    if row is None:
        return
    seal = seal_of(b"g", *map(number_bytes, row[:5]), *map(text_bytes, row[5:13]),
                   number_bytes(row[13]), text_bytes(row[14]))
    file.execute("UPDATE game SET seal = ? WHERE id = ?", (seal, game))


def set_head(file, first_seq, last_seq):
    row = (first_seq, last_seq, *file.execute("SELECT last_game, games, age_ms FROM head").fetchone())
    file.execute("UPDATE head SET first_seq = ?, last_seq = ?, seal = ?",
                 (first_seq, last_seq, seal_of(b"h", *map(number_bytes, row))))


def trim(data):
    """Removes the rows of ended games from the journal, and moves the others to its end, as the
    server does when there are many."""
    file = sqlite3.connect(os.path.join(data, "janggid.db"))
    first = 1 + file.execute("SELECT last_seq FROM head").fetchone()[0]
    rows = file.execute("SELECT game, number, wall_s, age_ms, text, link FROM journal WHERE game"
                        " NOT IN (SELECT id FROM game) ORDER BY seq").fetchall()
    file.execute("DELETE FROM journal")
    for at, row in enumerate(rows):
        file.execute("INSERT INTO journal(seq, game, number, wall_s, age_ms, text, link)"
                     " VALUES(?,?,?,?,?,?,?)", (first + at, *row))
    set_head(file, first, first + len(rows) - 1)
    file.commit()
    file.close()


def forge(trial, how):
    """A change that the database cannot detect: a chain is not a signature."""
    file = sqlite3.connect(trial.path("janggid.db"))
    game, number = trial.world.last
    if how == "text":
        file.execute("UPDATE journal SET text = 'setup blue NBBN' WHERE game = ?"
                     " AND number = ?", (game, number))
    elif how == "end":
        first_seq, last_seq = file.execute("SELECT first_seq, last_seq FROM head").fetchone()
        file.execute("DELETE FROM journal WHERE seq = ?", (last_seq,))
        set_head(file, first_seq, last_seq - 1)
    seal_log(file, game)
    file.commit()
    file.close()
    trial.what = f"forged: {how}"


# --- All of them -------------------------------------------------------------------------------


def make_world(build, scratch):
    """Makes the files of a killed server, a copy after a start and a stop, and a copy whose journal
    has only running games."""
    world = World(build, scratch)
    killed, closed = os.path.join(scratch, "killed"), os.path.join(scratch, "closed")
    trimmed = os.path.join(scratch, "trimmed")
    os.mkdir(killed)
    world.make(killed)
    copy_data(killed, closed)
    if start(closed).stop() != 0:
        raise RuntimeError("the server did not stop in order")
    copy_data(closed, trimmed)
    trim(trimmed)
    return world


def one(world, scratch, seed, how):
    source = "closed" if how else ("closed", "killed", "trimmed", "killed")[seed % 4]
    trial = Trial(world, source, seed, scratch)
    if how:
        forge(trial, how)
    else:
        trial.flip()
    if not trial.run():
        print(f"# seed {seed}: {trial.what}")
        for fault in trial.faults:
            print("#   " + fault.replace("\n", "\n#   "))
    return trial


def as_it_was(world, scratch):
    """Checks that without a flipped bit all games are served and verify finds nothing."""
    is_good = True
    for source in ("killed", "closed", "trimmed"):
        trial = Trial(world, source, 0, scratch)
        is_good &= trial.run() and trial.kind == "served" and not trial.is_reported()
    print("ok bitflip-nothing-flipped-nothing-found" if is_good
          else "not ok bitflip-nothing-flipped-nothing-found")
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--forge", choices=["text", "end"])
    options = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="janggi-bitflip-")
    began = time.monotonic()
    world = make_world(os.path.abspath(options.build), scratch)
    is_good = options.forge is not None or as_it_was(world, scratch)
    kinds, bad = collections.Counter(), []
    seeds = 1 if options.forge else options.seeds
    for seed in range(options.first, options.first + seeds):
        trial = one(world, scratch, seed, options.forge)
        kinds[trial.kind] += 1
        kinds["verify says so"] += trial.is_reported()
        bad += [seed] if trial.faults else []
    for kind, count in sorted(kinds.items()):
        print(f"# {kind:16} {count:6}")
    print(f"# {seeds} seeds from {options.first}, {time.monotonic() - began:.0f} s")
    print(f"not ok bitflip seeds {bad[:20]}" if bad else "ok bitflip")
    shutil.rmtree(scratch, ignore_errors=True)
    return 0 if is_good and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
