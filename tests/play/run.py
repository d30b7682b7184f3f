#!/usr/bin/env python3
"""Plays the scripts of this directory: a whole server and clients, over TLS.

    python3 tests/play/run.py [-j N] [-v] [--keep] [--pause] [PATTERN ...]     BUILD=build by default

Each NAME.play gets a server and a directory of its own. Prints "ok NAME", or "not ok NAME
FILE:LINE reason" with what was said before, and at the end "N passed, N failed". What a script may
say is described in README.md beside this file.
"""

import argparse
import asyncio
import pathlib
import sys
import time
import traceback

sys.dont_write_bytecode = True

from client import Fault, PROTOCOL, SLOW  # noqa: E402
from script import Play  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


# The rows of PROTOCOL.md that no script can produce reliably, with the reason.
UNSEEN = {
    "! notice why=storage-slow": "it takes a disk that is slow, which a busy machine may have",
    "! notice why=storage-away": "it takes a database that is lost; cluster/cluster has it",
    "ERR limit what=marks": "it takes 200 names; unit/marks has it",
    "ERR limit what=people": "it takes fifty names on one list",
    "ERR not-now why=trf": "only janggid ctl sends a file; host/club_evening has it",
    "| absent": "the same",
    "! bye why=elsewhere": "it takes several nodes with one log; cluster/nodes has it",
    "ERR not-now why=elsewhere": "janggid ctl at one of several nodes; cluster/nodes has it",
    "ERR limit what=events": "it takes 20000 events",
    "ERR limit what=names": "it takes a million names",
    "ERR no-such why=several": "it takes two digests that begin with the same four letters",
    "ERR not-now why=time": "the timer ends the game before a line can be late",
}


async def perform(path, options, facts):
    """Plays one script. Returns None, or the error in words. Adds the observed rows of PROTOCOL.md to
    facts."""
    play = Play(path, options.v, options.keep, options.pause)
    play.facts = facts
    try:
        await asyncio.wait_for(play.run(), 600 * SLOW)
        wrong = play.complaints[0] if play.complaints else play.server.report()
    except Fault as fault:
        wrong = str(fault)
    except asyncio.TimeoutError:
        wrong = "it takes too long"
    except Exception as error:  # a fault of this program or of the machine: say where
        wrong = f"{error!r} at {traceback.extract_tb(error.__traceback__)[-1]}"
    if wrong:
        report = play.server.report()
        words = [f"not ok {path.stem} {path.name}:{play.line} {wrong}"]
        words += [f"    {line}" for line in play.said]
        log = play.server.log_path
        if log.exists():
            words += [f"    log: {line}" for line in log.read_text(errors="replace").splitlines()[-5:]]
        if report:
            words.append(f"    {report}")
        wrong = "\n".join(words)
    await play.clean_up()
    return wrong


def check_facts(facts):
    """Everything that PROTOCOL.md gives a row must have been seen, or be in UNSEEN."""
    missing = {" ".join(filter(None, fact)) for fact in PROTOCOL.facts() - facts}
    wrong = [f"never seen: {fact}" for fact in sorted(missing - set(UNSEEN))]
    return f"not ok what_is_written_is_said {'; '.join(wrong)}" if wrong else None


def check_control(path, wrong):
    """A script of must_fail/ must fail with the words of its first line: what cannot fail proves
    nothing."""
    wanted = path.read_text().splitlines()[0].removeprefix("# fails: ")
    if wrong and wanted in wrong.splitlines()[0]:
        return None
    return f"not ok {path.stem} {path.name}:1 must fail with {wanted!r}, not {wrong or 'pass'}"


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-j", type=int, default=3, help="scripts at a time")
    parser.add_argument("-v", action="store_true", help="print every line")
    parser.add_argument("--exact", action="store_true", help="patterns are whole names")
    parser.add_argument("--keep", action="store_true", help="keep the directories and say where")
    parser.add_argument("--pause", action="store_true",
                        help="wait after each start of a server, for a debugger; implies -j 1")
    parser.add_argument("pattern", nargs="*", help="only scripts whose name contains one")
    options = parser.parse_args()
    def matches(pattern, path):
        return pattern == path.stem if options.exact else pattern in path.stem

    everything = sorted([*HERE.glob("*.play"), *HERE.glob("must_fail/*.play")])
    for pattern in options.pattern:
        if not any(matches(pattern, path) for path in everything):
            sys.exit(f"no script has the name {pattern}")
    scripts = [path for path in everything
               if not options.pattern or any(matches(p, path) for p in options.pattern)]
    if options.exact:
        scripts.sort(key=lambda path: options.pattern.index(path.stem))  # the caller's order
    turn = asyncio.Semaphore(1 if options.pause else options.j)
    failed = 0
    facts, took_s = set(), {}

    async def one(path):
        nonlocal failed
        async with turn:
            began = time.monotonic()
            wrong = await perform(path, options, facts)
            took_s[path.stem] = time.monotonic() - began
        if path.parent != HERE:
            wrong = check_control(path, wrong)
        failed += wrong is not None
        print(wrong or f"ok {path.stem}", flush=True)

    await asyncio.gather(*(one(path) for path in scripts))
    tests = len(scripts)
    if not options.pattern:
        wrong = check_facts(facts)
        if wrong is None and check_facts(facts - {("OK", "ping")}) is None:
            wrong = "not ok what_is_written_is_said does not notice what was never seen"
        tests += 1
        failed += wrong is not None
        print(wrong or "ok what_is_written_is_said", flush=True)
        slowest = sorted(took_s, key=took_s.get, reverse=True)[:10]
        print("# slowest: " + ", ".join(f"{name} {took_s[name]:.0f} s" for name in slowest))
    print(f"{tests - failed} passed, {failed} failed")
    return 1 if failed or not scripts else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
