#!/usr/bin/env python3
"""The lines that janggid.8 tells a host to type, for a backup, a restore, an upgrade, a lost key, a full
disk and a troll, typed: with a server and a game, and the directories of this test in place of /var.

    python3 tests/host/manual.py BUILD_DIR [TEST ...]
"""
import os
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import BUILD, PATIENCE_S, Player, Server, begin, expect, run, wait_until

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "server", "janggid.8")


def lines_of(section):
    """The lines after "# " in that section of the manual."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    body = re.search(rf"^\.Sh {section}\n(.*?)^\.Sh ", text, re.S | re.M)
    blocks = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed", body[1] if body else "", re.S | re.M)
    lines = [line[2:].replace("\\-", "-") for block in blocks for line in block.splitlines()
             if line.startswith("# ")]
    assert lines, f"the manual has no lines to type in {section}"
    return lines


class House(Server):
    """A server as the manual means it: /var/lib/janggid, /var/backups/janggid and systemctl are here."""

    def __init__(self, directory):
        self.backups = os.path.join(directory, "b")
        os.mkdir(self.backups, 0o700)
        super().__init__(os.path.join(directory, "d"))

    def type(self, line):
        """Runs the line and returns its standard output. Its status must be 0."""
        if line.startswith("systemctl stop"):
            return self.stop()
        if line.startswith("systemctl start"):
            return self.start()
        if line.startswith("apt install"):  # the package's postinst: a restart
            self.stop()
            return self.start()
        line = line.replace("/var/lib/janggid", self.data).replace("/var/backups/janggid", self.backups)
        line = line.replace("-o janggid -g janggid ", "")
        done = subprocess.run(["sh", "-c", line], text=True, capture_output=True, timeout=PATIENCE_S,
                              env=dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"]), check=False)
        if done.returncode != 0 or "/var/" in line.replace(self.data, "").replace(self.backups, ""):
            raise AssertionError(f"{line}: status {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def type_all(self, section):
        return [self.type(line) for line in lines_of(section)]

    def wait_for_good_disk(self):
        """It may have been slow."""
        wait_until(lambda: self.status()["disk"] == "good", "the disk is not good")

    def begin(self):
        """Two players, and their game after a move."""
        hong, kim = Player(self, "hong"), Player(self, "kim")
        game = begin(hong, kim, "3d")
        expect(hong.ask("a3a4"), f"^OK move game={game} ply=1 ")
        return hong, kim, game


def a_backup_is_restored(directory):
    with House(directory) as house:
        hong, kim, game = house.begin()
        expect(house.type_all("BACKUP")[-1], "damaged=0")
        expect(kim.ask("a6a5"), f"^OK move game={game} ply=2 ")
        key = house.key
        expect(house.type_all("RESTORE")[-1], "(?m)^games_by_correspondence=1$")
        assert house.key == key, "the restored server has another key"
        back = Player(house, "kim", kim.token)
        expect(back.ask(f"state {game}"), " ply=1 ")  # moves made after the backup are lost


def a_copy_of_the_files_of_a_crashed_server_is_whole(directory):
    with House(directory) as house:
        hong, kim, game = house.begin()
        house.process.kill()
        house.wait()
        stop, copy, verify = lines_of("BACKUP OF A STOPPED SERVER")
        expect(stop, "^systemctl stop")  # it has ended already
        house.type(copy)
        whole = int(expect(house.type(verify), r"events=(\d+) damaged=0")[1])
        os.remove(os.path.join(house.backups, "janggid.db-wal"))
        alone = subprocess.run([os.path.join(BUILD, "janggid"), "verify", os.path.join(house.backups, "janggid.db")],
                               text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        found = re.search(r"events=(\d+)", alone.stdout)
        if whole < 4 or (found and int(found[1]) >= whole):
            raise AssertionError(f"{whole} events in all files, and in one: {alone.stdout}{alone.stderr}")


def an_upgrade_loses_nothing(directory):
    with House(directory) as house:
        hong, kim, game = house.begin()
        notice, _, health = house.type_all("UPGRADE")
        expect(notice, "^told 2")
        expect(health, "^good")
        back = Player(house, "kim", kim.token)
        expect(back.ask("a6a5"), f"^OK move game={game} ply=2 ")


def a_server_without_its_key_makes_another(directory):
    with House(directory) as house:
        hong, old = Player(house, "hong"), house.key
        Player(house, "kim")
        *_, printed, reset = house.type_all("LOST KEY")
        printed = printed.strip()
        if printed != house.key or printed == old:
            raise AssertionError(f"the key was {old}, is {house.key}, and {printed} was printed")
        Player(house, "hong", hong.token)
        expect(reset, r"(?m)^  janggi -n kim device janggi://\S+/watch/" + printed[:22] + r" \S{22}$")


def a_full_disk_is_seen(directory):
    with House(directory) as house:
        hong = Player(house, "hong")
        house.wait_for_good_disk()
        health, state, _ = house.type_all("FULL DISK")
        expect(health, "^good")
        expect(state, "^disk=good$")
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (1, hard))
        hong.say("invite")
        hong.expect("^! notice why=storage-full")
        expect(house.type(lines_of("FULL DISK")[1]), "^disk=full$")
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        hong.expect("^OK invite")
        house.wait_for_good_disk()
        expect(house.type(lines_of("FULL DISK")[0]), "^good")


def a_troll_is_kept_out(directory):
    with House(directory) as house:
        hong, troll = Player(house, "hong"), Player(house, "angry")
        expect(hong.ask("ping"), "^OK")
        for _ in range(50):
            expect(troll.ask("who"), "^OK")
        top, who, *_, bans = house.type_all("TROLL")
        expect(top, "(?m)^source 127.0.0.1 .*\naccount angry ")
        expect(who, "(?m)^player angry from=127.0.0.1 ")
        expect(bans, "(?m)^ban angry .* by=host : insults$")
        heard = "\n".join(troll.expect_end())
        expect(heard, "(?m)^! notice why=muted .* : please be friendly$")
        expect(heard, "(?m)^! bye why=kicked : please be friendly$")
        banned = Player(house)
        expect(banned.ask(f"login angry token={troll.token}"), "^ERR entry why=banned .*insults")


TESTS = [a_backup_is_restored, a_copy_of_the_files_of_a_crashed_server_is_whole, an_upgrade_loses_nothing,
         a_server_without_its_key_makes_another, a_full_disk_is_seen, a_troll_is_kept_out]

if __name__ == "__main__":
    sys.exit(run(TESTS))
