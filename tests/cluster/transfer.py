#!/usr/bin/env python3
"""janggid dump, load and verify --store on real servers of PostgreSQL: a club is moved from SQLite to PostgreSQL and
back, and what its clients can read stays the same, byte for byte.

    python3 tests/cluster/transfer.py BUILD [TEST ...]
    GAMES=10000 python3 tests/cluster/transfer.py BUILD a_club_moves_in_so_many_seconds

The last measures the downtime of a migration. Without PostgreSQL it skips, and says so.
"""
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "proof")]
import bitflip  # noqa: E402 (found beside this file only now)
import cluster  # noqa: E402
from cluster import MOVES, Pairing, check, house  # noqa: E402
from hosting import JANGGID, PATIENCE_S, Player, Server, expect, wait_until  # noqa: E402

EX_DAMAGED, EX_USAGE, EX_CANTCREAT, EX_IOERR, EX_TEMPFAIL = 1, 2, 73, 74, 75
GAMES = int(os.environ.get("GAMES", "0"))


def janggid(*words, status=0, words_of=""):
    """Standard output of a task of janggid. It must end with that status, and say those words in one line. It is done
    again while a disk that hangs keeps the database from answering in time."""
    end, is_late = time.monotonic() + PATIENCE_S, True
    while is_late:
        done = subprocess.run([JANGGID, *words], text=True, capture_output=True, timeout=PATIENCE_S, check=False)
        is_late = done.returncode != status and "no answer" in done.stderr and time.monotonic() < end
    if done.returncode != status:
        raise AssertionError(f"{words} ended with status {done.returncode}: {done.stdout}{done.stderr}")
    if words_of:
        expect(done.stderr, words_of)
    lines = [line for line in done.stderr.splitlines() if line]
    if status != 0 and len(lines) != 1 or status == 0 and lines:
        raise AssertionError(f"{words} said {lines}")
    return done.stdout


def dump(home, path, **more):
    return janggid("dump", "--store", home.url(), *home.options, path, **more)


def load(home, path, **more):
    return janggid("load", "--store", home.url(), *home.options, path, **more)


def database_of(server):
    return os.path.join(server.data, "janggid.db")


# --- A club ----------------------------------------------------------------------------------

READS = ["history", "rank", "invites", "ignore", "block", "devices", "quiet", "audit"]
ORDERS = ["role kim0 member", "role hong2 member", "role kim2 member", "ban addr:192.0.2.0/24 for=1h noise", "mute kim1 for=1h noise", "invite time=5m",
          "motd be kind"]


class RandomPairing(Pairing):
    """Two players who make any of their legal moves."""

    def __init__(self, server, number, chance):
        self.chance = chance
        super().__init__(server, number)

    def move(self, count=1):
        for _ in range(count):
            mover = self.players[self.played % 2]
            legal = expect(mover.ask(f"moves {self.game}"), r"list=(\S+)")[1].split(",")
            legal = [move for move in legal if move not in ("-", "pass")]
            if not legal:
                return
            mover.say(f"move {self.game} {self.played + 1} {self.chance.choice(legal)}")
            self.hear(mover)


def rated_game(players, winner):
    """A rated game of two members, which the other one resigns. Its number."""
    names = [player.name for player in players]
    answer = players[0].ask("seek time=10m rules=martin rated=yes setup=NBNB/NBNB")
    game = int(expect(players[1].ask(f"accept {expect(answer, r'id=([0-9]+)')[1]}"), r"game=(\d+)")[1])
    red = expect(players[0].expect(rf"^! game {game} 0 start").string, r"red=(\S+)")[1]
    first = players[names.index(red)]
    second = players[1 - names.index(red)]
    first.move(game, "a3a4")
    second.move(game, "a6a5")
    expect(players[1 - winner].ask(f"resign game={game}"), "^OK")
    players[0].expect(rf"^! rating game={game} ")
    return game


