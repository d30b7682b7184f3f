#!/usr/bin/env python3
"""Three janggid nodes on one log in PostgreSQL, with games through all of them, while faults come in any order: of the
nodes, the links between them, the database and its disk, and the wall clocks; all nodes are replaced now and then. What
players and spectators were answered or shown is compared with the log as soon as a game is over, and at the end the log
must still be the same.

    python3 tests/cluster/cluster_storm.py BUILD [--patroni] [--bars] [TEST ...]

With --patroni the three servers of PostgreSQL run under Debian's Patroni with etcd, which replaces a lost primary;
otherwise a lost primary is started again. With --bars an answer may wait 1.5 s when a standby is lost, and 17 s when
Patroni replaces the primary.
STORM_S=600 makes it long, SEED=N repeats its order, PAIRS=N sets the number of games at a time, and
FAULTS="hand_over cut_ways" leaves the others out. OLD=PATH is the janggid with which the nodes begin, until the fault
"upgrade" replaces them. Without PostgreSQL it skips, and says so; so it does with each fault that this system cannot
have.
"""
import collections
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
import disk  # noqa: E402 (found beside this file only now)
import patroni  # noqa: E402
import postgres  # noqa: E402
import wall_clock  # noqa: E402
from cluster import MOVES, SHARED, Relay  # noqa: E402
from hosting import BUILD, JANGGID, PATIENCE_S, expect, run, wait_until  # noqa: E402
import nodes  # noqa: E402
from nodes import HAS_BARS, Cluster, Pair, Roamer, check, cluster, must_notice  # noqa: E402

STORM_S = float(os.environ.get("STORM_S", "20"))
SEED = int(os.environ.get("SEED", random.randrange(10 ** 6)))
GAMES = int(os.environ.get("PAIRS", "30"))
OLD = os.path.abspath(os.environ.get("OLD", JANGGID))
HAS_PATRONI = "--patroni" in sys.argv
SETTLED_MOVES = 2  # of each game between two faults
TELL_S = 600  # how often a long storm says what it has seen
SILENCE_S = 5  # longer than a link may stand still; then a client tries another node
HOUR_S = 3600
DISK_MB = 1024 + int(STORM_S / 4)  # the log of a long storm finds room


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


class Node(nodes.Node):
    """janggid with a wall clock of its own, if there is libfaketime."""

    has_whole_clock = False  # the control: its monotonic clock is changed as well

    def __init__(self, data, *options, **more):
        self.wall = wall_clock.WallClock(data + ".wall") if wall_clock.library() else None
        more["environment"] = self.wall and self.wall.environment(OLD, self.has_whole_clock)
        super().__init__(data, *options, program=OLD, **more)

    def start(self):
        if self.wall is not None and self.process is not None:
            self.wall.forget(self.process.pid)
        super().start()


class Stormed(Cluster):
    """The players reach each node through a relay."""

    kind, is_safe = Node, True

    def servers(self):
        """Of PostgreSQL. They end with the program."""
        for servers in SHARED:
            if getattr(servers, "is_safe", True) == self.is_safe:
                return servers
        disk_mb = DISK_MB if disk.is_there() else 0
        if HAS_PATRONI:
            SHARED.append(patroni.Machines(self.is_safe, disk_mb))
            SHARED[-1].begin()
        else:
            SHARED.append(postgres.Pair(has_spare=True, disk_mb=disk_mb))
        return SHARED[-1]

    def serve(self, *words, **more):
        return self.kind(*words, **more)

    def own_options(self, port):
        self.relays = getattr(self, "relays", []) + [Relay(port)]
        return "--node", f"127.0.0.1:{self.relays[-1].port}"

    def add(self, number):
        super().add(number)
        self.nodes[-1].way = self.relays[-1].port

    def relay_to(self, node):
        return self.relays[self.nodes.index(node)]

    def end(self):
        super().end()
        for relay in self.relays:
            relay.end()


