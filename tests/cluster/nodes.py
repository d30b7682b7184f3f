#!/usr/bin/env python3
"""Three janggid nodes that share one log in PostgreSQL, all on loopback. Players of a recorded game go through all of
them, follow to where the games are, and keep lists of what they were answered and shown; after each fault these are
compared with the table event.

    python3 tests/cluster/nodes.py BUILD [TEST ...]
    python3 tests/cluster/nodes.py BUILD --trial      starts the nodes, prints a link for each, and waits for Ctrl-C

Without PostgreSQL it skips, and says so. A control is a test with something taken away; it must fail.
"""
import contextlib
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import held_port  # noqa: E402 (found beside this file only now)
import postgres  # noqa: E402
from cluster import EX_DATABASE, FAULTS, MOVES, SHARED, must_fail, shared_pair  # noqa: E402
from hosting import BUILD, EX_TEMPFAIL, JANGGI, PATIENCE_S, Player, Server, begin, expect, run, wait_until  # noqa: E402
from websocket import tls_context  # noqa: E402

NODES = 3
SILENCE_S = 3  # after which a player goes to the next node, as the client does
# The limits of the longest wait of a player, and what a clock may lose of it before the leader knows that it waits.
# Beside other suites another node only has to take over; with --bars it must be quick.
HAS_BARS = "--bars" in sys.argv
LOST_S, HANDED_OVER_S, UNNOTICED_S = (8, 1, 1) if HAS_BARS else (PATIENCE_S, PATIENCE_S, 8)
STOPPED_S, NOTICED_S = 9, 5  # how long the control stops all nodes, and its limit
RESTART_S = 0.5  # a supervisor waits that long
LEASE_S = 3  # LEASE_MS of server/postgres/pg_fence.c
PACE_S = 0.25  # between moves: a game outlasts the fault
PAIRS = int(os.environ.get("PAIRS", "6"))
BEGINNINGS = 10  # of a pair, of which the last one must succeed


def must_notice(test, words):
    """A test that must fail, for this reason."""
    def control(directory):
        try:
            test(directory)
        except AssertionError as error:
            expect(str(error), words)
            print(f"# as it must, it failed: {str(error).splitlines()[0]}")
            return
        raise AssertionError("it was not noticed")
    control.__name__ = test.__name__
    return control


def three_servers():
    """Of PostgreSQL: they end with the program."""
    for servers in SHARED:
        if len(servers.standbys) == 2:
            return servers
    SHARED.append(postgres.Pair(has_spare=True))
    return SHARED[-1]


class Node(Server):
    """Is started again when it ends with EX_TEMPFAIL, as by systemd. way: the port at which players reach it, if that
    is not its own."""

    way, is_supervised = None, True

    def start(self, is_patient=True):
        super().start(is_patient)
        threading.Thread(target=self.supervise, args=[self.process], daemon=True).start()

    def supervise(self, process):
        while process.wait() == EX_TEMPFAIL and self.is_supervised:
            time.sleep(RESTART_S)
            try:
                self.start()
                return
            except RuntimeError:
                process = self.process

    def place(self):
        return f"127.0.0.1:{self.way or self.port}"


class Cluster:
    """The nodes, on a database of their own."""

    has_three = False  # servers of PostgreSQL, and not two

    def __init__(self, directory, count=NODES, options=()):
        self.options = options
        self.pair = self.servers()
        self.pair.make_database()
        self.directory, self.nodes = directory, []
        for number in range(count):
            self.add(number)

    def servers(self):
        return three_servers() if self.has_three else shared_pair()

    @property
    def primary(self):
        return self.pair.primary

    def url(self):
        return self.pair.url()

    def add(self, number):
        """All nodes have the key of the first one."""
        data = os.path.join(self.directory, "abcd"[number])
        if number > 0:
            os.mkdir(data, 0o700)
            for name in ("key.pem", "cert.pem"):
                shutil.copy(os.path.join(self.nodes[0].data, name), data)
        port = held_port.keep()
        self.nodes.append(self.serve(data, "--store", self.url(), *self.options, *self.own_options(port),
                                     port=port))

    def serve(self, *words, **more):
        return Node(*words, **more)

    def own_options(self, port):
        """Of the node at that port."""
        return ()

    def leader(self):
        for node in self.nodes:
            if node.process.poll() is None and node.status().get("role") == "leader":
                return node
        return None

    def wait_for_leader(self, other_than=None):
        found = []

        def is_there():
            found.append(self.leader())
            return found[-1] is not None and found[-1] is not other_than
        wait_until(is_there, "no node has the games")
        return found[-1]

    def events(self, game):
        return self.primary.events(game)

    def end(self):
        for node in self.nodes:
            node.is_supervised = False
            if node.process.poll() is None:
                node.process.send_signal(signal.SIGCONT)
                node.process.kill()
                node.process.wait()
        self.pair.mend()


