#!/usr/bin/env python3
"""Three janggid nodes on one log in PostgreSQL, with games through all of them, while the house is killed, frozen and
handed over, doors are killed and frozen, links are cut and frozen, the primary is killed, and one standby or both are
killed and frozen, in any order. At the end everything that players and spectators were answered or shown is compared with the log.

    python3 tests/cluster/cluster_storm.py BUILD [--bars] [TEST ...]

With --bars an answer may wait 1.5 s when a standby is lost.
STORM_S=600 makes it long, SEED=N repeats its order, PAIRS=N sets the number of games at a time, and
FAULTS="hand_over cut_links" leaves the others out. Without PostgreSQL it skips, and says so.
"""
import collections
import os
import random
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
import postgres  # noqa: E402 (found beside this file only now)
from cluster import MOVES, SHARED  # noqa: E402
from doors import Wired  # noqa: E402
from hosting import BUILD, JANGGID, PATIENCE_S, expect, run, wait_until  # noqa: E402
from nodes import HAS_BARS, Pair, Roamer, check, cluster, must_notice  # noqa: E402

STORM_S = float(os.environ.get("STORM_S", "20"))
SEED = int(os.environ.get("SEED", random.randrange(10 ** 6)))
GAMES = int(os.environ.get("PAIRS", "30"))
SETTLED_MOVES = 2  # of each game between two faults
SILENCE_S = 5  # longer than a link may stand still; then a client tries another node


class Played:
    """A game that is over, or was given up, with all that was heard of it: for check()."""

    def __init__(self, pair):
        self.game, self.acknowledged, self.players = pair.game, pair.acknowledged, []
        for reader in pair.readers():
            heard = Heard()
            heard.shown = reader.shown
            self.players.append(heard)


class Heard:
    shown = None


class Stormed(Wired):
    has_three = True


class StormPair(Pair):
    """Plays game after game; each third has a spectator, who comes in by another node."""

    def __init__(self, made, number):
        self.spectators, self.finished, self.refusals, self.moves = [], [], [], 0
        super().__init__(made, number, SILENCE_S)
        self.daemon = True  # after a failure nobody waits for it
        if number % 3 == 0:
            self.spectators.append(Roamer(made.nodes, f"park{number}", number + 2, SILENCE_S))
            self.admit()

    def readers(self):
        return self.players + self.spectators

    def admit(self):
        for spectator in self.spectators:
            self.until_done(spectator, lambda line=spectator.line: expect(line.ask(f"watch {self.game}"), "^OK"))

    def until_done(self, reader, act):
        """Another connection, and the game from its beginning, if it fails."""
        try:
            act()
        except (OSError, EOFError, AssertionError):
            self.come_back(reader)

    def move(self):
        super().move()
        self.moves += 1
        number = self.played + 2
        for spectator in self.spectators:
            self.until_done(spectator, lambda line=spectator.line: line.hear(rf"^! game {self.game} {number} move "))

    def begin_another(self):
        """The offer or its answer may be lost; a game that has begun by it is left alone."""
        for reader in self.readers():
            reader.note(self.game)
        self.finished.append(Played(self))
        while not self.is_over:
            try:
                for player in self.players:
                    player.line.ask("ping")
                self.begin()
                break
            except (OSError, EOFError, AssertionError) as error:
                self.refusals.append(str(error))
                for player in self.players:
                    player.line.close()
                    player.come_in()
                    self.resign_all(player)
        self.played, self.acknowledged = 0, []
        for reader in self.readers():
            reader.shown = {}
        self.admit()

    def resign_all(self, player):
        """What began and was not heard of would be a second timed game."""
        try:
            for line in player.line.block("games mine")[0]:
                player.line.ask(f"resign {line.split()[1]}")
        except (OSError, EOFError):
            pass

    def run(self):
        try:
            while not self.is_over:
                while not self.is_over and self.played < len(MOVES):
                    self.move()
                    time.sleep(0.05)
                if not self.is_over:
                    self.begin_another()
        except Exception as error:  # any error fails the proof
            self.error = error

    def end_alone(self):
        self.ended = time.monotonic()
        for reader in self.readers():
            reader.note(self.game)
        self.finished.append(Played(self))


# --- The faults: each returns when the cluster is whole again ----------------------------------


def is_role(node, role):
    return node.process.poll() is None and node.status().get("role") == role


def kill_house(made, chance):
    house = made.wait_for_house()
    house.process.kill()
    house.process.wait()
    made.wait_for_house(house)
    house.start()


def hand_over(made, chance):
    house = made.wait_for_house()
    house.process.send_signal(signal.SIGTERM)
    if house.process.wait(PATIENCE_S) != 0:
        raise AssertionError("the house ended with another status")
    made.wait_for_house(house)
    house.start()


def freeze_house(made, chance):
    """Until another node has the games; then it must become a door."""
    house = made.wait_for_house()
    house.process.send_signal(signal.SIGSTOP)
    others = [node for node in made.nodes if node is not house]
    try:
        wait_until(lambda: any(is_role(node, "house") for node in others), "nobody takes over")
    finally:
        house.process.send_signal(signal.SIGCONT)
    wait_until(lambda: is_role(house, "door"), "the stale house does not become a door")


def a_door(made, chance):
    house = made.wait_for_house()
    return chance.choice([node for node in made.nodes if node is not house])


def kill_door(made, chance):
    door = a_door(made, chance)
    door.process.kill()
    door.process.wait()
    door.start()


def freeze_door(made, chance):
    door = a_door(made, chance)
    door.process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.1, 4))
    door.process.send_signal(signal.SIGCONT)


def cut_links(made, chance):
    made.wire_to(made.wait_for_house()).do("cut")


