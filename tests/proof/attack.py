#!/usr/bin/env python3
"""Attacks on a server with its usual limits, while honest people play: two who move every
200 ms, two who begin a game every 1.2 s, a newcomer every 500 ms, a member every second.

Each attack has its bars. Each has a control: the same attack with the guard switched off
must miss one of them, and so it is seen that the bars can be missed.

    python3 tests/proof/attack.py BUILD_DIR [--long] [--seconds N] [ATTACK ...]

Who attacks is in attack/: attackers.py (connections, names, lines), browsers.py, lines.py (lines that
must change nothing), keeping.py (disk, log, memory, secrets).

Without --long this is the short form: seconds instead of a minute, fewer callers, and no
bar on how long honest people wait, because a busy machine delays everybody; they are late
if they were refused. Prints a table: each figure with the guard and without.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "attack"), os.path.join(HERE, "..", "lib")]
import players  # noqa: E402
from callers import Child, counter, honest, percentile  # noqa: E402
from hosting import BUILD, JANGGID, Server  # noqa: E402
import attackers  # noqa: E402
import browsers  # noqa: E402
import keeping  # noqa: E402
import lines  # noqa: E402

MIB = 1 << 20
LONG_LOST_S = 20  # an answer that takes longer is lost
ASAN = os.path.join(BUILD, "asan", "janggid")  # make attack builds it


class Form:
    """The size of a run: its duration, number of callers and precision, for the short form or the long
    one."""

    def __init__(self, is_long, seconds):
        self.is_long = is_long
        self.seconds = seconds or (60 if is_long else 2)
        self.calm_s = 10 if is_long else 2

    def longer(self, times):
        return Form(self.is_long, times * self.seconds)

    def many(self, long, short):
        return long if self.is_long else short


class Attack:
    """One row of the table. processes(form): the arguments of each attacking process.
    bars(form): {figure: most}, besides those that all attacks have; a name that begins
    with "+" is a figure that must be at least so much. off: the options that take the
    guard away. spared: bars of all attacks that do not apply to this one. times, short_times: how
    much longer than the others its long form is, and its short one. is_bare: a program that only accepts and resets is
    measured as well. is_sanitized: the long form attacks a server under ASan and UBSan.
    shown_by: the only bars by which the control may be seen to fail, if not all. planted: a server with a
    fault that this attack must find under a sanitizer."""

    def __init__(self, name, function, processes, bars, options=lambda form: (),
                 off=("--quotas", "off"), is_short=True, witness=attackers.Witness, spared=(),
                 times=1, short_times=1, is_bare=False, is_sanitized=False, shown_by=(), planted=""):
        self.name, self.attack, self.processes, self.bars = name, function, processes, bars
        self.options, self.off, self.is_short = options, off, is_short
        self.witness, self.spared, self.times, self.short_times = witness, spared, times, short_times
        self.is_bare, self.is_sanitized, self.shown_by = is_bare, is_sanitized, shown_by
        self.planted = planted

    def form(self, form):
        """The form with the time of this attack."""
        return Form(form.is_long, form.seconds * form.many(self.times, self.short_times))

    def program(self, form):
        return ASAN if self.is_sanitized and form.is_long and os.path.exists(ASAN) else JANGGID


def one(form):
    """One process that attacks from one address."""
    return [{"networks": range(1)}]


def spread(long, short, processes=2):
    """Returns the arguments of processes that attack from `long` networks, or `short` ones in the short form. Each has
    its part of them."""
    def arguments(form):
        count = form.many(long, short)
        return [{"networks": range(at, count, processes)} for at in range(processes)]
    return arguments


def fixed(**bars):
    return lambda form: bars


def counted(count, **more):
    """Returns the arguments of two processes that stop after `count` lines together."""
    return lambda form: [{"networks": range(at, 20, 2), "most": form.many(count, 2000) // 2,
                          **{name: value[at] for name, value in more.items()}} for at in range(2)]


NO_LIMITS = ("--quotas", "off", "--limits", "accepts-per-s=0")
SLOW_LOGIN = ("--quotas", "off", "--limits", "login-s=3600")
# A slow machine may keep a control within its bars by chance, so the next try is longer.
CONTROL_TIMES = (1, 4, 16)
BARE_TIMES = 12 / 7  # at most, of the CPU time of a program that only accepts and resets

ATTACKS = [
    Attack("connect-one", attackers.connects, lambda form: [{"networks": range(1), "per_s": 30000}],
           fixed(cpu_percent=12), off=NO_LIMITS, is_short=False, is_bare=True),
    Attack("connect-many", attackers.connects,
           lambda form: [{"networks": range(at, 1000, 2), "per_s": 6000} for at in range(2)],
           fixed(cpu_percent=12), off=NO_LIMITS, is_short=False, is_bare=True),
    Attack("handshake-one", attackers.handshakes, one,
           lambda form: {"let_in": 64 + 4 * (form.seconds + 2)}),
    Attack("handshake-flood", attackers.handshakes, spread(200, 20), lambda form: {"let_in": 50 * (form.seconds + 3)},
           options=lambda form: ("--limits", "accepts-per-s=50"), off=NO_LIMITS, is_short=False),
    Attack("hello-only", attackers.hellos, spread(200, 20), fixed(cpu_percent=30), off=NO_LIMITS, is_short=False,
           is_bare=True),
    Attack("garbage", attackers.garbage, spread(200, 20), fixed(cpu_percent=30), off=NO_LIMITS, is_short=False,
           is_bare=True),
    Attack("half-open", attackers.half_open, spread(20, 20), fixed(),
           options=lambda form: ("--connections", "2000"), off=NO_LIMITS, is_short=False),
    Attack("names", attackers.names, one, fixed(names=5)),
    Attack("all-games-taken", attackers.games, one, fixed(games_taken=20),
           options=lambda form: ("--games-max", "24")),
    Attack("resigned-games", attackers.resigned_games, one, fixed(games_begun=170), short_times=4),
    Attack("seeks", attackers.seeks, one, fixed(seeks=10)),
    Attack("invites", attackers.invites, one, fixed(invites=10)),
    Attack("challenges", attackers.challenges, one, fixed(challenges=50)),
    Attack("pester", attackers.pester, spread(60, 10, 1),
           lambda form: {"heard_per_s": form.many(1.2, 3), "comings_per_s": form.many(1.2, 6),
                         "ignored_heard": 0}, witness=attackers.Victim),
    Attack("dear-lines", attackers.dear_lines,
           lambda form: [{"networks": range(at, form.many(200, 4), 2), "each": form.many(3, 10)}
                         for at in range(2)],
           lambda form: {"kb_per_s_and_address": form.many(450, 1000)},
           off=("--quotas", "off"), is_short=False),
    Attack("never-read", attackers.never_read, spread(100, 10),
           lambda form: {"open_after": 0, "kernel_kb_each": 512},
           off=("--quotas", "off", "--limits", "slow-reader-s=0"), witness=attackers.Kernel),
    Attack("full-of-guests", attackers.guests, spread(200, 8),
           fixed(**{"+seated_back": 1, "+member_back": 1}),
           options=lambda form: () if form.is_long else ("--connections", "80"),
           witness=attackers.Seated, spared=("newcomers_late_percent",)),
    Attack("codes", attackers.codes, spread(1000, 50),
           lambda form: {"+right_code": 1, "got_in": 0, "wrong_codes_each": 5 + form.seconds / 5},
           witness=attackers.Owner),
    Attack("names-many", attackers.names, spread(200, 20), lambda form: {"names": 5 * form.many(200, 20)},
           is_short=False),
    # Seats are counted for each network on its own: 20 networks show the limit, and 200 would only need ten
    # times --games-max, since with the guard they may take 4,000 games.
    Attack("all-games-taken-many", attackers.games,
           lambda form: [{"networks": range(at, 20, 2), "most": 40} for at in range(2)],
           fixed(games_taken=20 * 40 // 2), options=lambda form: ("--games-max", "2000"), is_short=False),
    Attack("seeks-many", attackers.seeks, spread(200, 20), lambda form: {"seeks": 10 * 200}, is_short=False),
    Attack("invites-many", attackers.invites, spread(200, 20), lambda form: {"invites": 10 * 200}, is_short=False),
    Attack("challenges-many", attackers.challenges, spread(200, 20), fixed(challenges=50), is_short=False),
    Attack("disk", keeping.writes, one,
           lambda form: {"writes_per_s": 60, **({"disk_mb_per_h": 100} if form.is_long else {})},
           off=NO_LIMITS, witness=keeping.Disk, times=10, short_times=3),
    Attack("log", keeping.talkers, one,
           lambda form: {"log_kb_per_s": 10} if form.is_long else {"let_in": 64 + 4 * (form.seconds + 2)},
           off=NO_LIMITS, witness=keeping.Log, times=10),
    Attack("memory", keeping.short_games, one, fixed(peak_more_mb=64), is_short=False,
           off=(*NO_LIMITS, "--limits", "ended-mb=100000", "--limits", "keep-s=86400", "--limits", "slow-reader-s=0"),
           witness=keeping.Memory, times=10),
    Attack("web-never-read", browsers.watchers_never_read, spread(100, 10),
           fixed(open_after=0, kernel_kb_each=512), options=lambda form: ("--web", "watch"),
           off=("--quotas", "off", "--limits", "slow-reader-s=0"), witness=attackers.Kernel),
    Attack("web-slow", browsers.slow_requests, spread(100, 10), fixed(**{"open_after": 0, "+page": 1}),
           options=lambda form: ("--web", "watch", "--limits", f"login-s={browsers.Reader.login_s}"),
           off=SLOW_LOGIN, witness=browsers.Reader),
    Attack("bad-move", lines.refused_moves, counted(10 ** 7, player=(0, 1)),
           lambda form: {"changes": 0, "reports": 0, "+refused_moves": form.many(10 ** 7, 1000)},
           options=lambda form: NO_LIMITS, off=(), witness=lines.Board, times=30,
           shown_by=("changes",)),
    Attack("fuzz-live", lines.fuzz, counted(10 ** 6),
           lambda form: {"changes": 0, "reports": 0, "+alive": 1, "+fuzzed_lines": form.many(10 ** 6, 400)},
           options=lambda form: (*NO_LIMITS, "--web", "play"), off=(), witness=lines.Board, times=30,
           is_sanitized=True, shown_by=("changes",), planted="janggid-overflow"),
    Attack("timing-enum", lines.timed_logins, lambda form: [{"networks": range(1), "most": 20000}],
           fixed(**{"t": 4.5, "+logins": 20000}), options=lambda form: NO_LIMITS, off=(), witness=lines.Board,
           is_short=False, times=5, shown_by=("t",)),
    Attack("canary", keeping.leak, spread(4, 4), fixed(**{"secrets_found": 0, "+secret_lines": 10}),
           options=lambda form: ("--verbose",), off=(), witness=keeping.Searcher),
    Attack("log-grep", keeping.hostile_words, spread(4, 4), fixed(**{"raw_log_bytes": 0, "+hostile_lines": 60}),
           options=lambda form: ("--verbose",), off=(), witness=keeping.LogReader),
]


# --- One trial --------------------------------------------------------------------


def memory(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def honest_figures(form, people, began):
    """Returns the measurements of honest people since the attack began, and before."""
    def split(rows):
        return ([took for at, took in rows if at < began], [took for at, took in rows if at >= began])
    before, during = split(people["moves"])
    members, newcomers = split(people["members"])[1], split(people["newcomers"])[1]
    patience_s = 1 if form.is_long else players.PATIENCE_S
    return {
        "faults": len(people["faults"]),
        "p99_before_ms": round(1000 * percentile(before, 99), 1),
        "p99_ms": round(1000 * percentile(during, 99), 1),
        "moves": len(during),
        "games": len(split(people["games"])[1]),
        "members_late": sum(took > patience_s for took in members),
        "newcomers_late_percent":
            round(100 * sum(took > patience_s for took in newcomers) / max(1, len(newcomers))),
    }


def common_bars(form, row, figures):
    """The bars for honest people, whatever the attack."""
    bars = {"faults": 0, "members_late": 0, "newcomers_late_percent": 5, "+moves": 1, "+games": 1,
            "memory_more_mb": 64,
            **({"p99_ms": max(50, 3 * figures["p99_before_ms"])} if form.is_long else {})}
    return {name: bar for name, bar in bars.items() if name not in row.spared}


def missed(figures, bars):
    """The bars that were missed, in words."""
    return [f"{name.lstrip('+')} {figures[name.lstrip('+')]} ({'least' if name[0] == '+' else 'most'} {bar})"
            for name, bar in bars.items()
            if (figures[name.lstrip("+")] < bar if name[0] == "+" else figures[name] > bar)]


def add_up(results):
    total = {}
    for result in results:
        for name, number in result.items():
            total[name] = total.get(name, 0) + number
    return total


def open_door(server):
    """Returns the code of an invitation that makes members."""
    status, words, _ = server.ctl("invite", "door", "uses=20")
    return re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", words)[0] if status == 0 else None


def run_crowd(row, form, stage, is_seen):
    """Returns what the attackers have counted, and what the witness saw at the peak. The attackers keep their
    connections open also until is_seen(): a busy machine may need longer than a short attack for one honest game."""
    processes, witness = row.processes(form), row.witness(stage)
    is_counted = any("most" in arguments for arguments in processes)
    until = time.monotonic() + (2 if is_counted else form.seconds)
    crowd = [Child(row.attack, stage, **arguments) for arguments in processes]
    for child in crowd:
        child.hear()
    while time.monotonic() < until or (not is_seen() and time.monotonic() < until + players.PATIENCE_S):
        time.sleep(0.05)
    seen = witness.look()
    for child in crowd:
        child.tell()
    return add_up([child.result() for child in crowd] + [seen])


def attack(row, form, server, is_control):
    """The figures of one attack on one server."""
    stage = attackers.Stage(server, form, is_control, open_door(server))
    if is_control:
        stage.most = row.bars(form)
    else:
        stage.least = {name[1:]: bar for name, bar in row.bars(form).items() if name[0] == "+"}
    begun = counter()
    people = Child(honest, server.port, stage.door, begun)
    people.hear()
    time.sleep(form.calm_s)
    began, cpu, memory_before, before = time.monotonic(), server.cpu_s(), memory(server), begun.value
    # One game may have been on its way when the attack began.
    figures = run_crowd(row, form, stage, lambda: is_control or form.is_long or begun.value >= before + 2)
    took = time.monotonic() - began
    figures["cpu_percent"] = round(100 * (server.cpu_s() - cpu) / took)
    if "let_in" in figures:
        figures["let_in_per_s"] = round(figures["let_in"] / took)
    if "wrong_codes" in figures:
        figures["wrong_codes_each"] = round(figures["wrong_codes"] / figures["addresses"], 1)
    if "writes" in figures:
        figures["writes_per_s"] = round(figures["writes"] / took)
    for name in ("heard", "comings"):
        if name in figures:
            figures[name + "_per_s"] = round(figures[name] / took, 1)
    if "bytes_in" in figures:
        sources = sum(len(arguments["networks"]) for arguments in row.processes(form))
        figures["kb_per_s_and_address"] = round(figures["bytes_out"] / 1000 / took / sources)
        figures["bytes_out_per_byte_in"] = round(figures["bytes_out"] / max(1, figures["bytes_in"]))
    people.tell("over")
    figures.update(honest_figures(form, people.result(), began))
    is_sanitized = "ASAN_OPTIONS" in os.environ or server.program == ASAN  # which keeps what was freed
    figures["memory_more_mb"] = 0 if is_sanitized else round((memory(server) - memory_before) / MIB)
    return figures


class Bare:
    """A program that only accepts and resets, in place of a server."""

    def __init__(self):
        self.process = subprocess.Popen([os.path.join(BUILD, "tests", "proof", "bare_accept")],
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def stop(self):
        self.process.kill()
        self.process.communicate()


def bare_cpu_percent(row, form):
    """Returns the CPU percentage that the attack costs a Bare server: it tells how dear a connection is to this
    machine now."""
    server = Bare()
    stage = attackers.Stage(server, Form(form.is_long, min(form.seconds, 20)), False, None)
    began, cpu = time.monotonic(), server.cpu_s()
    crowd = [Child(row.attack, stage, **arguments) for arguments in row.processes(form)]
    for child in crowd:
        child.hear()
    percent = round(100 * (server.cpu_s() - cpu) / (time.monotonic() - began))
    for child in crowd:
        child.tell()
        child.result()
    server.stop()
    return percent


def trial(row, form, is_control):
    """Attacks a new server. Returns the figures, and the bars that were missed."""
    directory = tempfile.mkdtemp(prefix="janggi-attack-")
    options = ("--quotas", "on", *row.options(form), *(row.off if is_control else ()))
    with Server(os.path.join(directory, "d"), *options, program=row.program(form)) as server:
        figures = attack(row, form, server, is_control)
    shutil.rmtree(directory, ignore_errors=True)
    bars = dict(common_bars(form, row, figures), **row.bars(form))
    if row.is_bare:
        figures["bare_cpu_percent"] = bare_cpu_percent(row, form)
        bars["cpu_percent"] = max(bars["cpu_percent"], round(BARE_TIMES * figures["bare_cpu_percent"]))
    return figures, bars, missed(figures, bars)


def planted_fault_is_found(row, form):
    """Whether the attack makes a sanitizer report the fault of that server; None without a sanitizer."""
    program = row.program(form)
    if program != ASAN and "ASAN_OPTIONS" not in os.environ:
        return None
    directory = tempfile.mkdtemp(prefix="janggi-attack-")
    server = Server(os.path.join(directory, "d"), *row.options(form),
                    program=os.path.join(os.path.dirname(program), "tests", "proof", "fault", row.planted))
    lines.fuzz_until_it_ends(server)
    if server.process.poll() is None:
        server.process.kill()
    is_found = re.search(r"AddressSanitizer: \S*overflow", server.log()) is not None
    server.process.communicate()
    shutil.rmtree(directory, ignore_errors=True)
    return is_found


# --- The table --------------------------------------------------------------------


def print_table(row, off, on, bars):
    """Figures that have a bar, and what the attackers counted: without guard, with it."""
    for name in sorted(set(off) | set(on)):
        bar = bars.get(name, bars.get("+" + name))
        sign = "" if bar is None else f"{'>=' if '+' + name in bars else '<='} {bar}"
        print(f"# {row.name:16} {name:24} {off.get(name, '-'):>12} {on.get(name, '-'):>12}  {sign}")


def run(row, form):
    """True if the bars are met, and the control misses one."""
    form = row.form(form)
    if row.is_sanitized and form.is_long and row.program(form) != ASAN:
        print(f"# {row.name}: NOT under a sanitizer, for there is no {ASAN}")
    for times in CONTROL_TIMES:
        off, _, off_missed = trial(row, form if form.is_long else form.longer(times), True)
        if row.shown_by:
            off_missed = [words for words in off_missed if words.split()[0] in row.shown_by]
        if off_missed:
            break
    on, bars, on_missed = trial(row, form, False)
    print_table(row, off, on, bars)
    is_good = not on_missed
    print(f"ok {row.name}" if is_good else f"not ok {row.name} {'; '.join(on_missed)}")
    if off_missed:
        print(f"ok {row.name}-control  # as it must, it missed: {'; '.join(off_missed)}")
    else:
        print(f"not ok {row.name}-control met all bars without its guard")
    is_found = planted_fault_is_found(row, form) if row.planted else None
    if is_found is not None:
        print(f"{'ok' if is_found else 'not ok'} {row.name} makes the sanitizer report a planted overflow")
    sys.stdout.flush()
    return is_good and bool(off_missed) and is_found is not False


def guarded_run(row, form):
    try:
        return run(row, form)
    except Exception as error:  # any error fails the row
        traceback.print_exc(file=sys.stdout)
        print(f"not ok {row.name} {type(error).__name__}: {error}", flush=True)
        return False


def run_alone(row, form):
    """Runs the row in a new process, since callers.Child forks and its process should have one thread only."""
    done = subprocess.run([sys.executable, __file__, sys.argv[1], "--seconds", str(form.seconds),
                           *(["--long"] if form.is_long else []), row.name],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    sys.stdout.write(done.stdout)
    sys.stdout.flush()
    return done.returncode


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("build")
    reader.add_argument("--long", action="store_true")
    reader.add_argument("--seconds", type=int, default=0)
    reader.add_argument("attacks", nargs="*")
    words = reader.parse_intermixed_args()
    form = Form(words.long, words.seconds)
    players.PATIENCE_S = LONG_LOST_S if words.long else players.PATIENCE_S
    unknown = set(words.attacks) - {row.name for row in ATTACKS}
    if unknown:
        sys.exit(f"attack.py: no such attack: {', '.join(sorted(unknown))}")
    rows = [row for row in ATTACKS
            if (row.name in words.attacks if words.attacks else form.is_long or row.is_short)]
    if not words.attacks:
        print(f"# {'attack':16} {'figure':24} {'without':>12} {'with guard':>12}  bar", flush=True)
    if len(rows) > 1:
        with ThreadPoolExecutor(1 if form.is_long else 4) as pool:
            return max(pool.map(lambda row: run_alone(row, form), rows))
    return 0 if guarded_run(rows[0], form) else 1


if __name__ == "__main__":
    sys.exit(main())
