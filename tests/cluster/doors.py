#!/usr/bin/env python3
"""Clients of doors: nodes that have no games and relay their clients to the house. They play, watch and talk as at the
house, and their connections outlast it.

    python3 tests/cluster/doors.py BUILD [TEST ...]

Without PostgreSQL it skips, and says so.
"""
import calendar
import contextlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import postgres  # noqa: E402 (found beside this file only now)
from cluster import MOVES, SHARED  # noqa: E402
from hosting import BUILD, JANGGI, PATIENCE_S, Player, expect, run, wait_until  # noqa: E402
from nodes import Cluster, make_place, must_notice  # noqa: E402
from nodes import cluster as plain_cluster  # noqa: E402
from websocket import Frames, frame, tls_context, upgrade  # noqa: E402


class Caller(Player):
    """A player who connects from an address of its own."""

    def __init__(self, node, name=None, address="127.0.0.1", token=None):
        self.address = address
        super().__init__(node, name, token)

    def connect(self, server, patience_s=PATIENCE_S):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection(("127.0.0.1", server.port), patience_s, (self.address, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(plain)
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")


# --- A machine that disturbs a test -----------------------------------------------------------

TRIES = 3  # of a test that the machine disturbs
MOST_S = 18  # without a house: after 20 s a door gives up a client


class Disturbed(Exception):
    """The test has failed, and a disk that hung or processes that got no time can be the reason."""


def again(test):
    """The test, which is tried again after the machine has disturbed it, and after no other failure."""
    def tried(directory):
        for number in range(TRIES):
            try:
                test(make_place(directory, number))
                return
            except Disturbed as error:
                if number == TRIES - 1:
                    raise
                print(f"# tried again, because {error}: {error.__cause__}", flush=True)
    tried.__name__ = test.__name__
    return tried


@contextlib.contextmanager
def cluster(directory, kind=Cluster, **more):
    with plain_cluster(directory, kind, **more) as made:
        try:
            yield made
        except Exception as error:  # judge() knows why
            judge(made, error)
            raise


def judge(made, error):
    """Raises Disturbed if the logs show that the machine disturbed the test."""
    if has_moved_by_itself(made):
        raise Disturbed("the lease of a house ran out that nobody had stopped") from error
    if has_lost_link_by_itself(made):
        raise Disturbed("a link was silent that nobody held") from error
    if was_long_without_house(made):
        raise Disturbed(f"the next house came more than {MOST_S} s after the loss of a link") from error
    if getattr(made, "was_stopped_long", False):
        raise Disturbed("a door was stopped for longer than a link may be silent") from error


def logged(made, words):
    """(time, node) of each line in the logs that begins with the words."""
    found = []
    for node in made.nodes:
        for stamp in re.findall(rf"(?m)^(\S+)Z \w+ {words}", node.log()):
            found.append((calendar.timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%S")), node))
    return sorted(found, key=lambda each: each[0])


def has_moved_by_itself(made):
    """A node got the games while the house before it had been sent no signal."""
    houses = logged(made, "node role=house ")
    return any(not any(began <= at <= ended + 1 for at in house.signalled)
               for (began, house), (ended, _) in zip(houses, houses[1:]))


def has_lost_link_by_itself(made):
    """A door or the house gave up a link before anything was held, or a process was sent a signal."""
    signalled = [at for node in made.nodes for at in node.signalled]
    return not isinstance(made, Wired) and any(
        not any(at <= lost + 1 for at in signalled)
        for lost, _ in logged(made, r"(?:relay house=\S+ lost|link from=\S+ closed) why=timeout"))


def was_long_without_house(made):
    """Clients of doors were sent away with why=restart before the next house was there."""
    losses = [lost for lost, _ in logged(made, r"relay house=\S+ lost ")]
    if not losses or not any(node.signalled for node in made.nodes):
        return False
    end = time.monotonic() + PATIENCE_S
    while not any(at >= losses[-1] for at in starts_of(made)) and time.monotonic() < end:
        time.sleep(0.1)
    return any(after and after[0] - lost > MOST_S
               for lost in losses for after in [[at for at in starts_of(made) if at >= lost]])


def starts_of(made):
    """When a node had read the log as the house."""
    return [at for at, _ in logged(made, "start games=")]


# --- Clients ----------------------------------------------------------------------------------


def doors_of(made, house=None):
    """The nodes that relay, once they have a link."""
    house = house or made.wait_for_house()
    doors = [node for node in made.nodes if node is not house and node.process.poll() is None]
    for door in doors:
        wait_until(lambda door=door: has_link(door), "a door has no link to the house")
    return doors


def has_link(door):
    status = door.status()
    if status.get("role") == "house":
        raise AssertionError("a door has taken the games")
    return status.get("link") == "up"


def play(players, game, played, count):
    """The next moves of the recorded game. What was played then."""
    for _, ply, side, words in [move[:4] for move in MOVES[played:played + count]]:
        mover = players[side == "blue"]
        expect(mover.ask(f"move {game} {ply} {words}"), f"^OK move game={game} ply={ply} ")
        for player in players:
            player.hear(rf"^! game {game} {int(ply) + 2} move {ply} ")
    return played + count


def begin_recorded(red, blue):
    """A game that begins as the recorded one."""
    offer = re.search(r"id=(\d+)", red.ask("seek time=5m side=red"))[1]
    game = int(re.search(r"game=(\d+)", blue.ask(f"accept {offer}"))[1])
    red.hear(f"^! game {game} 0 ")
    expect(red.ask(f"setup {game} NBNB"), "^OK")
    expect(blue.ask(f"setup {game} BNNB"), "^OK")
    for player in (red, blue):
        player.hear(f"^! game {game} 2 setup blue")
    return game


def events_shown(player, game):
    return [int(m[1]) for m in (re.match(rf"! game {game} (\d+) ", line) for line in player.lines) if m]


# --- As at the house --------------------------------------------------------------------------


def a_game_is_played_through_two_doors(directory):
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        red, blue, late = Caller(one, "hong", "127.0.0.2"), Caller(other, "kim"), Caller(other)
        late.ask("login")
        expect(house.ctl("who")[1], r"(?m)^hong from=127\.0\.0\.2 ")
        game = begin_recorded(red, blue)
        played = play((red, blue), game, 0, 6)
        expect(late.ask(f"watch {game}"), f"^OK watch game={game} next=0 events=9")
        late.hear(f"^! game {game} 8 ")
        play((red, blue), game, played, 4)
        late.hear(f"^! game {game} 12 ")
        for player in (red, blue, late):
            shown = events_shown(player, game)
            if shown != list(range(13)):
                raise AssertionError(f"shown were the events {shown}")
        expect(red.ask("quit"), "^OK quit")
        if red.hear_end() != ["! bye why=quit : your seats are kept"]:
            raise AssertionError("no goodbye")
        wait_until(lambda: "hong" not in house.ctl("who")[1], "the house keeps a client that has left")
        blue.close()
        wait_until(lambda: "kim" not in house.ctl("who")[1], "the house keeps a client that was cut off")


def answers_keep_their_order(directory):
    """Many commands at once, among them invalid lines and ones with long answers."""
    with cluster(directory, count=2) as made:
        door = doors_of(made)[0]
        player = Caller(door, "hong")
        player.socket.sendall(b"".join(
            [b"#%d help\n" % i if i % 5 else b"\xff\xfe\n" if i % 10 else b"x" * 5000 + b"\n" for i in range(60)]))
        for i in range(60):
            line = player.hear(r"^(#\d+ )?(OK|ERR) ").string
            expect(line, f"^#{i} OK help" if i % 5 else
                   "^ERR line why=bad-text" if i % 10 else "^ERR line why=too-long")


def a_long_answer_follows_its_reader(directory):
    """It is longer than what may wait at the house for a client of a door."""
    with cluster(directory, count=2, options=("--chat-burst", "1000")) as made:
        door = doors_of(made)[0]
        player, other = Caller(door, "hong"), Caller(door, "kim")
        game = begin_recorded(player, other)
        for _ in range(3):
            expect(other.ask(f"say game={game} {'x' * 990}"), "^OK say")
            player.hear("^! say ")
        for _ in range(80):
            expect(player.ask(f"report kim {'x' * 990}"), "^OK report name=kim lines=3")
        expect(player.ask("export"), "^OK export name=hong rows=")


def one_who_does_not_read_stops_nobody(directory):
    with cluster(directory, count=2) as made:
        door = doors_of(made)[0]
        lazy, busy = Caller(door, "lazy"), Caller(door, "busy")
        sent = threading.Thread(target=flood, args=(lazy, b"help\n" * 4000))
        sent.start()
        for _ in range(50):
            expect(busy.ask("ping"), "^OK ping")
        lazy.socket.shutdown(socket.SHUT_RDWR)
        sent.join(PATIENCE_S)


def flood(player, bytes_):
    try:
        player.socket.sendall(bytes_)
    except OSError:
        pass


def many_who_do_not_wait_for_answers_do_not_break_the_link(directory):
    """While the house is stopped they send more than the link holds; then their commands are repeated at the next house."""
    with cluster(directory, options=("--connections", "4000", "--accepts-per-s", "0")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        player = Caller(door, "hong")
        crowd = [Caller(door) for _ in range(1500)]
        house.process.send_signal(signal.SIGSTOP)
        for one in crowd:
            one.socket.settimeout(1)
            flood(one, b"ping " + b"x" * 4000 + b"\n" + b"ping " + b"x" * 4000 + b"\n")
        if "lost why=too-slow" in door.log():
            raise AssertionError("the link has broken")
        house.process.kill()
        player.hear("^! notice why=moved ")
        expect(player.ask("ping"), "^OK ping")
        for one in crowd:
            one.close()


def the_house_limits_the_clients_of_doors(directory):
    """The connections of one address count together, wherever they come in."""
    with cluster(directory, count=2, options=("--quotas", "on", "--per-address", "3")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        for number in range(3):
            Caller(house, f"hong{number}", "127.0.0.3")
        stranger = Caller.__new__(Caller)
        stranger.address, stranger.lines, stranger.at, stranger.name = "127.0.0.3", [], 0, "the fourth"
        stranger.connect(door)
        stranger.hear("^! bye why=full ")
        Caller(door, "kim", "127.0.0.4").close()


def arrive(node, address):
    """How a caller from there is answered: "in", "bye", or "reset" before the handshake."""
    player = Caller.__new__(Caller)
    player.address, player.lines, player.at, player.name = address, [], 0, "a caller"
    try:
        player.connect(node)
        answer = "in" if player.hear(r"^[*!] ").string.startswith("*") else "bye"
        player.close()
        return answer
    except OSError:
        return "reset"


def wait_for_answer(node, address, answer):
    def is_answered():
        if arrive(node, address) == answer:
            return True
        time.sleep(0.3)  # or the callers would be too many
        return False
    wait_until(is_answered, f"a caller is not answered \"{answer}\" at port {node.port}")


def a_ban_holds_at_every_door(directory):
    """Before a handshake; also at a door that starts later, and when the house has moved."""
    with cluster(directory, options=("--quotas", "on")) as made:
        house = made.wait_for_house()
        doors = doors_of(made)
        wait_for_answer(doors[0], "127.0.0.5", "in")
        status, said, errors = house.ctl("ban", "addr:127.0.0.5", "for=1h", "spam")
        if status != 0:
            raise AssertionError(said + errors)
        for door in doors:
            wait_for_answer(door, "127.0.0.5", "reset")
            wait_for_answer(door, "127.0.0.6", "in")
        doors[0].process.send_signal(signal.SIGTERM)
        doors[0].process.wait(PATIENCE_S)
        doors[0].start()
        doors_of(made)
        wait_for_answer(doors[0], "127.0.0.5", "reset")
        house.process.kill()
        house.process.wait()
        house = made.wait_for_house(house)
        door = doors_of(made, house)[0]
        wait_for_answer(door, "127.0.0.5", "reset")
        wait_for_answer(house, "127.0.0.5", "reset")
        house.ctl("unban", "addr:127.0.0.5")
        wait_for_answer(door, "127.0.0.5", "in")
        wait_for_answer(house, "127.0.0.5", "in")


def one_who_breaks_handshakes_at_a_door_is_refused_at_all(directory):
    with cluster(directory, options=("--quotas", "on")) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)

        def is_refused():
            with contextlib.suppress(OSError), \
                    socket.create_connection(("127.0.0.1", one.port), PATIENCE_S, ("127.0.0.7", 0)) as plain:
                plain.sendall(b"this is not a handshake\r\n\r\n")
                while plain.recv(4096):
                    pass
            return arrive(other, "127.0.0.7") == "reset"
        wait_until(is_refused, "the other door lets them in")
        for node in (one, house):
            wait_for_answer(node, "127.0.0.7", "reset")
        for node in (one, other, house):
            wait_for_answer(node, "127.0.0.8", "in")


def ask_in_vain(node, address):
    """A browser whose request the door refuses by itself. False: it was refused before."""
    try:
        plain = socket.create_connection(("127.0.0.1", node.port), PATIENCE_S, (address, 0))
        tls = tls_context().wrap_socket(plain)
        tls.sendall(b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
        is_answered = tls.recv(4096).startswith(b"HTTP/1.1 421")
        tls.close()
        return is_answered
    except OSError:
        return False


def two_doors_do_not_admit_twice_as_much(directory):
    """The connections of one address count together, also those of which the house sees nothing."""
    burst = 30
    with cluster(directory, options=("--quotas", "on", "--connects-per-s", "1", "--connects-burst", str(burst),
                                     "--web", "play", "--lines-per-s", "0")) as made:
        one, other = doors_of(made)
        known = [Caller(one, "hong"), Caller(other, "kim"), Caller(one, "lee")]

        def let_all_know():
            """An answer from the house follows what it tells the door about earlier connections, and the third one also
            what it tells the first door about those of the second."""
            for player in known:
                expect(player.ask("ping"), "^OK ping")
        for address, comes_in in (("127.0.0.9", lambda door, address: arrive(door, address) == "in"),
                                  ("127.0.1.9", ask_in_vain)):
            began, count = time.monotonic(), 0
            while comes_in(one, address) and comes_in(other, address):
                count += 2
                let_all_know()
            most = burst + 2 + (time.monotonic() - began) * 1.5
            print(f"# {count} connections from {address} were admitted, and one door admits {burst} at once")
            if not burst - 2 <= count <= most:
                raise AssertionError(f"{count} connections were admitted, and {most:.0f} is the limit")
            wait_for_answer(one, address, "reset")
            wait_for_answer(other, "127.0.2.9", "in")


def clients_of_one_address_stay_when_the_house_is_killed(directory):
    """As many as may come from there at once: their own node becomes the house, and counts them once more."""
    limits = ("--quotas", "on", "--connects-per-s", "1", "--connects-burst", "6", "--per-address", "6",
              "--new-names-per-hour", "0", "--new-names-per-day", "0")
    with cluster(directory, count=2, options=limits) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        players = [Caller(door, f"hong{number}", "127.0.0.3") for number in range(6)]
        take_house_away(made, house, "killed")
        for player in players:
            player.hear("^! notice why=moved ")
            expect(player.ask("ping"), "^OK ping")


def open_websocket(node):
    plain = socket.create_connection(("127.0.0.1", node.port), PATIENCE_S)
    tls = tls_context().wrap_socket(plain)
    tls.sendall(upgrade(f"127.0.0.1:{node.port}"))
    head = b""
    while b"\r\n\r\n" not in head:
        head += tls.recv(1)
    expect(head.decode(), "^HTTP/1.1 101 ")
    browser = types.SimpleNamespace(tls=tls, frames=Frames(), heard=[])
    hear_frame(browser, r"^\* janggi/1 ")
    return browser


def hear_frame(browser, pattern):
    while not any(re.search(pattern, line) for line in browser.heard):
        got = browser.tls.recv(65536)
        if not got:
            raise EOFError(f"a browser did not hear \"{pattern}\" before the end")
        browser.frames.add(got)
        while (got := browser.frames.take()) is not None:
            browser.heard.append(got[1].decode(errors="replace"))


def a_browser_plays_through_a_door(directory):
    """The WebSocket is the door's, the lines are the house's."""
    with cluster(directory, count=2, options=("--web", "play")) as made:
        browser = open_websocket(doors_of(made)[0])
        browser.tls.sendall(frame(b"login lee"))
        hear_frame(browser, "^OK login name=lee token=")
        browser.tls.close()


def get(node, path, verb="GET", host=None, more=""):
    """The answer to a browser: its head without what depends on the host, and its body."""
    plain = socket.create_connection(("127.0.0.1", node.port), PATIENCE_S)
    tls = tls_context().wrap_socket(plain)
    tls.sendall(f"{verb} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{node.port}'}\r\n{more}\r\n".encode())
    answer = b""
    while (more := tls.recv(65536)):
        answer += more
    tls.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode(), body


def browsers_come_back_to_their_address(directory):
    """A page keeps the player's name for one address: it is not sent to another one when the house moves."""
    with cluster(directory, count=2, options=("--web", "play")) as made:
        first = made.wait_for_house()
        second = doors_of(made)[0]
        browser, player = open_websocket(first), Caller(first, "hong")
        first.process.send_signal(signal.SIGSTOP)
        wait_until(lambda: second.status()["role"] == "house", "nobody takes over")
        first.process.send_signal(signal.SIGCONT)
        hear_frame(browser, "^! bye why=restart ")
        player.hear("^! bye why=elsewhere at=")
        doors_of(made, second)
        again = open_websocket(first)
        browser = open_websocket(second)
        second.process.send_signal(signal.SIGTERM)
        hear_frame(browser, "^! bye why=restart ")
        wait_until(lambda: first.status()["role"] == "house", "nobody takes over")
        again.tls.sendall(frame(b"login lee"))
        hear_frame(again, "^OK login name=lee ")
        for one in (browser, again):
            one.tls.close()
        player.close()


def pages_come_through_a_door(directory):
    """Byte for byte as from the house, long ones too; also files of another version, and refusals."""
    with cluster(directory, count=2, options=("--web", "play")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue = Caller(house, "hong"), Caller(house, "kim")
        game = begin_recorded(red, blue)
        play((red, blue), game, 0, 40)
        expect(red.ask(f"resign {game}"), "^OK")
        blue.hear(f"^! game {game} 43 end ")
        file = re.search(r"/a/[^\"]*page.js", get(house, "/watch")[1].decode())[0]
        for path in ("/", "/watch", f"/game/{game}", f"/game/{game}?embed", f"/game/{game}.svg", f"/game/{game}.txt",
                     "/game/999", "/a/0000/page.js", "/nothing"):
            for verb in ("GET", "HEAD"):
                here, there = get(door, path, verb), get(house, path, verb)
                if here != there or not here[0].startswith("HTTP/1.1 "):
                    raise AssertionError(f"{verb} {path} is {here} at the door, and {there} at the house")
        korean = [get(node, f"/game/{game}", more="Accept-Language: ko-KR,ko;q=0.9\r\n")[1].decode() for node in (door, house)]
        if korean[0] != korean[1] or f"<h1>대국 {game}</h1>" not in korean[0]:
            raise AssertionError(f"in Korean the page is {korean[0]} at the door, and {korean[1]} at the house")
        here, there = (get(node, f"/game/{game}.record") for node in (door, house))
        if here[1].partition(b"signature=")[0] != there[1].partition(b"signature=")[0] or b"signature=" not in here[1]:
            raise AssertionError(f"the record is {here} at the door, and {there} at the house")
        expect(here[0], f"Content-Length: {len(here[1])}\r\n")
        expect(get(door, "/watch")[1].decode(), re.escape(file))
        expect(get(door, "/", host="elsewhere.example")[0], "^HTTP/1.1 421 ")
        wait_until(lambda: door.status()["relayed"] == "0", "the door keeps a page")
        wait_until(lambda: house.status()["clients_of_doors"] == "0", "the house keeps a page")


def has_noticed(door):
    """The door has given up its link, or has the games."""
    return re.search(r"relay house=\S+ lost |node role=house ", door.log()) is not None


def a_page_is_not_awaited_from_a_lost_house(directory):
    with cluster(directory, count=2, options=("--web", "play")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        house.process.send_signal(signal.SIGSTOP)
        answers = []
        asker = threading.Thread(target=lambda: answers.append(get(door, "/")))
        asker.start()
        wait_until(lambda: door.status()["relayed"] == "1" or has_noticed(door), "the door does not ask the house")
        if has_noticed(door):
            raise Disturbed("the house was stopped for so long that the door noticed it")
        house.process.kill()
        asker.join(PATIENCE_S)
        expect(answers[0][0], "^HTTP/1.1 503 ")
        expect(get(door, "/")[0], "^HTTP/1.1 (503|200) ")
        made.wait_for_house(house)
        expect(get(door, "/")[0], "^HTTP/1.1 200 ")


def spectators_of_a_door_share_a_mirror(directory):
    """The house sends each event once; one sees boards, one leaves, one does not read for a while and misses nothing."""
    with cluster(directory, count=2, options=("--slow-reader-s", "0")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue = Caller(house, "hong"), Caller(house, "kim")
        game = begin_recorded(red, blue)
        watchers = [Caller(door) for _ in range(12)]
        for watcher in watchers:
            watcher.ask("login")
            expect(watcher.ask(f"watch {game}"), "^OK watch")
        wait_until(lambda: door.status()["mirrors"] == "1", "there is no mirror")
        played = play((red, blue), game, 0, 4)
        board, leaver, lazy = watchers[:3]
        for watcher in watchers:
            watcher.hear(f"^! game {game} 6 ")
        board.ask("view board")
        leaver.ask(f"unwatch {game}")
        heard = len(lazy.lines)
        lazy.socket.sendall(b"help\nrules\n" * 40)
        played = play((red, blue), game, played, len(MOVES) - played - 1)
        for watcher in watchers[3:] + [board]:
            watcher.hear(f"^! game {game} {played + 2} ")
        lazy.hear(f"^! game {game} {played + 2} ")
        for watcher in watchers[3:] + [board, lazy]:
            shown = events_shown(watcher, game)
            if shown != list(range(played + 3)):
                raise AssertionError(f"shown were the events {shown}")
        if heard == len(lazy.lines) or events_shown(leaver, game) != list(range(7)):
            raise AssertionError("one who has left is shown more")
        board.hear(r"^\|.*A  B  C  D  E  F  G  H  I")
        for watcher in watchers[1:]:
            watcher.close()
        wait_until(lambda: door.status()["mirrors"] == "0", "a mirror for nobody is kept")


def one_who_reads_slowly_learns_that_a_game_has_left(directory):
    """The house aborts a game, and forgets it at once: the mirror has read to the end. A spectator for whom the door
    had no room is told, and can read the rest."""
    with cluster(directory, count=2, options=("--quotas", "on", "--slow-reader-s", "0")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue = Caller(house, "hong", "127.0.0.2"), Caller(house, "kim", "127.0.0.3")
        game = begin_recorded(red, blue)
        lazy, quick = Caller(door, address="127.0.0.4"), Caller(door, address="127.0.0.5")
        for watcher in (lazy, quick):
            watcher.ask("login")
            expect(watcher.ask(f"watch {game}"), "^OK watch")
        wait_until(lambda: door.status()["mirrors"] == "1", "there is no mirror")

        def takes_no_more():
            """More than half of a branch's window waits (relay.c), and still does: the system may take some of it a
            moment later, while its buffers grow."""
            lazy.socket.sendall(b"help\n" * 4)
            return all(still_waits() for _ in range(10))

        def still_waits():
            time.sleep(0.05)
            return int(door.status()["relayed_unsent_bytes"]) > 8192
        wait_until(takes_no_more, "the door takes all output")
        # The door is still while the house forgets the game: the answer to a later line is from a later turn of its loop.
        door.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        expect(red.ask(f"abort {game}"), "^OK abort")
        for _ in range(3):
            expect(red.ask("ping"), "^OK ping")
        made.was_stopped_long = time.monotonic() - began > 4
        door.process.send_signal(signal.SIGCONT)
        quick.hear(f"^! game {game} 3 end none aborted")
        found = lazy.hear(f"^! (closed game={game} why=slow|game {game} 3 end) ").string
        expect(found, "^! closed")
        expect(lazy.ask(f"resume {game} 3"), "^OK resume")
        lazy.hear(f"^! game {game} 3 end none aborted")


# --- The house moves --------------------------------------------------------------------------


def take_house_away(made, house, how):
    if how == "killed":
        house.process.kill()
    else:
        house.process.send_signal(signal.SIGTERM)
    if house.process.wait(PATIENCE_S) != 0 and how != "killed":
        raise AssertionError(f"the house ended with {house.process.returncode}: {house.log()[-2000:]}")
    return made.wait_for_house(house)


def clients_stay(directory, how):
    """Players and a spectator of two doors, one of which becomes the house, go on with the connections they have."""
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        red, blue, late = Caller(one, "hong"), Caller(other, "kim"), Caller(other)
        late.ask("login")
        game = begin_recorded(red, blue)
        late.ask(f"watch {game}")
        late.ask("view board")
        played = play((red, blue), game, 0, 6)
        late.hear(f"^! game {game} 8 ")
        take_house_away(made, house, how)
        for player in (red, blue, late):
            player.hear("^! notice why=moved ")
        play((red, blue), game, played, 6)
        late.hear(f"^! game {game} 14 ")
        for player in (red, blue, late):
            shown = events_shown(player, game)
            if shown != list(range(15)):
                raise AssertionError(f"shown were the events {shown}")
        if any(line.startswith("* ") for line in red.lines[1:]):
            raise AssertionError("the client sees the login of its door")


def clients_stay_when_the_house_is_killed(directory):
    clients_stay(directory, "killed")


def clients_stay_when_the_house_is_handed_over(directory):
    clients_stay(directory, "handed over")


def clients_stay_when_the_house_is_frozen(directory):
    """The link is silent: the lease moves."""
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        red, blue = Caller(one, "hong"), Caller(other, "kim")
        game = begin_recorded(red, blue)
        played = play((red, blue), game, 0, 4)
        house.process.send_signal(signal.SIGSTOP)
        wait_until(lambda: any(node.status().get("role") == "house" for node in (one, other)), "nobody takes over")
        for player in (red, blue):
            player.hear("^! notice why=moved ")
        played = play((red, blue), game, played, 4)
        house.process.send_signal(signal.SIGCONT)
        wait_until(lambda: house.status().get("link") == "up", "the stale house does not become a door")
        play((red, blue), game, played, 4)


def one_who_comes_while_the_house_is_dead_is_greeted_by_the_next(directory):
    """The door has not noticed yet that its house answers nothing."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        house.process.send_signal(signal.SIGSTOP)
        player = Caller(door, "hong")
        if any("why=moved" in line for line in player.lines):
            raise AssertionError("it is told that games have moved")


def tv_goes_on_when_the_house_moves(directory):
    """The game that is shown goes on where the spectator has it, and the next one follows it."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue, late = Caller(door, "hong"), Caller(door, "kim"), Caller(door)
        late.ask("login")
        game = begin_recorded(red, blue)
        expect(late.ask("tv martin"), f"^OK tv game={game} ")
        played = play((red, blue), game, 0, 4)
        late.hear(f"^! game {game} 6 ")
        take_house_away(made, house, "killed")
        for player in (red, blue, late):
            player.hear("^! notice why=moved ")
        play((red, blue), game, played, 2)
        expect(red.ask(f"resign {game}"), "^OK resign")
        check_shown((late,), game, 10)
        second = begin_recorded(red, blue)
        late.hear(f"^! tv game={second} next=0 ")
        late.hear(f"^! game {second} 2 setup blue")


def a_private_game_is_watched_on_when_the_house_moves(directory):
    """By a guest who came by its watch link."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue, late = Caller(door, "hong"), Caller(door, "kim"), Caller(door)
        late.ask("login")
        offer = re.search(r"id=(\d+)", red.ask("challenge kim time=5m private=yes"))[1]
        game = int(re.search(r"game=(\d+)", blue.ask(f"accept {offer}"))[1])
        red.hear(f"^! game {game} 0 start ")
        code = re.search(r"code=(\S+)", red.ask(f"watchlink {game}"))[1]
        expect(late.ask(f"watch {game}"), "^ERR ")
        expect(late.ask(f"watch {game} code={code}"), "^OK watch")
        late.hear(f"^! game {game} 0 start ")
        take_house_away(made, house, "killed")
        for player in (red, blue, late):
            player.hear("^! (notice why=moved|bye) ")
        expect(red.ask(f"resign {game}"), "^OK resign")
        check_shown((late,), game, 2)


def a_move_without_an_answer_is_played_once(directory):
    """It was sent to a house that is stopped. The next one plays it, and answers it, once."""
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        red, blue = Caller(one, "hong"), Caller(other, "kim")
        game = begin_recorded(red, blue)
        played = play((red, blue), game, 0, 4)
        _, ply, side, words = MOVES[played][:4]
        mover, waiter = (red, blue) if side == "red" else (blue, red)
        house.process.send_signal(signal.SIGSTOP)
        mover.say(f"#7 move game={game} {ply} {words}")
        house.process.kill()
        expect(mover.hear(r"^#7 ").string, f"^#7 OK move game={game} ply={ply} ")
        waiter.hear(f"^! game {game} {int(ply) + 2} move {ply} ")
        play((red, blue), game, played + 1, 4)
        stored = [row for row in made.events(game) if row.startswith(f"move {ply} ")]
        if len(stored) != 1:
            raise AssertionError(f"stored was {stored}")


def what_may_have_been_done_is_not_done_again(directory):
    """A client with a command whose outcome nobody knows, or with a seek that is gone, must connect anew."""
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        asker, seeker = Caller(one, "hong"), Caller(other, "kim")
        expect(seeker.ask("seek time=3d"), "^OK seek")
        house.process.send_signal(signal.SIGSTOP)
        asker.say("invite")
        if has_noticed(one) or has_noticed(other):
            raise Disturbed("the house was stopped for so long that a door noticed it")
        house.process.kill()
        for player in (asker, seeker):
            player.hear("^! bye why=restart ")


def a_door_is_drained(directory):
    """Its clients are told, now and when it ends, and follow to the house, which forgets them; browsers come back."""
    with cluster(directory, count=2, options=("--web", "play")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        player = Caller(door, "hong")
        browser = open_websocket(door)
        first = door.drain("600")
        player.hear("^! notice why=restart in_s=600 ")
        door.ctl("stay")
        player.hear("^! notice why=stays ")
        first.communicate(timeout=PATIENCE_S)
        second = door.drain()
        expect(second.first, "sent to the server with the games")
        player.hear(f"^! bye why=elsewhere at=127.0.0.1:{house.port} ")
        hear_frame(browser, "^! bye why=restart ")
        player.close()
        browser.tls.close()
        second.communicate(timeout=PATIENCE_S)
        if door.process.wait(PATIENCE_S) != 0:
            raise AssertionError(f"the door ended with {door.process.returncode}: {door.log()[-2000:]}")
        wait_until(lambda: house.status()["clients_of_doors"] == "0" and house.status()["links"] == "0",
                   "the house keeps the link")


def a_door_that_ends_does_not_take_over(directory):
    """The house is lost while the door waits for a client that has not hung up."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        player = Caller(door, "hong")
        door.process.send_signal(signal.SIGTERM)
        player.hear("^! bye why=elsewhere ")
        house.process.send_signal(signal.SIGSTOP)
        if door.process.wait(PATIENCE_S) != 0:
            raise AssertionError(f"the door ended with {door.process.returncode}: {door.log()[-2000:]}")
        if "role=house" in door.log():
            raise AssertionError("a door without a listener has taken the games")


# --- The link is cut, or frozen ---------------------------------------------------------------


class Wire:
    """What other nodes connect to instead of a node: it can be held and cut (tests/lib/relay.py)."""

    def __init__(self, port, address):
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "..", "lib", "relay.py"), str(port), address],
                                        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline().split()[1])

    def do(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        while self.process.stdout.readline() != f"done {words}\n":
            pass

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()


class Wired(Cluster):
    address = "127.0.0.1"  # from which the links come

    def own_options(self, port):
        self.wires = getattr(self, "wires", []) + [Wire(port, self.address)]
        return "--node", f"127.0.0.1:{self.wires[-1].port}"

    def wire_to(self, node):
        return self.wires[self.nodes.index(node)]

    def end(self):
        super().end()
        for wire in self.wires:
            wire.end()


def begin_with_spectator(made):
    """A game of a client of a door and one of the house, with a spectator at the other door; two are played by each."""
    house = made.wait_for_house()
    one, other = doors_of(made)
    red, blue, late = Caller(one, "hong"), Caller(house, "kim"), Caller(other)
    late.ask("login")
    game = begin_recorded(red, blue)
    expect(late.ask(f"watch {game}"), "^OK watch")
    return house, (one, other), (red, blue), late, game, play((red, blue), game, 0, 4)


def check_shown(players, game, count):
    """All of them were shown the same events, each once. The last of them has not heard the end yet."""
    players[-1].hear(f"^! game {game} {count - 1} ")
    for player in players:
        shown = events_shown(player, game)
        if shown != list(range(count)):
            raise AssertionError(f"{player.name} was shown the events {shown}")


class WiredFarAway(Wired):
    address = "127.0.0.77"


def a_moderator_does_not_ban_a_node(directory):
    with cluster(directory, WiredFarAway, options=("--quotas", "on")) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]

        def say(words):
            done = janggi(directory, door, "-n", "hong", "--pin", door.key, "-c", words)
            return done.stdout + done.stderr
        say("devices")  # makes the name
        expect(house.ctl("role", "hong", "moderator")[1], "moderator")
        expect(say("ban addr:127.0.0.78 for=1h noise"), "127.0.0.78")
        expect(say("ban addr:127.0.0.77 for=1h noise"), "in which another node of this server is")
        expect(house.ctl("bans")[1], "127.0.0.78")


def links_made(door):
    """It is more than one if the link was silent while processes got no time."""
    return int(door.status()["links_made"])


def a_cut_link_is_made_again(directory):
    with cluster(directory, kind=Wired) as made:
        house, doors, players, late, game, played = begin_with_spectator(made)
        for _ in range(3):
            known = [links_made(door) for door in doors]
            made.wire_to(house).do("cut")
            for door, count in zip(doors, known):
                wait_until(lambda door=door, count=count: links_made(door) > count, "the link is not made again")
            for player in (players[0], late):
                player.hear("^! notice why=moved ")
            played = play(players, game, played, 4)
        check_shown((*players, late), game, played + 3)
        if house.status()["role"] != "house":
            raise AssertionError("the house has moved")


def a_moved_client_knows_that_the_storage_is_away(directory):
    """A house whose database does not answer says so in its greeting. That comes after the news that the games have moved,
    which tells clients that the storage of the last house does not matter any more."""
    with cluster(directory, kind=Wired) as made:
        house, doors, players, late, game, played = begin_with_spectator(made)
        made.pair.standby.signal_all(signal.SIGSTOP)
        try:
            _, ply, _, words = MOVES[played][:4]
            players[0].say(f"move game={game} {ply} {words}")
            late.hear("^! notice why=storage-away ")
            made.wire_to(house).do("cut")
            late.hear("^! notice why=moved ")
            late.hear("^! notice why=storage-away ")
        finally:
            made.pair.standby.signal_all(signal.SIGCONT)
        late.hear("^! notice why=storage-back ")


def a_frozen_link_is_given_up(directory, is_for_ever=False):
    """Bytes that are under way neither arrive nor are refused. What was said meanwhile is done once; a client of the
    house notices nothing. The control: the link never comes back."""
    with cluster(directory, kind=Wired) as made:
        house, doors, players, late, game, played = begin_with_spectator(made)
        wire = made.wire_to(house)
        for way in ("up", "down"):
            wire.do(f"hold {way}")
        _, ply, side, words = MOVES[played][:4]
        if side == "blue":
            raise AssertionError("the next move is not that of the client of the door")
        players[0].say(f"#7 move game={game} {ply} {words}")
        expect(players[1].ask("ping"), "^OK ping")
        for door in doors:
            wait_until(lambda door=door: door.status()["link"] == "down", "the door does not notice")
        if is_for_ever:
            raise AssertionError(players[0].hear("^! bye .*|^#7").string)
        wire.do("flow")
        expect(players[0].hear("^#7 ").string, f"^#7 OK move game={game} ply={ply} ")
        players[1].hear(rf"^! game {game} {int(ply) + 2} move {ply} ")
        played = play(players, game, played + 1, 4)
        check_shown((*players, late), game, played + 3)
        if [row for row in made.events(game) if row.startswith(f"move {ply} ")][1:]:
            raise AssertionError("the move is stored twice")


def a_link_that_stays_frozen(directory):
    a_frozen_link_is_given_up(directory, True)


def a_house_that_talks_and_does_not_hear_is_given_up(directory):
    """Only one direction is frozen, while a game goes on in the other."""
    with cluster(directory, kind=Wired, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue, late = Caller(house, "hong"), Caller(house, "kim"), Caller(door)
        late.ask("login")
        game = begin_recorded(red, blue)
        expect(late.ask(f"watch {game}"), "^OK watch")
        made.wire_to(house).do("hold up")
        wait_until(lambda: red.ask(f"say {game} hello").startswith("OK") and door.status()["link"] == "down",
                   "the door does not notice")
        made.wire_to(house).do("flow")
        late.hear("^! notice why=moved ")
        played = play((red, blue), game, 0, 4)
        check_shown((red, blue, late), game, played + 3)


def a_frozen_door_is_given_up(directory):
    """Its players are away; when it goes on, so do they."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue = Caller(door, "hong"), Caller(house, "kim")
        game = begin_recorded(red, blue)
        played = play((red, blue), game, 0, 2)
        door.process.send_signal(signal.SIGSTOP)
        wait_until(lambda: house.status()["links"] == "0", "the house keeps the link of a door that is silent")
        door.process.send_signal(signal.SIGCONT)
        red.hear("^! notice why=moved ")
        play((red, blue), game, played, 4)


# --- The host -----------------------------------------------------------------------------------


def metrics(node):
    """The samples by name; judged by promtool if it is there."""
    status, text, errors = node.ctl("metrics")
    if status != 0:
        raise AssertionError(errors)
    if shutil.which("promtool"):
        judged = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True,
                                timeout=PATIENCE_S, check=False)
        if judged.returncode != 0 or judged.stderr + judged.stdout:
            raise AssertionError(judged.stderr + judged.stdout)
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
            for line in text.splitlines() if not line.startswith("#")}


def the_host_sees_what_a_door_does(directory):
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        red, blue, late = Caller(door, "hong"), Caller(house, "kim"), Caller(door)
        late.ask("login")
        game = begin_recorded(red, blue)
        late.ask(f"watch {game}")
        wait_until(lambda: door.status()["mirrors"] == "1", "there is no mirror")
        here, there = metrics(door), metrics(house)
        for samples, wanted in ((here, {'janggid_node{role="door"}': 1, "janggid_link_up": 1, "janggid_mirrors": 1,
                                        "janggid_relayed_waiting": 0, 'janggid_sessions{state="relayed"}': 2}),
                                (there, {'janggid_node{role="house"}': 1, "janggid_links": 1, "janggid_door_clients": 2,
                                         'janggid_games{state="live"}': 1, 'janggid_sessions{state="player"}': 2})):
            for sample, value in wanted.items():
                if samples.get(sample) != value:
                    raise AssertionError(f"{sample} is {samples.get(sample)}, not {value}")
        if here.get("janggid_links_made_total", 0) < 1 or links_made(door) < 1:
            raise AssertionError("the link that is up was never made")
        status = door.status()
        for name, value in (("connections", "2"), ("relayed", "2"), ("link_unsent_bytes", "0"),
                            ("relayed_unsent_bytes", "0")):
            if status.get(name) != value:
                raise AssertionError(f"{name} is {status.get(name)}, not {value}")
        if house.status()["links_unsent_bytes"] != "0":
            raise AssertionError("the house keeps output")
        house.process.kill()
        wait_until(lambda: door.status()["role"] == "house", "the door does not take over")
        if metrics(door)['janggid_node{role="house"}'] != 1:
            raise AssertionError("the metrics show another role")


# --- The programs -----------------------------------------------------------------------------


def janggi(directory, node, *words, **more):
    return subprocess.run([JANGGI, "--plain", *words, f"127.0.0.1:{node.port}"], text=True, capture_output=True,
                          timeout=PATIENCE_S, check=False, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, HOME=directory, LC_ALL="C.UTF-8"), **more)


def the_client_is_let_in_by_its_key(directory):
    """A certificate is shown to the door, and proves the name to the house."""
    with cluster(directory, count=2) as made:
        house = made.wait_for_house()
        door = doors_of(made)[0]
        done = janggi(directory, door, "-n", "lee", "--pin", door.key, "-c", "devices")
        expect(done.stdout + done.stderr, "key")
        again = janggi(directory, house, "-n", "lee", "--pin", door.key, "-c", "who")
        expect(again.stdout + again.stderr, "lee")
        if done.returncode != 0 or again.returncode != 0:
            raise AssertionError(f"{done.stderr}{again.stderr}")


def a_bot_plays_through_a_door(directory):
    """It goes on with its connection when the house is lost."""
    with cluster(directory) as made:
        house = made.wait_for_house()
        one, other = doors_of(made)
        bot = subprocess.Popen([JANGGI, "bot", "-n", "deep", "--pin", one.key, "--level", "1", "--movetime", "20",
                                "--leave-after", "1", f"127.0.0.1:{one.port}"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, HOME=directory, LC_ALL="C.UTF-8"))
        try:
            play_with_bot(made, house, Caller(other, "hong"))
            if bot.wait(PATIENCE_S) != 0:
                raise AssertionError(f"the bot ended with {bot.returncode}")
        finally:
            bot.kill()
            bot.wait()


def play_with_bot(made, house, player):
    wait_until(lambda: "deep-bot" in house.ctl("who")[1], "the bot does not come in")
    player.ask("challenge deep-bot time=10m rules=martin side=red")
    game = int(player.hear(r"^! game (\d+) 0 start red=hong blue=deep-bot")[1])
    player.ask(f"setup {game} NBNB")
    player.hear(f"^! game {game} 2 setup")
    expect(player.ask(f"move {game} 1 b0c2"), "^OK")
    player.hear(f"^! game {game} 4 move 2 blue ")
    take_house_away(made, house, "killed")
    player.hear("^! notice why=moved ")
    expect(player.ask(f"move {game} 3 a3b3"), "^OK")
    player.hear(f"^! game {game} 6 move 4 blue ")
    expect(player.ask(f"resign {game}"), "^OK")


TESTS = [a_game_is_played_through_two_doors,
         answers_keep_their_order,
         a_long_answer_follows_its_reader,
         one_who_does_not_read_stops_nobody,
         many_who_do_not_wait_for_answers_do_not_break_the_link,
         the_house_limits_the_clients_of_doors,
         a_ban_holds_at_every_door,
         one_who_breaks_handshakes_at_a_door_is_refused_at_all,
         two_doors_do_not_admit_twice_as_much,
         clients_of_one_address_stay_when_the_house_is_killed,
         a_browser_plays_through_a_door,
         browsers_come_back_to_their_address,
         pages_come_through_a_door,
         a_page_is_not_awaited_from_a_lost_house,
         spectators_of_a_door_share_a_mirror,
         one_who_reads_slowly_learns_that_a_game_has_left,
         clients_stay_when_the_house_is_killed,
         clients_stay_when_the_house_is_handed_over,
         clients_stay_when_the_house_is_frozen,
         one_who_comes_while_the_house_is_dead_is_greeted_by_the_next,
         tv_goes_on_when_the_house_moves,
         a_private_game_is_watched_on_when_the_house_moves,
         a_move_without_an_answer_is_played_once,
         what_may_have_been_done_is_not_done_again,
         a_door_is_drained,
         a_door_that_ends_does_not_take_over,
         a_moderator_does_not_ban_a_node,
         a_cut_link_is_made_again, a_moved_client_knows_that_the_storage_is_away,
         a_frozen_link_is_given_up,
         must_notice(a_link_that_stays_frozen, "bye why=restart"),
         a_house_that_talks_and_does_not_hear_is_given_up,
         a_frozen_door_is_given_up,
         the_host_sees_what_a_door_does,
         the_client_is_let_in_by_its_key,
         a_bot_plays_through_a_door]


if __name__ == "__main__":
    if postgres.folder() is None or not os.path.exists(os.path.join(BUILD, "janggid-postgres.so")):
        print("ok doors # SKIP PostgreSQL or libpq is missing: sh tests/deps.sh cluster")
        print("PostgreSQL or libpq is missing, so the doors were NOT tested: sh tests/deps.sh cluster", file=sys.stderr)
        sys.exit(0)
    status = 0
    try:
        status = run([again(test) for test in TESTS])
    finally:
        for pair in SHARED:
            pair.end()
    sys.exit(status)