class StormPair(Pair):
    """Plays game after game; each third has a spectator, who comes in by another node."""

    def __init__(self, made, number):
        self.spectators, self.finished, self.moves = [], [], 0
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
            self.until_done(spectator, lambda line=spectator.line: line.expect(rf"^! game {self.game} {number} move "))

    def begin_another(self):
        self.end_game()
        self.begin_somewhere(SILENCE_S, (OSError, EOFError, AssertionError))
        self.played, self.acknowledged = 0, []
        for reader in self.readers():
            reader.shown = {}
        self.admit()

    def end_game(self):
        for reader in self.readers():
            reader.note(self.game)
            reader.line.forget()
        self.finished.append(Played(self))

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
        self.end_game()

    def take_waits(self):
        """The moves that were answered since the last time: how long each waited."""
        return [self.waits.pop(0)[0] for _ in range(len(self.waits))]

    def take_finished(self):
        return [self.finished.pop(0) for _ in range(len(self.finished))]


# --- The faults: each returns when the nodes are whole again -----------------------------------


def is_role(node, role):
    return node.process.poll() is None and node.status().get("role") == role


def kill_leader(made, chance):
    leader = made.wait_for_leader()
    leader.process.kill()
    leader.process.wait()
    made.wait_for_leader(leader)
    leader.start()


def end_well(node):
    node.process.send_signal(signal.SIGTERM)
    if node.process.wait(PATIENCE_S) != 0:
        raise AssertionError(f"a node ended with status {node.process.returncode}")


def hand_over(made, chance):
    leader = made.wait_for_leader()
    end_well(leader)
    made.wait_for_leader(leader)
    leader.start()


def freeze_leader(made, chance):
    """Until another node has the games; then it must end, and come back as a standby."""
    leader = made.wait_for_leader()
    leader.process.send_signal(signal.SIGSTOP)
    others = [node for node in made.nodes if node is not leader]
    try:
        wait_until(lambda: any(is_role(node, "leader") for node in others), "nobody takes over")
    finally:
        leader.process.send_signal(signal.SIGCONT)
    wait_until(lambda: is_role(leader, "standby"), "the stale leader does not come back")


def a_spare(made, chance):
    leader = made.wait_for_leader()
    return chance.choice([node for node in made.nodes if node is not leader])


def kill_spare(made, chance):
    spare = a_spare(made, chance)
    spare.process.kill()
    spare.process.wait()
    spare.start()


def freeze_spare(made, chance):
    spare = a_spare(made, chance)
    spare.process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.1, 4))
    spare.process.send_signal(signal.SIGCONT)


def cut_ways(made, chance):
    made.relay_to(made.wait_for_leader()).do("cut")


def freeze_ways(made, chance):
    relay = made.relay_to(made.wait_for_leader())
    relay.do(chance.choice(["hold up", "hold down"]))
    time.sleep(chance.uniform(0.1, 4))
    relay.do("flow")


def step_clocks(made, chance):
    """Each node has a time of its own from then on. After a month a spectator's name would rightly expire."""
    for node in made.nodes:
        node.wall.set(f"{chance.choice([0, 40, HOUR_S, 24 * HOUR_S]) * chance.choice([-1, 1]):+d}s")


def upgrade(made, chance):
    """The standbys first, one by one, then the leader."""
    leader = made.wait_for_leader()
    for node in sorted(made.nodes, key=lambda node: node is leader):
        node.program = JANGGID
        end_well(node)
        if node is leader:
            made.wait_for_leader(leader)
        node.start()
        if os.path.realpath(f"/proc/{node.process.pid}/exe") != os.path.realpath(JANGGID):
            raise AssertionError("a node is not the new program")
        wait_until(lambda node=node: node.status().get("leader"), "a new node finds no leader")


# --- The database ------------------------------------------------------------------------------


def kill_primary(made, chance):
    """It, or its machine, is there again at once."""
    primary = made.primary
    primary.kill()
    primary.start()


def freeze(standbys, chance):
    for standby in standbys:
        standby.signal_all(signal.SIGSTOP)
    time.sleep(chance.uniform(0.1, 2))
    for standby in standbys:
        standby.signal_all(signal.SIGCONT)


def freeze_standby(made, chance):
    freeze([chance.choice(made.pair.standbys)], chance)


def freeze_standbys(made, chance):
    """Commits wait."""
    freeze(made.pair.standbys, chance)


def kill_standby(made, chance):
    standby = chance.choice(made.pair.standbys)
    standby.kill()
    standby.start()


