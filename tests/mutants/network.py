#!/usr/bin/env python3
"""Puts one fault at a time into a half of the programs, and runs the tests that enter the function it is
in: who notices? The network half is the server with the wire, the client half the client with the rest of
common; the rules have faults of their own (run.py).

    network.py --build DIR [--half network|client] [--faults N] [--seed N] [--note]
               [--sample N] [--pick N] [--only WORD] [--jobs N] [--minutes N]

The faults are made by rule (generate.py) and ordered by a hash of their text and the seed, so the
first N are the same ones again until somebody changes their lines. Left out are faults that do not
compile and those with which the compiler makes the same object.

First every test runs once with a build that marks the functions it enters (touched.c). For each
fault one object is compiled and what the next tests need is linked. Then the unit tests that enter the
function run, then such plays, then such quick suites of cli, proof and interop, until one fails. First
come those that noticed a fault in the same file, then those that enter the fewest functions. A failure
counts if it comes again, so that a test that fails by chance does not count. Left out are tests that
fail without a fault, suites that took longer than QUICK_S while they were marked, and files that only
suites with PostgreSQL enter.

With --minutes the run stops after N minutes, says how far it came and exits with 3. What was found is
kept below DIR: a run of the same sources goes on from there, so that the whole can be done in pieces.

At least nine of ten must be noticed, of those that network.txt does not call equivalent. That list
explains survivors: the text of the fault, and below it "equivalent: WHY" or "open: WHY".

With --note the faults that were noticed are written to noticed.txt, each with the test that did. --sample
tries N of those again, by lot, with the build that is there: that test must still notice or, where it does
not, a unit test (those with a word of the file in their name first), a play or, for the client, one of
SAMPLE_SUITES.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

from generate import mutants_in  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXPLAINED = pathlib.Path(__file__).with_name("network.txt")
NOTICED = pathlib.Path(__file__).with_name("noticed.txt")
# Suites that take long, that need no server or PostgreSQL, or that compare the README.
LEFT_OUT = set("""admission attack bitflip cluster cluster_faults crash_kill9 crash_power
               fault_clock fault_full fault_sweep net_impair load_hold memcheck nodes package promotion
               reconnect_storm slow_watcher transfer client_attention client_tmux hostile_server
               install korean learn local play_computer records_replay rules_tool transcript
               typed_lines bot bot_author ffish published record_ffish records typed_game uci""".split())
# The same for files: nothing else enters them. tests/cluster/nodes.py and transfer.py do.
POSTGRESQL = r"server/(admin/(node|transfer)|store/store_(copy|lease))\.c"
WIRE = r"common/(.*/)?(wire|proto|clock|game)(_[a-z]+)?\.c"
RULES = r"common/game/(board|legal|move|reach|rules|ruleset)\.c"
LISTS = {"network": {"SERVER": r".*", "COMMON": WIRE},
         "client": {"CLIENT": r".*", "COMMON": rf"(?!{WIRE}|{RULES}).*"}}
MAKE = ["make", "-s", "BUILD=build", "HARDEN=", "WERROR=-w"]
PLAIN, MARKED = ["CFLAGS=-O0"], ["CFLAGS=-O0 -g -finstrument-functions", "LDFLAGS=touched.o"]
SUITE_FOLDERS = ["cli", "tools", "host", "proof", "cluster", "interop"]
# Quick ones that need a whole client.
SAMPLE_SUITES = [f"suite/{name}" for name in """cli/local.sh tools/rules_tool.sh cli/typed_words.sh
                 cli/client_game.sh cli/links.sh cli/try_board.sh cli/people.sh cli/two_games.py
                 interop/records.sh tools/analyse.sh interop/bot.sh interop/uci.sh""".split()]
PROGRAMS = ["check-build"]  # what the tests need
UNIT_S, PLAY_S, SUITE_S, QUICK_S = 60, 400, 200, 30
ENOUGH, ENOUGH_OF_SAMPLE = 0.9, 1
EXIT_MORE_TO_DO = 3


class Limit:
    """The time that this run may take, in minutes; 0 is without end."""

    def __init__(self, minutes):
        self.ends_at = time.monotonic() + 60 * minutes if minutes else None

    def is_over(self):
        return self.ends_at is not None and time.monotonic() >= self.ends_at


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def kill_marked(mark):
    """Ends the processes that a test left behind: tests start servers and terminals in their own
    sessions."""
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            pass


class Tree:
    """A copy of the sources with a build of its own, in which one worker tries faults."""

    def __init__(self, path, flags):
        self.path, self.flags = path, flags
        self.mark = f"JANGGI_TREE={path}"
        self.environment = dict(os.environ, BUILD="build", PLAY_SLOW="0.25",
                                PATIENCE_TENTHS="15", CMOCKA_MESSAGE_OUTPUT="TAP", LC_ALL="C.UTF-8",
                                JANGGI_TREE=str(path))

    def copy_sources(self):
        shutil.rmtree(self.path, ignore_errors=True)
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                               capture_output=True, check=True).stdout.splitlines()
        for name in files:
            if (ROOT / name).is_file():
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.path / name)

    def make(self, *targets, jobs=1):
        return subprocess.run([*MAKE, *self.flags, f"-j{jobs}", *targets], cwd=self.path,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def must_make(self, *targets, jobs=1):
        made = self.make(*targets, jobs=jobs)
        if made.returncode != 0:
            raise SystemExit(f"{self.path}: {' '.join(targets)}\n{made.stdout}{made.stderr}")

    def run(self, command, seconds, **environment):
        """What it printed, and whether it ended well and in time. The first failure ends it."""
        temporary = tempfile.mkdtemp(prefix="mutant-")  # short: the path of a socket has a bound
        os.chmod(temporary, 0o711)  # a test has another user knock at a socket
        process = subprocess.Popen(command, cwd=self.path, preexec_fn=limit, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace",
                                   env=dict(self.environment, TMPDIR=temporary, **environment))
        timer = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        said, is_good = [], True
        for line in process.stdout:
            said.append(line)
            if line.startswith("not ok"):
                is_good = False
                break
        if not is_good:
            os.killpg(process.pid, signal.SIGTERM)  # scripts clear up
        process.stdout.close()
        try:
            is_good = process.wait(15) == 0 and is_good
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        timer.cancel()
        kill_marked(self.mark.encode())
        shutil.rmtree(temporary, ignore_errors=True)
        return is_good, said


# --- Tests ---

def all_tests(tree):
    """kind/name of each."""
    tests = [f"unit/{path.parent.name}/{path.stem}"
             for path in sorted((tree.path / "tests/unit").glob("*/test_*.c"))]
    tests += [f"play/{path.stem}" for path in sorted((tree.path / "tests/play").glob("*.play"))]
    return tests + [f"suite/{folder}/{path.name}" for folder in SUITE_FOLDERS
                    for path in sorted((tree.path / "tests" / folder).iterdir())
                    if is_suite(path) and path.stem not in LEFT_OUT]


def is_suite(path):
    """As run.sh has it."""
    return path.suffix == ".sh" or (path.suffix == ".py" and path.read_bytes().startswith(b"#!"))


def command_of(*tests):
    """Also returns the time limit. Only plays are run several at a time."""
    kind, name = tests[0].split("/", 1)
    if kind == "unit":
        return [f"build/tests/unit/{name}"], UNIT_S
    if kind == "suite":
        return ["sh" if name.endswith(".sh") else sys.executable, f"tests/{name}", "build"], SUITE_S
    return [sys.executable, "tests/play/run.py", "-j6", "--exact",
            *(test.split("/")[1] for test in tests)], PLAY_S


def state_of(tree, *parts):
    """A hash of the names of the tests and of the C sources in these folders; of "tests", of all files."""
    state = hashlib.sha256(" ".join(all_tests(tree)).encode())
    for part in parts:
        for path in sorted((tree.path / part).rglob("*")):
            if path.is_file() and path.name != NOTICED.name and (path.suffix in (".c", ".h") or part == "tests"):
                state.update(path.read_bytes())
    return state.hexdigest()


class Kept:
    """Results of earlier runs on the same sources, kept in a file; found is None without any."""

    def __init__(self, path, state):
        self.path, self.state, self.found = path, state, None
        if path.exists():
            kept = json.loads(path.read_text())
            self.found = kept["found"] if kept.get("state") == state else None

    def write(self, found):
        self.path.write_text(json.dumps({"state": self.state, "found": found}))


class Touched:
    """Finds the functions that each test enters, and how long it takes."""

    def __init__(self, path, jobs, time_limit):
        self.path, self.jobs, self.time_limit = path, jobs, time_limit
        self.seconds, self.tests_of = {}, {}
        self.entered = {}  # how many functions a test enters
        self.noticed = {}  # (file, test): how many faults
        self.program_functions = {}

    def find(self, sources):
        """Measures what is not known yet; ends the program when the time is over before."""
        state = state_of(sources, "common", "server", "client", "tests/unit")
        kept = Kept(self.path / "touched.json", state)
        found = kept.found or {"seconds": {}, "functions": {}}
        missing = [test for test in all_tests(sources) if test not in found["seconds"]]
        if missing:
            self.measure(sources, found, missing)
            kept.write(found)
        if self.time_limit.is_over():
            print(f"# {len(found['seconds'])} of {len(all_tests(sources))} tests were measured")
            raise SystemExit(EXIT_MORE_TO_DO)
        self.seconds = found["seconds"]
        for test, functions in found["functions"].items():
            self.entered[test] = len(functions)
            for function in functions:
                self.tests_of.setdefault(function, []).append(test)

    def measure(self, sources, found, tests):
        tree = Tree(self.path / "marked", MARKED)
        if not found["seconds"] or not tree.path.exists():
            shutil.rmtree(tree.path, ignore_errors=True)
            shutil.copytree(sources.path, tree.path, symlinks=True)
        subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-fPIC", "-c", "-o", tree.path / "touched.o",
                        ROOT / "tests/mutants/touched.c"], check=True)
        tree.must_make(*PROGRAMS, jobs=self.jobs)
        print(f"# {len(tests)} tests run once, to see what they enter", flush=True)
        # most tests mostly wait
        with concurrent.futures.ThreadPoolExecutor(2 * self.jobs + 1) as pool:
            for test, seconds, functions in pool.map(lambda t: self.look_at(tree, t), tests):
                if functions is not None:
                    found["seconds"][test], found["functions"][test] = seconds, functions

    def look_at(self, tree, test):
        """(test, seconds, functions); None instead of the functions if there was no time."""
        if self.time_limit.is_over():
            return test, 0, None
        mine = Tree(tree.path, MARKED)
        where = tree.path / "marks" / test
        shutil.rmtree(where, ignore_errors=True)
        where.mkdir(parents=True)
        # Not the processes of the others.
        mine.environment.update(JANGGI_TREE=str(where), PLAY_SLOW="2", PATIENCE_TENTHS="60")
        mine.mark = f"JANGGI_TREE={where}"
        command, seconds = command_of(test)
        began = time.monotonic()
        is_good, said = mine.run(command, 5 * seconds, JANGGI_TOUCHED=str(where))
        took = time.monotonic() - began
        if not is_good:
            print(f"# left out, for it fails without a fault: {test}: {''.join(said[-3:])}", flush=True)
        is_used = is_good and (took < QUICK_S or not test.startswith("suite/"))
        functions = set()
        for marks in where.iterdir():
            if marks.is_file() and is_used:
                functions |= self.functions_marked(tree, marks)
        shutil.rmtree(where, ignore_errors=True)
        if is_used and test.startswith("unit/") and not functions:
            raise SystemExit(f"not ok mutants: {test} enters nothing, so what it notices would not be seen")
        return test, took, sorted(functions)

    def functions_marked(self, tree, marks):
        program = self.program_named(tree, marks.name)
        if program is None:
            return set()
        data = marks.read_bytes().rstrip(b"\0")
        known = self.functions_of(program)
        return {known[i] for i in (m.start() for m in re.finditer(b"\1", data)) if i in known}

    @staticmethod
    def program_named(tree, name):
        for place in ("build", "build/tests/unit/*", "build/tests/proof", "build/tests/proof/fault"):
            for program in tree.path.glob(f"{place}/{name}"):
                return program
        return None

    def functions_of(self, program):
        """Distance from the start: "file.c function". The name of a file is enough."""
        if program not in self.program_functions:
            shown = subprocess.run(["nm", "--line-numbers", program], capture_output=True, text=True,
                                   check=True).stdout
            start = int(re.search(r"^(\w+) \w __executable_start$", shown, re.M)[1], 16)
            self.program_functions[program] = {
                int(found[1], 16) - start: f"{found[3]} {found[2]}"
                for found in re.finditer(r"^(\w+) [tT] (\w+)\t.*?([^/\n]+):\d+$", shown, re.M)}
        return self.program_functions[program]

    def tests_for(self, mutant):
        name = mutant.path.rsplit("/", 1)[-1]
        tests = self.tests_of.get(f"{name} {mutant.function}", [])
        return sorted(tests, key=lambda test: (-self.noticed.get((name, test), 0), self.entered[test],
                                               self.seconds[test]))

    def note(self, mutant, test):
        key = mutant.path.rsplit("/", 1)[-1], test
        self.noticed[key] = self.noticed.get(key, 0) + 1


class Unmeasured:
    """In place of Touched, for a sample: the test that noticed the fault before, then all that are quick."""

    def __init__(self, sources, half):
        tests = all_tests(sources)
        self.all = set(tests)
        self.noticed = read_noticed(half)
        self.units = [test for test in tests if test.startswith("unit/")]
        self.others = SAMPLE_SUITES if half == "client" else [test for test in tests if test.startswith("play/")]

    def tests_for(self, mutant):
        before = self.noticed[mutant.key]
        words = {word.rstrip("s") for word in re.split(r"[/_.]", mutant.path)}

        def distance(test):
            return -len(words & {word.rstrip("s") for word in re.split(r"[/_]", test)})
        others = sorted(self.units, key=distance) + self.others
        return ([before] if before in self.all else []) + [test for test in others if test != before]

    def note(self, mutant, test):
        pass


# --- Faults ---

class Worker:
    """Tries faults in its tree, one after the other."""

    def __init__(self, tree, touched):
        self.tree, self.touched = tree, touched
        self.chances = []

    def object_text(self, path, name):
        """Compiles the file as it is and returns the object; None if it does not compile."""
        target = self.tree.path / name
        made = subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", '-DJANGGI_VERSION="0"', "-DNDEBUG",
                               "-I.", "-O2", "-w", "-c", "-o", target, path], cwd=self.tree.path,
                              capture_output=True)
        return target.read_bytes() if made.returncode == 0 else None

    def try_out(self, mutant):
        """("invalid" | "killed" | "survives", words)."""
        file = self.tree.path / mutant.path
        sound = file.read_text()
        before = self.object_text(mutant.path, "sound.o")
        file.write_text(mutant.apply(sound))
        try:
            after = self.object_text(mutant.path, "faulty.o")
            if after is None or after == before:
                return "invalid", ""
            return self.look_for(mutant)
        finally:
            file.write_text(sound)

    def look_for(self, mutant):
        tests = self.touched.tests_for(mutant)
        stages = [tests] if isinstance(self.touched, Touched) else [tests[:1], tests[1:]]
        for groups, programs in (stage for some in stages for stage in self.stages_of(some)):
            if not groups:
                continue
            if self.tree.make(*programs).returncode != 0:
                return "invalid", ""
            for group in groups:
                killer = self.killer_in(group)
                if killer:
                    self.touched.note(mutant, killer)
                    return "killed", killer
        return "survives", f"{len(tests)} tests, none notices"

    @staticmethod
    def stages_of(tests):
        """(groups of tests that are run by one command, what they need to be linked)."""
        units, plays, suites = ([test for test in tests if test.startswith(kind)]
                                for kind in ("unit/", "play/", "suite/"))
        return [([[test] for test in units], [command_of(test)[0][0] for test in units]),
                ([plays] if plays else [], ["build/janggid"]),
                ([[test] for test in suites], ["build/janggid", "build/janggi"])]

    def killer_in(self, tests):
        while tests:
            is_good, said = self.tree.run(*command_of(*tests))
            if is_good:
                return None
            killer = self.name_of_killer(tests, said)
            if not self.tree.run(*command_of(killer))[0]:
                return killer
            self.chances.append(killer)
            tests = tests[1:] if len(tests) == 1 else [test for test in tests if test != killer]
        return None

    @staticmethod
    def name_of_killer(tests, said):
        for line in reversed(said):
            found = re.match(r"not ok (\w+)", line)
            if found and f"play/{found[1]}" in tests:
                return f"play/{found[1]}"
        return tests[0]


def sources(build, half):
    """The files of the half, as the Makefile lists them."""
    found = []
    for name, pattern in LISTS[half].items():
        shown = subprocess.run(["make", "-s", f"BUILD={build}", "list", f"NAME={name}"], cwd=ROOT,
                               capture_output=True, text=True, check=True).stdout.split()
        found += [path for path in shown if re.fullmatch(pattern, path) and not re.fullmatch(POSTGRESQL, path)]
    return found


def read_explained():
    """key: (equivalent or open, why)."""
    explained, key = {}, None
    for number, line in enumerate(EXPLAINED.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = re.fullmatch(r"    (equivalent|open): (.+)", line)
        if found and key is not None:
            explained[key] = (found[1], found[2])
        elif not line.startswith(" "):
            key = line
        else:
            raise SystemExit(f"{EXPLAINED}:{number}: neither a fault nor what is said about one")
    return explained


def read_noticed(half):
    """key: the test that noticed the fault when the half was last tried as a whole."""
    noticed = {}
    for line in NOTICED.read_text().splitlines() if NOTICED.exists() else []:
        of_half, test, key = line.split(" ", 2)
        if of_half == half:
            noticed[key] = test
    return noticed


def write_noticed(half, verdicts):
    kept = [line for line in NOTICED.read_text().splitlines() if not line.startswith(half + " ")] if NOTICED.exists() else []
    now = [f"{half} {words} {key}" for key, (verdict, words) in verdicts.items() if verdict == "killed"]
    NOTICED.write_text("".join(f"{line}\n" for line in sorted(kept + now)))


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--half", choices=sorted(LISTS), default="network")
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--note", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--pick", type=int, default=time.time_ns() % 1000000)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=0)
    return parser.parse_args()


def choose(options, tree):
    """Faults in the order in which they are tried, and how many of them. About every fifth will turn
    out to be none."""
    mutants = [mutant for path in sources(options.build, options.half)
               for mutant in mutants_in(path, (tree.path / path).read_text()) if options.only in mutant.key]
    mutants.sort(key=lambda mutant: mutant.order(options.seed))
    print(f"# {len(mutants)} faults, seed {options.seed}", flush=True)
    if not options.sample:
        return mutants, options.faults
    noticed = read_noticed(options.half)
    mutants = [mutant for mutant in mutants if mutant.key in noticed]
    if len(mutants) < options.sample:
        raise SystemExit(f"not ok mutants: {len(mutants)} of the {len(noticed)} faults of {NOTICED.name} are left: "
                         "try them all again, with --note")
    random.Random(options.pick).shuffle(mutants)
    print(f"# a sample of {options.sample} of {len(mutants)} that were noticed before, --pick {options.pick}")
    return mutants, options.sample


def make_workers(options, first, touched):
    """A tree for each: copies of the one that is built here or, for a small sample, of the build that is there."""
    workers = queue.Queue()
    if options.sample:
        take_build(options, first)
    else:
        shutil.rmtree(first.path.with_name("marked"), ignore_errors=True)
        first.must_make(*PROGRAMS, jobs=options.jobs)
    for job in range(options.jobs):
        tree = Tree(first.path.with_name(f"tree-{job}"), first.flags)
        if tree.path != first.path:
            shutil.rmtree(tree.path, ignore_errors=True)
            shutil.copytree(first.path, tree.path, symlinks=True)
        workers.put(Worker(tree, touched))
    return workers


def take_build(options, first):
    """Brings the build up to date, and copies what belongs to it; the times of files stay as they are."""
    subprocess.run(["make", "-s", f"-j{options.jobs}", f"BUILD={options.build}", "check-build"], cwd=ROOT, check=True)
    others = shutil.ignore_patterns("mutants", "clang", "asan", "ubsan", "fuzz", "portable", "test-logs", "*.log")
    shutil.copytree(options.build, first.path / "build", symlinks=True, ignore=others)


class Tally:
    """Returns the results of the faults so far."""

    def __init__(self, half, enough):
        self.half, self.enough = half, enough
        self.explained = read_explained()
        self.killed = self.equivalent = 0
        self.open = []
        self.began = time.monotonic()

    def count(self, mutant, verdict, words):
        kind, why = self.explained.get(mutant.key, (None, None))
        where = f"{mutant.path}:{mutant.line_number} {mutant.key}"
        if verdict == "killed":
            self.killed += 1
            print(f"# killed by {words}: {where}", flush=True)
            if kind == "equivalent":
                print(f"not ok mutants {mutant.key}: said to be equivalent, but killed by {words}")
        elif kind == "equivalent":
            self.equivalent += 1
            print(f"# equivalent, for {why}: {where}", flush=True)
        else:
            self.open.append(mutant)
            print(f"# survives ({why or words}): {where}", flush=True)

    def report(self):
        tried = self.killed + len(self.open)
        share = self.killed / tried if tried else 1
        words = (f"{self.killed} of {tried} faults of the {self.half} half were noticed "
                 f"({100 * share:.0f} %), {self.equivalent} more change nothing; "
                 f"{(time.monotonic() - self.began) / 60:.0f} min")
        print(f"{'ok' if share >= self.enough else 'not ok'} mutants {words}")
        return 0 if share >= self.enough else 1


def main():
    options = parse_options()
    place = options.build.resolve() / "mutants" / options.half
    if options.sample:
        shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    first = Tree(place / "tree-0", [] if options.sample else PLAIN)
    first.copy_sources()
    mutants, wanted = choose(options, first)
    time_limit = Limit(options.minutes)
    if options.sample:
        touched = Unmeasured(first, options.half)
    else:
        touched = Touched(place, options.jobs, time_limit)
        touched.find(first)
    kept = Kept(place / "verdicts.json", state_of(first, "common", "server", "client", "tests"))
    verdicts = kept.found or {} if options.minutes else {}
    workers = make_workers(options, first, touched)
    all_workers = list(workers.queue)
    tally = Tally(options.half, ENOUGH_OF_SAMPLE if options.sample else ENOUGH)

    def attempt(mutant):
        if mutant.key in verdicts:
            return verdicts[mutant.key]
        if time_limit.is_over():
            return None
        worker = workers.get()
        try:
            return worker.try_out(mutant)
        finally:
            workers.put(worker)

    done = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting, at = [], 0
        while done < wanted and (waiting or at < len(mutants)):
            # A fault that survives takes long: meanwhile the other workers go on with later ones.
            ahead = 0 if options.sample else options.jobs
            while len(waiting) < min(8 * options.jobs, wanted - done + ahead) and at < len(mutants):
                waiting.append((mutants[at], pool.submit(attempt, mutants[at])))
                at += 1
            mutant, future = waiting.pop(0)
            if future.result() is None:
                break
            verdict, words = verdicts[mutant.key] = future.result()
            if verdict != "invalid":
                tally.count(mutant, verdict, words)
                done += 1
        # Later faults may have been tried already.
        verdicts.update((mutant.key, future.result()) for mutant, future in waiting if future.result())
    if options.minutes:
        kept.write(verdicts)
    chances = sorted(set(test for worker in all_workers for test in worker.chances))
    if chances:
        print(f"# failed once and not again: {' '.join(chances)}")
    if options.note:
        write_noticed(options.half, verdicts)
    result = tally.report()
    if done < wanted and time_limit.is_over():
        print(f"# {done} of {wanted} faults were tried")
        return EXIT_MORE_TO_DO
    return result


if __name__ == "__main__":
    sys.exit(main())
