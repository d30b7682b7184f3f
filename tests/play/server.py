"""The server of a play: janggid on a free port, with a directory of its own."""

import asyncio
import os
import pathlib
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time

from client import Fault, PATIENCE_S

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from stepped_clock import SteppedClock  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BUILD", "build"))


class Server:
    """janggid on a free port with a directory of its own."""

    def __init__(self, play):
        self.play = play
        self.options, self.process, self.port = [], None, None
        self.log_path = play.directory / "janggid.log"
        self.log_read = 0  # lines of the log that do_logs() has passed
        self.asked = []  # processes that asked it something; some wait for its end
        self.clock, self.environment = None, None

    def command(self, options):
        """A connection has an hour to log in, because the disk may be slow. A script may say another time."""
        return [str(BUILD.resolve() / "janggid"), "--data", str(self.play.directory / "data"),
                "--listen", "127.0.0.1:0", "--verbose", "--allow-root", "--quotas", "off", "--access", "open",
                "--limits", "login-s=3600",
                *("" if word == '""' else word for word in options)]

    async def start(self, options=()):
        with open(self.log_path, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.command([*self.options, *options]), cwd=self.play.directory,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                env=self.environment)
        self.printed = []
        while True:
            raw = await asyncio.wait_for(self.process.stdout.readline(), 3 * PATIENCE_S)
            if not raw:
                raise Fault(f"janggid ended with status {await self.process.wait()}")
            self.printed.append(raw.decode().rstrip("\n"))
            self.play.log(f"server: {self.printed[-1]}")
            found = re.match(r"listening on \S*:(\d+) \(TLS 1\.3\)", self.printed[-1])
            if found:
                self.port = int(found[1])
                break
        if self.play.pauses:
            await asyncio.to_thread(
                input, f"# {self.play.path.stem}: gdb -p {self.process.pid}; Enter goes on ")

    # --- A clock that the script steps

    def take_clock(self):
        """From its start on the server's clock stands still until the script steps it."""
        self.clock = SteppedClock(self.play.directory / "clock")
        self.environment = dict(os.environ, **self.clock.environment(BUILD))

    def step(self, milliseconds):
        if self.clock is None:
            raise Fault("the script does not begin with \"stepped\"")
        self.clock.step_ms(milliseconds)

    async def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return await self.status()

    async def status(self):
        """Waits until the server has ended. Its shutdown takes time, so a stepped clock runs meanwhile."""
        ended = asyncio.ensure_future(self.process.wait())
        deadline = time.monotonic() + 3 * PATIENCE_S
        while not (await asyncio.wait([ended], timeout=0.01))[0]:
            if time.monotonic() > deadline:
                ended.cancel()
                raise Fault("janggid does not end")
            if self.clock is not None:
                self.step(10)
        return ended.result()

    def is_running(self):
        return self.process is not None and self.process.returncode is None

    def is_sanitized(self):
        program = (BUILD / "janggid").read_bytes()
        return b"__asan_init" in program or b"__tsan_init" in program

    def report(self):
        """Returns the message of a sanitizer or an assertion."""
        text = self.log_path.read_text(errors="replace") if self.log_path.exists() else ""
        found = re.search(r".*(?:Sanitizer|runtime error|Assertion).*", text)
        return found and found[0]

    # --- What a script may do to it

    async def do_freezes(self):
        """The process stands still; what clients send waits in its sockets."""
        self.process.send_signal(signal.SIGSTOP)

    async def do_thaws(self):
        self.process.send_signal(signal.SIGCONT)

    async def do_start(self, *options):
        await self.start(options)

    async def do_kill(self):
        await self.kill()

    async def do_restarts(self, *options):
        await self.kill()
        await self.start(options)

    async def do_stop(self):
        if await self.kill(signal.SIGTERM) != 0:
            raise Fault(f"janggid ended with status {self.process.returncode}")

    async def do_stops(self):
        """SIGTERM; goes on once it has begun to stop, which may take a while."""
        self.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE_S
        while "stopping why=" not in self.log_path.read_text(errors="replace"):
            if time.monotonic() > deadline:
                raise Fault("janggid does not stop")
            await asyncio.sleep(0.01)

    async def do_ends(self):
        if await self.status() != 0:
            raise Fault(f"janggid ended with status {self.process.returncode}")

    async def do_ctl(self, *words):
        """Asks it as its host; goes on after the first line of the answer."""
        asked = await asyncio.create_subprocess_exec(
            str(BUILD.resolve() / "janggid"), "ctl", "--data", str(self.play.directory / "data"), *words,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.asked.append(asked)
        raw = await asyncio.wait_for(asked.stdout.readline(), PATIENCE_S)
        self.play.log(f"server: {' '.join(words)}: {raw.decode().strip()}")
        if not raw:
            raise Fault(f"janggid ctl ended with status {await asked.wait()}")
        asked.said = [raw.decode().rstrip("\n")]

    async def do_tells(self, *pattern):
        """A line of the answer to the last ctl."""
        asked, matches = self.asked[-1], self.play.matcher(" ".join(pattern))
        while not any(matches(line.strip()) for line in asked.said):
            raw = await asyncio.wait_for(asked.stdout.readline(), PATIENCE_S)
            if not raw:
                raise Fault(f"janggid ctl did not say {' '.join(pattern)!r}")
            asked.said.append(raw.decode().rstrip("\n"))
            self.play.log(f"server: {asked.said[-1]}")

    async def do_damages(self, game, number):
        """While no server runs, a disk changes one letter of that event."""
        if self.is_running():
            raise Fault("the server runs")
        if await asyncio.to_thread(self.damage, int(self.play.fill(game)), int(number)) != 1:
            raise Fault(f"game {game} has no event {number} to damage")

    def damage(self, game, number):
        """Returns how many events it has damaged. On a thread, because the disk may be slow while other scripts
        play."""
        with sqlite3.connect(self.play.directory / "data" / "janggid.db") as file:
            changed = file.execute(
                "UPDATE journal SET text = replace(text, 'e', 'f') WHERE game = ? AND number = ?",
                (game, number)).rowcount
            file.execute("UPDATE game SET log = replace(log, 'e', 'f') WHERE id = ?", (game,))
        file.close()
        return changed

    async def runs(self, words, pattern):
        """Such a task of janggid says such a line."""
        asked = await asyncio.create_subprocess_exec(
            str(BUILD.resolve() / "janggid"), *words, "--data", str(self.play.directory / "data"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = await asyncio.wait_for(asked.communicate(), PATIENCE_S)
        matches = self.play.matcher(" ".join(pattern))
        if not any(matches(line.strip()) for line in said.decode().splitlines()):
            raise Fault(f"janggid {' '.join(words)} said {said.decode()!r}")

    async def do_verifies(self, *pattern):
        """While no server runs, "janggid verify" says such a line."""
        if self.is_running():
            raise Fault("the server runs")
        await self.runs(["verify"], pattern)

    async def do_erases(self, name, *pattern):
        """"janggid erase" says such a line."""
        await self.runs(["erase", name], pattern)

    async def do_hup(self):
        self.process.send_signal(signal.SIGHUP)

    async def do_writes(self, *words):
        """One line of janggid.conf, for --config; "-" empties it."""
        path = self.play.directory / "janggid.conf"
        if words == ("-",):
            path.write_text("")
        else:
            with open(path, "a") as file:
                file.write(" ".join(words) + "\n")

    async def do_refuses(self, status, *options):
        """Another janggid with the same directory must end at once, with this status. The option may_write=BYTES
        gives it a full disk."""
        sizes = [int(word.partition("=")[2]) for word in options if word.startswith("may_write=")]
        options = [word for word in options if not word.startswith("may_write=")]

        def limit():
            for size in sizes:
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        second = await asyncio.create_subprocess_exec(
            *self.command(options), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
        words = (await asyncio.wait_for(second.communicate(), PATIENCE_S))[1].decode()
        self.play.log(f"second server: status {second.returncode} {words.strip()}")
        if second.returncode != int(status):
            raise Fault(f"a second janggid ended with {second.returncode}, not {status}")

    async def do_may_write(self, size):
        """Files may grow to size bytes and no further, which is a full disk to SQLite."""
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        soft = hard if size == "all" else int(size)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (soft, hard))

    async def do_logs(self, *pattern):
        """Waits for a new line of the server's log, which also has what its notify-program prints."""
        matches = self.play.matcher(" ".join(pattern))
        deadline = time.monotonic() + PATIENCE_S
        while True:
            lines = self.log_path.read_text(errors="replace").splitlines(keepends=True)
            for at in range(self.log_read, len(lines)):
                if lines[at].endswith("\n") and matches(lines[at].strip()):
                    self.log_read = at + 1
                    return
            if time.monotonic() > deadline:
                raise Fault(f"the log does not say {' '.join(pattern)!r}")
            await asyncio.sleep(0.01)

    async def do_prints(self, *pattern):
        matches = self.play.matcher(" ".join(pattern))
        while not any(matches(line.strip()) for line in self.printed):
            raw = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
            if not raw:
                raise Fault(f"janggid did not print {' '.join(pattern)!r}")
            self.printed.append(raw.decode().rstrip("\n"))
