"""Three first runs, as a host, a friend and a watcher type them, for client/FIRST_GAME.md: the
real programs at real terminals, cut to what matters.

    python3 tests/transcripts.py BUILD               print it
    python3 tests/transcripts.py BUILD --write FILE  put it between the two marks in FILE
    python3 tests/transcripts.py BUILD --check FILE  does FILE contain it?
    python3 tests/transcripts.py BUILD --draw FILE   draw the host's last board, as SVG

Keys, codes, addresses, homes and clocks are replaced by those of an example: all else is what
the programs print.
"""
import difflib
import html
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from terminals import SLOW_TRIES, Terminal, Tmux, tell_of_slow_disk  # noqa: E402 (found beside this file only now)

BEGIN, END = "<!-- transcript: begin -->\n", "<!-- transcript: end -->\n"
TRIES = 40  # attempts until the random draw gives the host Red
KEY = "pRQ2JBqOTijcq8-XQipTIXd0aVtZ5kKmUw3rYb8nL4E"
BOARD_ROWS = 20
COLUMNS, ROWS = 100, 48


class OtherSide(Exception):
    """The draw made the host Blue."""


class Scene:
    """A server and three people; each of them at a terminal."""

    def __init__(self, build, directory):
        self.directory, self.tmux, self.server, self.terminals = directory, Tmux(directory), None, []
        self.path = os.path.abspath(build) + ":" + os.environ["PATH"]

    def sit(self, name, words, seat=None):
        terminal = Terminal(self.tmux, seat or name, os.path.join(self.directory, name), COLUMNS,
                            ROWS, PATH=self.path, USER=name)
        self.terminals.append(terminal)
        terminal.enter(words)
        return terminal

    def play(self):
        """Returns the rows that server, host, friend and watcher see, in this order."""
        server = self.server = self.sit("hong", "janggid --allow-root --listen 127.0.0.1:0 --invite", "server")
        server.sees("^Ctrl-C stops")
        join = server.sees(r"^ *(janggi janggi://\S+/join/\S+)")[1]
        watch = server.sees(r"^ *(janggi janggi://\S+/watch/\S+)")[1]
        hong = self.log_in("hong", join)
        hong.sees("you have a seat")
        kim = self.log_in("kim", join)
        if hong.sees("You play (red|blue)")[1] != "red":
            raise OtherSide
        park = self.make_moves(hong, kim, watch)
        self.leave(hong, kim, park)
        return [terminal.rows(is_joined=True) for terminal in (server, hong, kim, park)]

    def log_in(self, name, link):
        terminal = self.sit(name, link)
        terminal.sees(r"^Your name \[" + name)
        terminal.enter("")
        terminal.sees(f"^Hello {name}")
        return terminal

    def make_moves(self, hong, kim, watch):
        """Each waits until the other's move is there, as people do. The watcher comes late."""
        hong.sees(r"^  setup 4 .*\n(?:.*\n)*.*1 red>$")
        kim.sees("chooses a set-up")
        hong.enter("setup 3")
        kim.sees(r"^  setup 4 .*\n(?:.*\n)*.*1 blue>$")
        hong.sees("kim .blue. chooses a set-up")
        kim.enter("setup 1")
        hong.sees(r"YOUR MOVE(?:.*\n)*.*1 red>$")
        kim.sees(r"Move 1, red to play(?:.*\n)*.*1 blue \(red's turn\)>$")
        hong.enter("b0c2")
        kim.sees(r"Last: red B0-C2(?:.*\n)*.*1 blue>$")
        park = self.sit("park", watch)
        park.sees(r"Last: red B0-C2(?:.*\n)*.*1 watch>$")
        hong.sees(r"guest\d+ is watching")
        kim.sees(r"guest\d+ is watching")
        kim.enter("i6h6")
        for terminal in (hong, park):
            terminal.sees("Last: blue I6-H6")
        hong.enter("a3b3")
        for terminal in (hong, kim, park):
            terminal.sees(r"Last: red A3-B3(?:.*\n)*.*[12] (?:red \(blue's turn\)|blue|watch)>$")
        return park

    def leave(self, hong, kim, park):
        hong.enter("quit")
        hong.sees(r"^Game 1 goes on(?:.*\n)*\$$")
        kim.sees("hong .red. is away")
        kim.enter("quit")
        kim.sees(r"^Game 1 goes on(?:.*\n)*\$$")
        park.sees("kim .blue. is away")
        park.enter("quit")
        park.sees(r"watch> quit\nCome back with:\n.*\n\$$")

    def end(self):
        """In order: to janggid a terminal that hangs up is a wish to read its certificate."""
        try:
            if self.server is not None:
                self.server.type(b"\x03")
                self.server.sees(r"^\$$")
        finally:
            self.tmux.close()


def play(build):
    """The directory, and what the four see. It is played again if one of them reads of a slow disk."""
    slow = 0
    for _ in range(TRIES):
        directory = tempfile.mkdtemp(prefix="janggi-transcript-")
        scene, seen, problem = Scene(build, directory), None, None
        try:
            seen = scene.play()
        except OtherSide:
            continue
        except Exception as error:  # rows that were not expected
            problem = error
        finally:
            is_slow = tell_of_slow_disk(scene.terminals)
            scene.end()
            shutil.rmtree(directory, ignore_errors=True)
        slow += is_slow
        if is_slow and slow < SLOW_TRIES:
            continue
        if problem is not None:
            raise problem
        return directory, seen
    raise RuntimeError(f"the host was Blue {TRIES} times in a row")