@contextlib.contextmanager
def cluster(directory, kind=Cluster, **more):
    made = kind(directory, **more)
    try:
        yield made
    finally:
        made.end()


class Roamer:
    """A player who follows to the node that has the games, and keeps what it heard on all connections."""

    def __init__(self, nodes, name, first, silence_s):
        self.nodes, self.name, self.next, self.token, self.silence_s = nodes, name, first, None, silence_s
        self.shown, self.line = {}, None  # number: text of each event of its game
        self.come_in()

    def come_in(self):
        """Returns when it is logged in at the leader, wherever that is."""
        end = time.monotonic() + PATIENCE_S
        place = None
        while time.monotonic() < end:
            node = self.find(place)
            try:
                place = self.enter(node)
                if place == "":
                    return
            except (OSError, EOFError):
                place = None
            if place is None:
                time.sleep(0.1)
        raise AssertionError(f"{self.name} finds no leader")

    def find(self, place):
        for node in self.nodes:
            if place == node.place():
                return node
        self.next = (self.next + 1) % len(self.nodes)
        return self.nodes[self.next]

    def enter(self, node):
        """Where the leader is if not here, None if that is not known; "" once logged in."""
        # A first login whose answer is lost cannot be repeated.
        player = Player(name=self.name).connect(node.way or node.port,
                                                patience_s=self.silence_s if self.token else PATIENCE_S)
        greeting = player.expect(r"^(\* janggi/1 |! bye why=elsewhere)").string
        if greeting.startswith("!"):
            player.cut()
            found = re.search(r" at=(\S+)", greeting)
            return found[1] if found else None
        words = player.login(self.name, self.token)
        if not words.startswith("OK"):
            raise EOFError(words)
        self.token = player.token
        self.line, self.next = player, self.nodes.index(node)
        self.allow_silence(self.silence_s)
        return ""

    def allow_silence(self, seconds):
        """Sets how long a node may be silent."""
        self.line.socket.settimeout(seconds)

    def note(self, game):
        """Every event that was shown is the same each time that it is shown."""
        for line in self.line.seen:
            event = re.match(rf"! game {game} (\d+) (\S+ .*)$", line)
            if event and self.shown.setdefault(int(event[1]), event[2]) != event[2]:
                raise AssertionError(f"event {event[1]} was \"{self.shown[int(event[1])]}\", now \"{event[2]}\"")


