#!/usr/bin/env python3
"""Fits Red's chance of winning to games of the engine against itself, as selfplay writes them: the constants `chance` in
common/game/ruleset.c.

    python3 tests/measure/engine/chance.py FILE...

W = 1 / (1 + e^-k(s - d)), where s is the score of a search in points, for Red. Prints k and d for each ruleset, and the
chances by scores: those of the games, and those of the formula. A draw counts as half a win. The interval of k comes from
games and not from positions, because the positions of a game have one result.
"""
import math
import os
import random
import re
import struct
import sys

LESSON = struct.Struct("=90sBBHHhbB")  # lesson.h
POINT = 100.0  # EVAL_POINT
RULES = ("kja", "martin")
SAMPLES = 40
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *3 * (os.pardir,), "common", "game", "ruleset.c")


def constants_in_use(name):
    """k and d in the source."""
    with open(SOURCE, encoding="utf-8") as file:
        table = re.search(rf'\.name = "{name}",.*?\.chance = \{{(-?\d+), (-?\d+)\}}', file.read(), re.S)
    return int(table[1]) / 1000, int(table[2]) / 100


def games_of(paths):
    """For each ruleset its games: lists of (score in points for Red, result 0 to 1)."""
    games = ([], [])
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        last = None
        for at in range(0, len(data) - LESSON.size + 1, LESSON.size):
            _, side, rules, _, ply, score, result, _ = LESSON.unpack_from(data, at)
            if last is None or ply <= last[0] or (rules, result) != last[1:]:
                games[rules].append([])
            last = (ply, rules, result)
            games[rules][-1].append(((score if side == 0 else -score) / POINT, (result + 1) / 2))
    return games


def chance(score, k, d):
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, k * (score - d)))))


def fit(positions):
    """k and d of the greatest likelihood, by Newton's method for the line k*s + b."""
    k, b = 0.2, 0.0
    for _ in range(30):
        gk = gb = hkk = hkb = hbb = 0.0
        for score, result in positions:
            w = 1 / (1 + math.exp(-max(-50.0, min(50.0, k * score + b))))
            error, weight = result - w, w * (1 - w)
            gk += error * score
            gb += error
            hkk += weight * score * score
            hkb += weight * score
            hbb += weight
        determinant = hkk * hbb - hkb * hkb
        if determinant == 0:
            break
        step_k, step_b = (hbb * gk - hkb * gb) / determinant, (hkk * gb - hkb * gk) / determinant
        k, b = k + step_k, b + step_b
        if abs(step_k) + abs(step_b) < 1e-7:
            break
    return k, -b / k


def loss(positions, k, d):
    """The mean of -log2 of the chance that the formula gave to what happened."""
    total = 0.0
    for score, result in positions:
        w = min(1 - 1e-9, max(1e-9, chance(score, k, d)))
        total -= result * math.log2(w) + (1 - result) * math.log2(1 - w)
    return total / len(positions)


def spread(games):
    """The deviations of k and d, from games drawn again."""
    lots, found = random.Random(1), []
    for _ in range(SAMPLES):
        found.append(fit([position for _ in games for position in games[lots.randrange(len(games))]]))
    return [math.sqrt(sum((row[i] - sum(r[i] for r in found) / SAMPLES) ** 2 for row in found) / SAMPLES) for i in (0, 1)]


def report(name, games):
    positions = [position for game in games for position in game]
    k, d = fit(positions)
    dk, dd = spread(games)
    print(f"{name}: {len(games)} games, {len(positions)} positions: k {k:.3f} +- {2 * dk:.3f}, d {d:+.2f} +- {2 * dd:.2f} points;"
          f" loss {loss(positions, k, d):.4f}, with {constants_in_use(name)} in use {loss(positions, *constants_in_use(name)):.4f}")
    print("   points   positions   games say   k, d say")
    for low in range(-12, 12, 3):
        here = [result for score, result in positions if low <= score < low + 3]
        if here:
            print(f"  {low:+3}..{low + 3:+3} {len(here):8}      {100 * sum(here) / len(here):5.1f} %    {100 * chance(low + 1.5, k, d):5.1f} %")


def main():
    for name, games in zip(RULES, games_of(sys.argv[1:])):
        if games:
            report(name, games)


if __name__ == "__main__":
    main()
