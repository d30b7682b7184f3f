#!/usr/bin/env python3
"""Holds a load: so many clients are logged in, so many games are played, so many moves a second, and every
minute somebody attacks. Memory and descriptors of the server stay where they are, and nothing goes wrong.
With --kill-every the server is also killed (SIGKILL) and started again: that is the soak.

    python3 tests/proof/load_hold.py BUILD [--long] [--clients N] [--games N] [--moves-per-s N] [--seconds N]
                                           [--attack-every S] [--kill-every S]

Without --long this is the short form of both, for the suite: seconds, few clients, no bar on a time. The
control holds some connections open after the end, which the count of descriptors must notice.
"""
import argparse
import asyncio
import itertools
import os
import re
import resource
import shutil
import signal
import ssl
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "attack"), os.path.join(HERE, "..", "lib")]
from callers import Child, field, network, percentile  # noqa: E402
from hosting import Server  # noqa: E402
from players import Player, recorded_moves  # noqa: E402
import attackers  # noqa: E402

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname, CONTEXT.verify_mode = False, ssl.CERT_NONE
SAME_ADDRESS = 20  # clients that share an address
DOOR_USES = 1000  # the most that an invitation takes
AT_ONCE = 20  # clients of a process that log in at the same time; more would take longer than a server waits
ATTACK_S = 5
RSS_MAX_MB, RSS_MORE_MB_PER_H, P99_MS = 400, 1, 50
ANSWER_S = 120  # an answer that takes longer is an error
MOVES_LEAST = 20  # in a run, however slow the machine is


class Lost(Exception):
    """The connection has ended."""


