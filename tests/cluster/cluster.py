#!/usr/bin/env python3
"""janggid --store postgres://... on a real primary with a synchronous standby, both on loopback. Clients keep
lists of what they were answered and shown, and after each fault the table event is compared with them.

    python3 tests/cluster/cluster.py BUILD [TEST ...]
    STORM_S=600 python3 tests/cluster/cluster.py BUILD what_was_acknowledged_survives_a_storm

Without PostgreSQL it skips, and says so. A control is the same test with a library in which one rule is broken
(tests/proof/fault/postgres_*.c); it must fail.
"""
import collections
import contextlib
import os
import random
import re
import select
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import held_port  # noqa: E402 (found beside this file only now)
import postgres  # noqa: E402
from hosting import BUILD, JANGGID, PATIENCE_S, Player, Refused, Server, begin, expect, run, wait_until  # noqa: E402
from players import recorded_game  # noqa: E402
from relay import Relay  # noqa: E402

FAULTS = os.path.join(BUILD, "tests", "proof", "fault")
STORM_S = float(os.environ.get("STORM_S", "15"))
EX_DAMAGED, EX_DATABASE, EX_IOERR, EX_TEMPFAIL = 1, 73, 74, 75


MOVES = [event.split() for event in recorded_game() if event.startswith("move ")]


SHARED = []  # the pair that tests use one after the other, each with a database of its own


def shared_pair():
    if not SHARED:
        SHARED.append(postgres.Pair())
    return SHARED[0]


def wait_for_games(server):
    """Waits until a started server has the games: where the lease takes seconds to write, it starts as a standby."""
    wait_until(lambda: server.status().get("role") == "leader", "the server does not get the games")