class Pair(threading.Thread):
    """Two players who play the recorded game; a move that is not answered is sent again at the next leader."""

    def __init__(self, cluster, number, silence_s=SILENCE_S):
        super().__init__()
        self.cluster, self.number, self.is_over, self.error = cluster, number, False, None
        self.players = [Roamer(cluster.nodes, f"{name}{number}", number + i, silence_s)
                        for i, name in enumerate(("hong", "kim"))]
        self.game, self.played, self.acknowledged = None, 0, []
        self.waits, self.begun, self.ended, self.refusals = [], 0, 0, []
        self.begin_somewhere(PATIENCE_S, (OSError, EOFError), BEGINNINGS)
        for player in self.players:
            player.allow_silence(silence_s)

    def begin_somewhere(self, silence_s, errors, tries=None):
        """The leader may move meanwhile. Then the offer or its answer may be lost; a game that has begun by it is left
        alone."""
        while not self.is_over:
            try:
                for player in self.players:
                    player.allow_silence(silence_s)
                    player.line.ask("ping")
                self.begun = time.monotonic()
                self.begin()
                return
            except errors as error:
                self.refusals.append(str(error))
                if len(self.refusals) == tries:
                    raise
                for player in self.players:
                    player.line.cut()
                    player.come_in()
                    self.resign_all(player)

    def resign_all(self, player):
        """What began and was not heard of would be a second timed game."""
        try:
            for line in player.line.block("games mine")[0]:
                player.line.ask(f"resign {line.split()[1]}")
        except (OSError, EOFError):
            pass

    def begin(self):
        """As the recorded game begins, with a clock."""
        self.game = begin(*(player.line for player in self.players), "5m", ("NBNB", "BNNB"))

    def come_back(self, player):
        """To the leader, with the whole log of the game in view."""
        while True:
            try:
                player.note(self.game)
                player.line.cut()
                player.come_in()
                expect(player.line.ask(f"resume {self.game} 0"), "^OK")
                player.note(self.game)
                return
            except (OSError, EOFError):
                pass

    def move(self):
        """One move, until it is answered or seen to be stored."""
        _, ply, side, words = MOVES[self.played][:4]
        mover, other = self.players[side == "blue"], self.players[side == "red"]
        began = time.monotonic()
        number = self.played + 3
        while True:
            try:
                answer = mover.line.ask(f"move {self.game} {ply} {words}")
                if answer.startswith("OK"):
                    self.acknowledged.append(number)
                    break
                if "why=shutdown" not in answer:
                    raise AssertionError(f"{answer} to move {ply}")
                mover.line.expect("^! bye")
            except (OSError, EOFError):
                pass
            self.come_back(mover)
            if number in mover.shown:
                break
        self.waits.append((time.monotonic() - began, began))
        self.played += 1
        try:
            other.line.expect(rf"^! game {self.game} {number} move ")
        except (OSError, EOFError):
            self.come_back(other)

    def run(self):
        try:
            while not self.is_over and self.played < len(MOVES):
                self.move()
                time.sleep(PACE_S)
        except Exception as error:  # any error fails the proof
            self.error = error

    def end(self):
        self.is_over = True
        self.join(PATIENCE_S)
        if self.error is not None:
            raise self.error
        self.end_alone()

    def end_alone(self):
        self.ended, self.left_ms = time.monotonic(), self.clocks_ms()
        for player in self.players:
            player.note(self.game)

    def clocks_ms(self):
        """What both have left, once the present leader says so."""
        words = self.players[0].line.ask(f"clock {self.game}")
        return sum(int(ms) for ms in re.findall(r"_ms=(\d+)", words))


def check(cluster, pairs):
    """Nothing that was acknowledged or shown is missing, changed, or there twice. The number of events."""
    count = 0
    for pair in pairs:
        stored = cluster.events(pair.game)
        for number in pair.acknowledged:
            ply = MOVES[number - 3]
            if number >= len(stored) or not re.match(rf"move {ply[1]} {ply[2]} {ply[3]}\b", stored[number]):
                raise AssertionError(f"event {number} of game {pair.game} was acknowledged and is not stored")
        for player in pair.players:
            for number, text in player.shown.items():
                count += 1
                if number >= len(stored) or not text.startswith(stored[number].split(" :")[0]):
                    raise AssertionError(f"event {number} of game {pair.game} was shown as \"{text}\" and is "
                                         "not stored so")
        plies = [row.split()[1] for row in stored if row.startswith("move ")]
        if len(plies) != len(set(plies)):
            raise AssertionError(f"game {pair.game} has a move twice")
    return count


def play_through(cluster, fault, limit_s, silence_s=SILENCE_S, unnoticed_s=UNNOTICED_S):
    """Games go on while fault(leader, pairs) happens. Then everything that the clients know is compared with the log."""
    pairs = [Pair(cluster, number, silence_s) for number in range(PAIRS)]
    for pair in pairs:
        pair.start()
    wait_for_moves(pairs)
    began = time.monotonic()
    fault(cluster.leader(), pairs)
    wait_for_moves(pairs)
    for pair in pairs:
        pair.end()
    wait = max(wait for pair in pairs for wait, at in pair.waits if at + wait > began)
    count = check(cluster, pairs)
    check_clocks(pairs, unnoticed_s)
    print(f"# {len(pairs)} games, {sum(len(p.acknowledged) for p in pairs)} moves acknowledged, {count} events shown, "
          f"all stored; the longest wait was {wait:.2f} s")
    if wait > limit_s:
        raise AssertionError(f"a player has waited {wait:.2f} s, and the limit is {limit_s} s")
    return pairs


