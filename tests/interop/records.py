"""Games of another engine through "janggi convert": into every format, in both encodings, and back;
what is JSON and SVG is read by python's own readers. Prints "ok" and "not ok" lines.

    python3 tests/interop/records.py BUILD_DIR
"""
import json
import pathlib
import subprocess
import sys
import xml.dom.minidom

JANGGI = pathlib.Path(sys.argv[1]) / "janggi"
DATA = pathlib.Path(__file__).parent.parent / "data" / "games.jsonl"
OTHER = {"red": "blue", "blue": "red"}
BOARD = "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR"
failed = False


def report(name, why=""):
    global failed
    failed = failed or bool(why)
    print(f"not ok {name}: {why}" if why else f"ok {name}")


def run(*words, stdin=b""):
    """Standard output; anything on standard error is a failure."""
    done = subprocess.run([JANGGI, *words], input=stdin, capture_output=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise ValueError(f"{words}: status {done.returncode}, {done.stderr.decode()}")
    return done.stdout


def record_of(row):
    """The record of a game that our referee is to end for us; its names need cp949."""
    side = "red" if row["fen"].split()[1] == "r" else "blue"
    lines = [f'start red=홍길동 blue=kim rules={row["ruleset"]} time=none position="{row["fen"]}"']
    for number, move in enumerate(row["moves"], 1):
        lines.append(f"move {number} {side} {move}")
        side = OTHER[side]
    winner = {"r": "red", "b": "blue", "draw": "draw"}.get(row["result"])
    if winner and row["reason"]:
        lines.append(f'end {winner} {row["reason"]}')
    text = "".join(f"{i} {line}\n" for i, line in enumerate(lines))
    return f"janggi-record 1\n{text}".encode()


def comes_back(record, *words):
    """Converts a record to a format and back. A start position that a set-up gives comes back as that set-up."""
    there = run("convert", "-", *words, stdin=record)
    return run("convert", "-", stdin=there)


def check_ways(name, records):
    ways = [("gib",), ("pgn",), ("gib", "--encoding", "cp949"), ("pgn", "--encoding", "cp949")]
    settled = [comes_back(record, "--to", "gib") for record in records]
    for way in ways:
        wrong = [i for i, record in enumerate(settled) if comes_back(record, "--to", *way) != record]
        report(f"{name} through {' '.join(way)}", f"games {wrong}" if wrong else "")
    moved = [i for i, record in enumerate(settled)
             if record.count(b"\n") < records[i].count(b"\n") or b"rules=kja" not in record]
    report(f"{name} keep their moves", f"games {moved}" if moved else "")
    return settled


def check_json(record, row):
    game = json.loads(run("convert", "-", "--to", "json", stdin=record))
    moves = [move["move"] for move in game["moves"]]
    assert moves == row["moves"], "moves"
    assert game["red"] == "홍길동" and game["rules"] == row["ruleset"], "head"
    assert game["reason"] == (row["reason"] or None), "reason"
    fen = run("convert", "-", "--to", "fen", stdin=record).decode().strip()
    assert game["fen"] == fen, "fen"


def check_each(name, check, records, rows):
    why = ""
    for i, (record, row) in enumerate(zip(records, rows)):
        try:
            check(record, row)
        except (AssertionError, ValueError, KeyError) as error:
            why = why or f"game {i}: {error!r}"
    report(name, why)


def pieces_of(svg):
    groups = xml.dom.minidom.parseString(svg).getElementsByTagName("g")
    titles = [g.getElementsByTagName("title") for g in groups]
    return sorted(t[0].firstChild.data for t in titles if t)


def check_svg():
    names = {"r": "rook", "n": "knight", "b": "bishop", "g": "guard", "k": "king", "c": "cannon",
             "p": "pawn"}
    wanted = []
    for row, text in zip(range(9, -1, -1), BOARD.split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
                continue
            side = "Red" if letter.isupper() else "Blue"
            wanted.append(f"{side} {names[letter.lower()]} {chr(65 + column)}{row}")
            column += 1
    for words in ([], ["--flip"]):
        found = pieces_of(run("rules", "show", "fig1", "--svg", *words))
        report(f"a picture shows every piece {' '.join(words)}",
               "" if found == sorted(wanted) else f"{found}")
    marked = run("rules", "show", "fig1", "--svg", "--from", "B0").decode()
    report("a picture shows marks", "" if marked.count('class="mark"') == 2 else marked)


def check_control(settled):
    """A move that is another one must be noticed on the way."""
    there = run("convert", "-", "--to", "pgn", stdin=settled[0]).decode()
    broken = there.replace("\n1. ", "\n1. R", 1)
    done = subprocess.run([JANGGI, "convert", "-"], input=broken.encode(), capture_output=True,
                          check=False)
    report("a broken move is noticed",
           "" if done.returncode == 1 and b"line " in done.stderr else done.stdout.decode())


def main():
    rows = [json.loads(line) for line in DATA.read_text().splitlines()]
    records = [record_of(row) for row in rows]
    settled = check_ways(f"{len(rows)} games", records)
    check_each(f"JSON of {len(rows)} games", check_json, settled, rows)
    check_svg()
    check_control(settled)
    sys.exit(failed)


main()