class House:
    """PostgreSQL, a relay to its primary, and janggid. is_own: a pair that the test may spoil."""

    def __init__(self, directory, *options, is_own=False, has_standby=True, fault=None):
        self.is_own = is_own or not has_standby
        self.pair = postgres.Pair(has_standby) if self.is_own else shared_pair()
        self.primary, self.standby = self.pair.primary, self.pair.standby
        self.pair.make_database()
        self.relay = Relay(self.primary.port)
        self.program = os.path.join(FAULTS, fault, "janggid") if fault else JANGGID
        self.options, self.directory, self.servers = options, directory, []

    def url(self, port=None):
        return f"postgres://postgres@127.0.0.1:{port or self.relay.port}/{self.primary.database}"

    def serve(self, name="d", port=None, is_second=False, **more):
        """Starts a server and waits until it has the games. is_second: another server has them."""
        data = os.path.join(self.directory, name)
        if self.servers and not os.path.exists(data):  # all nodes have one key
            os.mkdir(data, 0o700)
            for file in ("key.pem", "cert.pem"):
                shutil.copy(os.path.join(self.servers[0].data, file), data)
        server = Server(data, "--store", self.url(port), *self.options,
                        program=self.program, **more)
        self.servers.append(server)
        if not is_second:
            wait_for_games(server)
        return server

    def end(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.process.kill()
                server.process.wait()
        self.relay.end()
        if self.is_own:
            self.pair.end()
        else:
            self.pair.mend()

    def events(self, game):
        return self.primary.events(game)


@contextlib.contextmanager
def house(directory, *options, **more):
    made = House(directory, *options, **more)
    try:
        yield made
    finally:
        made.end()


class Pairing:
    """Two players and the recorded game, which they play move by move."""

    def __init__(self, server, number=0):
        self.names = (f"hong{number}", f"kim{number}")
        self.players = [Player(server, name) for name in self.names]
        self.game = self.begin()
        self.played = 0

    def begin(self):
        """As the recorded game begins, with a clock."""
        return begin(*self.players, "10m", ("NBNB", "BNNB"))

    def say(self):
        """The next move, without waiting; the player who says it."""
        _, ply, side, move = MOVES[self.played][:4]
        mover = self.players[side == "blue"]
        mover.say(f"move {self.game} {ply} {move}")
        return mover

    def hear(self, mover):
        expect(mover.expect(r"^(?:OK|ERR) ").string, r"^OK move ")
        self.played += 1
        for player in self.players:
            player.expect(rf"^! game {self.game} {self.played + 2} move ")

    def move(self, count=1):
        for _ in range(count):
            self.hear(self.say())

    def come_back(self, server):
        """The same two, after the server or their connections were lost."""
        self.players = [Player(server, name, player.token)
                        for name, player in zip(self.names, self.players)]
        for player in self.players:
            expect(player.ask(f"resume {self.game} 0"), "^OK")

    def seen(self):
        """Number and text of each event that one of them was shown."""
        found = {}
        for player in self.players:
            for line in player.seen:
                event = re.match(rf"! game {self.game} (\d+) (\S+ .*)$", line)
                if event:
                    found[int(event[1])] = event[2]
        return found


def check(home, pairing):
    """All that was shown is stored, unchanged."""
    stored = home.events(pairing.game)
    if len(stored) < pairing.played + 3:
        raise AssertionError(f"{pairing.played} moves were acknowledged, {len(stored) - 3} are stored")
    for number, text in pairing.seen().items():
        if number >= len(stored) or not text.startswith(stored[number].split(" :")[0]):
            raise AssertionError(f"event {number} was shown as \"{text}\" and is not stored so")


def wait_for_commit(home):
    """Until the writer waits for the standby, which is stopped."""
    home.primary.wait_for("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND "
                          "application_name = 'janggid writer'", "t")


def read_what_is_there(player):
    """Reads lines without waiting for more. False: the connection has ended."""
    player.socket.settimeout(0)
    try:
        while player.read():
            pass
        return False
    except ssl.SSLWantReadError:
        return True
    finally:
        player.socket.settimeout(PATIENCE_S)


def no_line_while(player, seconds, pattern, why):
    """Nothing that matches comes; waiting some time is the only way to see that. A control, to which it comes, waits
    with patience."""
    end, is_open = time.monotonic() + seconds, True
    while is_open and select.select([player.socket], [], [], max(0, end - time.monotonic()))[0]:
        is_open = read_what_is_there(player)
        found = [line for line in player.seen[player.at:] if re.search(pattern, line)]
        if found:
            raise AssertionError(f"{why}: {found[0]}")


def no_answer_while(player, seconds):
    no_line_while(player, seconds, "^OK move", "it was answered before it was durable")


def must_fail(test, words):
    """The control of a test: with a broken rule it fails, and for this reason."""
    def control(directory):
        try:
            test(directory, is_control=True)
        except (AssertionError, Refused) as error:
            expect(str(error), words)
            print(f"# as it must, it failed: {str(error).splitlines()[0]}")
            return
        raise AssertionError("it did not notice the broken rule")
    control.__name__ = test.__name__ + "_or_it_is_noticed"
    return control


# --- The usual life --------------------------------------------------------------------------


def a_game_survives_restarts_and_kill_9(directory):
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(5)
        server.process.kill()
        server.process.wait()
        server.players.clear()
        server.start()
        wait_for_games(server)
        pairing.come_back(server)
        pairing.move(5)
        server.stop()
        server.start()
        wait_for_games(server)
        pairing.come_back(server)
        pairing.move(len(MOVES) - 10)
        check(home, pairing)
        hong = pairing.players[0]
        rows, _ = hong.block("history")
        expect("\n".join(rows), rf"\b{pairing.game}\b")
        expect(home.primary.ask(f"SELECT is_over FROM janggid.game WHERE id = {pairing.game}"), "^1$")


def the_primary_is_killed_and_comes_back(directory):
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.primary.signal_all(signal.SIGKILL)
        mover = pairing.say()
        mover.expect("^! notice why=storage-away")
        wait_until(lambda: server.status()["disk"] == "away", "ctl status does not say so")
        home.primary.wait_for_end()
        home.primary.start()
        pairing.hear(mover)
        pairing.move(3)
        check(home, pairing)


# --- The rules -------------------------------------------------------------------------------


# The server uses each connection once in a second. If it does so between "hold" and the batch, another move is tried.
TRIES = 5


def a_batch_of_unknown_outcome_is_stored_once(directory, is_control=False):
    """Rules 1 and 2: the primary has committed, and the connection is cut before it says so."""
    with house(directory, fault="postgres_changing" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        for _ in range(TRIES):
            home.relay.do("hold down")
            mover = pairing.say()
            is_sent = is_stored(home, pairing)
            if is_sent:
                home.relay.do("cut")
            home.relay.do("flow")
            pairing.hear(mover)
            if is_sent and "doubt=stored" in server.log():
                break
        pairing.move(3)
        check(home, pairing)
        expect(server.log(), "doubt=stored")


def is_stored(home, pairing):
    """Waits some seconds for the move that was said, which is not stored if the server waits for an earlier answer."""
    end, wanted = time.monotonic() + 10, pairing.played + 4
    while time.monotonic() < end:
        if len(home.events(pairing.game)) == wanted:
            return True
        time.sleep(0.05)
    return False


def a_batch_that_did_not_arrive_is_sent_again(directory):
    """Rules 1 and 2: the connection is cut before the primary has the batch."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        for _ in range(TRIES):
            home.relay.do("hold up")
            mover = pairing.say()
            home.relay.hear("held up")
            home.relay.do("cut")
            home.relay.do("flow")
            pairing.hear(mover)
            if "doubt=not-stored" in server.log():
                break
        pairing.move(3)
        check(home, pairing)
        expect(server.log(), "doubt=not-stored")


def a_game_pruned_by_a_batch_of_unknown_outcome_is_reported(directory):
    """The answer with the number of games is lost with the connection."""
    with house(directory) as home:
        server = home.serve()
        expect(Pairing(server).players[0].ask("resign 1"), "^OK resign")
        Pairing(server, 1)
        server.stop()
        server.start()
        wait_for_games(server)
        expect(server.ctl("mute", "kim0", "for=1h", "noise")[1], "kim0")  # what the start has written is stored now
        home.standby.signal_all(signal.SIGSTOP)
        asked = subprocess.Popen([JANGGID, "ctl", "--data", server.data, "prune", "game", "1"], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_for_commit(home)
        home.relay.do("cut")
        home.standby.signal_all(signal.SIGCONT)
        said = asked.communicate(timeout=PATIENCE_S)[0]
        # If the database is away for 2 s, the answer does not wait for it.
        expect(said, {0: "game 1 is deleted, if it was there", 75: "It is done, and is stored when"}[asked.returncode])
        wait_until(lambda: "doubt=stored" in server.log(), "the batch is in doubt")
        wait_until(lambda: home.primary.ask("SELECT count(*) FROM janggid.game WHERE id = 1") == "0",
                   "the game is there")


def acts_that_one_commit_changes_twice_keep_their_chain(directory):
    """The seal of an act covers the act before it, also if the same commit has put that one."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        asked = []

        def wait_for_act(kind, count):
            wait_until(lambda: len(re.findall(f" act .*kind={kind} ", server.log())) == count, f"no {kind}")

        for count in (1, 2):
            if count == 1:  # what comes after this move waits, and shares the next commit
                home.standby.signal_all(signal.SIGSTOP)
                mover = pairing.say()
                wait_for_commit(home)
            pairing.players[0].say(f"report kim0 insult {count}")
            wait_for_act("report", count)
            asked.append(subprocess.Popen([JANGGID, "ctl", "--data", server.data, "prune", "reports", "0"],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_for_act("prune", count)
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        for process in asked:
            process.wait(PATIENCE_S)
        wait_until(lambda: home.primary.ask("SELECT count(*) FROM janggid.act") == "4", "not all acts are stored")
        server.stop()
        server.start()
        wait_for_games(server)
        expect(server.ctl("audit")[1], "audit count=2")
        pairing.come_back(server)
        check(home, pairing)


def an_act_of_a_batch_of_unknown_outcome_is_chained_as_before(directory):
    """Rule 2: the batch has put the first act of this server, and then changed the act before that one."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        expect(pairing.players[0].ask("report kim0 insult 1"), "^OK report")
        server.stop()
        server.start()
        wait_for_games(server)
        pairing.come_back(server)
        home.standby.signal_all(signal.SIGSTOP)
        mover = pairing.say()
        wait_for_commit(home)
        pairing.players[0].say("report kim0 insult 2")  # it waits for that commit, as the prune does
        wait_until(lambda: server.log().count("kind=report") == 2, "no report")
        asked = subprocess.Popen([JANGGID, "ctl", "--data", server.data, "prune", "reports", "0"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: "kind=prune" in server.log(), "no prune")
        home.relay.do("hold up")
        home.standby.signal_all(signal.SIGCONT)
        expect(str(is_stored(home, pairing)), "True")
        home.standby.signal_all(signal.SIGSTOP)
        home.relay.do("flow")
        wait_for_commit(home)
        home.relay.do("cut")
        home.standby.signal_all(signal.SIGCONT)
        asked.wait(PATIENCE_S)
        pairing.hear(mover)
        wait_until(lambda: "doubt=stored" in server.log(), "the batch is in doubt")
        pairing.move()
        server.stop()
        server.start()
        wait_for_games(server)
        expect(server.ctl("audit")[1], "audit count=1")


def a_stale_owner_ends(directory):
    """Rule 1: a server that was stopped until another one has taken over stores nothing, answers nothing that waited,
    sends its callers to the other one, and ends. Started again it is a standby, and leads when the other one ends."""
    with house(directory) as home:
        old = home.serve("old")
        pairing = Pairing(old)
        pairing.move(3)
        old.process.send_signal(signal.SIGSTOP)
        new = home.serve("new", is_second=True)
        wait_until(lambda: "start games=1" in new.log(), "the new server does not take over")
        mover = pairing.say()
        old.process.send_signal(signal.SIGCONT)
        rest = mover.expect_end()
        expect(rest[-1], f"^! bye why=elsewhere at={place_of(new)} ")
        if any(line.startswith(("OK move", "ERR")) for line in rest):
            raise AssertionError(f"the stale owner has answered: {rest}")
        if old.process.wait(PATIENCE_S) != EX_TEMPFAIL:
            raise AssertionError(f"the stale owner ended with {old.process.returncode}")
        old.start()
        expect(farewell(old), f"^! bye why=elsewhere at={place_of(new)} ")
        expect(old.ctl("who")[2], f"does not have the games; ask the one at {place_of(new)}")
        if len(home.events(pairing.game)) != pairing.played + 3:
            raise AssertionError("the stale owner has stored a move")
        pairing.come_back(new)
        pairing.move(3)
        for player in pairing.players:
            player.cut()
        new.players.clear()
        new.stop()
        wait_until(lambda: old.status().get("role") == "leader", "the old server does not take over again")
        pairing.come_back(old)
        pairing.move(3)
        check(home, pairing)


def place_of(server):
    return f"127.0.0.1:{server.port}"


def farewell(server):
    """The first line that a caller gets."""
    return Player().connect(server).expect_end()[0]


def a_commit_whose_key_is_taken_stores_nothing(directory, is_control=False):
    """Rule 1: the connection is whole, and another server has written its epoch row."""
    with house(directory, fault="postgres_unfenced" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.primary.ask("INSERT INTO janggid.batch SELECT seq + 1, seq + 1, decode(repeat('77', 16), 'hex'), "
                         f"last_game, age_ms, seal FROM janggid.batch WHERE seq < {1 << 40} "
                         "ORDER BY seq DESC LIMIT 1")
        mover = pairing.say()
        no_answer_while(mover, PATIENCE_S if is_control else 2)
        expect(mover.expect_end()[-1], "^! bye why=elsewhere ")
        expect(server.log(), "another janggid has taken over")
        if len(home.events(pairing.game)) != pairing.played + 3:
            raise AssertionError("the stale owner has stored a move")


class HalfSent:
    """A connection of a server that has vanished after the first messages of a commit, in PostgreSQL's own protocol:
    its backend waits for more, and holds the next key of the fence."""

    def __init__(self, home):
        self.socket = socket.create_connection(("127.0.0.1", home.primary.port), PATIENCE_S)
        words = ("user", "postgres", "database", home.primary.database, "application_name", "janggid writer")
        start = struct.pack("!i", 196608) + b"".join(word.encode() + b"\0" for word in words) + b"\0"
        self.socket.sendall(struct.pack("!i", len(start) + 4) + start)
        for statement in ("BEGIN", "INSERT INTO janggid.batch SELECT seq + 1, epoch, node, last_game, age_ms, seal "
                                   "FROM janggid.batch ORDER BY seq DESC LIMIT 1"):
            self.send(b"P", b"\0" + statement.encode() + b"\0\0\0")
            self.send(b"B", b"\0\0" + struct.pack("!hhh", 0, 0, 0))
            self.send(b"E", b"\0" + struct.pack("!i", 0))
        home.primary.wait_for("SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND "
                              "wait_event = 'ClientRead' AND state = 'active'", "1")

    def send(self, kind, body):
        self.socket.sendall(kind + struct.pack("!i", len(body) + 4) + body)


def a_half_sent_commit_keeps_nobody_out(directory):
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        server.process.kill()
        server.process.wait()
        server.players.clear()
        vanished = HalfSent(home)
        start_again(server)
        expect(server.log(), "a commit was half sent")
        pairing.come_back(server)
        pairing.move(3)
        check(home, pairing)
        vanished.socket.close()


def a_second_server_sends_its_callers_to_the_first(directory):
    with house(directory) as home:
        first = home.serve()
        second = home.serve("second", is_second=True)
        expect(farewell(second), f"^! bye why=elsewhere at={place_of(first)} : ")
        expect(second.status()["role"], "^standby$")
        expect(second.status()["leader"], f"^{place_of(first)}$")
        expect(first.status()["role"], "^leader$")
        wait_until(lambda: first.status()["epoch"] == second.status()["epoch"] != "0", "the epochs differ")
        expect(second.ctl("health")[1], f"sends players to {place_of(first)}")
        if second.stop() != 0:
            raise AssertionError("it ended with another status")
        Pairing(first).move(2)


def tables_of_another_version_are_refused(directory):
    """A later one, and the older ones of versions that were never released."""
    with house(directory) as home:
        server = home.serve()
        server.stop()
        for change in (1, -2):
            home.primary.ask(f"UPDATE janggid.schema SET version = version + {change}")
            try:
                server.start()
            except RuntimeError as error:
                expect(str(error), f"status {EX_DATABASE}")
                expect(str(error), "made by another version of janggid")
            else:
                raise AssertionError("it started")


def verify(home, status=0):
    """Standard output. It is done again while a disk that hangs keeps the database from answering in time."""
    end, is_late = time.monotonic() + PATIENCE_S, True
    while is_late:
        done = subprocess.run([JANGGID, "verify", "--store", home.url()], text=True, capture_output=True,
                              timeout=PATIENCE_S, check=False)
        is_late = done.returncode != status and "no answer" in done.stderr and time.monotonic() < end
    if done.returncode != status:
        raise AssertionError(f"verify ended with status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def a_lost_last_event_is_noticed(directory):
    """The lists in batch say which events must exist; a number is not used again."""
    with house(directory) as home:
        server = home.serve()
        pairing, other = Pairing(server), Pairing(server, 1)
        pairing.move(3)
        server.players.clear()
        server.stop()
        verify(home)
        lost = pairing.played + 2
        home.primary.ask(f"DELETE FROM janggid.event WHERE game = {pairing.game} AND number = {lost}")
        expect(verify(home, EX_DAMAGED), f"damaged game={pairing.game} event={lost}")
        for _ in range(2):  # the first start lists all running games again
            server = home.serve()
            expect(server.log(), f"game={pairing.game} damaged-from-event={lost} ")
            server.stop()
        server = home.serve()
        other.come_back(server)
        other.move(1)
        expect(Player(server, "park").ask(f"watch {pairing.game}"), f"^OK watch .* events={lost} .* running=-")
        expect(server.ctl("end", str(pairing.game), "none", "the", "disk")[1], f"game {pairing.game} is over")
        expect(home.primary.ask(f"SELECT max(number) FROM janggid.event WHERE game = {pairing.game}"), f"^{lost + 1}$")
        expect(verify(home, EX_DAMAGED), f"damaged game={pairing.game} event={lost}")


def lists_are_kept_when_batches_are_trimmed(directory):
    """After a start all running games are listed, so older rows of batch are not needed."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        server.players.clear()
        server.stop()
        server = home.serve()
        server.stop()
        listed = home.primary.ask("SELECT max(seq) FROM janggid.batch WHERE games IS NOT NULL")
        home.primary.ask(f"DELETE FROM janggid.batch WHERE seq < {listed};"
                         f"DELETE FROM janggid.event WHERE game = {pairing.game} AND number = {pairing.played + 2}")
        expect(verify(home, EX_DAMAGED), f"damaged game={pairing.game} event={pairing.played + 2}")


def an_end_that_changes_no_row_is_not_stored(directory):
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        stored = len(home.events(pairing.game))
        home.primary.ask(f"DELETE FROM janggid.game WHERE id = {pairing.game}")
        red = pairing.players[0]
        red.say(f"resign game={pairing.game}")
        if any(line.startswith("OK resign") for line in red.expect_end()):
            raise AssertionError("it was answered")
        if server.process.wait(PATIENCE_S) != EX_IOERR:
            raise AssertionError("it ended with another status")
        expect(server.log(), "sqlstate=22012")
        if len(home.events(pairing.game)) != stored:
            raise AssertionError("the end is stored")


def a_history_is_not_shown_before_it_is_durable(directory):
    """Rule 3: what is read later is not trusted before a later commit of the same connection."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(2)
        reader = Player(server, "park")
        expect(reader.ask("history hong0"), "^OK history")
        home.standby.signal_all(signal.SIGSTOP)
        reader.say("history kim0")
        home.primary.wait_for("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND "
                              "application_name = 'janggid reader'", "1")
        home.standby.signal_all(signal.SIGCONT)
        reader.expect("^OK history")


def a_url_that_cannot_be_used_is_refused(directory):
    for url, words in (("postgres://me:secret@127.0.0.1/janggi", "must not contain the password"),
                       ("postgres://127.0.0.1/janggi?sslpassword=secret", "must not contain the password"),
                       ("postgres://me:sec%ret@127.0.0.1/janggi", "invalid percent-encoded token"),
                       ("postgres://me:secret@[::1/janggi", "IPv6 host address"),
                       ("postgres:///janggi?host=/run/postgresql", "needs a host name"),
                       ("postgres://127.0.0.1/janggi?colour=blue", "colour")):
        try:
            Server(os.path.join(directory, "d"), "--store", url)
        except RuntimeError as error:
            expect(str(error), f"status {EX_DATABASE}")
            expect(str(error), words)
            if re.search("sec(%r|r)et", str(error)):
                raise AssertionError(f"the log shows the password of {url}")
        else:
            raise AssertionError(f"{url} was accepted")


def complaints(server):
    """The lines in the log about an outage, by role."""
    return collections.Counter(re.findall(r"postgres=away role=(\w+)", server.log()))


def returns(server):
    """The lines in the log about the end of an outage, by role."""
    return collections.Counter(re.findall(r"postgres=back role=(\w+)", server.log()))


NO_ANSWER = 'why="no answer'  # a complaint about a disk that hangs


def each_host_is_complained_of_once(directory):
    """In each outage, however often it is tried again; all roles say that they are back."""
    with house(directory) as home:
        closed = held_port.keep()
        home.url = lambda port=None: (f"postgres://postgres@127.0.0.1:{home.relay.port},127.0.0.1:{closed}/"
                                      f"{home.primary.database}")
        server = home.serve()
        pairing = Pairing(server)
        for outage in (1, 2):
            pairing.move(3)
            known, known_back, answers_missed = complaints(server), returns(server), server.log().count(NO_ANSWER)
            home.relay.do("shut")
            home.relay.do("cut")
            mover = pairing.say()
            no_answer_while(mover, 4)
            wait_until(lambda known=known: {"writer", "lease"} <= set(complaints(server) - known),
                       f"in outage {outage} it does not complain")
            new = complaints(server) - known
            answers_missed = server.log().count(NO_ANSWER) - answers_missed
            if max(new.values()) > 3 + 2 * answers_missed:  # the cut, and each host; after NO_ANSWER a host's again
                raise AssertionError(f"in outage {outage} it complained {dict(new)}")
            home.relay.do("open")
            pairing.hear(mover)
            for role in new:
                wait_until(lambda role=role, before=known_back: returns(server)[role] > before[role] or
                           role == "reader", f"the {role} does not say that it is back")
        check(home, pairing)


def a_host_that_does_not_answer_is_passed_over(directory):
    """The first host of the URL accepts connections and is silent, like a machine that hangs."""
    with house(directory) as home, socket.create_server(("127.0.0.1", 0)) as silent:
        url = (f"postgres://postgres@127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{home.relay.port}/"
               f"{home.primary.database}")
        server = Server(os.path.join(directory, "d"), "--store", url)
        home.servers.append(server)
        wait_for_games(server)
        pairing = Pairing(server)
        pairing.move(3)
        home.relay.do("cut")
        pairing.move(3)
        check(home, pairing)


def a_server_that_ends_does_not_wait_for_the_standby(directory):
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.standby.signal_all(signal.SIGSTOP)
        pairing.say()
        wait_for_commit(home)
        if server.stop() != 0:
            raise AssertionError("it ended with another status")
        expect(server.log(), "no answer before the server had to end|role=writer why=\"no answer; is a standby missing")
        expect(server.log(), "unwritten=")


def a_warning_is_not_an_acknowledgement(directory, is_control=False):
    """Rule 4: the wait for the standby is cancelled by somebody else; PostgreSQL reports success."""
    with house(directory, fault="postgres_trusting" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.standby.signal_all(signal.SIGSTOP)
        mover = pairing.say()
        wait_for_commit(home)
        home.primary.ask("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        no_answer_while(mover, PATIENCE_S if is_control else 3)
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        check(home, pairing)


def nothing_is_acknowledged_without_the_standby(directory, is_control=False):
    """The commit waits. The control does not demand a standby, as with asynchronous replication."""
    with house(directory, *(["--store-sync", "outside"] if is_control else [])) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        if is_control:
            home.pair.demand_standby("")
        home.standby.signal_all(signal.SIGSTOP)
        mover = pairing.say()
        if not is_control:
            wait_for_commit(home)
        no_answer_while(mover, PATIENCE_S if is_control else 2)
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        check(home, pairing)


def the_library_cancels_nothing(directory, is_control=False):
    """Rule 5."""
    library = os.path.join(*([FAULTS, "postgres_cancelling"] if is_control else [BUILD]), "janggid-postgres.so")
    needed = subprocess.run(["nm", "-D", "--undefined-only", library], check=True, text=True,
                            capture_output=True).stdout
    expect(needed, "PQsendQueryPrepared")
    if re.search(r"PQ\w*[Cc]ancel", needed):
        raise AssertionError("it can cancel a statement")


def a_log_that_lost_data_ends_the_server(directory, is_control=False):
    """Rule 6: the database is restored from a copy that is too old."""
    with house(directory, "--store-sync", "outside", has_standby=False,
               fault="postgres_forgetting" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        restore = restore_older(home.primary)
        pairing.move(3)
        came = server.log().count("doubt=")
        restore()
        wait_until(lambda: server.process.poll() is not None or server.log().count("doubt=") > came,
                   "it does not come back")
        if server.process.poll() is None:
            raise AssertionError("a log that lost data goes on")
        if server.process.wait(PATIENCE_S) != EX_IOERR:
            raise AssertionError("it ended with another status")
        expect(server.log(), "it has lost data")


def restore_older(primary):
    """Returns a function that puts the data of the primary back to what they are now."""
    path = primary.path
    primary.stop()
    subprocess.run(["cp", "-a", path, path + ".old"], check=True)
    primary.start()

    def restore():
        primary.stop("immediate")
        os.rename(path, path + ".new")
        os.rename(path + ".old", path)
        primary.start()
    return restore


def refused(server):
    """What a server says that does not start on a log that lost data, twice."""
    for _ in range(2):
        try:
            server.start(is_patient=False)
        except RuntimeError as error:
            expect(str(error), f"status {EX_DATABASE}")
            expect(str(error), "it has lost data")
        else:
            raise AssertionError("a log that lost data goes on")
    status, _, said = server.ctl("health")
    expect(said, r"has lost data: it ends with batch \d+, and batch \d+ was acknowledged")
    if status == 0:
        raise AssertionError("it is healthy")


def a_log_behind_a_witness_is_refused_until_the_loss_is_accepted(directory):
    """By the server that wrote it, and by the standby that only heard of it."""
    with house(directory, "--store-sync", "outside", has_standby=False) as home:
        server = home.serve()
        other = home.serve("other", is_second=True)
        pairing = Pairing(server)
        restore = restore_older(home.primary)
        pairing.move(4)
        wait_until(lambda: witness(other) == witness(server) > 5, "the standby hears nothing of the moves")
        restore()
        if server.process.wait(PATIENCE_S) != EX_IOERR:
            raise AssertionError("it ended with another status")
        server.players.clear()
        wait_until(lambda: "lost data" in other.ctl("health")[2] and other.ctl("health")[0] != 0,
                   "the standby does not say so")
        if other.status()["role"] != "standby":
            raise AssertionError("the standby takes a log that lost data")
        other.stop()
        refused(server)
        refused(other)
        server.options += ("--accept-loss",)
        server.start()
        wait_for_games(server)
        server.stop()
        server.options = server.options[:-1]
        server.start()
        wait_for_games(server)
        if server.ctl("health")[0] != 0:
            raise AssertionError("it is not healthy")
        server.stop()
        refused(other)


def witness(server):
    """The number of the batch that a server knows to be acknowledged."""
    with open(os.path.join(server.data, "witness"), encoding="ascii") as file:
        return int(re.match(r"batch=(\d+) ", file.read() or "batch=0 ")[1])


def an_old_primary_that_came_back_is_not_taken(directory):
    """The first host of the URL has been replaced by the second one, and both can be written."""
    with house(directory, "--store-sync", "outside", is_own=True) as home:
        old, new = home.primary, home.standby
        home.url = lambda port=None: (f"postgres://postgres@127.0.0.1:{old.port},127.0.0.1:{new.port}/"
                                      f"{old.database}")
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        old.kill()
        new.configure("fsync = on")
        new.control("reload")
        new.control("promote")
        new.database = old.database
        home.primary = new
        server.process.kill()
        server.process.wait()
        server.players.clear()
        server.start()
        wait_for_games(server)
        pairing.come_back(server)
        pairing.move(3)
        for player in pairing.players:
            player.cut()
        server.players.clear()
        server.stop()
        old.start()
        os.remove(os.path.join(server.data, "witness"))  # a node that does not know which log is the later one
        server.start()
        wait_for_games(server)
        pairing.come_back(server)
        pairing.move(3)
        check(home, pairing)


def two_servers_that_can_be_written_are_waited_for(directory):
    """A copy of the primary that nobody promoted has the same timeline. Moves wait until one of the two has ended."""
    with house(directory, "--store-sync", "outside", is_own=True) as home:
        copy = home.standby
        home.url = lambda port=None: (f"postgres://postgres@127.0.0.1:{home.relay.port},127.0.0.1:{copy.port}/"
                                      f"{home.primary.database}")
        home.pair.demand_standby("")
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        copy.stop()
        os.remove(copy.path + "/standby.signal")
        copy.start()
        home.relay.do("cut")
        mover = pairing.say()
        wait_until(lambda: "role=writer why=\"127.0.0.1:" in server.log() and "can both be written" in server.log(),
                   "it does not say why it waits")
        wait_until(lambda: server.status()["disk"] == "away", "ctl status does not say so")
        copy.stop("immediate")
        pairing.hear(mover)
        pairing.move(2)
        check(home, pairing)


def a_standby_is_not_served_from(directory):
    """Rule 7."""
    with house(directory) as home:
        try:
            home.serve(port=home.standby.port)
        except RuntimeError as error:
            expect(str(error), f"status {EX_TEMPFAIL}")
        else:
            raise AssertionError("it started")


def synchronous_standbys_are_demanded(directory):
    """Rule 8, at the start and later. store-sync = outside is the host's word for it."""
    with house(directory, has_standby=False) as home:
        try:
            home.serve("refused")
        except RuntimeError as error:
            expect(str(error), "synchronous_standby_names is empty")
        else:
            raise AssertionError("it started")
        home.options = ("--store-sync", "outside")
        Pairing(home.serve("outside")).move(2)


def play_stops_while_standbys_are_not_demanded(directory, is_control=False):
    """Rule 8, later: also when nobody moves."""
    with house(directory, fault="postgres_unchecked" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(2)
        home.pair.demand_standby("")
        if not is_control:
            pairing.players[0].expect("^! notice why=storage-away")
        rows = home.primary.ask("SELECT count(*) FROM janggid.batch")
        mover = pairing.say()
        no_answer_while(mover, PATIENCE_S if is_control else 2)
        if home.primary.ask("SELECT count(*) FROM janggid.batch") != rows:
            raise AssertionError("the log grows while it is tried again")
        home.pair.demand_standby(home.pair.demanded)
        pairing.hear(mover)
        check(home, pairing)


def clocks_stop_while_the_primary_does_not_answer(directory):
    """Also that of a player for whom nothing waits; they run again when it answers."""
    with house(directory) as home:
        server = home.serve()
        pairing, other = Pairing(server), Pairing(server, 1)
        for each in (pairing, other):
            each.move(2)
        home.standby.signal_all(signal.SIGSTOP)
        mover, thinker = pairing.say(), other.players[0]
        thinker.expect(rf"^! clock game={other.game} .*running=-")
        thinker.expect("^! notice why=storage-slow")
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        thinker.expect(rf"^! clock game={other.game} .*running=(red|blue)")
        thinker.expect("^! notice why=storage-back")
        for each in (pairing, other):
            each.move(2)
            check(home, each)


def a_history_delays_no_commit(directory, is_control=False):
    """Rule 9: reading waits for a lock, and moves go on."""
    with house(directory, fault="postgres_queueing" if is_control else None) as home:
        server = home.serve()
        pairing, reader = Pairing(server), Player(server, "park")
        pairing.move(2)
        expect(reader.ask("history hong0"), "^OK")  # so its connection is open
        lock = subprocess.Popen(
            ["runuser", "-u", "postgres", "--", home.primary.bin + "/psql", "-X", "-q", "-h", "127.0.0.1",
             "-p", str(home.primary.port), "-d", home.primary.database] if os.geteuid() == 0 else
            [home.primary.bin + "/psql", "-X", "-q", "-h", "127.0.0.1", "-p", str(home.primary.port),
             "-U", "postgres", "-d", home.primary.database],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
        lock.stdin.write("BEGIN; LOCK TABLE janggid.game IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n")
        lock.stdin.flush()
        for line in lock.stdout:
            if "locked" in line:
                break
        reader.say("history hong0")
        home.primary.wait_for("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND "
                              "application_name = 'janggid reader'", "1")
        mover = pairing.say()
        if is_control:
            no_answer_while(mover, 3)
            lock.kill()
            raise AssertionError("a history delays a move")
        pairing.hear(mover)
        pairing.move(4)
        lock.communicate("COMMIT;\n", timeout=PATIENCE_S)
        reader.expect("^OK history")
        check(home, pairing)


# --- All at once -----------------------------------------------------------------------------


class Storm(threading.Thread):
    """A pair of players who begin the recorded game again and again, and come back after every fault."""

    def __init__(self, server, number):
        super().__init__()
        self.server, self.number, self.is_over, self.error = server, number, False, None
        self.acknowledged, self.shown = {}, {}

    def note(self, pairing):
        self.acknowledged[pairing.game] = max(self.acknowledged.get(pairing.game, 0), pairing.played + 3)
        self.shown.setdefault(pairing.game, {}).update(pairing.seen())

    def play(self, pairing):
        while pairing.played < len(MOVES) and not self.is_over:
            mover = pairing.say()
            answer = mover.expect(r"^(?:OK|ERR) ").string
            expect(answer, "^OK move ")
            pairing.played += 1
            self.note(pairing)

    def come_back(self, pairing):
        while not self.is_over:
            try:
                pairing.come_back(self.server)
                return
            except (OSError, EOFError, AssertionError):
                time.sleep(0.05)

    def run(self):
        pairing = None
        try:
            while not self.is_over:
                try:
                    if pairing is None or pairing.played == len(MOVES):
                        pairing = Pairing(self.server, f"{self.number}x{random.randrange(10**6)}")
                    self.play(pairing)
                except (OSError, EOFError):
                    if pairing is not None:
                        self.note(pairing)
                        self.come_back(pairing)
            if pairing is not None:
                self.note(pairing)
        except Exception as error:  # any error fails the proof
            self.error = error


def what_was_acknowledged_survives_a_storm(directory):
    """For STORM_S seconds: kill -9 of janggid, of the primary, a frozen standby, cut connections."""
    with house(directory) as home:
        server = home.serve()
        storms = [Storm(server, number) for number in range(4)]
        for storm in storms:
            storm.start()
        faults = {"janggid": 0, "primary": 0, "standby": 0, "cut": 0}
        end = time.monotonic() + STORM_S
        while time.monotonic() < end:
            time.sleep(random.uniform(0.3, 1.5))
            fault = random.choice(list(faults))
            faults[fault] += 1
            if fault == "janggid":
                server.process.kill()
                server.process.wait()
                start_again(server)
            elif fault == "primary":
                home.primary.kill()
                home.primary.start()
            elif fault == "standby":
                home.standby.signal_all(signal.SIGSTOP)
                time.sleep(random.uniform(0, 1))
                home.standby.signal_all(signal.SIGCONT)
            else:
                home.relay.do(random.choice(["hold up", "hold down", "flow"]))
                time.sleep(random.uniform(0, 0.2))
                home.relay.do("cut")
                home.relay.do("flow")
        for storm in storms:
            storm.is_over = True
        for storm in storms:
            storm.join(PATIENCE_S)
            if storm.error is not None:
                raise storm.error
        moves_seen = 0
        for storm in storms:
            for game, count in storm.acknowledged.items():
                stored = home.events(game)
                moves_seen += count
                if len(stored) < count:
                    raise AssertionError(f"game {game}: {count} events acknowledged, {len(stored)} stored")
                for number, text in storm.shown[game].items():
                    if number >= len(stored) or not text.startswith(stored[number]):
                        raise AssertionError(f"game {game}: event {number} was shown and is not stored")
        print(f"# {faults}, {moves_seen} events acknowledged, all there")


def start_again(server):
    """Returns when it has the games. The lock of the killed server is free when PostgreSQL has noticed."""
    for _ in range(100):
        try:
            server.start()
            break
        except RuntimeError:
            time.sleep(0.1)
    else:
        raise AssertionError("janggid does not start again")
    wait_for_games(server)


TESTS = [a_game_survives_restarts_and_kill_9,
         the_primary_is_killed_and_comes_back,
         a_batch_of_unknown_outcome_is_stored_once,
         a_batch_that_did_not_arrive_is_sent_again,
         a_game_pruned_by_a_batch_of_unknown_outcome_is_reported,
         acts_that_one_commit_changes_twice_keep_their_chain,
         an_act_of_a_batch_of_unknown_outcome_is_chained_as_before,
         a_stale_owner_ends,
         a_commit_whose_key_is_taken_stores_nothing,
         must_fail(a_commit_whose_key_is_taken_stores_nothing, "before it was durable"),
         a_half_sent_commit_keeps_nobody_out,
         a_second_server_sends_its_callers_to_the_first,
         tables_of_another_version_are_refused,
         a_lost_last_event_is_noticed,
         lists_are_kept_when_batches_are_trimmed,
         an_end_that_changes_no_row_is_not_stored,
         a_history_is_not_shown_before_it_is_durable,
         a_url_that_cannot_be_used_is_refused,
         a_host_that_does_not_answer_is_passed_over,
         each_host_is_complained_of_once,
         a_server_that_ends_does_not_wait_for_the_standby,
         a_warning_is_not_an_acknowledgement, must_fail(a_warning_is_not_an_acknowledgement, "before it was durable"),
         nothing_is_acknowledged_without_the_standby,
         must_fail(nothing_is_acknowledged_without_the_standby, "before it was durable"),
         the_library_cancels_nothing,
         a_log_that_lost_data_ends_the_server,
         a_log_behind_a_witness_is_refused_until_the_loss_is_accepted,
         an_old_primary_that_came_back_is_not_taken,
         two_servers_that_can_be_written_are_waited_for,
         a_standby_is_not_served_from,
         synchronous_standbys_are_demanded,
         play_stops_while_standbys_are_not_demanded,
         clocks_stop_while_the_primary_does_not_answer,
         a_history_delays_no_commit,
         what_was_acknowledged_survives_a_storm]


def main(tests):
    """Runs the tests, or says that there is no PostgreSQL; returns the exit status."""
    if postgres.folder() is None or not os.path.exists(os.path.join(BUILD, "janggid-postgres.so")):
        print("ok cluster # SKIP PostgreSQL or libpq is missing: sh tests/deps.sh cluster")
        print("PostgreSQL or libpq is missing, so --store was NOT tested: sh tests/deps.sh cluster",
              file=sys.stderr)
        return 0
    try:
        return run(tests)
    finally:
        for pair in SHARED:
            pair.end()


if __name__ == "__main__":
    sys.exit(main(TESTS))