class Club:
    """People who have played some games by chance, and what the staff has done."""

    def __init__(self, server, seed):
        self.chance, self.pairings = random.Random(seed), []
        for number in range(5):
            self.pairings.append(self.play(server, number))
        hong = self.pairings[0].players[0]
        for words in ("invite time=10m side=red", "ignore kim1", "block lee", "quiet on"):
            expect(hong.ask(words), "^OK")
        code = expect(hong.ask("device"), r"code=(\S+)")[1]
        expect(Player(server).ask(f"login hong0 code={code}"), "^OK")
        for words in ORDERS:
            status, _, error = server.ctl(*words.split())
            if status != 0:
                raise AssertionError(f"{words}: {error}")
        self.rate(server)

    def rate(self, server):
        """Five rated games of two members: the fourth is one too many, and the first is annulled."""
        pairing, games = self.pairings[2], []
        for winner in (0, 1, 1, 0, 1):
            games.append(rated_game(pairing.players, winner))
        server.ctl("annul", str(games[0]), "arranged")
        row = expect("\n".join(pairing.players[0].block("rank")[0]), r"rank pool=martin .* won=0 drawn=0 lost=2")[0]
        print(f"# {row}")

    def play(self, server, number):
        """0 and 1 go on, 2 and 3 end, and 4 has ended with its mate."""
        pairing = Pairing(server, number) if number == 4 else RandomPairing(server, number, self.chance)
        if number == 0:
            Player(server, "lee").cut()
        pairing.move(len(MOVES) if number == 4 else self.chance.randrange(4, 80))
        expect(pairing.players[0].ask(f"say game={pairing.game} good luck"), "^OK|^ERR")
        if number in (2, 3):
            expect(pairing.players[1].ask(f"resign {pairing.game}"), "^OK|^ERR")  # it may have ended
        return pairing

    def come_back(self, server):
        for pairing in self.pairings[:2]:
            pairing.come_back(server)

    def move(self):
        for pairing in self.pairings[:2]:
            pairing.move(2)

    def views(self, server):
        """All that its people can read of what is stored, by name and request."""
        found = {}
        for pairing in self.pairings:
            for name, player in zip(pairing.names, pairing.players):
                reader = Player(server, name, player.token)
                for words in READS:
                    rows, answer = reader.block(words)
                    found[name, words] = [*rows, answer]
                for other in self.pairings:
                    found[name, other.game] = self.events(reader, other.game)
                reader.cut()
        for words in ("audit", "bans", "members", "reports"):
            rows = re.sub(r"(seen_s|here)=\d+", "", server.ctl(words)[1]).splitlines()
            found["the host", words] = sorted(rows) if words == "members" else rows
        return found

    @staticmethod
    def events(reader, game):
        """The events of a game as they are sent, and its signed record."""
        first = len(reader.seen)
        answer = reader.ask(f"resume {game} 0")
        if answer.startswith("OK"):
            last = int(re.search(r"events=(\d+)", answer)[1]) - 1
            if last >= 0:
                reader.expect(rf"^! game {game} {last} ")
        rows, record = reader.block(f"record {game}")
        rows = [row for row in rows if not row.startswith("signature=")]  # has a random part
        events = [line for line in reader.seen[first:] if line.startswith(f"! game {game} ")]
        return [*(re.sub(r" (red|blue)_ms=\d+", "", line) for line in events), *rows, record]


def compare(before, after, where):
    for key, value in before.items():
        if after[key] != value:
            lines = [line if isinstance(line, list) else line.splitlines() for line in (value, after[key])]
            first = next((pair for pair in zip(*lines) if pair[0] != pair[1]), [len(rows) for rows in lines])
            raise AssertionError(f"{where}: {key} was {first[0]} and is {first[1]}")


def give_keys(old, data):
    """Another data directory of the same server."""
    os.mkdir(data, 0o700)
    for name in ("key.pem", "cert.pem"):
        shutil.copy(os.path.join(old, name), data)


def stop(server):
    if server.stop() != 0:
        raise AssertionError("it ended with another status")


MANY_RECORDS = ("--limits", "chat-burst=100")  # a player's records are read twice in a few seconds


def local_server(directory, name, path=None, keys=None):
    """A single node, on the log at path."""
    data = os.path.join(directory, name)
    if keys:
        give_keys(keys, data)
        shutil.copy(path, os.path.join(data, "janggid.db"))
    return Server(data, "--rated-same-address", "on", *MANY_RECORDS)