def freeze_links(made, chance):
    wire = made.wire_to(made.wait_for_house())
    wire.do(chance.choice(["hold up", "hold down"]))
    time.sleep(chance.uniform(0.1, 4))
    wire.do("flow")


def kill_primary(made, chance):
    made.primary.kill()
    made.primary.start()


def one_standby(made, chance):
    """When both are there, so that the other one is enough."""
    made.primary.wait_for("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "2")
    return chance.choice(made.pair.standbys)


def freeze(standbys, chance):
    for standby in standbys:
        standby.signal_all(signal.SIGSTOP)
    time.sleep(chance.uniform(0.1, 2))
    for standby in standbys:
        standby.signal_all(signal.SIGCONT)


def freeze_standby(made, chance):
    freeze([one_standby(made, chance)], chance)


def freeze_standbys(made, chance):
    """Commits wait."""
    freeze(made.pair.standbys, chance)


def kill_standby(made, chance):
    standby = one_standby(made, chance)
    standby.kill()
    standby.start()


FAULTS = [kill_house, hand_over, freeze_house, kill_door, freeze_door, cut_links, freeze_links, kill_primary,
          freeze_standby, freeze_standbys, kill_standby]
# The longest wait for an answer, with --bars.
BARS_S = {"freeze_standby": 1.5, "kill_standby": 1.5}
CHOSEN = [fault for fault in FAULTS if fault.__name__ in os.environ.get("FAULTS", fault.__name__).split()]


def fail_if_any(pairs):
    for pair in pairs:
        if pair.error is not None:
            raise pair.error


def wait_for_moves(pairs, fault):
    marks = [pair.moves for pair in pairs]

    def go_on():
        fail_if_any(pairs)
        return all(pair.moves >= mark + SETTLED_MOVES for pair, mark in zip(pairs, marks))
    wait_until(go_on, f"the games do not go on after {fault}")


def longest_wait(pairs, began):
    return max((wait for pair in pairs for wait, at in list(pair.waits) if at + wait > began), default=0)


def all_that_was_said_is_stored(directory, damage=None):
    """Each fault at least once. damage(made, pairs): what the control, which has no storm, does to the log before it
    is compared."""
    chance, waits, counts = random.Random(SEED), collections.defaultdict(float), collections.Counter()
    print(f"# SEED={SEED}", flush=True)
    with cluster(directory, kind=Stormed) as made:
        made.wait_for_house()
        pairs = [StormPair(made, number) for number in range(GAMES)]
        for pair in pairs:
            pair.start()
        wait_for_moves(pairs, "the start")
        end, order = time.monotonic() + (0 if damage else STORM_S), []
        while time.monotonic() < end or (len(counts) < len(CHOSEN) and not damage):
            order = order or chance.sample(CHOSEN, len(CHOSEN))
            fault, began = order.pop(), time.monotonic()
            fault(made, chance)
            wait_for_moves(pairs, fault.__name__)
            counts[fault.__name__] += 1
            waits[fault.__name__] = max(waits[fault.__name__], longest_wait(pairs, began))
        for pair in pairs:
            pair.end()
        if damage:
            damage(made, pairs)
        played = [game for pair in pairs for game in pair.finished]
        shown = check(made, played)
        moves = sum(len(game.acknowledged) for game in played)
        end_nodes(made)
        expect(janggid_verify(made), r"damaged=0")
    for name, wait in sorted(waits.items()):
        print(f"# {name:15} {counts[name]:3} times, the longest wait for an answer {wait:5.2f} s"
              f"{f', at most {BARS_S[name]} s' if HAS_BARS and name in BARS_S else ''}")
    print("# beginnings that were tried again:", dict(collections.Counter(
        re.sub(r"\d+", "N", words) for pair in pairs for words in pair.refusals)))
    print(f"# {sum(counts.values())} faults, {len(played)} games, {moves} moves acknowledged, {shown} events shown: "
          "all are stored, each once", flush=True)
    judge_waits(waits)


def judge_waits(waits):
    late = [name for name, most in BARS_S.items() if waits.get(name, 0) > most]
    if HAS_BARS and late:
        raise AssertionError(f"an answer came too late after {', '.join(late)}")


def end_nodes(made):
    for node in made.nodes:
        node.process.send_signal(signal.SIGTERM)
    for node in made.nodes:
        if node.process.wait(PATIENCE_S) != 0:
            raise AssertionError(f"a node ended with status {node.process.returncode}")


def janggid_verify(made):
    url = f"postgres://postgres@127.0.0.1:{made.primary.port}/{made.primary.database}"
    return subprocess.run([JANGGID, "verify", "--store", url], text=True, capture_output=True, timeout=PATIENCE_S,
                          check=False).stdout


def what_is_lost_is_noticed(directory):
    """The control: the last move that somebody was answered disappears from the log."""
    def lose(made, pairs):
        game = next(game for pair in pairs for game in pair.finished if game.acknowledged)
        made.primary.ask(f"DELETE FROM janggid.event WHERE game = {game.game} AND "
                         f"number = {game.acknowledged[-1]}")
    all_that_was_said_is_stored(directory, lose)


TESTS = [all_that_was_said_is_stored]
if "STORM_S" not in os.environ:
    TESTS.append(must_notice(what_is_lost_is_noticed, "is not stored"))

if __name__ == "__main__":
    if postgres.folder() is None or not os.path.exists(os.path.join(BUILD, "janggid-postgres.so")):
        print("ok cluster_storm # SKIP PostgreSQL or libpq is missing: sh tests/deps.sh cluster")
        print("PostgreSQL or libpq is missing, so the storm was NOT tested: sh tests/deps.sh cluster", file=sys.stderr)
        sys.exit(0)
    status = 0
    try:
        status = run(TESTS)
    finally:
        for pair in SHARED:
            pair.end()
    sys.exit(status)
