#!/usr/bin/env python3
"""A club evening of 24 bots over five Swiss rounds: some leave and come back, the server is killed with
kill -9 in the middle of a round, and the table is computed again from the TRF file. (evening.py beside this
file is another evening: that of a host, for the manual.)

    python3 tests/host/club_evening.py BUILD
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from hosting import JANGGID, PATIENCE_S, Player, Server, expect, run  # noqa: E402

PLAYERS, ROUNDS = 24, 5


class Club:
    """The server, its bots by name, and what they have seen of evening 1."""

    def __init__(self, directory):
        self.server = Server(os.path.join(directory, "d"))
        self.bots = {f"p{number:02}-bot": None for number in range(PLAYERS)}
        self.tokens, self.lots = {}, random.Random(7)
        self.connect()
        for name in self.bots:
            expect(self.server.ctl("role", name, "member")[1], "is member")

    def connect(self):
        for name in self.bots:
            self.bots[name] = Player(self.server, name, self.tokens.get(name))
            self.tokens[name] = self.bots[name].token

    def kill(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        while self.server.players:
            self.server.players.pop().close()
        self.server.start()
        self.connect()

    def look(self):
        """Rows of the table, rows of the boards of the last round, and the state: as dictionaries."""
        status, words, error = self.server.ctl("evening", "1")
        if status != 0:
            raise AssertionError(error)
        rows = [dict(re.findall(r"(\w+)=(\S+)", row), kind=row.split(" ")[0]) for row in words.splitlines()]
        return ([row for row in rows if row["kind"] == "place"], [row for row in rows if row["kind"] == "board"],
                rows[-1])

    def wait_for_round(self, number):
        """The boards of that round, once all its games have begun."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            _, boards, state = self.look()
            if int(state["round"]) == number and all(board.get("game", "1") != "0" for board in boards):
                return boards
            time.sleep(0.1)
        raise AssertionError(f"round {number} did not begin")

    def decide(self, board):
        """Lets one of the two resign, by lot. Returns the winner."""
        sides = [board["red"], board["blue"]]
        self.lots.shuffle(sides)
        expect(self.bots[sides[0]].ask(f"resign {board['game']}"), "^OK resign")
        return sides[1]


def table_of(trf):
    """Returns two tables of points by name: computed from the results in the TRF, and as the TRF says."""
    computed, written, met = {}, {}, set()
    lines = [line for line in trf.splitlines() if line.startswith("001 ")]
    names = {int(line[4:8]): line[14:47].strip() for line in lines}
    for line in lines:
        name = names[int(line[4:8])]
        points = 0.0
        for at in range(91, len(line), 10):
            other, result = int(line[at:at + 4]), line[at + 7]
            points += {"1": 1, "+": 1, "U": 1, "=": 0.5}.get(result, 0)
            if other and (name, other, "once") in met:
                raise AssertionError(f"{name} met {names[other]} twice")
            met.add((name, other, "once"))
        computed[name], written[name] = points, float(line[80:84])
    return computed, written


