"""The facts of tests/data, asked of "janggi rules" by lines of standard input.

    python3 tests/rules/rules_data.py BUILD_DIR
"""
import json
import subprocess
import sys

JANGGI = sys.argv[1] + "/janggi"
SIDES = {"r": "red", "b": "blue", "draw": "draw", None: "-"}
failed = 0


def verdict(name, faults):
    global failed
    if faults:
        failed = 1
        print(f"not ok {name}: {len(faults)} wrong")
        for fault in faults[:10]:
            print("#", fault)
    else:
        print(f"ok {name}")


def rows(name):
    with open(f"tests/data/{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def ask(words, lines):
    """Returns one answer for each line."""
    done = subprocess.run([JANGGI, "rules", *words], input="".join(line + "\n" for line in lines),
                          capture_output=True, text=True, check=False)
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(lines), (words, len(lines), len(answers), done.stderr)
    return answers


def wrong(names, expected, found):
    return [f"{name}: expected {a}; got {b}" for name, a, b in zip(names, expected, found) if a != b]


def check_positions():
    positions = rows("positions")
    names = [row["id"] for row in positions]
    for rules, key in (("kja", "kja"), ("vchess", "vchess"), ("courier", "vchess")):
        expected = [" ".join(sorted(row[key])) for row in positions]
        found = ask(["legal", "-r", rules, "-"], [row["fen"] for row in positions])
        verdict(f"moves of {len(positions)} positions, {rules}", wrong(names, expected, found))


def check_games():
    games = rows("games")
    names = [row["id"] for row in games]
    lines = [row["fen"] + " " + " ".join(row["moves"]) for row in games]
    found = ask(["play", "-r", "kja", "-"], lines)
    expected = [f"status=over result={SIDES[row['result']]} reason={row['reason']}" for row in games]
    verdict(f"ends of {len(games)} games", wrong(names, expected, [f.split(" check=")[0] for f in found]))


def start_of(row):
    if "fen" in row:
        return row["fen"]
    return row["setup"]


def state_of(answer):
    head, rest = answer.split(' fen="')
    fen, points = rest.split('"')
    state = dict(word.split("=") for word in head.split() + points.split())
    state["fen"] = fen
    return state


def check_scenario(row):
    """The faults of one case."""
    rules, expect = row["ruleset"], row["expect"]
    line = start_of(row) + " " + " ".join(row.get("moves", []))
    answer = ask(["play", "-r", rules, "-"], [line])[0]
    if answer.startswith("error"):
        return [answer]
    state = state_of(answer)
    legal = ask(["legal", "-r", rules, "-"], [state["fen"]])[0].split()
    facts = [(key, expect[key], state[key]) for key in ("check", "fen", "status") if key in expect]
    if "result" in expect:
        facts.append(("result", SIDES[expect["result"]], state["result"]))
    if "reason" in expect:
        facts.append(("reason", expect["reason"] or "-", state["reason"]))
    if "points" in expect:
        red, blue = (float(p) for p in state["points"].split("/"))
        facts.append(("points", expect["points"], {"r": red, "b": blue}))
    if "legal" in expect:
        facts.append(("legal", sorted(expect["legal"]), legal))
    if "count" in expect:
        facts.append(("count", expect["count"], len(legal)))
    for square, targets in expect.get("legal_from", {}).items():
        facts.append((square, sorted(targets), [m[3:] for m in legal if m.startswith(square)]))
    for move in expect.get("includes", []):
        facts.append((move, "legal", ask(["why", "-r", rules, "-"], [state["fen"] + " " + move])[0]))
    for move in expect.get("illegal", []):
        why = ask(["why", "-r", rules, "-"], [state["fen"] + " " + move])[0]
        facts.append((move, "a reason", "a reason" if " : " in why else why))
    return [f"{row['id']} {name}: expected {a}; got {b}" for name, a, b in facts if a != b]


def check_scenarios():
    scenarios = rows("scenarios")
    faults = [fault for row in scenarios for fault in check_scenario(row)]
    verdict(f"{len(scenarios)} argued cases", faults)


def check_perft():
    faults = []
    for row in rows("perft"):
        for depth, count in enumerate(row["perft"][:4], 1):
            found = ask(["perft", "-r", row["ruleset"], "-", str(depth)], [row["fen"]])[0]
            if found != str(count):
                faults.append(f"{row['ruleset']} {row['fen']} {depth}: {count}, not {found}")
    verdict("perft", faults)


check_positions()
check_games()
check_scenarios()
check_perft()
sys.exit(failed)
