#!/usr/bin/env python3
"""The output of "janggid verify" for a sound database, for damaged ones, and for one that it cannot
open; and that it changes none of them.

    python3 tests/proof/verify.py BUILD
"""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import bitflip

RUNNING = "SELECT max(game) FROM journal WHERE game NOT IN (SELECT id FROM game)"
ENDED = "SELECT min(id) FROM game WHERE is_over = 1"


class Stage:
    """A database that is copied, changed and judged."""

    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        self.passed = self.failed = 0

    def check(self, is_good, name, why):
        if is_good:
            print(f"ok verify-{name}")
            self.passed += 1
        else:
            print(f"not ok verify-{name} {why}")
            self.failed += 1

    def verify(self, *words):
        return subprocess.run([os.path.join(self.build, "janggid"), "verify", *words],
                              capture_output=True, text=True, check=False,
                              timeout=bitflip.PATIENCE_S)

    def expect(self, name, result, status, words):
        said = result.stdout + result.stderr
        self.check(result.returncode == status and words in said, name,
                   f"status {result.returncode}: {said!r}")

    def judge(self, name, change, status, words):
        """Calls change() with a connection to a copy. verify must then end with `status` and say
        `words`."""
        data = os.path.join(self.scratch, "data")
        bitflip.copy_data(os.path.join(self.scratch, "closed"), data)
        path = os.path.join(data, "janggid.db")
        file = sqlite3.connect(path)
        change(file)
        file.commit()
        file.close()
        with open(path, "rb") as before:
            was = before.read()
        self.expect(name, self.verify("--data", data), status, words)
        with open(path, "rb") as after:
            self.check(after.read() == was and not os.path.exists(path + "-wal"),
                       name + "-and-nothing-is-changed", "")


def number_of(file, words):
    return file.execute(words).fetchone()[0]


def sealed(words):
    """Returns a change: runs the statement words[1] for the game that the query words[0] finds, and
    then computes the game's digests again."""
    def change(file):
        game = number_of(file, words[0])
        file.execute(words[1], (game,))
        bitflip.seal_log(file, game)
    return change


def plain(words):
    return lambda file: file.executescript(words)


def illegal_move(file):
    game = number_of(file, ENDED)
    log = number_of(file, f"SELECT log FROM game WHERE id = {game}").splitlines()
    log = ["move 3 red A0-A9" if line.startswith("move 3 ") else line for line in log]
    file.execute("UPDATE game SET log = ? WHERE id = ?", ("".join(line + "\n" for line in log), game))
    bitflip.seal_log(file, game)


CHANGES = [
    ("a-sound-one", plain("SELECT 1"), 0, "damaged=0"),
    ("an-illegal-move",
     illegal_move, 1,
     "event=5 : illegal under the rules"),
    ("another-result",
     sealed([ENDED, "UPDATE game SET result = 'blue' WHERE id = ?"]), 1,
     "the result in its row is not that of its log"),
    ("other-names",
     sealed([ENDED, "UPDATE game SET red = 'park' WHERE id = ?"]), 1,
     "the names in its row"),
    ("a-changed-event",
     plain(f"UPDATE journal SET wall_s = 0 WHERE number = 2 AND game = ({RUNNING})"), 1,
     "event=2 : this event and those after it are missing or were changed"),
    ("a-lost-event",
     plain(f"DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal WHERE game ="
           f" ({RUNNING}))"), 1, "this event and those after it are missing"),
    ("a-changed-head", plain("UPDATE head SET last_seq = last_seq - 1"), 1, "damaged head"),
    ("a-lost-head", plain("DELETE FROM head"), 1, "damaged head"),
    ("an-index-that-has-lost-a-row",
     plain("PRAGMA writable_schema = 1;"
           "UPDATE sqlite_master SET sql = replace(sql, 'is_over = 1', 'is_over = 0')"
           " WHERE name = 'game_red'"), 1, "index game_red"),
    ("a-lost-row", plain(f"DELETE FROM game WHERE id = ({ENDED})"), 1,
     "the number of games is another one"),
    ("a-changed-row", plain(f"UPDATE game SET plies = 7 WHERE id = ({ENDED})"), 1,
     "its row does not fit its seal"),
    ("a-changed-name", plain("UPDATE name SET digest = zeroblob(32) WHERE folded = 'kim'"),
     1, "damaged name=kim"),
    ("a-changed-invitation", plain("UPDATE invite SET made_s = 1"), 1,
     "damaged invitation="),
    ("one-of-another-version", plain("PRAGMA user_version = 99"), 73, "newer janggid"),
    ("one-of-another-program", plain("PRAGMA application_id = 99"), 73,
     "not a database of janggid"),
]


def judge_counts(stage):
    """verify says how many games there are."""
    data = os.path.join(stage.scratch, "closed")
    file = sqlite3.connect(os.path.join(data, "janggid.db"))
    games = number_of(file, "SELECT count(*) FROM (SELECT id FROM game UNION SELECT game FROM journal)")
    file.close()
    stage.expect("all-games-are-counted", stage.verify("--data", data), 0,
                 f"verified games={games} ")


def judge_places(stage, world):
    """Databases that are there, or not, or in use."""
    scratch = stage.scratch
    stage.expect("no-file", stage.verify(os.path.join(scratch, "none.db")), 73,
                 "No such file")
    stage.expect("a-directory", stage.verify(scratch), 73, "not a file")
    killed = os.path.join(scratch, "killed")
    stage.expect("a-killed-server", stage.verify("--data", killed), 0, "damaged=0")
    data = os.path.join(scratch, "data")
    bitflip.copy_data(killed, data)
    server = bitflip.start(data)
    stage.expect("a-running-server", stage.verify("--data", data), 73,
                 "janggid ctl backup FILE")
    copy = os.path.join(scratch, "backup.db")
    subprocess.run([os.path.join(world.build, "janggid"), "ctl", "--data", data, "backup",
                    copy], capture_output=True, check=True, timeout=bitflip.PATIENCE_S)
    stage.expect("a-backup", stage.verify(copy), 0, "damaged=0")
    stage.check(server.stop() == 0, "a-server-that-was-asked-goes-on", "")


def main():
    build = os.path.abspath(sys.argv[1])
    scratch = tempfile.mkdtemp(prefix="janggi-verify-")
    world = bitflip.make_world(build, scratch)
    stage = Stage(build, scratch)
    for change in CHANGES:
        stage.judge(*change)
    judge_counts(stage)
    judge_places(stage, world)
    shutil.rmtree(scratch, ignore_errors=True)
    print(f"{stage.passed} passed, {stage.failed} failed")
    return 1 if stage.failed else 0


if __name__ == "__main__":
    sys.exit(main())