# Each goes on in a piece of the log of its own, which is made when the last one is full.
USE_UP_LOG = """DO $$ BEGIN FOR i IN 1..20 LOOP
PERFORM pg_logical_emit_message(false, 'janggi', 'x'); PERFORM pg_switch_wal(); END LOOP; END $$"""


def use_up_log(primary, chance):
    """Until PostgreSQL finds no room for more, and goes down or refuses it; and some seconds longer."""
    known = len(primary.log())
    for _ in range(3):
        try:
            primary.ask(USE_UP_LOG, "postgres")
        except subprocess.CalledProcessError:
            pass
        if "No space left on device" in primary.log()[known:]:
            time.sleep(chance.uniform(0, 5))
            return
    raise AssertionError("the disk is not full")


def fill_disk(made, chance):
    primary = made.primary
    primary.disk.fill()
    try:
        use_up_log(primary, chance)
    finally:
        primary.disk.empty()


# --- Patroni -----------------------------------------------------------------------------------


def lose_primary(made, chance):
    """Its machine comes back later, as a standby."""
    lost = made.primary
    lost.kill()
    made.pair.wait_for_primary(lost)
    time.sleep(chance.uniform(0, 5))
    lost.start()


def switch_over(made, chance):
    primary = made.primary
    primary.switch_over(made.pair.synchronous())
    made.pair.wait_for_primary(primary)


def freeze_patroni(made, chance):
    """The primary that it should demote goes on beside the next one, and nobody confirms what it commits."""
    primary = made.primary
    primary.signal_patroni(signal.SIGSTOP)
    try:
        made.pair.wait_for_primary(primary)
        time.sleep(chance.uniform(0, 5))
    finally:
        primary.signal_patroni(signal.SIGCONT)


def freeze_etcd(made, chance):
    """A primary that cannot be sure that it is one goes down."""
    made.pair.etcd.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(1, 15))
    made.pair.etcd.send_signal(signal.SIGCONT)


FAULTS = [kill_leader, hand_over, freeze_leader, kill_spare, freeze_spare, cut_ways, freeze_ways, kill_primary,
          freeze_standby, freeze_standbys, kill_standby, step_clocks, upgrade, fill_disk,
          *([lose_primary, switch_over, freeze_patroni, freeze_etcd] if HAS_PATRONI else [])]
# The longest wait for an answer, with --bars.
BARS_S = {"kill_primary": 17, "lose_primary": 17} if HAS_PATRONI else {"freeze_standby": 1.5, "kill_standby": 1.5}


def missing(fault):
    """What this system lacks for the fault; None if nothing."""
    if fault is step_clocks and not wall_clock.library():
        return "libfaketime: sh tests/deps.sh test"
    if fault is fill_disk and not disk.is_there():
        return "a disk of its own, which only root can mount"
    return None


def chosen():
    """The faults that FAULTS names, or all; without those that this system cannot have."""
    named = [fault for fault in FAULTS if fault.__name__ in os.environ.get("FAULTS", fault.__name__).split()]
    for fault in named:
        if missing(fault):
            print(f"# {fault.__name__} is left out; it needs {missing(fault)}", flush=True)
    return [fault for fault in named if not missing(fault)]


# --- The storm ---------------------------------------------------------------------------------


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