def wait_for_moves(pairs):
    marks = [pair.played for pair in pairs]
    wait_until(lambda: all(pair.error or pair.played > mark + 3 for pair, mark in zip(pairs, marks)),
               "the games do not go on")


def check_clocks(pairs, unnoticed_s):
    """Nobody is charged for the longest wait: the clocks have lost less than the rest of the game took."""
    for pair in pairs:
        wait = max(wait for wait, _ in pair.waits)
        rest_s = pair.ended - pair.begun - wait + unnoticed_s
        spent_s = 2 * 300 - pair.left_ms / 1000
        if spent_s > rest_s:
            raise AssertionError(f"game {pair.game}: the clocks have lost {spent_s:.1f} s, and without its longest "
                                 f"wait the game took {rest_s - unnoticed_s:.1f} s")


# --- The leader is lost, or leaves -------------------------------------------------------------


def the_leader_is_killed(directory, is_control=False):
    """The control: the other nodes are stopped for a while, so nobody takes over in time."""
    with cluster(directory) as made:
        def kill(leader, _):
            others = [node for node in made.nodes if node is not leader]
            for node in others if is_control else []:
                node.process.send_signal(signal.SIGSTOP)
            leader.process.kill()
            leader.process.wait()
            time.sleep(STOPPED_S if is_control else 0)
            for node in others if is_control else []:
                node.process.send_signal(signal.SIGCONT)
            made.wait_for_leader(leader)
        play_through(made, kill, NOTICED_S if is_control else LOST_S)


def the_leader_is_frozen(directory):
    """Later it wakes up, answers nothing that waited, ends, and is a standby when it is started again."""
    with cluster(directory) as made:
        def freeze(leader, pairs):
            stale = leader.process
            leader.process.send_signal(signal.SIGSTOP)
            nodes = [node for node in made.nodes if node is not leader]
            wait_until(lambda: any(node.status().get("role") == "leader" for node in nodes), "nobody takes over")
            wait_for_moves(pairs)
            leader.process.send_signal(signal.SIGCONT)
            if stale.wait(PATIENCE_S) != EX_TEMPFAIL:
                raise AssertionError(f"the stale leader ended with {stale.returncode}")
            wait_until(lambda: leader.status().get("role") == "standby", "the stale leader does not come back")
        play_through(made, freeze, LOST_S)


def the_leader_is_killed_and_the_clock_of_the_database_is_behind(directory):
    """As on a primary that was promoted, whose clock is 30 s behind that of the former one."""
    with cluster(directory) as made:
        def kill(leader, _):
            leader.process.send_signal(signal.SIGSTOP)
            made.primary.ask("UPDATE janggid.lease SET until = until + interval '30 s'")
            leader.process.kill()
            leader.process.wait()
            made.wait_for_leader(leader)
        play_through(made, kill, LOST_S)


def the_primary_hangs(directory):
    """And a standby of the database is promoted: the leader goes there as soon as its lease does."""
    pair = postgres.Pair(is_durable=True)
    SHARED.append(pair)
    with cluster(directory, kind=TwoHosts, options=("--store-sync", "outside")) as made:
        def hang(*_):
            hung = pair.primary
            hung.signal_all(signal.SIGSTOP)
            pair.standby.control("promote")
            pair.standby.database, pair.primary = hung.database, pair.standby
        play_through(made, hang, LOST_S)
    SHARED.remove(pair)


class TwoHosts(Cluster):
    """On a pair of its own, which the test may spoil."""

    def servers(self):
        self.spoiled = [SHARED[-1].primary, SHARED[-1].standby]
        return SHARED[-1]

    def url(self):
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.spoiled)
        return f"postgres://postgres@{hosts}/{self.primary.database}"

    def end(self):
        for node in self.nodes:
            node.is_supervised = False
            node.process.kill()
            node.process.wait()
        for server in self.spoiled:
            server.signal_all(signal.SIGCONT)
            server.kill()
            server.end()


def a_node_with_another_key_is_refused(directory):
    with cluster(directory, count=1) as made:
        leader = made.wait_for_leader()
        try:
            Server(os.path.join(directory, "stranger"), "--store", made.pair.url())
        except RuntimeError as error:
            expect(str(error), f"status {EX_DATABASE}: .*the node at {leader.place()} has another key")
        else:
            raise AssertionError("it started")
        leader.process.kill()
        leader.process.wait()
        Server(os.path.join(directory, "stranger"), "--store", made.pair.url()).stop()  # nobody leads