def rows_of(path, table):
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = file.execute(f"SELECT * FROM {table}").fetchall()
    file.close()
    return rows


def events_in(path, game):
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = file.execute("SELECT number, text FROM journal WHERE game = ? ORDER BY number", (game,)).fetchall()
    file.close()
    if [number for number, _ in rows] != list(range(len(rows))):
        raise AssertionError(f"game {game} has the events {rows}")
    return [text for _, text in rows]


def verify(path, status=0, words="damaged=0"):
    done = subprocess.run([JANGGID, "verify", path], text=True, capture_output=True, timeout=PATIENCE_S, check=False)
    if done.returncode != status:
        raise AssertionError(f"verify {path} ended with status {done.returncode}: {done.stdout}{done.stderr}")
    expect(done.stdout + done.stderr, words)


def enlarge(path, games):
    """Ended games to that number, all like the last ended one, in a file that dump has made."""
    file = sqlite3.connect(path)
    columns = "is_over, events, age_ms, ended_s, red, blue, red_shown, blue_shown, rules, time, result, reason, plies, log"
    row = file.execute(f"SELECT {columns} FROM game ORDER BY id DESC LIMIT 1").fetchone()
    last, had = file.execute("SELECT last_game, games FROM head").fetchone()
    for game in range(last + 1, last + 1 + games - had):
        file.execute(f"INSERT INTO game(id, {columns}, seal) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,x'00')", (game, *row))
        bitflip.seal_log(file, game)
    file.execute("UPDATE head SET last_game = ?, games = ?", (last + games - had, games))
    bitflip.set_head(file, *file.execute("SELECT first_seq, last_seq FROM head").fetchone())
    file.commit()
    file.close()


# --- Moving ----------------------------------------------------------------------------------


def a_club_moves_to_postgresql_and_back(directory):
    """Three times, with games by chance; the running games go on at each place."""
    for turn in range(3):
        place = os.path.join(directory, str(turn))
        os.mkdir(place)
        seed = random.randrange(10**6)
        print(f"# seed {seed}")
        with house(place, *MANY_RECORDS) as home:
            move_club(home, place, seed)


def move_club(home, place, seed):
    old = local_server(place, "old")
    club = Club(old, seed)
    before = club.views(old)
    stop(old)
    expect(load(home, database_of(old)), "loaded games=10 ")
    expect(janggid("verify", "--store", home.url()), "games=10 .* damaged=0")
    give_keys(old.data, os.path.join(place, "middle"))
    middle = home.serve("middle")
    compare(before, club.views(middle), "PostgreSQL")
    club.come_back(middle)
    club.move()
    before = club.views(middle)
    path = os.path.join(place, "dump.db")
    dump(home, path)  # the house is running
    verify(path)
    middle.players.clear()
    stop(middle)
    new = local_server(place, "new", path, old.data)
    compare(before, club.views(new), "SQLite again")
    club.come_back(new)
    club.move()
    stop(new)
    verify(database_of(new))


def every_row_comes_back(directory):
    """A file that is loaded and dumped again has the same rows."""
    with house(directory) as home:
        old = local_server(directory, "old")
        Club(old, 7)
        stop(old)
        first, second = os.path.join(directory, "1.db"), os.path.join(directory, "2.db")
        load(home, database_of(old))
        dump(home, first)
        home.pair.make_database()
        load(home, first)
        dump(home, second)
        for table in ("game", "journal", "head", "name", "device", "invite", "unseen", "age", "act", "mark", "rating"):
            if rows_of(first, table) != rows_of(second, table):
                raise AssertionError(f"the table {table} differs")
        for table in ("name", "device", "invite", "age", "act", "mark", "rating"):
            if not rows_of(first, table) or rows_of(first, table) != rows_of(database_of(old), table):
                raise AssertionError(f"the table {table} differs from that of the server, or is empty")


def a_dump_is_one_moment_and_delays_nobody(directory):
    """The dump is stopped in the middle of its rows, and play goes on."""
    with house(directory) as home:
        path = make_long_log(home, directory)
        server = home.serve()
        pairing = Pairing(server, 1)
        pairing.move(3)
        copy = stop_dump(home, path)
        pairing.move(5)
        copy.send_signal(signal.SIGCONT)
        if copy.wait(PATIENCE_S) != 0:
            raise AssertionError("the dump failed")
        verify(path)
        stored = events_in(path, pairing.game)
        if len(stored) != 6 or stored != home.events(pairing.game)[:6]:
            raise AssertionError(f"the dump has {stored}")
        check(home, pairing)