class Storm:
    """Games, the faults that come meanwhile, and what is found when the games are over."""

    def __init__(self, made):
        self.made, self.chance, self.faults, self.order = made, random.Random(SEED), chosen(), []
        self.waits, self.counts = collections.defaultdict(float), collections.Counter()
        self.found, self.games = collections.Counter(), {}  # digests of the games that are over
        made.wait_for_leader()
        self.pairs = [StormPair(made, number) for number in range(GAMES)]
        for pair in self.pairs:
            pair.start()
        wait_for_moves(self.pairs, "the start")

    def blow(self, seconds):
        """Each fault at least once."""
        now = told = time.monotonic()
        end = now + seconds
        while now < end or len(self.counts) < len(self.faults):
            self.order = self.order or self.chance.sample(self.faults, len(self.faults))
            self.bring(self.order.pop())
            self.check_finished()
            now = time.monotonic()
            if now > told + TELL_S:
                print(f"# {end - now:.0f} s are left. {self.sums()}", flush=True)
                told = now

    def bring(self, fault):
        self.longest_wait()
        try:
            fault(self.made, self.chance)
            self.made.pair.wait_until_whole()
            wait_for_moves(self.pairs, fault.__name__)
        except Exception:
            print(f"# it failed at {fault.__name__}, after {self.sums()}", flush=True)
            raise
        for node in self.made.nodes:
            wait_until(lambda node=node: node.process.poll() is None, f"a node has ended: {node.log()[-1000:]}")
        self.counts[fault.__name__] += 1
        self.waits[fault.__name__] = max(self.waits[fault.__name__], self.longest_wait())

    def longest_wait(self):
        return max((wait for pair in self.pairs for wait in pair.take_waits()), default=0)

    def check_finished(self):
        """Nobody plays these games any more: of their events, only a digest is kept."""
        played = [game for pair in self.pairs for game in pair.take_finished()]
        stored = Stored(self.made, [game.game for game in played])
        self.found["events shown"] += check(stored, played)
        self.found["moves acknowledged"] += sum(len(game.acknowledged) for game in played)
        self.games.update(stored.digests())

    def end_games(self):
        for pair in self.pairs:
            pair.end()

    def check_all(self):
        """Those that were checked before are still the same."""
        self.check_finished()
        now = self.made.primary.ask(DIGESTS, patience_s=LONG_S).splitlines()
        now = {int(game): digest for game, digest in (row.split("|") for row in now)}
        for game, digest in self.games.items():
            if now.get(game) != digest:
                raise AssertionError(f"game {game} is not stored as it was when it was over")

    def tell(self):
        for name, wait in sorted(self.waits.items()):
            print(f"# {name:15} {self.counts[name]:3} times, the longest wait for an answer {wait:5.2f} s"
                  f"{f', at most {BARS_S[name]} s' if HAS_BARS and name in BARS_S else ''}")
        print("# beginnings that were tried again:", dict(collections.Counter(
            re.sub(r"\d+", "N", words) for pair in self.pairs for words in pair.refusals)))
        print(f"# {self.sums()}: all are stored, each once", flush=True)

    def sums(self):
        return ", ".join([f"{sum(self.counts.values())} faults", f"{len(self.games)} games",
                          *(f"{count} {what}" for what, count in self.found.items())])


LONG_S = PATIENCE_S + STORM_S  # to read the log of a whole storm
DIGESTS = "SELECT game, md5(string_agg(text, E'\\n' ORDER BY number)) FROM janggid.event GROUP BY game"


class Stored:
    """What the log has of some games, read at once."""

    def __init__(self, made, games):
        self.rows = made.primary.events_of(games) if games else {}

    def events(self, game):
        return self.rows[game]

    def digests(self):
        return {game: hashlib.md5("\n".join(rows).encode()).hexdigest() for game, rows in self.rows.items()}


def all_that_was_said_is_stored(directory):
    print(f"# SEED={SEED}", flush=True)
    with cluster(directory, kind=Stormed) as made:
        storm = Storm(made)
        storm.blow(STORM_S)
        storm.end_games()
        storm.check_all()
        end_nodes(made)
        check_logs(made)
        expect(janggid_verify(made), r"damaged=0")
        storm.tell()
    judge_waits(storm.waits)


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


def check_logs(made):
    """No node has seen a bug of its own, or that somebody had seen more than was kept."""
    for node in made.nodes:
        with open(node.data + ".log", encoding="utf-8", errors="replace") as log:
            for line in log:
                if re.search("bug=|more-seen-than-kept|Sanitizer|runtime error", line):
                    raise AssertionError(f"the log of a node says: {line.strip()}")


def janggid_verify(made):
    """Its standard output. It is done again while a disk that hangs keeps the database from answering in time."""
    end, is_late = time.monotonic() + LONG_S, True
    while is_late:
        done = subprocess.run([JANGGID, "verify", "--store", made.pair.url()], text=True, capture_output=True,
                              timeout=LONG_S, check=False)
        is_late = done.returncode != 0 and "no answer" in done.stderr and time.monotonic() < end
    return done.stdout


# --- The controls ------------------------------------------------------------------------------