class Client:
    """A member who connects again after a loss."""

    def __init__(self, load, number):
        self.load, self.number = load, number
        self.name, self.token = f"u{load.process}x{number}", None
        self.writer, self.answers, self.events = None, [], {}

    async def come(self):
        """Connects and logs in, again and again until the server lets it in."""
        while not self.load.is_over:
            async with self.load.door_is_free:
                if await self._enter():
                    return
            await asyncio.sleep(0.3)

    async def _enter(self):
        """True: the server has let it in."""
        source = network(self.load.process * 1000 + self.number // SAME_ADDRESS, 100)
        try:
            reader, self.writer = await asyncio.wait_for(asyncio.open_connection(
                "127.0.0.1", self.load.port, ssl=CONTEXT, local_addr=(source, 0)), ANSWER_S)
            self.answers, self.events = [], {}
            asyncio.ensure_future(self._read(reader))
            answer = await self.ask(f"login {self.name} " + (
                f"token={self.token}" if self.token else f"invite={self.load.doors[self.number // DOOR_USES]}"))
            if answer.startswith("OK"):
                self.token = field(answer, "token") or self.token
                return True
            self.load.error(f"login: {answer}")
            self.writer.close()
        except (OSError, Lost, asyncio.TimeoutError, EOFError):
            pass
        return False

    async def _read(self, reader):
        try:
            while True:
                line = (await reader.readline()).decode()
                if not line.endswith("\n"):
                    break
                self._take(line)
        except OSError:
            pass
        for future in self.answers + list(self.events.values()):
            if not future.done():
                future.set_exception(Lost())
                future.exception()
        self.writer.close()

    def _take(self, line):
        if line.startswith(("OK ", "ERR ")) and self.answers:
            future = self.answers.pop(0)
        elif line.startswith("! game "):
            future = self.events.pop(" ".join(line.split(" ", 4)[2:4]), None)
        else:
            return
        if future is not None and not future.done():
            future.set_result(line)

    def _await(self, future):
        return asyncio.wait_for(future, ANSWER_S)

    async def ask(self, line):
        if self.writer.is_closing():
            raise Lost()
        future = asyncio.get_running_loop().create_future()
        self.answers.append(future)
        self.writer.write((line + "\n").encode())
        return await self._await(future)

    def event(self, game, number):
        """A future: that event of that game."""
        return self.events.setdefault(f"{game} {number}", asyncio.get_running_loop().create_future())


class Pair:
    """Two who play the recorded game, again and again."""

    def __init__(self, load, number):
        self.load = load
        self.red, self.blue = Client(load, 2 * number), Client(load, 2 * number + 1)
        self.moves, self.game, self.played = recorded_moves(), None, 0

    async def _must(self, client, line):
        answer = await client.ask(line)
        if not answer.startswith("OK"):
            self.load.error(f"{line}: {answer.strip()}")
        return answer

    async def _begin(self):
        offer = field(await self._must(self.red, f"challenge {self.blue.name} time=none side=red"), "id")
        self.game = field(await self._must(self.blue, f"accept {offer}"), "game")
        self.played = 0
        for client, setup in ((self.red, "NBNB"), (self.blue, "BNNB")):
            await self._must(client, f"setup game={self.game} {setup}")

    async def _move(self):
        side, move = self.moves[self.played]
        mover, other = (self.red, self.blue) if side == "red" else (self.blue, self.red)
        seen, began = other.event(self.game, self.played + 3), time.monotonic()
        await self._must(mover, f"move game={self.game} {self.played + 1} {move}")
        self.played += 1
        await asyncio.wait_for(seen, ANSWER_S)
        self.load.took.append((began, time.monotonic() - began))

    async def _come_back(self):
        """Both players come back after a loss. All acknowledged moves must be in the game."""
        await asyncio.gather(self.red.come(), self.blue.come())
        if self.game is None or self.load.is_over:
            return
        ply = field(await self.red.ask(f"state game={self.game}"), "ply")
        if ply is None or int(ply) < self.played:
            self.load.error(f"game {self.game}: {self.played} moves were acknowledged, {ply} are there")
        self.load.back += 1
        if ply is None or int(ply) >= len(self.moves):
            self.game = None
        else:
            self.played = int(ply)

    async def _turn(self):
        if self.game is None:
            await self._begin()
        await self._move()
        if self.played == len(self.moves):
            self.game = None

    async def live(self):
        await asyncio.gather(self.red.come(), self.blue.come())
        self.load.ready += 2
        while not self.load.is_over:
            try:
                await self._turn()
                await asyncio.sleep(self.load.pause())
            except Lost:
                await self._until_back()
            except asyncio.TimeoutError:
                self.load.error("an answer was lost")
                self.game = None

    async def _until_back(self):
        self.load.away += 1
        while not self.load.is_over:
            try:
                await self._come_back()
                if self.game is not None and self.played < 2 and self.load.has_killed:
                    self.game = None  # its line-ups may be half done
                self.load.away -= 1
                return
            except (Lost, asyncio.TimeoutError):
                await asyncio.sleep(0.3)


async def idle(client):
    """A member who plays nothing."""
    await client.come()
    client.load.ready += 1
    while not client.load.is_over:
        try:
            await client.ask("ping")
            await asyncio.sleep(20)
        except Lost:
            await client.come()
        except asyncio.TimeoutError:
            client.load.error("a ping was lost")


class Load:
    """One process of clients."""

    def __init__(self, port, doors, process, pairs, idlers, moves_per_s):
        self.port, self.doors, self.process = port, doors, process
        self.pairs, self.idlers, self.moves_per_s = pairs, idlers, moves_per_s
        self.is_over, self.has_killed, self.ready, self.back = False, True, 0, 0
        self.errors, self.took, self.door_is_free = 0, [], None
        self.away = 0  # pairs that are coming back

    def error(self, words):
        self.errors += 1
        if self.errors <= 5 and not self.is_over:
            print(f"# {words.strip()}", flush=True)

    def pause(self):
        """Seconds until the next move of a game: its share of the time less what the last move took."""
        share = self.pairs / self.moves_per_s
        return max(0.0, share - (self.took[-1][1] if self.took else 0))

    async def run(self, ask):
        self.door_is_free = asyncio.Semaphore(AT_ONCE)
        lives = [asyncio.ensure_future(Pair(self, number).live()) for number in range(self.pairs)]
        lives += [asyncio.ensure_future(idle(Client(self, 2 * self.pairs + number))) for number in range(self.idlers)]
        while self.ready < 2 * self.pairs + self.idlers:
            await asyncio.sleep(0.1)
        loop = asyncio.get_running_loop()
        began = time.monotonic()
        await loop.run_in_executor(None, ask, "ready")
        took_s = time.monotonic() - began
        await self._wait_for_moves(began)
        await self._wait_for_those_away()
        self.is_over = True
        for life in lives:
            life.cancel()
        took = [each for at, each in self.took if at >= began]
        return {"errors": self.errors, "back": self.back, "took": took, "s": took_s}

    async def _wait_for_moves(self, began):
        until = time.monotonic() + ANSWER_S
        while sum(at >= began for at, _ in self.took) < MOVES_LEAST and time.monotonic() < until:
            await asyncio.sleep(0.1)

    async def _wait_for_those_away(self):
        until = time.monotonic() + ANSWER_S
        await asyncio.sleep(0.5)
        while self.away > 0 and time.monotonic() < until:
            await asyncio.sleep(0.1)


def generate(ask, *arguments):
    attackers.allow_files()
    return asyncio.run(Load(*arguments).run(ask))


# --- The server, seen from outside ----------------------------------------------------------


def rss_mb(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def growth_per_h(samples):
    """The slope of (seconds, MiB), in MiB an hour, after the first sixth."""
    late = samples[len(samples) // 6:]
    if len(late) < 3:
        return 0
    at, mb = (sum(each) / len(late) for each in zip(*late))
    spread = sum((s - at) ** 2 for s, _ in late)
    return round(3600 * sum((s - at) * (m - mb) for s, m in late) / spread, 1) if spread else 0


class Trouble:
    """Attacks and kills, each at its time."""

    ATTACKS = (lambda stage: (attackers.connects, {"networks": range(1), "per_s": 5000}),
               lambda stage: (attackers.hellos, {"networks": range(20)}),
               lambda stage: (attackers.garbage, {"networks": range(20)}),
               lambda stage: (attackers.names, {"networks": range(1)}))

    def __init__(self, server, words):
        self.server, self.words = server, words
        self.began = time.monotonic()
        self.attacks, self.kills, self.running = 0, 0, None
        self.kinds = itertools.cycle(self.ATTACKS)

    def _is_due(self, every, done):
        return every and time.monotonic() - self.began >= every * (done + 1)

    def look(self):
        if self.running is not None and self.running.here.poll():
            self.end()
        if self.running is None and self._is_due(self.words.attack_every, self.attacks):
            self.attacks += 1
            form = argparse.Namespace(seconds=min(ATTACK_S, self.words.seconds / 4), is_long=self.words.long)
            stage = attackers.Stage(self.server, form, False, None)
            function, arguments = next(self.kinds)(stage)
            self.running = Child(function, stage, **arguments)
        if self._is_due(self.words.kill_every, self.kills):
            self.kills += 1
            self.server.process.send_signal(signal.SIGKILL)
            self.server.process.wait()
            self.server.process.stdout.close()
            self.server.start()

    def is_missing(self):
        """An attack or a kill was wanted, and this process got no time for it."""
        return bool(self.words.attack_every and not self.attacks or self.words.kill_every and not self.kills)

    def end(self):
        if self.running is not None:
            self.running.hear()
            self.running.tell()
            self.running.result()
            self.running = None


def hold(server, words, crowd):
    """Holds the load until the time is over. Returns (samples of memory, trouble)."""
    trouble, samples, began = Trouble(server, words), [], time.monotonic()
    while time.monotonic() - began < words.seconds or trouble.is_missing():
        trouble.look()
        samples.append((time.monotonic() - began, rss_mb(server)))
        time.sleep(min(1, words.seconds / 20))
        for child in crowd:
            if child.here.poll():
                raise RuntimeError(child.here.recv())
    trouble.end()
    return samples, trouble


def wait_for_baseline(server, before, patience_s):
    """Waits until the server has closed the connections of clients that have gone. Returns how many more descriptors
    it has than before."""
    until = time.monotonic() + patience_s
    while descriptors(server) > before and time.monotonic() < until:
        time.sleep(0.2)
    return max(0, descriptors(server) - before)


def open_doors(server, clients):
    """Returns codes of invitations for `clients` clients."""
    return [re.search(r"/enter/([0-9A-Z-]+)/", server.ctl("invite", "door", f"uses={DOOR_USES}")[1])[1]
            for _ in range(0, clients, DOOR_USES)]


def measure(server, words, is_control):
    processes = 2 if words.clients > 500 else 1
    before = descriptors(server)
    crowd = [Child(generate, server.port, open_doors(server, words.clients // processes), process,
                   words.games // processes, (words.clients - 2 * words.games) // processes,
                   words.moves_per_s / processes)
             for process in range(processes)]
    for child in crowd:
        child.hear()
    held = [Player(server.port, source=network(1, 220)) for _ in range(5)] if is_control else []
    samples, trouble = hold(server, words, crowd)
    for child in crowd:
        child.tell()
    results = [child.result() for child in crowd]
    took = [each for result in results for each in result["took"]]
    figures = {
        "clients": words.clients, "games": words.games, "attacks": trouble.attacks, "kills": trouble.kills,
        "errors": sum(result["errors"] for result in results), "moves": len(took),
        "moves_per_s": round(len(took) / words.seconds), "p99_ms": round(1000 * percentile(took, 99), 1),
        "back": sum(result["back"] for result in results),
        "rss_mb": round(max(mb for _, mb in samples)), "rss_more_mb_per_h": growth_per_h(samples),
        "descriptors_more": wait_for_baseline(server, before, 5 if is_control else ANSWER_S)}
    for caller in held:
        caller.cut()
    return figures


def bars(words):
    """Returns {figure: most}; a figure with "+" in front must be at least the value."""
    wanted = {"errors": 0, "descriptors_more": 0, "rss_mb": RSS_MAX_MB, "+moves": MOVES_LEAST}
    if words.attack_every:
        wanted["+attacks"] = 1
    if words.kill_every:
        wanted.update({"+kills": 1, "+back": 1})
    if words.long:
        wanted.update({"p99_ms": P99_MS, "+moves_per_s": 0.9 * words.moves_per_s} if not words.kill_every else {})
        if words.seconds >= 1800 and not words.kill_every:
            wanted["rss_more_mb_per_h"] = RSS_MORE_MB_PER_H
    return wanted


def trial(words, is_control):
    directory = tempfile.mkdtemp(prefix="janggi-hold-")
    # The connections that the control holds do not log in.
    with Server(os.path.join(directory, "d"), "--quotas", "on", *(["--limits", "login-s=3600"] if is_control else [])) as server:
        figures = measure(server, words, is_control)
    shutil.rmtree(directory, ignore_errors=True)
    is_sanitized = "ASAN_OPTIONS" in os.environ  # which keeps what was freed
    wanted = {name: bar for name, bar in bars(words).items() if not (is_sanitized and name == "rss_mb")}
    return figures, [f"{name} {figures[name.lstrip('+')]} (bar {bar})" for name, bar in wanted.items()
                     if (figures[name[1:]] < bar if name[0] == "+" else figures[name] > bar)]


def report(name, words):
    figures, missed = trial(words, False)
    for figure, value in figures.items():
        print(f"# {name:10} {figure:20} {value:>10}")
    print(f"ok {name}" if not missed else f"not ok {name} {'; '.join(missed)}", flush=True)
    return not missed


def control(words):
    words.seconds, words.attack_every, words.kill_every = min(words.seconds, 10), 0, 0
    words.clients, words.games, words.moves_per_s = 20, 8, 40
    _, missed = trial(words, True)
    is_seen = any(each.startswith("descriptors_more") for each in missed)
    print(f"{'ok' if is_seen else 'not ok'} connections_that_stay_are_noticed  # {'; '.join(missed)}", flush=True)
    return is_seen


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("build")
    reader.add_argument("--long", action="store_true")
    for name, default in (("clients", 40), ("games", 16), ("moves-per-s", 80), ("seconds", 4), ("attack-every", 1),
                          ("kill-every", 0)):
        reader.add_argument("--" + name, type=int, default=default)
    words = reader.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
    if words.long:
        return 0 if all([report("soak" if words.kill_every else "load-hold", words), control(words)]) else 1
    good = report("load-hold", words)
    words.kill_every, words.attack_every = 2, 0
    return 0 if all([good, report("soak", words), control(words)]) else 1


if __name__ == "__main__":
    sys.exit(main())
