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
            self.server.players.pop().cut()
        self.server.start()
        self.connect()

    def look(self):
        """Rows of the table, rows of the boards of the last round, and the state: as dictionaries."""
        status, words, error = self.server.ctl("evening", "1")
        assert status == 0, error
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
            assert not other or (name, other, "once") not in met, f"{name} met {names[other]} twice"
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
    assert done.returncode == 0, f"bbpPairings: {done.returncode} {done.stderr}"
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
                    assert club.look()[:2] == before[:2], "the evening differs after kill -9"
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
        assert page.count("<tr><td>") == PLAYERS and page.startswith("<!DOCTYPE html>"), page
    finally:
        club.server.stop()
    done = subprocess.run([JANGGID, "verify", "--data", club.server.data], capture_output=True, text=True)
    expect(done.stdout, r"damaged=0\b")


# --- A file of another evening ---

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
    assert changed == 1, f"{changed} rows"
    done = subprocess.run([JANGGID, "verify", "--data", server.data], capture_output=True, text=True)
    expect(done.stdout, "damaged evening=1 event=0 : an event is missing")


sys.exit(run([an_evening_of_24_bots_survives_kill_9, a_changed_event_is_found]))