def the_leader_is_handed_over(directory):
    with cluster(directory) as made:
        def hand_over(leader, _):
            leader.process.send_signal(signal.SIGTERM)
            if leader.process.wait(PATIENCE_S) != 0:
                raise AssertionError("it ended with another status")
        play_through(made, hand_over, HANDED_OVER_S)


def the_leader_moves_round(directory):
    """An upgrade: each node ends and starts again."""
    with cluster(directory) as made:
        def roll(*_):
            for node in made.nodes:
                leader = made.wait_for_leader()
                node.process.send_signal(signal.SIGTERM)
                node.process.wait(PATIENCE_S)
                if node is leader:
                    made.wait_for_leader(leader)
                node.start()
        play_through(made, roll, LOST_S)


class ChargingCluster(Cluster):
    """Of servers that do not hold the clocks."""

    def serve(self, *words, **more):
        return super().serve(*words, program=os.path.join(FAULTS, "postgres_charging", "janggid"), **more)


def the_clocks_of_a_stopped_leader_run(directory):
    """The control of check_clocks(): a leader that is stopped, and that nobody can replace, charges its players."""
    def stop(leader, _):
        leader.process.send_signal(signal.SIGSTOP)
        time.sleep(UNNOTICED_S + 4)
        leader.process.send_signal(signal.SIGCONT)
    for number in range(5):
        with cluster(make_place(directory, number), kind=ChargingCluster, count=1) as made:
            pairs = play_through(made, stop, LOST_S, unnoticed_s=0)
        # A second long wait, of a disk that hangs, makes the game longer and not the clocks.
        if all(sorted(wait for wait, _ in pair.waits)[-2] < 1 for pair in pairs):
            break


def make_place(directory, number):
    place = os.path.join(directory, str(number))
    os.mkdir(place)
    return place


def an_event_is_missing(directory):
    """The control of check(): somebody deletes the last event from the log."""
    with cluster(directory, count=1) as made:
        pair = Pair(made, 0)
        for _ in range(3):
            pair.move()
        pair.end_alone()
        check(made, [pair])
        made.primary.ask(f"DELETE FROM janggid.event WHERE game = {pair.game} AND number = 5")
        check(made, [pair])


# --- The database -----------------------------------------------------------------------------


def the_leader_returns_first_after_an_outage(directory):
    """The primary is killed and started again after the lease has run out; the leader has three seconds, which may be too
    few for it beside other suites."""
    with cluster(directory) as made:
        outage = []

        def kill(leader, _):
            began = time.monotonic()
            made.primary.signal_all(signal.SIGKILL)
            time.sleep(LEASE_S + 1)  # nobody sees the end of a lease while the database is down
            made.primary.start()
            outage.append(time.monotonic() - began)
            if HAS_BARS:
                wait_until(lambda: leader.status().get("disk") == "good", "the leader does not return")
            if made.wait_for_leader() is not leader and HAS_BARS:
                raise AssertionError("another node has taken over")
        pairs = play_through(made, kill, PATIENCE_S, silence_s=PATIENCE_S)
        more_s = max(wait for pair in pairs for wait, _ in pair.waits) - outage[0]
        print(f"# the database was away for {outage[0]:.2f} s, and play waited {more_s:.2f} s longer")
        if more_s > (2 if HAS_BARS else PATIENCE_S):
            raise AssertionError(f"play did not go on for {more_s:.2f} s")


# --- The client -------------------------------------------------------------------------------


def the_client_follows(directory):
    """janggi comes through a standby, and finds the games there again after they have moved twice."""
    with cluster(directory) as made:
        leader = made.wait_for_leader()
        standby = next(node for node in made.nodes if node is not leader)
        done = janggi(directory, standby, "who")
        expect(done.stdout + done.stderr, "lee")
        if done.returncode != 0:
            raise AssertionError(f"janggi ended with {done.returncode}: {done.stderr}")
        wrong = janggi(directory, standby, "who", pin="SHA256:" + "A" * 43)
        if wrong.returncode == 0:
            raise AssertionError("another key was accepted")


def janggi(directory, node, script, pin=None):
    return subprocess.run([JANGGI, "--plain", "-n", "lee", "--pin", pin or node.key, "-c", script,
                           f"127.0.0.1:{node.port}"], text=True, capture_output=True, timeout=PATIENCE_S, check=False,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, HOME=directory, LC_ALL="C.UTF-8"))