# --- From rows to the document -------------------------------------------------------------


def replace_what_varies(text, directory):
    text = text.replace(os.path.join(directory, "hong"), "/home/hong")
    text = text.replace(" --allow-root --listen 127.0.0.1:0", "")
    text = re.sub(r"127\.0\.0\.1:\d+", "192.168.1.20:9032", text)
    text = text.replace("127.0.0.1 is this machine alone. For other machines use --public-name NAME.",
                        "192.168.1.20 is a private address, which works only in its own network.\n"
                        "    For others use --public-name NAME and forward port 9032.")
    text = re.sub(r"^( *)key \S{43}$", rf"\g<1>key {KEY}", text, flags=re.M)
    text = re.sub(r"/owner/[\w-]{22}/", "/owner/x4Tq8mZ_pLw2VbN7cRk3Yg/", text)
    text = re.sub(r"(/(?:join|watch|owner)/(?:\S+/)?)\S{22}$", rf"\g<1>{KEY[:22]}", text, flags=re.M)
    text = re.sub(r"/join/[0-9A-Z]{4}-[0-9A-Z]{4}/", "/join/K7Q2-9F3M/", text)
    # Typing speed differs in each run, so the clocks in the text are fixed.
    text = re.sub(r"\b(?:[5-9]|10):\d\d\b", "10:00", text)
    text = re.sub(r"You have \d+ s;", "You have 60 s;", text)
    text = re.sub(r"\b(?:0:\d\d|1:00)\b", "1:00", text)
    return re.sub(r"claim in \d:\d\d", "claim in 3:00", text)


def cut_boards(rows, kept):
    """All boards but number kept become a row of dots; rows of the server's log go, and what is so
    only because this server listens on this machine alone."""
    out, board, at = [], 0, 0
    rows = [row for row in rows if not re.match(r"\d{4}-\d\d-\d\dT|127.0.0.1 is this machine", row)]
    while at < len(rows):
        if re.match(r" {5}[09] [\[(]", rows[at]):
            board += 1
            if board == kept:
                out += rows[at:at + BOARD_ROWS]
            else:
                out.pop()  # the empty row
                out += ["..."] if out[-1] != "..." else []
            at += BOARD_ROWS
        else:
            out.append(rows[at])
            at += 1
    return out


def cut_between(rows, first, last):
    """Replaces the rows from the one that begins with first to the one that begins with last by dots."""
    begin = next(i for i, row in enumerate(rows) if row.startswith(first))
    end = next(i for i, row in enumerate(rows) if i > begin and row.startswith(last))
    return rows[:begin] + ["..."] + rows[end:]


def in_block(rows):
    while rows[-1] in ("$", ""):
        rows.pop()
    return "".join(("    " + row).rstrip() + "\n" for row in rows)


def write_up(directory, seen):
    server, hong, kim, park = seen
    hong = cut_between(cut_boards(hong, 0), "Game 1: ", "[")
    kim = cut_between(cut_boards(kim, 2), "Connected ", "Choose ")
    text = "\n".join([
        "The host, in one terminal:\n", in_block(cut_boards(server, 0)),
        "and in another:\n", in_block(hong),
        "The friend:\n", in_block(kim),
        "Somebody who watches:\n", in_block(cut_boards(park, 0)), ""])
    return replace_what_varies(text, directory)


def split(path):
    """Splits the file at its two marks into three parts."""
    with open(path, encoding="utf-8") as file:
        before, begin, rest = file.read().partition(BEGIN)
    between, end, behind = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{path}: there must be a line {BEGIN.strip()} and a line {END.strip()} below it")
    return before + begin, between, end + behind


def check(path, text):
    between = split(path)[1]
    sys.stdout.writelines("# " + line for line in difflib.unified_diff(
        between.splitlines(True), text.splitlines(True), path, "what the programs print"))
    return between == text


def draw(rows):
    """The last rows that begin with a board, as a terminal shows them: SVG."""
    begin = max(i for i, row in enumerate(rows) if re.match(r" {5}9 ", row))
    rows = rows[begin:begin + BOARD_ROWS] + ["", rows[begin + BOARD_ROWS].split("> ")[0] + "> "]
    lines = []
    for i, row in enumerate(rows):
        words = html.escape(row)
        words = re.sub(r"(\([A-Z]\)|\[K\])", r'<tspan fill="#ff8f80">\1</tspan>', words)
        words = re.sub(r"(\[[a-z]\])", r'<tspan fill="#8fb8ff">\1</tspan>', words)
        lines.append(f'<text x="12" y="{28 + 18 * i}" xml:space="preserve">{words}</text>\n')
    height = 28 + 18 * len(rows)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}">\n'
            f'<title>janggi in a terminal</title>\n<rect width="640" height="{height}" rx="6" fill="#1d1f21"/>\n'
            '<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#d8d8d8">\n'
            + "".join(lines) + "</g>\n</svg>\n")


def main():
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--write"], ["--check"], ["--draw"]):
        sys.exit(__doc__)
    if sys.argv[2:3] == ["--draw"]:
        directory, seen = play(sys.argv[1])
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(draw(replace_what_varies("\n".join(seen[1]), directory).split("\n")))
        return
    text = "\n" + write_up(*play(sys.argv[1]))
    if len(sys.argv) == 2:
        print(text, end="")
    elif sys.argv[2] == "--check":
        sys.exit(0 if check(sys.argv[3], text) else 1)
    else:
        before, _, behind = split(sys.argv[3])
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(before + text + behind)


main()
