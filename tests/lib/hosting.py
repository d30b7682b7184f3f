"""The one launcher of servers, and how a file of tests runs. Standard library only.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
import held_port  # noqa: E402
from players import PATIENCE_S, Player, Refused  # noqa: E402,F401 (for those that have a server)
from stepped_clock import SteppedClock  # noqa: E402

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
JANGGID, JANGGI = os.path.join(BUILD, "janggid"), os.path.join(BUILD, "janggi")


STARTED = []  # processes that a failed test may leave behind
EX_TEMPFAIL = 75


class Server:
    """janggid on a data directory, and janggid ctl for it. is_stepped: its clock stands still, except while the
    server ends. program: another build of janggid. environment: more variables for it."""

    def __init__(self, data, *options, port=0, is_stepped=False, program=JANGGID, environment=None):
        self.data, self.options, self.port, self.key = data, options, port, None
        if port == 0:
            self.held, self.port = held_port.hold()
        self.program, self.environment = program, environment or {}
        self.clock = SteppedClock(data + ".clock") if is_stepped else None
        self.process, self.players = None, []
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL if error else signal.SIGTERM)

    def start(self, is_patient=True):
        """Starts janggid. It gives up at its start if the disk of its database hangs for some seconds; then it is
        started again, if is_patient."""
        end = time.monotonic() + PATIENCE_S
        while True:
            known = len(self.log()) if os.path.exists(self.data + ".log") else 0
            try:
                self.start_once()
                return
            except RuntimeError:
                if not is_patient or self.process.returncode != EX_TEMPFAIL or \
                        "no answer" not in self.log()[known:] or time.monotonic() > end:
                    raise

    def start_once(self):
        with open(self.data + ".log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--data", self.data, "--listen", f"127.0.0.1:{self.port}",
                 "--allow-root", "--quotas", "off", "--access", "open", *self.options],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                env=dict(os.environ, **self.environment, **(self.clock.environment(BUILD) if self.clock else {})))
        STARTED.append(self.process)
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.port = int(line.split()[2].rsplit(":", 1)[1])
            if line.startswith("key "):
                self.key = line.split()[1]
                return
        raise RuntimeError(f"janggid ended with status {self.process.wait()}: {self.log()}")

    def log(self):
        with open(self.data + ".log", encoding="utf-8", errors="replace") as log:
            return log.read()

    def ctl(self, *words, cwd=None):
        """(status, standard output, standard error) of janggid ctl."""
        done = subprocess.run([JANGGID, "ctl", "--data", self.data, *words], cwd=cwd, text=True,
                              capture_output=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def status(self):
        """Returns the values of janggid ctl status by name."""
        return dict(word.split("=", 1) for line in self.ctl("status")[1].splitlines()
                    for word in line.split())

    def drain(self, *words):
        """Starts janggid drain, which waits for the server's end. Returns the process once the drain has
        begun."""
        process = subprocess.Popen([JANGGID, "drain", "--data", self.data, *words], text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.first = process.stdout.readline()
        return process

    def wait(self):
        """Closes the players, for each of whom the server would wait some seconds. Then waits for the server's
        end and returns its exit status."""
        while self.players:
            self.players.pop().cut()
        while self.clock is not None and self.process.poll() is None:
            self.clock.step_ms(50)
            time.sleep(0.01)
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        found = re.search(r".*(?:Sanitizer|runtime error|Assertion).*", self.log())
        if found:
            raise AssertionError(found[0])
        return status

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.wait()


def begin(red, blue, time_words, lineups=("NBNB", "NBNB")):
    """Begins a game of the two, sets both up, and returns its number."""
    offer = expect(red.ask(f"seek time={time_words} side=red"), r"^OK .*id=(\d+)")[1]
    game = int(expect(blue.ask(f"accept {offer}"), r"^OK .*game=(\d+)")[1])
    red.expect(f"^! game {game} 0 ")
    for player, lineup in zip((red, blue), lineups):
        expect(player.ask(f"setup {game} {lineup}"), f"^OK setup game={game} ")
    for player in (red, blue):
        player.expect(f"^! game {game} 2 setup blue")
    return game


def expect(text, pattern):
    """Returns the match of the pattern in the text. Without a match, an error shows both."""
    found = re.search(pattern, text)
    if not found:
        raise AssertionError(f"\"{pattern}\" is not in \"{text.strip()}\"")
    return found


def must_fail(test):
    """Returns the control of a test: the same test with something taken away. It must fail."""
    def control(directory):
        try:
            test(directory, is_control=True)
        except Exception as error:  # the test may fail in any way
            print(f"# as it must, it failed: {type(error).__name__}: {str(error).splitlines()[0]}")
            return
        raise AssertionError("it did not notice what was taken away")
    control.__name__ = test.__name__ + "_or_it_is_noticed"
    return control


def wait_until(is_so, why):
    """Waits until is_so() is true. An error says `why` if that takes too long."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(why)
        time.sleep(0.02)


def end_all():
    """Kills the servers that still run, frozen ones too."""
    while STARTED:
        process = STARTED.pop()
        if process.poll() is None:
            process.kill()
            process.wait()


def run(tests):
    """Runs each test(directory) in a directory of its own; prints ok and not ok. Words on
    the command line choose tests."""
    failed = 0
    names = [word for word in sys.argv[2:] if not word.startswith("--")]
    for test in tests:
        if names and test.__name__ not in names:
            continue
        directory = tempfile.mkdtemp(prefix="janggi-host-")
        began = time.monotonic()
        try:
            test(directory)
            print(f"ok {test.__name__}  # {time.monotonic() - began:.1f} s", flush=True)
            shutil.rmtree(directory, ignore_errors=True)
        except Exception as error:  # any error fails the test
            failed += 1
            traceback.print_exc(file=sys.stdout)
            print(f"not ok {test.__name__} {type(error).__name__}: {error}; files in {directory}",
                  flush=True)
        end_all()
    return 1 if failed else 0