def a_start_without_a_leader_waits_for_one(directory):
    """A caller of a standby is told to come back while no node has the games. Another cluster is tried if the standby has
    taken over before it was called: it had three seconds."""
    for number in range(5):
        with cluster(make_place(directory, number), count=2) as made:
            leader = made.wait_for_leader()
            seen = call_until_moved(made, leader)
            told = {"! bye why=elsewhere", f"! bye why=elsewhere at={leader.place()}"}
            others = {words for words in seen - told if not words.startswith(("* janggi/1", "! bye why=restart"))}
            if others:
                raise AssertionError(f"the callers were told {others}")
            if seen & told:
                return
    raise AssertionError("no caller was told to come back")


def a_browser_is_sent_to_the_leader(directory):
    """To the same page there; and told to wait while no node leads."""
    with cluster(directory, count=2, options=("--web", "play")) as made:
        leader = made.wait_for_leader()
        standby = next(node for node in made.nodes if node is not leader)
        answer = get(standby, "/game/7?embed")
        expect(f"{answer.status} {answer.headers['Location']}", f"^307 https://{leader.place()}/game/7\\?embed$")
        expect(answer.read().decode(), f"The games are on another machine: <a href=\"https://{leader.place()}/\">")
        leader.process.send_signal(signal.SIGSTOP)
        made.primary.ask("UPDATE janggid.lease SET at = ''")
        answer = get(standby, "/")
        while answer.status == 307:  # until it has seen that
            answer = get(standby, "/")
        expect(f"{answer.status} {answer.headers['Location']}", "^(503|200) None$")
        wait_until(lambda: get(standby, "/").status == 200, "the standby does not take over")


def get(node, path):
    web = http.client.HTTPSConnection("127.0.0.1", node.port, timeout=PATIENCE_S, context=tls_context())
    web.request("GET", path)
    return web.getresponse()


def call_until_moved(made, leader):
    """What callers of the standby are told from the loss of the leader until the standby has taken over."""
    standby = next(node for node in made.nodes if node is not leader)
    leader.process.kill()
    leader.process.wait()
    seen = set()

    def is_moved():
        player = Player().connect(standby)
        seen.add(re.sub(r" : .*", "", player.expect(r"^[*!] ").string))
        player.cut()
        return any(line.startswith("* janggi/1") for line in seen)
    wait_until(is_moved, "the standby does not take over")
    return seen


TESTS = [the_leader_is_killed, must_fail(the_leader_is_killed, "a player has waited"),
         the_leader_is_frozen,
         the_leader_is_killed_and_the_clock_of_the_database_is_behind,
         the_primary_hangs,
         a_node_with_another_key_is_refused,
         the_leader_is_handed_over,
         the_leader_moves_round,
         must_notice(the_clocks_of_a_stopped_leader_run, "the clocks have lost"),
         must_notice(an_event_is_missing, "is missing|is not stored"),
         the_leader_returns_first_after_an_outage,
         the_client_follows,
         a_start_without_a_leader_waits_for_one,
         a_browser_is_sent_to_the_leader]


class Trial(Cluster):
    """Three machines on one."""
    has_three = True


def trial():
    """For people: until Ctrl-C."""
    directory = tempfile.mkdtemp(prefix="janggi-cluster-")
    try:
        with cluster(directory, kind=Trial) as made:
            for node in made.nodes:
                print(f"{node.status()['role']:5} janggi janggi://127.0.0.1:{node.port}/watch/{node.key[:22]}"
                      f"    janggid ctl status --data {node.data}")
            print("Ctrl-C ends all.", flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    if postgres.folder() is None or not os.path.exists(os.path.join(BUILD, "janggid-postgres.so")):
        print("ok nodes # SKIP PostgreSQL or libpq is missing: sh tests/deps.sh cluster")
        print("PostgreSQL or libpq is missing, so the nodes were NOT tested: sh tests/deps.sh cluster", file=sys.stderr)
        sys.exit(0)
    status = 0
    try:
        if sys.argv[2:] == ["--trial"]:
            trial()
        else:
            status = run(TESTS)
    finally:
        for pair in SHARED:
            pair.end()
    sys.exit(status)