TRIES = 20  # to signal a copy before it ends


def make_long_log(home, directory, games=2000):
    """A log in PostgreSQL that takes seconds to copy; returns the name of a new file."""
    old = local_server(directory, "long")
    pairing = Pairing(old)
    pairing.move(len(MOVES))
    stop(old)
    load(home, database_of(old))
    path = os.path.join(directory, "long.db")
    dump(home, path)
    enlarge(path, games)
    home.pair.make_database()
    load(home, path)
    return os.path.join(directory, "copy.db")


def stop_dump(home, path):
    """A dump that has been stopped while it read events. A dump that ended before that is made again."""
    for _ in range(TRIES):
        copy = subprocess.Popen([JANGGID, "dump", "--store", home.url(home.primary.port), path],
                                stdout=subprocess.DEVNULL)
        wait_until(lambda copy=copy: copy.poll() is not None or size_of(path + ".part") > 2000000,
                   "the dump does not begin")
        if copy.poll() is None:
            copy.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, copy.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if copy.poll() is None and not os.path.exists(path):
            return copy
        copy.send_signal(signal.SIGCONT)
        if copy.wait(PATIENCE_S) != 0:
            raise AssertionError(f"the dump ended with status {copy.returncode}")
        os.unlink(path)
    raise AssertionError("the dump was too fast for this test")


def size_of(path):
    """0 if there is no such file."""
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def an_interrupted_dump_leaves_nothing_that_looks_whole(directory):
    with house(directory) as home:
        path = make_long_log(home, directory)
        copy = stop_dump(home, path)
        verify(path + ".part", EX_CANTCREAT, "this is not a database of janggid|file is not a database")
        os.mkdir(os.path.join(directory, "half"), 0o700)
        shutil.copy(path + ".part", os.path.join(directory, "half", "janggid.db"))
        try:
            Server(os.path.join(directory, "half"))
        except RuntimeError as error:
            expect(str(error), f"status {EX_CANTCREAT}")
        else:
            raise AssertionError("a server starts on half a dump")
        copy.send_signal(signal.SIGKILL)
        copy.wait()
        if os.path.exists(path):
            raise AssertionError("the file has its name")
        dump(home, path, status=EX_CANTCREAT, words_of="FILE.part exists")
        os.unlink(path + ".part")
        copy = stop_dump(home, path)
        copy.send_signal(signal.SIGINT)
        copy.send_signal(signal.SIGCONT)
        if copy.wait(PATIENCE_S) != 130 or os.path.exists(path) or os.path.exists(path + ".part"):
            raise AssertionError("Ctrl-C leaves something")
        dump(home, path)
        verify(path)


def a_dump_whose_connection_is_lost_fails(directory):
    with house(directory) as home:
        path = make_long_log(home, directory)
        copy = stop_dump(home, path)
        home.primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE "
                         "'janggid%'")
        copy.send_signal(signal.SIGCONT)
        if copy.wait(PATIENCE_S) != EX_TEMPFAIL or os.path.exists(path) or os.path.exists(path + ".part"):
            raise AssertionError("it did not fail as it should")


def interrupt_load(home, path, number):
    """Sends a load the signal while it inserts events. A load that ended before that is made again elsewhere."""
    for _ in range(TRIES):
        copy = subprocess.Popen([JANGGID, "load", "--store", home.url(), path], stdout=subprocess.DEVNULL)
        wait_until(lambda copy=copy: copy.poll() is not None or home.primary.ask(
            "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO event%'") == "t",
            "the load does not begin")
        copy.send_signal(number)
        if copy.wait(PATIENCE_S) != 0:
            return
        home.pair.make_database()
    raise AssertionError("the load was too fast for this test")


