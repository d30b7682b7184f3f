#!/usr/bin/env python3
"""Measures how many events a second the store takes at 64 a commit: with SQLite and, in turns with it, with
PostgreSQL and two standbys, one of which is enough for a commit.

    python3 tests/measure/appends.py [BUILD]        SECONDS=5 ROUNDS=4
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import postgres  # noqa: E402 (found beside this file only now)

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
SECONDS, ROUNDS = os.environ.get("SECONDS", "5"), int(os.environ.get("ROUNDS", "4"))


def measure(*url):
    with tempfile.TemporaryDirectory(prefix="janggi-bench-") as directory:
        said = subprocess.run([os.path.join(BUILD, "bench_append"), directory, SECONDS, *url], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
    return [float(number) for number in re.findall(r"=(\d+)", said)]


def main():
    pair = postgres.Pair(has_spare=True, is_durable=True)
    try:
        figures = {"SQLite": [], "PostgreSQL": []}
        for _ in range(ROUNDS):
            figures["SQLite"].append(measure())
            pair.make_database()
            figures["PostgreSQL"].append(
                measure(f"postgres://postgres@127.0.0.1:{pair.primary.port}/{pair.primary.database}"))
    finally:
        pair.end()
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
    with open("/proc/loadavg", encoding="utf-8") as file:
        load = file.read().split()[0]
    print(f"64 events a commit, median of {ROUNDS} rounds of {SECONDS} s; load {load} at the end")
    print(f"PostgreSQL : SQLite        {medians['PostgreSQL'][0] / medians['SQLite'][0]:6.2f}")
    for name, (appends, commits) in medians.items():
        print(f"{name:10}  {appends:9,.0f} events a second  {commits:7,.0f} commits a second")


main()
