"""A server and programs that are typed into, for tests of whole games.

Knows janggid's two lines on standard output, and of a client only that it reads lines
and writes lines. Standard library only.
"""
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import held_port

HERE = os.path.dirname(os.path.abspath(__file__))
GAME_FILE = os.path.join(HERE, "..", "data", "mate_game.txt")
EVENT = re.compile(r"^(?:! )?(?:game )?(\d+) (\d+) ((?:start|setup|move|takeback|end) .*)$")
PATIENCE_S = 120


def recorded_game():
    """The events of a game to checkmate: number 0 first."""
    with open(GAME_FILE, encoding="utf-8") as file:
        return file.read().splitlines()


class Scene:
    """A directory, a server in it, and the programs that talk to it."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.directory = tempfile.mkdtemp(prefix="janggi-e2e-")
        self.held, self.port = held_port.hold()
        self.key, self.server = "", None
        self.people = []
        self.passed, self.failed = 0, 0

    def check(self, is_good, name, why=""):
        print(f"ok {name}" if is_good else f"not ok {name} {why}", flush=True)
        if is_good:
            self.passed += 1
        else:
            self.failed += 1

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def start_server(self):
        with open(self.path("janggid.log"), "ab") as log:
            self.server = subprocess.Popen(
                [os.path.join(self.build, "janggid"), "--data", self.path("data"),
                 "--listen", f"127.0.0.1:{self.port}", "--allow-root", "--quotas", "off", "--access", "open",
                 "--accepts-per-s", "0"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        for line in self.server.stdout:
            words = line.decode().split()
            if words[:2] == ["listening", "on"]:
                self.port = int(words[2].rsplit(":", 1)[1])
            if words[:1] == ["key"]:
                self.key = words[1]
                return
        raise RuntimeError("the server did not start")

    def kill_server(self):
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def stop_server(self):
        self.server.terminate()
        return self.server.wait(timeout=PATIENCE_S)

    def bring(self, name, command, **options):
        person = Person(name, command, self.directory, **options)
        self.people.append(person)
        return person

    def end(self):
        for person in self.people:
            person.kill()
        if self.server is not None and self.server.poll() is None:
            self.kill_server()
        if self.failed:
            print(f"# files are in {self.directory}")
            for person in self.people:
                print(f"# --- {person.name}: the last of what was read")
                for line in person.lines[-15:]:
                    print("#    " + line)
        else:
            shutil.rmtree(self.directory, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


class Person:
    """A program, what was typed into it, and what it has written."""

    def __init__(self, name, command, directory, environment=None):
        self.name = name
        self.lines, self.rest, self.at = [], b"", 0
        with open(os.path.join(directory, name + ".err"), "ab") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=directory, env=dict(os.environ, **(environment or {})))
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def type(self, words):
        self.process.stdin.write((words + "\n").encode())
        self.process.stdin.flush()

    def _read(self, seconds):
        if not self.selector.select(seconds):
            return True
        got = os.read(self.process.stdout.fileno(), 65536)
        *whole, self.rest = (self.rest + got).split(b"\n")
        self.lines += [line.decode(errors="replace").rstrip("\r") for line in whole]
        return bool(got)

    def hear(self, pattern, seconds=PATIENCE_S):
        """Waits for a line that matches, after the one found last. Raises if none comes."""
        wanted, by = re.compile(pattern), time.monotonic() + seconds
        is_open = True
        while True:
            while self.at < len(self.lines):
                found = wanted.search(self.lines[self.at])
                self.at += 1
                if found:
                    return found
            if not is_open:
                raise EOFError(f"{self.name} ended before \"{pattern}\"; the last of what was read: {self.lines[-3:]}")
            if time.monotonic() > by:
                raise TimeoutError(
                    f"{self.name} did not see \"{pattern}\" in {seconds} s; the last of what was read: {self.lines[-3:]}")
            is_open = self._read(0.2)

    def wait(self, seconds=PATIENCE_S):
        """Reads to the end. The exit status, or None if it does not end."""
        by = time.monotonic() + seconds
        while time.monotonic() < by:
            if not self._read(0.2):
                return self.process.wait(timeout=PATIENCE_S)
        return None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def events_in(lines, game):
    """The events of a game by number, from lines that show them; each one once."""
    events = {}
    for line in lines:
        found = EVENT.match(line)
        if found and int(found[1]) == game:
            number, text = int(found[2]), found[3]
            if events.setdefault(number, text) != text:
                raise ValueError(f"event {number} of game {game} was shown in two ways")
    return [events.get(i, "(missing)") for i in range(max(events, default=-1) + 1)]


def main(play):
    """Runs play(scene) on the build that the command line names."""
    scene = Scene(sys.argv[1] if len(sys.argv) > 1 else "build")
    try:
        scene.start_server()
        play(scene)
    except Exception as error:  # any error fails the test
        scene.check(False, os.path.basename(sys.argv[0]),
                    f"{type(error).__name__}: {error}")
    return scene.end()
