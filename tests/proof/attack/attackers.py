"""The attacks on a server, as functions for callers.Child. Each gets the networks that it comes from,
says "peak" when its load is complete, and returns its counts. Also the witnesses: people who observe
the server while an attack is at its peak. Standard library only."""
import itertools
import os
import random
import resource
import select
import socket
import ssl
import struct
import threading
import time

import players
from callers import Child, field, network, random_name
from players import Player, Refused

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset
BIND_NO_PORT = 24  # IP_BIND_ADDRESS_NO_PORT of Linux: connect() chooses the port


class Stage:
    """Where an attack takes place. door: the code of a door invitation, for members."""

    def __init__(self, server, form, is_control, door):
        self.server, self.port = server, server.port
        self.seconds, self.is_long = form.seconds, form.is_long
        self.is_control, self.door = is_control, door
        self.most = {}  # {figure: most}, for a control: it goes on until it is over one of them
        self.least = {}  # {figure: least} of each attacker; a control has no such bar
        self.given = {}  # by the witness, for the attackers
        self.held = []  # connections that stay open to the end

    def member(self, name, number):
        caller = Player(self.port, source=network(number, 210))
        answer = caller.login(name, invite=self.door)
        if not answer.startswith("OK"):
            raise Refused(answer)
        return caller


def allow_files():
    """Raises the limit of open connections as far as the system allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 20000), most))


def clock(stage, is_enough=lambda: True):
    """True until the time of the attack is over. A machine that stands still gives it more time until is_enough()."""
    until = time.monotonic() + stage.seconds

    def goes_on():
        now = time.monotonic()
        return now < until or not is_enough() and now < until + players.PATIENCE_S
    return goes_on


# --- Before TLS -------------------------------------------------------------------


def open_plain(port, source):
    """A socket that connects; None if the system has no more of them."""
    plain = socket.socket()
    try:
        plain.setblocking(False)
        plain.setsockopt(socket.IPPROTO_IP, BIND_NO_PORT, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        plain.bind((source, 0))
        plain.connect_ex(("127.0.0.1", port))
        return plain
    except OSError:
        plain.close()
        return None


def hold_open(stage, networks, most, each, per_s=10 ** 6):
    """Opens connections until the time is over, at most `most` at once, and calls each(socket) for every one.
    Returns how many it has opened."""
    sources = itertools.cycle([network(number) for number in networks])
    goes_on, began, count, open_ones = clock(stage), time.monotonic(), 0, []
    while goes_on():
        if count > (time.monotonic() - began) * per_s:
            time.sleep(0.005)
            continue
        plain = open_plain(stage.port, next(sources))
        count += 1
        if plain is None:
            continue
        try:
            each(plain)
        except OSError:
            pass  # refused already
        open_ones.append(plain)
        if len(open_ones) > most:
            open_ones.pop(0).close()
    for plain in open_ones:
        plain.close()
    return count


def connects(ask, stage, networks, per_s):
    """They connect and break off."""
    count = hold_open(stage, networks, 50, lambda plain: None, per_s)
    ask("peak")
    return {"callers": count}


def half_open(ask, stage, networks):
    """They connect and say nothing."""
    allow_files()
    count = hold_open(stage, networks, 2000, lambda plain: None, 2000)
    ask("peak")
    return {"callers": count}


def _first_flight():
    """A TLS hello."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    out = ssl.MemoryBIO()
    try:
        context.wrap_bio(ssl.MemoryBIO(), out).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


def hellos(ask, stage, networks):
    """Each caller makes the server compute its half of a handshake, and does not answer."""
    hello = _first_flight()
    count = hold_open(stage, networks, 100, lambda plain: plain.send(hello))
    ask("peak")
    return {"callers": count}


def garbage(ask, stage, networks):
    count = hold_open(stage, networks, 100, lambda plain: plain.send(os.urandom(300)))
    ask("peak")
    return {"callers": count}


def handshakes(ask, stage, networks):
    """Whole handshakes, one after the other."""
    goes_on, counts = clock(stage), {"let_in": 0, "refused": 0}
    for number in itertools.cycle(networks):
        if not goes_on():
            break
        try:
            Player(stage.port, source=network(number), patience_s=2).cut()
            counts["let_in"] += 1
        except (Refused, TimeoutError):
            counts["refused"] += 1
    ask("peak")
    return counts


