"""A script and what has happened in it so far: the words of README.md, one method each."""

import ast
import asyncio
import collections
import itertools
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import websocket  # noqa: E402
from client import Client, Closed, Fault, PATIENCE_S, SLOW
from server import Server

# What a server on a real clock says to everybody when its disk is slow for a moment.
OF_THE_DISK = re.compile(r"! notice why=storage-(?:slow|back)\b")
STEP = re.compile(r"([\w,]+) (<=|<!|<\*|>>|<|>|!)(?: (.*))?")
WORD = re.compile(r"\$(\w+)|\.\.\.|[^$.]+|.")


def proxy_header(address):
    """The header that a load balancer sends before the data of a caller from that address (PROXY
    protocol, version 2)."""
    ends = socket.inet_aton(address) + socket.inet_aton("127.0.0.1") + bytes(4)
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + len(ends).to_bytes(2, "big") + ends


class Play:
    """A script and what has happened in it so far."""

    def __init__(self, path, is_verbose=False, keeps=False, pauses=False):
        self.path, self.is_verbose, self.keeps, self.pauses = path, is_verbose, keeps, pauses
        self.line, self.said, self.complaints = 0, collections.deque(maxlen=25), []
        self.clients, self.values, self.both = {}, {}, ()
        self.events = collections.defaultdict(dict)
        self.facts = set()  # the rows of PROTOCOL.md that the script has seen
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="janggi-play-"))
        self.server = Server(self)
        self.is_judged = True
        self.patience = PATIENCE_S

    def log(self, words):
        self.said.append(words)
        if self.is_verbose:
            print(f"# {self.path.stem}: {words}", flush=True)

    def complain(self, words):
        self.complaints.append(words)

    def note_event(self, game, number, text):
        known = self.events[game].setdefault(number, text)
        if known != text:
            self.complain(f"game {game} event {number} was once {known!r} and is now {text!r}")

    # --- Words of a script

    def fill(self, text):
        """Puts values in, and {x*80} as eighty x."""
        text = re.sub(r"\{(.)\*(\d+)\}", lambda m: m[1] * int(m[2]), text)
        return re.sub(r"\$(\w+)", lambda m: self.value(m[1]), text)

    def value(self, name):
        if name not in self.values:
            raise Fault(f"${name} has no value yet")
        return self.values[name]

    def matcher(self, pattern):
        """A line that begins with pattern, whole words; ... is anything; $name takes or compares
        a value."""
        pattern = re.sub(r"\{(.)\*(\d+)\}", lambda m: m[1] * int(m[2]), pattern)
        parts, names = [], []
        for piece in WORD.finditer(pattern):
            name = piece[1]
            if piece[0] == "...":
                parts.append(".*?")
            elif name is None:
                parts.append(re.escape(piece[0]))
            elif name in self.values or name in names:
                parts.append(re.escape(self.values[name]) if name in self.values
                             else f"(?P={name})")
            else:
                names.append(name)
                parts.append(rf"(?P<{name}>[^\s,\"]+)")
        end = "" if pattern.endswith("...") else r"(?=\s|$)"
        expression = re.compile("".join(parts) + end)

        def matches(line):
            found = expression.match(line)
            if found:
                self.values.update(found.groupdict())
            return found is not None
        return matches

    # --- Clients

    def client(self, name):
        if name not in self.clients:
            raise Fault(f"{name} has not come yet")
        return self.clients[name]

    async def open(self, name, key=None, receive_bytes=None, source=None, behind=None,
                   is_web=False):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["http/1.1" if is_web else "janggi/1"])
        if key is not None:
            context.load_cert_chain(*await self.identity(key))
        plain = socket.socket()
        if receive_bytes is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        if source is not None:
            plain.bind((source, 0))
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", self.server.port))
        if behind is not None:
            await asyncio.get_running_loop().sock_sendall(plain, proxy_header(behind))
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(sock=plain, ssl=context, server_hostname="localhost",
                                    limit=1 << 20), PATIENCE_S)
        if is_web:
            reader, writer = await asyncio.wait_for(
                websocket.open_asyncio(reader, writer, f"127.0.0.1:{self.server.port}"), PATIENCE_S)
        self.clients[name] = Client(self, name, reader, writer)
        await self.expect(name, "* janggi/1")

    async def open_as(self, name, words):
        given = dict(word.split("=") if "=" in word else (word, "") for word in words)
        receive_bytes = given.get("receives")
        await self.open(name, given.get("key"), receive_bytes and int(receive_bytes),
                        given.get("from"), given.get("behind"), "web" in given)

    async def is_refused(self, name, source=None):
        """The door stays closed, with or without a word."""
        try:
            await self.open(name, source=source)
        except (Fault, OSError, asyncio.TimeoutError):
            refused = self.clients.pop(name, None)
            if refused is not None:
                await refused.ended()
            return
        raise Fault(f"{name} was let in")

    async def gets_in(self, name):
        """Knocks until the door is open."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            try:
                return await self.open(name)
            except (Fault, OSError) as refusal:
                if asyncio.get_running_loop().time() > deadline:
                    raise Fault(f"{name} never gets in") from refusal
                await asyncio.sleep(0.02)

    async def identity(self, key):
        cert, secret = (self.directory / f"{key}.{kind}" for kind in ("crt", "key"))
        if not cert.exists():
            made = await asyncio.create_subprocess_exec(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-subj", f"/CN={key}", "-days", "30", "-keyout", secret, "-out", cert,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if await made.wait() != 0:
                raise Fault("openssl made no certificate")
        return cert, secret

    async def say(self, name, text, end="\n"):
        if name not in self.clients:
            await self.open(name)
        self.log(f"{name} > {text}")
        await self.client(name).send((text + end).encode())

    async def expect(self, name, pattern):
        client = self.client(name)
        try:
            line = await client.find(self.matcher(pattern), self.patience)
        except Closed:
            raise Fault(f"{name} waits for {pattern!r}, but the connection has ended") from None
        if line is None:
            raise Fault(f"{name} waits in vain for {pattern!r}")
        return line

    async def expect_next(self, name, pattern):
        """Words about a slow disk may come between any two lines, unless the script steps the clock."""
        client, wanted = self.client(name), self.matcher(pattern)
        may_come_between = OF_THE_DISK.match if self.server.clock is None else lambda line: False
        try:
            line = await client.find(lambda line: wanted(line) or not may_come_between(line), self.patience)
        except Closed:
            line = "the end of the connection"
        if line is None or not wanted(line):
            raise Fault(f"{name} should next get {pattern!r}, not {line!r}")

    async def expect_ever(self, name, pattern):
        """The line has come or will come on this connection, whether it was read or not."""
        client = self.client(name)
        read_to, client.read_to = client.read_to, 0
        try:
            await self.expect(name, pattern)
        finally:
            client.read_to = read_to

    async def expect_none(self, name, pattern):
        """All lines before the answer to a ping are examined and stay unread."""
        client, matches = self.client(name), self.matcher(pattern)
        start = client.read_to
        self.pings = getattr(self, "pings", 0) + 1
        await self.say(name, f"#quiet{self.pings} ping")
        await self.expect(name, f"#quiet{self.pings} OK ping")
        seen = client.lines[start:client.read_to - 1]
        del client.lines[client.read_to - 1]
        client.read_to = start
        for line in seen:
            if matches(line):
                raise Fault(f"{name} must not get {pattern!r}, but got {line!r}")

    # --- Steps

    async def step(self, text):
        found = STEP.fullmatch(text)
        if found and found[1] != "server":
            names = self.both if found[1] == "both" else found[1].split(",")
            for name in names:
                await self.client_step(name, found[2], found[3] or "")
            return
        verb, _, rest = text.partition(" ")
        if not hasattr(self, f"do_{verb}"):
            raise Fault(f"the script says what nobody understands: {text}")
        await getattr(self, f"do_{verb}")(rest)

    async def take(self, rows):
        """Takes steps, each with the number of its line, and again those that are to be done several times."""
        while rows:
            (self.line, text), *rows = rows
            times = re.fullmatch(r"(\d+) times(?:: *| (.*))", text)
            if not times:
                if self.server.process is None and not text.startswith(("server", "stepped")):
                    await self.server.start()
                await self.step(text.strip())
                if self.complaints:
                    raise Fault(self.complaints[0])
                continue
            block = [(self.line, times[2])] if times[2] else \
                [(line, step[4:]) for line, step in itertools.takewhile(lambda row: row[1].startswith("    "), rows)]
            if not block:
                raise Fault("nothing is indented below")
            rows = rows[0 if times[2] else len(block):]
            for number in range(1, int(times[1]) + 1):
                await self.take([(line, step.replace("$number", str(number))) for line, step in block])

    async def client_step(self, name, sign, text):
        if sign == ">":
            text, _, answer = text.partition(" -> ")
            await self.say(name, self.fill(text))
            if answer:
                await self.expect(name, answer)
        elif sign == ">>":
            if name not in self.clients:
                await self.open(name)
            await self.client(name).send(ast.literal_eval("b" + self.fill(text)))
        elif sign == "<":
            await self.expect(name, text)
        elif sign == "<=":
            await self.expect_next(name, text)
        elif sign == "<*":
            await self.expect_ever(name, text)
        elif sign == "<!":
            await self.expect_none(name, text)
        else:
            await self.act(name, *text.split())

    async def act(self, name, what, *words):
        if what == "comes":
            await self.open_as(name, words)
        elif what == "is_refused":
            await self.is_refused(name, dict(word.split("=") for word in words).get("from"))
        elif what == "gets_in":
            await self.gets_in(name)
        elif what in ("back", "again"):
            if what == "again":
                await self.client(name).cut()
            await self.open(name)
            await self.say(name, f"login {name} token={self.value(name + '_token')}")
            await self.expect(name, f"OK login name={name}")
        elif what == "cut":
            await self.client(name).cut()
        elif what == "leaves":
            await self.client(name).close()
        elif what == "deaf":
            self.client(name).writer.transport.pause_reading()
            self.client(name).is_deaf = True
        elif what == "hears":
            self.client(name).writer.transport.resume_reading()
            self.client(name).is_deaf = False
        elif what == "is_closed":
            if not await self.client(name).ended():
                raise Fault(f"the connection of {name} does not end")
        else:
            raise Fault(f"a client cannot {what}")

    async def do_login(self, rest):
        """login NAME ... [key=K] [from=ADDRESS] ...: each comes in this way, and logs in by its name."""
        names = [word for word in rest.split() if "=" not in word]
        ways = [word for word in rest.split() if "=" in word]
        proof = "proof=key" if "key=" in rest else "token=$%s_token proof=token"
        for name in names:
            if ways:
                await self.open_as(name, ways)
            await self.say(name, f"login {name}")
            await self.expect(name, f"OK login name={name} {proof.replace('%s', name)}")

    async def do_role(self, rest):
        """role NAME ... ROLE: the host gives each the role, and each is told."""
        *names, role = rest.split()
        for name in names:
            await self.server.do_ctl("role", name, role)
        for name in names:
            await self.expect(name, f"! notice why=role role={role}")

    async def do_begin(self, rest):
        """begin RED BLUE [time=...] [rules=...] [setup=NBBN,NBBN]: to the first move."""
        red, blue, *words = rest.split()
        setups = [w[6:] for w in words if w.startswith("setup=")] or ["NBBN,NBBN"]
        terms = [w for w in words if not w.startswith("setup=")]
        await self.do_login(" ".join(n for n in (red, blue) if n not in self.clients))
        for name in ("seek", "game"):
            self.values.pop(name, None)
        await self.say(red, " ".join(["seek", "side=red", *terms]))
        await self.expect(red, "OK seek id=$seek")
        await self.say(blue, self.fill("accept $seek"))
        await self.expect(blue, "OK accept game=$game")
        self.both = (red, blue)
        for name in self.both:
            await self.expect(name, f"! game $game 0 start red={red} blue={blue}")
        # Either side may be the first to choose: the ruleset says.
        order = list(zip((red, blue), ("red", "blue"), setups[0].split(",")))
        if setups[0] != "none":
            line = await self.expect(red, "! setup game=$game")
            if "side=blue" in line:
                order.reverse()
            for name, side, lineup in order:
                await self.say(name, self.fill(f"setup $game {lineup}"))
                await self.expect(name, f"OK setup game=$game setup={lineup}")
                for reader in self.both:
                    await self.expect(reader, f"! game $game ... setup {side} {lineup}")

    async def do_rated(self, rest):
        """rated WINNER LOSER [time=...] [rules=...]: a whole rated game, $game, which the second
        player resigns after a move of each; to the notice after it. "open" leaves it open when
        the second player is to move; "drawn" ends it by agreement."""
        winner, loser, *words = rest.split()
        terms = [w for w in words if "=" in w]
        self.values.pop("seek", None)
        self.values.pop("game", None)
        await self.say(winner, " ".join([f"challenge {loser} rated=yes setup=NBBN/NBBN", *terms]))
        await self.expect(winner, "OK challenge id=$seek")
        await self.say(loser, self.fill("accept $seek"))
        await self.expect(loser, "OK accept game=$game")
        start = await self.expect(winner, "! game $game 0 start")
        players = (winner, loser) if f" red={winner} " in start else (loser, winner)
        order = list(zip(players, ("a3a4", "a6a5"), ("c3c4", "c6c5")))
        if " rules=kja " in start:
            order.reverse()
        acts = [(name, move) for name, move, _ in order]
        if "open" in words and order[0][0] == winner:
            acts.append((winner, order[0][2]))
        for name, move in acts:
            await self.say(name, self.fill(f"move game=$game {move}"))
            for reader in players:
                await self.expect(reader, "! game $game ... move ...")
        if "open" in words:
            return
        for name in players if "drawn" in words else (loser,):
            await self.say(name, self.fill(f"{'draw' if 'drawn' in words else 'resign'} game=$game"))
            await self.expect(name, f"OK {'draw' if 'drawn' in words else 'resign'} game=$game")
        for reader in players:
            await self.expect(reader, "! rating game=$game ...")

    async def do_play(self, rest):
        """play FIRST SECOND: MOVE MOVE ...: in turn, each seen by both before the next."""
        who, _, moves = rest.partition(":")
        first, second = who.split()
        for i, move in enumerate(moves.split()):
            name, other = ((first, second), (second, first))[i % 2]
            shown = "pass" if move == "pass" else f"{move[:2]}-{move[2:]}".upper()
            await self.say(name, self.fill(f"move $game {move}"))
            await self.expect(name, f"OK move game=$game ... move={shown}")
            for reader in (name, other):
                await self.expect(reader, f"! game $game ... move ... {shown}")

    async def do_wander(self, rest):
        """wander FIRST SECOND PLIES SEED: plays random legal moves until the end, or that many."""
        first, second, plies, seed = rest.split()
        lots = random.Random(int(seed))
        for i in range(int(plies)):
            name, other = ((first, second), (second, first))[i % 2]
            await self.say(name, self.fill("moves $game"))
            line = await self.expect(name, "OK moves game=$game list=...")
            legal = re.search(r"list=(\S+)", line)[1].split(",")
            if legal == ["-"]:
                return
            move = lots.choice(legal)
            await self.say(name, self.fill(f"move $game {move}"))
            await self.expect(name, f"OK move game=$game ... move={move}")
            await self.expect(other, f"! game $game ... move ... {move}")

    async def do_server(self, rest):
        sign, _, words = rest.partition(" ")
        if sign != "!":
            self.server.options = rest.split()
            await self.server.start()
            return
        words, _, answer = words.partition(" -> ")
        what, *options = words.split()
        if not hasattr(self.server, f"do_{what}"):
            raise Fault(f"a server cannot {what}")
        await getattr(self.server, f"do_{what}")(*options)
        if answer:
            await self.server.do_tells(*answer.split())

    async def do_stepped(self, rest):
        """stepped, before the server starts: stops its clock; only the word step advances it."""
        if self.server.process is not None:
            raise Fault("the server runs already")
        self.server.take_clock()

    async def do_step(self, rest):
        """step 2d: the server's clock goes ahead by so much, whether it runs or not."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", rest)
        if not found:
            raise Fault(f"no span of time: {rest}")
        unit_ms = {"ms": 1, "s": 1000, "m": 60000, "h": 3600000, "d": 86400000}[found[2]]
        self.server.step(round(float(found[1]) * unit_ms))

    async def do_wait(self, rest):
        await asyncio.sleep(float(rest))

    async def do_patience(self, rest):
        self.patience = float(rest) * SLOW

    async def do_let(self, rest):
        name, _, text = rest.partition("=")
        self.values[name.strip()] = self.fill(text.strip())

    async def do_forget(self, rest):
        for name in rest.split():
            self.values.pop(name, None)

    async def do_check(self, rest):
        values = {k: int(v) if re.fullmatch(r"-?\d+", v) else v for k, v in self.values.items()}
        if not eval(rest, {"__builtins__": {"abs": abs, "int": int, "max": max}}, values):
            known = {k: v for k, v in values.items() if re.search(rf"\b{k}\b", rest)}
            raise Fault(f"not so: {rest} with {known}")

    async def do_memory(self, rest):
        """memory NAME: the server's resident kilobytes; 0 under a sanitizer, which keeps all."""
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        kilobytes = re.search(r"VmRSS:\s+(\d+)", status)[1]
        self.values[rest.strip()] = "0" if self.server.is_sanitized() else kilobytes

    async def do_renamed(self, rest):
        """From now on the start event of that game has another text: a player was erased."""
        self.events[self.fill(rest).strip()].pop(0, None)

    async def do_unjudged(self, rest):
        """The games of this script are not read back at its end."""
        self.is_judged = False

    # --- The whole

    async def run(self):
        rows = enumerate(self.path.read_text().splitlines(), 1)
        await self.take([row for row in rows if row[1].strip() and not row[1].strip().startswith("#")])
        await self.finish()

    async def finish(self):
        if not self.server.is_running():
            return
        for name, client in self.clients.items():
            is_deaf = not client.writer.transport.is_reading()
            if not client.is_closed and not is_deaf and client.lines and client.lines[-1].startswith("! bye "):
                if not await client.ended():
                    raise Fault(f"{name} got a goodbye, and its connection stays open")
            elif not client.is_closed and not is_deaf:
                await self.say(name, "#last ping")
                await self.expect(name, "#last OK ping")
                if client.asked != client.answered:
                    raise Fault(f"{name} sent {client.asked} commands and got "
                                f"{client.answered} answers")
        if self.is_judged:
            await self.judge()
        await self.come_back()
        if await self.server.kill(signal.SIGTERM) != 0:
            raise Fault(f"at the end janggid had status {self.server.process.returncode}")

    async def come_back(self):
        """Whatever the script left on the disk, the server starts on it: after kill -9, and with a stepped
        clock also long after."""
        await self.server.kill()
        for _ in range(2 if self.server.clock else 0):
            await self.server.start()
            await self.server.kill()
            self.server.step(45 * 86400 * 1000)
        await self.server.start()

    async def judge(self):
        """A stranger reads all games at the end: every event that a client has received must be there."""
        if not self.events:
            return
        await self.open("late reader")
        await self.say("late reader", "login")
        await self.expect("late reader", "OK login name=guest...")
        for game, seen in list(self.events.items()):
            await self.say("late reader", f"watch {game}")
            await self.expect("late reader", f"OK watch game={game} next=0")
            for number in range(max(seen) + 1):
                await self.expect("late reader", f"! game {game} {number} ...")
            await self.say("late reader", f"unwatch {game}")
            await self.expect("late reader", f"OK unwatch game={game}")

    async def clean_up(self):
        for client in self.clients.values():
            client.task.cancel()
            client.writer.transport.abort()
        if self.server.is_running():
            self.server.process.kill()
            await self.server.process.wait()
        for asked in self.server.asked:
            await asyncio.wait_for(asked.communicate(), PATIENCE_S)
        if self.keeps:
            print(f"# {self.path.stem}: files are in {self.directory}", flush=True)
        else:
            # On a thread, because the disk may be slow while other scripts play.
            await asyncio.to_thread(shutil.rmtree, self.directory, ignore_errors=True)