def what_is_lost_is_noticed(directory):
    """The last move that somebody was answered disappears from the log."""
    with cluster(directory, kind=Stormed) as made:
        storm = Storm(made)
        storm.end_games()
        game = next(game for pair in storm.pairs for game in pair.finished if game.acknowledged)
        made.primary.ask(f"DELETE FROM janggid.event WHERE game = {game.game} AND number = {game.acknowledged[-1]}")
        storm.check_all()


def what_is_changed_later_is_noticed(directory):
    """A game that was over, and good then, is changed."""
    with cluster(directory, kind=Stormed) as made:
        storm = Storm(made)
        storm.end_games()
        storm.check_finished()
        made.primary.ask(f"UPDATE janggid.event SET text = 'move 1 red a1a2' WHERE game = {min(storm.games)} AND "
                         "number = 3")
        storm.check_all()


class WholeClockNode(Node):
    has_whole_clock = True


class WholeClocks(Stormed):
    kind = WholeClockNode


def clocks_of_games_that_step_are_noticed(directory):
    """The monotonic clock of the leader steps with the other one, until it charges a player: not while it waits for the
    database."""
    with cluster(directory, kind=WholeClocks) as made:
        storm = Storm(made)
        for hours in range(1, 21):
            made.wait_for_leader().wall.set(f"+{hours * HOUR_S}s")
            wait_for_moves(storm.pairs, "the step")


def a_disk_with_room_is_noticed(directory):
    with cluster(directory, kind=Stormed) as made:
        use_up_log(made.primary, random.Random(SEED))


class OldNode(Node):
    """Another file, of which it stays a process."""

    def start(self):
        folder = self.data + ".old"
        if not os.path.exists(folder):
            os.mkdir(folder)
            for name in ("janggid", "janggid-postgres.so"):
                shutil.copy(os.path.join(BUILD, name), folder)
        self.program = os.path.join(folder, "janggid")
        super().start()


class NotUpgraded(Stormed):
    kind = OldNode


def nodes_that_stay_the_same_are_noticed(directory):
    with cluster(directory, kind=NotUpgraded) as made:
        upgrade(made, random.Random(SEED))


class Unsafe(Stormed):
    """Patroni without synchronous standbys, and the host vouches for it."""

    is_safe = False

    def __init__(self, directory):
        super().__init__(directory, options=("--store-sync", "outside"))

    def end(self):
        super().end()
        SHARED.remove(self.pair)
        self.pair.end()


def what_patroni_loses_is_noticed(directory):
    """Moves are acknowledged while no standby is there, and then the primary's machine is lost."""
    with cluster(directory, kind=Unsafe) as made:
        storm = Storm(made)
        primary, standbys = made.primary, made.pair.standbys
        for standby in standbys:
            standby.kill()
        wait_for_moves(storm.pairs, "the loss of the standbys")
        storm.end_games()
        primary.kill()
        for standby in standbys:
            standby.start()
        made.pair.wait_for_primary(primary)
        storm.check_all()


TESTS = [must_notice(what_is_lost_is_noticed, "is not stored"),
         must_notice(what_is_changed_later_is_noticed, "is not stored as it was"),
         must_notice(nodes_that_stay_the_same_are_noticed, "is not the new program")]
if wall_clock.library():
    TESTS.append(must_notice(clocks_of_games_that_step_are_noticed, "ERR .* to move "))
if disk.is_there():
    TESTS.append(must_notice(a_disk_with_room_is_noticed, "the disk is not full"))
if HAS_PATRONI:
    TESTS.append(must_notice(what_patroni_loses_is_noticed, "is not stored"))
TESTS.append(all_that_was_said_is_stored)  # which may take half a day

if __name__ == "__main__":
    if not (patroni.is_there() if HAS_PATRONI else postgres.folder()) or not os.path.exists(
            os.path.join(BUILD, "janggid-postgres.so")):
        print("ok cluster_storm # SKIP PostgreSQL, libpq or Patroni is missing: sh tests/deps.sh promotion")
        print("PostgreSQL, libpq or Patroni is missing, so the storm was NOT tested: sh tests/deps.sh promotion",
              file=sys.stderr)
        sys.exit(0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # disks must not stay mounted
    status = 0
    try:
        status = run(TESTS)
    finally:
        for pair in SHARED:
            pair.end()
    sys.exit(status)