# --- Names and what they own --------------------------------------------------------


def new_names(stage, networks, most, seconds):
    """Returns callers with new names: as many as the server gives in `seconds` seconds, at most `most`."""
    until, got = time.monotonic() + seconds, []
    for number in itertools.cycle(networks):
        if time.monotonic() > until or len(got) >= most:
            return got
        try:
            caller = Player(stage.port, source=network(number), patience_s=5)
            answer = caller.login(random_name())
        except (Refused, TimeoutError):
            time.sleep(0.02)
            continue
        if answer.startswith("OK"):
            got.append(caller)
        else:
            caller.cut()
            time.sleep(0.02)
    return got


def names(ask, stage, networks):
    got = new_names(stage, networks, 10 ** 6, stage.seconds)
    ask("peak")
    return {"names": len(got)}


def _each_asks(stage, networks, lines):
    """Every new name sends the lines. Returns the number of OKs. Each network asks for more names than the
    limits give it."""
    count = 0
    for caller in new_names(stage, networks, max(20, 6 * len(networks)), stage.seconds):
        for line in lines:
            try:
                count += caller.ask(line).startswith("OK")
            except (Refused, TimeoutError):
                break
        stage.held.append(caller)
    return count


def seeks(ask, stage, networks):
    count = _each_asks(stage, networks, [f"seek time={minutes}m" for minutes in range(5, 10)])
    ask("peak")
    return {"seeks": count}


def invites(ask, stage, networks):
    count = _each_asks(stage, networks, ["invite time=3d"] * 12)
    ask("peak")
    return {"invites": count}


def games(ask, stage, networks, most=8):
    """Pairs of new names begin games without end."""
    got = new_names(stage, networks, most, stage.seconds / 2)
    count, goes_on = 0, clock(stage)
    for red, blue in zip(got[::2], got[1::2]):
        while goes_on():
            seek = field(red.ask("seek time=none"), "id")
            if seek is None or not blue.ask(f"accept {seek}").startswith("OK"):
                break
            count += 1
    ask("peak")
    return {"games_taken": count}


def resigned_games(ask, stage, networks):
    """Pairs of new names begin games and resign them at once."""
    got = new_names(stage, networks, 4, stage.seconds)
    count = 0
    goes_on = clock(stage, lambda: len(got) < 2 or count > stage.most.get("games_begun", -1))
    while goes_on():
        for red, blue in zip(got[::2], got[1::2]):
            seek = field(red.ask("seek time=none"), "id")
            game = field(blue.ask(f"accept {seek}"), "game") if seek else None
            if game is None:
                time.sleep(0.2)  # who goes on asking is disconnected
            if game is None and seek is not None:
                red.ask(f"withdraw {seek}")
            elif game is not None:
                count += blue.ask(f"resign game={game}").startswith("OK")
    ask("peak")
    return {"games_begun": count}


def challenges(ask, stage, networks):
    """New names challenge everybody whom they find."""
    found = ["hong", "kim", "choe", "yun", "park", "victim", "nobody"]
    count = _each_asks(stage, networks, [f"challenge {name} time={time}m" for name in found for time in (5, 6)])
    ask("peak")
    return {"challenges": count}


def pester(ask, stage, networks):
    """Strangers challenge one player and withdraw, tell them something, watch their game and leave, again and
    again."""
    got, goes_on = new_names(stage, networks, 30, stage.seconds / 2), clock(stage)
    while goes_on():
        for caller in got:
            made = field(caller.ask("challenge victim time=5m"), "id")
            if made is not None:
                caller.ask(f"withdraw {made}")
            caller.ask("tell victim hello")
            if caller.ask(f"watch {stage.given['game']}").startswith("OK"):
                caller.ask(f"unwatch {stage.given['game']}")
        time.sleep(0.05)
    ask("peak")
    return {"strangers": len(got)}