def an_interrupted_load_leaves_nothing(directory):
    with house(directory) as home:
        make_long_log(home, directory)
        path = os.path.join(directory, "long.db")
        home.pair.make_database()
        for number in (signal.SIGKILL, signal.SIGINT):
            interrupt_load(home, path, number)
            home.primary.wait_for("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'janggid%' AND "
                                  f"datname = '{home.primary.database}'", "0")
            for table in ("event", "game", "batch"):
                if home.primary.ask(f"SELECT count(*) FROM janggid.{table}") != "0":
                    raise AssertionError(f"there are rows in {table}")
        load(home, path)


# --- What is refused -------------------------------------------------------------------------


def a_load_refuses_what_it_would_spoil(directory):
    with house(directory) as home:
        old = local_server(directory, "old")
        pairing = Pairing(old)
        pairing.move(3)
        load(home, database_of(old), status=EX_CANTCREAT, words_of="a server is running")
        stop(old)
        path = database_of(old)
        load(home, path + "x", status=EX_CANTCREAT, words_of="No such file")
        server = home.serve()
        load(home, path, status=EX_CANTCREAT, words_of="holds a log already")
        stop(server)
        load(home, path, status=EX_CANTCREAT, words_of="holds a log already")
        home.pair.make_database()
        load(home, path)
        load(home, path, status=EX_CANTCREAT, words_of="holds a log already")
        dump(home, path, status=EX_CANTCREAT, words_of="file exists")
        home.pair.make_database()
        dump(home, path + "x", status=EX_TEMPFAIL, words_of="holds no log")
        if os.path.exists(path + "x") or os.path.exists(path + "x.part"):
            raise AssertionError("a dump of nothing leaves a file")
        for task in ("dump", "load"):
            janggid(task, path, status=EX_USAGE, words_of="--store .* is missing")
            janggid(task, "--store", home.url(), status=EX_USAGE, words_of="FILE is missing")
            janggid(task, "--store", home.url(1), path + "y" * (task == "dump"), status=EX_TEMPFAIL,
                    words_of="refused")
            janggid(task, "--store", home.url(home.standby.port), path + "y" * (task == "dump"),
                    status=EX_TEMPFAIL, words_of="why=")


SPOILED = [("a changed event", "UPDATE event SET text = 'move 1 red A3-A4' WHERE number = 3", "event=3"),
           ("a lost row", "DELETE FROM game", "missing or were changed"),
           ("a changed name", "UPDATE name SET shown = 'Kim' WHERE folded = 'kim0'", "name=kim0"),
           ("a changed setting", "UPDATE mark SET value = 'x'", "mark="),
           ("a changed act", "UPDATE act SET text = 'x'", "act=")]


def damage_is_found_on_both_sides(directory):
    """It is copied as it is: verify finds it, and a load refuses it."""
    with house(directory) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        for words in ("motd be kind", "mute kim0 for=1h noise"):
            expect(str(server.ctl(*words.split())[0]), "^0$")
        stop(server)
        for number, (what, sql, words) in enumerate(SPOILED):
            name = home.primary.database
            home.primary.ask(f"CREATE DATABASE spoiled{number} TEMPLATE {name}", "postgres")
            home.primary.database = f"spoiled{number}"
            home.primary.ask("SET search_path = janggid; " + sql)
            path = os.path.join(directory, f"{number}.db")
            dump(home, path)
            verify(path, EX_DAMAGED, words)
            done = subprocess.run([JANGGID, "verify", "--store", home.url()], text=True, capture_output=True,
                                  timeout=PATIENCE_S, check=False)
            if done.returncode != EX_DAMAGED:
                raise AssertionError(f"{what}: verify --store ended with status {done.returncode}")
            expect(done.stdout, words)
            home.pair.make_database()
            load(home, path, status=EX_DAMAGED, words_of="it is damaged, so nothing was loaded")
            home.primary.database = name