def is_taken_by_another_program(trf, directory):
    """bbpPairings adds up the results, and refuses a file whose points differ."""
    program = os.environ.get("BBPPAIRINGS") or shutil.which("bbpPairings")
    if program is None:
        print("# bbpPairings is missing: the table was computed here only")
        return
    path = os.path.join(directory, "e.trf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(trf.replace(f"XXR {ROUNDS}", f"XXR {ROUNDS + 1}"))
    done = subprocess.run([program, "--dutch", path, "-p"], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"bbpPairings: {done.returncode} {done.stderr}")
    print(f"# bbpPairings pairs the next round from the file: {done.stdout.split()[0]} boards")


def an_evening_of_24_bots_survives_kill_9(directory):
    club = Club(directory)
    names = list(club.bots)
    try:
        words = ("evening", "new", "club", "system=swiss", f"rounds={ROUNDS}", "shown=1s", "time=5m", "noshow=1h")
        expect(club.server.ctl(*words)[1], "evening join 1")
        for name in names[:-1]:
            expect(club.bots[name].ask("evening join 1"), "^OK")
        expect(club.server.ctl("evening", "start", "1")[1], "the games begin in 1 s")
        won = {}
        for number in range(1, ROUNDS + 1):
            boards = club.wait_for_round(number)
            for board in [board for board in boards if "bye" in board]:
                won[board["bye"]] = won.get(board["bye"], 0) + 1
            games = [board for board in boards if "red" in board]
            if number == 1:  # one comes late, two leave; later one of them comes back
                expect(club.bots[names[-1]].ask("evening join 1"), "^OK")
                for name in names[3:5]:
                    expect(club.bots[name].ask("evening leave 1"), "^OK")
            if number == 3:
                expect(club.bots[names[3]].ask("evening join 1"), "^OK")
            for at, board in enumerate(games):
                if number == 3 and at == len(games) // 2:
                    before = club.look()
                    club.kill()
                    if club.look()[:2] != before[:2]:
                        raise AssertionError("the evening differs after kill -9")
                winner = club.decide(board)
                won[winner] = won.get(winner, 0) + 1
        end = time.monotonic() + PATIENCE_S
        while club.look()[2]["state"] != "over" and time.monotonic() < end:
            time.sleep(0.1)
        places, _, state = club.look()
        expect(state["state"], "^over$")
        trf = club.server.ctl("evening", "1", "trf")[1]
        computed, written = table_of(trf)
        shown = {row["name"]: float(row["score"]) for row in places}
        if not computed == written == shown == {name: float(won.get(name, 0)) for name in shown}:
            raise AssertionError(f"{computed} {written} {shown} {won}")
        if [float(row["score"]) for row in places] != sorted(shown.values(), reverse=True):
            raise AssertionError("the table is not sorted")
        is_taken_by_another_program(trf, directory)
        page = club.server.ctl("evening", "1", "html")[1]
        if page.count("<tr><td>") != PLAYERS or not page.startswith("<!DOCTYPE html>"):
            raise AssertionError(page)
    finally:
        club.server.stop()
    done = subprocess.run([JANGGID, "verify", "--data", club.server.data], capture_output=True, text=True)
    expect(done.stdout, r"damaged=0\b")


# --- A file of another evening ---

def row(number, name, points, *cells):
    """The line of a player; cells such as "2 w 1", one for each round."""
    return f"001 {number:4}      {name:33}" + " " * 33 + f"{points:4.1f}     " \
        + "".join(f"{cell:>10}" for cell in cells) + "\n"


def rows_of(server, evening):
    """The table of the evening, by name."""
    words = server.ctl("evening", evening)[1]
    return {name: row for row, name in re.findall(r"(?m)^(place .*? name=(\S+) .*)$", words)}


def points_of(server, evening):
    """What a file keeps: place, points and ties by name."""
    return {name: re.match(r"place (\d+).* (score=\S+ buchholz=\S+ sonneborn=\S+)", row).groups()
            for name, row in rows_of(server, evening).items()}


def import_file(server, directory, evening, text, name="club.trf"):
    path = os.path.join(directory, name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return server.ctl("evening", "import", evening, path)


def an_evening_goes_on_from_a_file(directory):
    """Two rounds of one evening are read into another one, which survives kill -9 and plays the third."""
    club = Club(directory)
    server, names = club.server, list(club.bots)[:7]
    try:
        server.ctl("evening", "new", "first", "system=swiss", "rounds=3", "shown=1s", "time=5m", "noshow=1h",
                   "pairs=hand")
        for name in names:
            expect(club.bots[name].ask("evening join 1"), "^OK")
        for number in (1, 2):
            expect(server.ctl("evening", "pair", "1")[1], "the games begin")
            for board in club.wait_for_round(number):
                if "red" in board:
                    club.decide(board)
            while "open=0" not in club.bots[names[0]].block("evening 1")[1]:
                time.sleep(0.05)
        expect(club.bots[names[2]].ask("evening leave 1"), "^OK")
        trf, before = server.ctl("evening", "1", "trf")[1], points_of(server, "1")
        server.ctl("evening", "new", "second", "system=swiss", "rounds=3", "shown=1s", "time=5m")
        expect(import_file(server, directory, "2", trf)[1],
               "players: 7, rounds: 2; the evening goes on with: evening pair 2")
        if points_of(server, "2") != before:
            raise AssertionError((points_of(server, "2"), before))
        again = server.ctl("evening", "2", "trf")[1]
        if again != trf.replace("012 first", "012 second"):
            raise AssertionError(again + trf)
        club.kill()
        if points_of(server, "2") != before or server.ctl("evening", "2", "trf")[1] != again:
            raise AssertionError("the evening differs after kill -9")
        expect(import_file(server, directory, "2", again)[1], "as the file says")
        expect(server.ctl("evening", "pair", "2")[1], "the games begin in 1 s")
        expect(import_file(server, directory, "2", again)[2], "a round is being played")
        boards = re.findall(r"(?m)^board \d+ round=3 .*", server.ctl("evening", "2")[1])
        if len(boards) != 3 or names[2] in str(boards):
            raise AssertionError(boards)
        club.bots[names[0]].hear("^! evening 2 round=3 ")
    finally:
        server.stop()


def a_file_that_cannot_be_read_is_explained(directory):
    server = Server(os.path.join(directory, "d"))
    server.ctl("evening", "new", "club", "system=swiss", "rounds=1")
    good = row(1, "hong", 1, "2 w 1") + row(2, "kim", 0, "1 b 0")
    for text, why in (
            ("012 club\n", r"e\.trf: the file has no line of a player"),
            (good.replace("1.0", "2.0"), r"e\.trf:1: columns 81-84 give the player 2 points"),
            (good.replace("1 b 0", "1 b 1"), r"e\.trf:1: round 1: players 1 and 2 have the results 1 and 1"),
            (row(1, "hong", 2, "2 w 1", "2 w 1") + row(2, "kim", 0, "1 b 0", "1 b 0"),
             "the file has 2 rounds, and the evening is planned for 1; make it with rounds=2"),
            (good.encode().replace(b"hong", b"h\xf6ng"), r"e\.trf:1: the line is not UTF-8"),
            (b"001\0", "the file is not text"),
            ("x" * 100001, "the file is too large"),
            ("", "the file has no line of a player")):
        status, out, error = import_file(server, directory, "1", text, "e.trf")
        expect(error, why)
        if status == 0 or out:
            raise AssertionError((status, out))
    expect(server.ctl("evening", "import", "1", "/no/such/file")[2], "/no/such/file: No such file")
    expect(server.ctl("evening", "import", "1")[2], "janggid ctl evening import ID FILE")
    expect(server.ctl("evening", "import", "9", "/dev/null")[2], "no such evening")
    _, out, _ = import_file(server, directory, "1", good, "e.trf")
    expect(out, "hong is not the name of a member: in the table, but not paired\n(?s:.)*"
                "players: 2, rounds: 1; the evening ends with: evening end 1")
    expect(server.ctl("evening", "1")[1], "place 1 name=hong number=1 score=1 .*here=no")
    expect(server.ctl("evening", "end", "1")[1], "over")
    server.stop()


def a_large_file_is_read_as_one(directory):
    """The largest evening has 200 players and 20 rounds. In each round every first player wins against the same
    opponent."""
    server = Server(os.path.join(directory, "d"))
    server.ctl("evening", "new", "large", "system=swiss", "rounds=20")
    rows = []
    for number in range(1, 201):
        other, is_first = (number + 1, True) if number % 2 else (number - 1, False)
        cell = f"{other} {'w 1' if is_first else 'b 0'}"
        rows.append(row(number, f"player-of-the-club-{number}", 20 if is_first else 0, *[cell] * 20))
    expect(import_file(server, directory, "1", "".join(rows))[1], "players: 200, rounds: 20")
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.start()
    expect(rows_of(server, "1")["player-of-the-club-199"], "score=20 ")
    server.stop()


def a_changed_event_is_found(directory):
    """The control of verify: one letter of an event changes on disk, with a seal that fits its row or not."""
    import sqlite3
    server = Server(os.path.join(directory, "d"))
    expect(server.ctl("evening", "new", "club")[1], "evening join 1")
    expect(server.ctl("evening", "end", "1")[1], "over")
    server.stop()
    with sqlite3.connect(os.path.join(server.data, "janggid.db")) as file:
        changed = file.execute("DELETE FROM mark WHERE kind = 'evening' AND subject LIKE '%.00000000'").rowcount
    file.close()
    if changed != 1:
        raise AssertionError(f"{changed} rows")
    done = subprocess.run([JANGGID, "verify", "--data", server.data], capture_output=True, text=True)
    expect(done.stdout, "damaged evening=1 event=0 : an event is missing")


sys.exit(run([an_evening_of_24_bots_survives_kill_9, an_evening_goes_on_from_a_file,
              a_file_that_cannot_be_read_is_explained, a_large_file_is_read_as_one, a_changed_event_is_found]))