def codes(ask, stage, networks):
    """Tries wrong codes for the device of somebody."""
    goes_on, tried, got_in = clock(stage), 0, 0
    for number in itertools.cycle(networks):
        if not goes_on():
            break
        try:
            caller = Player(stage.port, source=network(number), patience_s=5)
            for _ in range(5):
                answer = caller.ask("login minho code=" + "".join(random.choices("23456789", k=8)))
                tried += answer.startswith("ERR no-such")
                got_in += answer.startswith("OK")
            caller.cut()
        except (Refused, TimeoutError):
            time.sleep(0.01)
    ask("peak")
    return {"wrong_codes": tried, "got_in": got_in, "addresses": len(networks)}


# --- Lines --------------------------------------------------------------------------


def enter_guests(stage, networks, each, **how):
    """Guests of those networks, until the server refuses one after the other."""
    got, refused, until = [], 0, time.monotonic() + max(stage.seconds, 10)
    for _ in range(each):
        for number in networks:
            if time.monotonic() > until or refused > 20:
                return got
            refused += 1
            try:
                caller = Player(stage.port, source=network(number), patience_s=5, **how)
                if caller.login().startswith("OK"):
                    got.append(caller)
                    refused = 0
                else:
                    caller.cut()
            except (Refused, TimeoutError):
                pass
    return got


def guests(ask, stage, networks):
    allow_files()
    got = enter_guests(stage, networks, 64)
    ask("peak")
    return {"guests": len(got)}


def receive(caller):
    """Returns how many bytes were received; 0: none are there; None: the connection has ended."""
    try:
        return len(caller.socket.recv(1 << 18)) or None
    except (ssl.SSLWantReadError, BlockingIOError):
        return 0
    except OSError:
        return None


def send(caller, request):
    try:
        return caller.socket.send(request)
    except (ssl.SSLWantWriteError, ssl.SSLWantReadError, BlockingIOError):
        return 0
    except OSError:
        return 0


def aborted_games(stage, networks):
    """Returns numbers of games that have left the server's memory."""
    got, count, last = new_names(stage, networks, 2, 5), 0, 1
    while len(got) == 2 and count < 8:
        made = field(got[0].ask("seek time=none"), "id")
        game = field(got[1].ask(f"accept {made}"), "game") if made else None
        if game is None or not got[0].ask(f"abort {game}").startswith("OK"):
            break
        count, last = count + 1, int(game)
    for caller in got:
        caller.cut()
    return range(max(1, last - count + 1), last + 1)


def dear_lines(ask, stage, networks, each):
    """Guests ask for what costs the server most, as fast as it answers: long lists, and every fourth of them
    for what is read from disk or walks over much."""
    lists = b"who\ngames\nseeks\nhelp\n" * 4
    others = "history hong\ntop\ntv\nevening\nmoves 1\n" + "".join(
        f"state {game}\nwatch {game}\nrecord {game}\n" for game in aborted_games(stage, networks))
    crowd = {caller.socket.fileno(): caller for caller in enter_guests(stage, networks, each)}
    requests = {number: others.encode() if i % 4 == 3 else lists for i, number in enumerate(crowd)}
    counts, goes_on = {"guests": len(crowd), "bytes_in": 0, "bytes_out": 0}, clock(stage)
    for number, caller in crowd.items():
        caller.socket.setblocking(False)
        counts["bytes_in"] += send(caller, requests[number])
    while goes_on() and crowd:
        for number in select.select(list(crowd), [], [], 0.2)[0]:
            got = receive(crowd[number])
            if got is None:
                crowd.pop(number).cut()
            elif got:
                counts["bytes_out"] += got
                counts["bytes_in"] += send(crowd[number], requests[number])
    ask("peak")
    return counts


def never_read(ask, stage, networks):
    """Guests ask for much and do not read it."""
    crowd = enter_guests(stage, networks, 5, receive_bytes=4096)
    for caller in crowd:
        caller.socket.setblocking(False)
    goes_on = clock(stage)
    while goes_on():
        for caller in crowd:
            send(caller, b"help\nrules\nhelp\nrules\n" * 20)
        time.sleep(0.1)
    ask("peak")
    return {"guests": len(crowd)}


# --- Those who look on ----------------------------------------------------------------


class Witness:
    """A witness, from before the attack to its peak."""

    def __init__(self, stage):
        self.stage = stage

    def look(self):
        """Called at the peak of the attack. Returns more figures."""
        return {}


