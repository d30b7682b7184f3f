#!/usr/bin/env python3
"""Published games between people: janggi reads each file of tests/data/published under kja, which
allows legal moves only, and writes the same game as GIB, PGN and its own record, in UTF-8 and in
cp949. Here each file is also parsed once more without janggi.

    python3 tests/interop/published.py BUILD_DIR
"""
import os
import re
import subprocess
import sys

JANGGI = os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "janggi")
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "published")
PATIENCE_S = 60
MOVE = re.compile(r"\d+\.\s+(?:(\d\d)[^\d\s]+(\d\d)\S*|한수쉼)")
LETTERS = {"마": "N", "상": "B"}
# How each game ended: by the rules, or as its file says: by resignation or agreement.
ENDS = {"donga-1937": "draw agreement", "top-2008": "blue resignation",
        "amateur-2009": "red resignation", "chuseok-2010": "blue checkmate",
        "chuseok-2015": "blue resignation"}


def place(digits):
    """"79", row 7 and column 9, from 0; row 0 is the tenth."""
    return (int(digits[0]) - 1) % 10, int(digits[1]) - 1


def point(digits):
    """"79" is A6."""
    row, column = place(digits)
    return f"{'IHGFEDCBA'[column]}{row}"


class Published:
    """A file as it is, read by its digits: of a point, the row and the column of Blue's view."""

    def __init__(self, name):
        with open(os.path.join(HERE, name + ".gib"), "rb") as file:
            self.data = file.read()
        try:
            self.text, self.is_cp949 = self.data.decode(), False
        except UnicodeDecodeError:
            self.text = self.data.replace(b"\xff", b"").decode("cp949")
            self.is_cp949 = True
        self.moves = [found.groups() for found in MOVE.finditer(self.text)]

    def tag(self, name):
        return re.search(rf'\[{name} "(.*?)"\]', self.text)[1]

    def board(self):
        """Row by row from Red's end, after all moves were made, be they legal or not."""
        red, blue = ("".join(LETTERS[c] for c in self.tag(tag)) for tag in ("한차림", "초차림"))
        rows = [f"r{red[:2]}a.a{red[2:]}r".lower(), "....k....", ".c.....c.", "p.p.p.p.p", ".........",
                ".........", "P.P.P.P.P", ".C.....C.", "....K....", f"R{blue[:2]}A.A{blue[2:]}R"]
        board = [list(row) for row in rows]
        for start, end in self.moves:
            if start is not None:
                row, column = place(start)
                piece, board[row][column] = board[row][column], "."
                row, column = place(end)
                board[row][column] = piece
        return "/".join("".join(row) for row in board)


def convert(data, *words):
    done = subprocess.run([JANGGI, "convert", *words, "-"], input=data, capture_output=True,
                          timeout=PATIENCE_S, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def converted(data, *words):
    status, output, errors = convert(data, *words)
    assert status == 0, f"convert {words}: {errors}"
    return output


def moves_of(record):
    return re.findall(r"^\d+ move \d+ (?:red|blue) (\S+)", record.decode(), re.M)


def same(what, found, wanted):
    assert found == wanted, f"{what}: {found!r}, not {wanted!r}"


def is_read(name):
    game = Published(name)
    record = converted(game.data, "--rules", "kja")
    wanted = ["pass" if start is None else f"{point(start)}-{point(end)}"
              for start, end in game.moves]
    same("number of moves", len(wanted), int(game.tag("총수")))
    same("moves", moves_of(record), wanted)
    same("end", record.decode().splitlines()[-1].split(" ", 2)[2], ENDS[name])
    fen = converted(game.data, "--rules", "kja", "--to", "fen").decode().split()[0]
    same("board", re.sub(r"\d", lambda run: "." * int(run[0]), fen), game.board())


def comes_back(name):
    """Also in the other encoding than that of the file."""
    game = Published(name)
    record = converted(game.data, "--rules", "kja")
    same("recoded", converted(game.text.encode("utf-8" if game.is_cp949 else "cp949"),
                              "--rules", "kja"), record)
    for form in ("record", "gib", "pgn"):
        for encoding in ("utf-8", "cp949"):
            text = converted(record, "--to", form, "--encoding", encoding)
            if form == "gib":
                text.decode(encoding)
            same(f"{form} in {encoding}", converted(text), record)
    text = converted(converted(record, "--to", "gib", "--encoding", "cp949"), "--to", "pgn")
    same("gib, then pgn", converted(text), record)


def a_fault_is_seen(name):
    """Each move in turn is one that was not played, a piece that stays where it is: refused, with
    the line. And without its last move it is another game."""
    game = Published(name)
    moves = list(re.finditer(r"(?<= )(\d\d)(\D+)(\d\d)", game.text))
    for move in moves[::10]:
        text = game.text[:move.start(3)] + move[1] + game.text[move.end(3):]
        status, _, why = convert(text.encode(), "--rules", "kja")
        line = text[:move.start()].count("\n") + 1
        assert status == 1 and f"line {line}: " in why, f"{move[0]} became {move[1]}: {status} {why}"
    shorter = game.text[:game.text.rindex(f"{len(game.moves)}. ")]
    if converted(shorter.encode(), "--rules", "kja") == converted(game.data, "--rules", "kja"):
        raise AssertionError("without its last move it is the same game")


def main():
    failed = 0
    same("files", sorted(f"{name}.gib" for name in ENDS),
         sorted(name for name in os.listdir(HERE) if name.endswith(".gib")))
    for test in (is_read, comes_back, a_fault_is_seen):
        for name in ENDS:
            try:
                test(name)
                print(f"ok published: {name}: {test.__name__}")
            except AssertionError as why:
                print(f"not ok published: {name}: {test.__name__}: {why}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