def damaged_games_are_ended(directory):
    """One without its first event, one whose middle has changed, and one without events."""
    with house(directory) as home:
        server = home.serve()
        games = [Pairing(server, number).game for number in range(3)]
        server.players.clear()
        stop(server)
        home.primary.ask("SET search_path = janggid;"
                         f"DELETE FROM event WHERE game = {games[0]} AND number = 0;"
                         f"UPDATE event SET text = 'x' WHERE game = {games[1]} AND number = 1;"
                         f"DELETE FROM event WHERE game = {games[2]}")
        said = subprocess.run([JANGGID, "verify", "--store", home.url()], text=True, capture_output=True,
                              timeout=PATIENCE_S, check=False).stdout
        for game in games:
            expect(said, f"damaged game={game} ")
        server = home.serve()
        for game in games:
            expect(server.ctl("end", str(game), "none", "the", "disk")[1], f"game {game} is over")
        stop(server)
        server = home.serve()
        for game in games:
            expect(server.ctl("end", str(game), "none", "again")[2], "no running game")
        said = subprocess.run([JANGGID, "verify", "--store", home.url()], text=True, capture_output=True,
                              timeout=PATIENCE_S, check=False).stdout
        for game in games:
            expect(said, f"damaged game={game} .*over: none host")


def no_table_is_forgotten(directory):
    """A table or a column that store_row.c lacks ends a copy, in both directions."""
    with house(directory) as home:
        server = home.serve()
        Pairing(server).move(3)
        server.players.clear()
        stop(server)
        path = os.path.join(directory, "new.db")
        home.primary.ask("CREATE TABLE janggid.tournament(id bigint)")
        dump(home, path, status=EX_CANTCREAT, words_of="column id of the table tournament")
        home.primary.ask("DROP TABLE janggid.tournament")
        home.primary.ask("ALTER TABLE janggid.name ADD COLUMN rating bigint NOT NULL DEFAULT 0")
        dump(home, path, status=EX_CANTCREAT, words_of="column rating of the table name")
        home.primary.ask("ALTER TABLE janggid.name DROP COLUMN rating")
        dump(home, path)
        file = sqlite3.connect(path)
        file.execute("CREATE TABLE tournament(id)")
        file.commit()
        file.close()
        home.pair.make_database()
        load(home, path, status=EX_IOERR, words_of="a table or a column that is not known")


def a_dump_demands_what_the_server_demands(directory):
    """Rule 3 and 8: what no standby has is not trusted."""
    with house(directory) as home:
        server = home.serve()
        Pairing(server).move(3)
        path = os.path.join(directory, "new.db")
        home.pair.demand_standby("")
        dump(home, path, status=EX_TEMPFAIL, words_of="synchronous_standby_names is empty")
        home.options = ("--store-sync", "outside")
        dump(home, path)
        verify(path)


# --- How long --------------------------------------------------------------------------------


def a_club_moves_in_so_many_seconds(directory):
    """The downtime of a migration in each direction, from the old server's end to the new one's start."""
    games = GAMES or 200
    with house(directory) as home:
        make_long_log(home, directory, games)
        keys = os.path.join(directory, "long")
        old = local_server(directory, "old", os.path.join(directory, "long.db"), keys)
        home.pair.make_database()
        give_keys(keys, os.path.join(directory, "new"))
        began = time.monotonic()
        stop(old)
        load(home, database_of(old))
        loaded = time.monotonic()
        server = home.serve("new")
        print(f"# SQLite to PostgreSQL: {games} games, {time.monotonic() - began:.1f} s, of which the load "
              f"{loaded - began:.1f} s")
        path = os.path.join(directory, "back.db")
        began = time.monotonic()
        stop(server)
        dump(home, path)
        dumped = time.monotonic()
        verify(path, words=f"games={games} ")
        verified = time.monotonic()
        back = local_server(directory, "back", path, keys)
        print(f"# PostgreSQL to SQLite: {time.monotonic() - began:.1f} s, of which the dump {dumped - began:.1f} s, "
              f"verify {verified - dumped:.1f} s")
        stop(back)


TESTS = [a_club_moves_to_postgresql_and_back,
         every_row_comes_back,
         a_dump_is_one_moment_and_delays_nobody,
         an_interrupted_dump_leaves_nothing_that_looks_whole,
         a_dump_whose_connection_is_lost_fails,
         an_interrupted_load_leaves_nothing,
         a_load_refuses_what_it_would_spoil,
         damage_is_found_on_both_sides,
         damaged_games_are_ended, no_table_is_forgotten,
         a_dump_demands_what_the_server_demands,
         a_club_moves_in_so_many_seconds]

if __name__ == "__main__":
    sys.exit(cluster.main(TESTS))