class Owner(Witness):
    """Has made a code for a new device, and uses it at the end."""

    def __init__(self, stage):
        super().__init__(stage)
        self.caller = stage.member("minho", 1)
        self.code = field(self.caller.ask("device"), "code")

    def look(self):
        answer = Player(self.stage.port, source=network(2, 210)).ask(f"login minho code={self.code}")
        return {"right_code": int(answer.startswith("OK"))}


class Heard:
    """What reaches a player who ignores the first stranger that they hear."""

    NAMES = {"! challenge": "by", "! tell": "from", "! watcher": "name"}

    def __init__(self, caller):
        self.caller, self.ignored, self.is_ignored = caller, None, False
        self.heard = self.comings = self.ignored_heard = 0

    def take(self, line):
        if line.startswith("OK ignore"):
            self.is_ignored = True
        kind = next((kind for kind in self.NAMES if line.startswith(kind + " ")), None)
        if kind is None:
            return
        name = field(line, self.NAMES[kind])
        if kind == "! watcher":
            self.comings += " here=1" in line
        else:
            self.heard += 1
        self.ignored_heard += self.is_ignored and name == self.ignored
        if self.ignored is None:
            self.ignored = name
            self.caller.say(f"ignore {name}")


def _hear_strangers(ask, stage):
    """For Child: a player of an untimed game, whom everybody may challenge, reads all that comes."""
    caller, friend = stage.member("victim", 1), stage.member("friend", 2)
    game = field(friend.ask("accept " + field(caller.ask("seek time=none"), "id")), "game")
    told = threading.Thread(target=ask, args=(game,))
    told.start()
    heard = Heard(caller)
    caller.socket.settimeout(0.2)
    while told.is_alive():
        try:
            heard.take(caller.expect("").string)
        except TimeoutError:
            pass
    return {"heard": heard.heard, "comings": heard.comings, "ignored_heard": heard.ignored_heard}


class Victim(Witness):
    """Is challenged, told and watched by strangers."""

    def __init__(self, stage):
        super().__init__(stage)
        self.player = Child(_hear_strangers, stage)
        stage.given["game"] = self.player.hear()

    def look(self):
        self.player.tell()
        return self.player.result()


class Seated(Witness):
    """Two players of a game whose connections are gone; one comes back at the peak, and so
    does a member who plays nothing."""

    def __init__(self, stage):
        super().__init__(stage)
        red, blue, member = (stage.member(name, at) for at, name in enumerate(("han", "cho", "im"), 1))
        blue.ask("accept " + field(red.ask("seek time=none"), "id"))
        self.tokens = {"seated_back": ("han", red.token), "member_back": ("im", member.token)}
        for caller in (red, blue, member):
            caller.cut()

    def _is_back(self, name, token):
        try:
            caller = Player(self.stage.port, source=network(5, 210), patience_s=10 if self.stage.is_long else None)
            return int(caller.login(name, token).startswith("OK"))
        except (Refused, TimeoutError):
            return 0

    def look(self):
        return {figure: self._is_back(*who) for figure, who in self.tokens.items()}


class Kernel(Witness):
    """Looks at the server's connections to attackers: how many are open, and what the
    system holds for them; 12 s later, how many are still open."""

    def held(self):
        """What the system holds for each connection of an attacker that is open."""
        held = []
        with open("/proc/net/tcp", encoding="ascii") as table:
            for line in table.readlines()[1:]:
                words = line.split()
                (_, port), (address, _) = words[1].split(":"), words[2].split(":")
                if int(port, 16) == self.stage.port and words[3] == "01" and address[4:] == "017F":
                    held.append(int(words[4].split(":")[0], 16))
        return held

    def open_after(self, seconds):
        """Returns how many connections are still open after `seconds`. The short form waits longer, for it may
        be on a busy machine."""
        patience_s = seconds if self.stage.is_long or self.stage.is_control else 10 * seconds
        until = time.monotonic() + patience_s
        while self.held() and time.monotonic() < until:
            time.sleep(0.5)
        return len(self.held())

    def look(self):
        held = self.held()
        return {"kernel_kb_each": sum(held) // 1024 // max(1, len(held)), "open_after": self.open_after(12)}
