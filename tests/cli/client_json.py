"""For client_json.sh. "lines FILE...": every line is an object as janggi.6 describes it. "play
JANGGI DIR SERVER KEY": hong with --json and kim with --speech play, park watches with --json;
their output goes to DIR/NAME.out. "terminal JANGGI": the manners at a terminal. Both print "ok"
and "not ok" lines."""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

PATIENCE_S = 120  # reached only by a failing test

TEXT, NUMBER, TRUTH, LIST, OBJECT = str, int, bool, list, dict
GAME = {"game": NUMBER}
FIELDS = {
    "start": {**GAME, "event": NUMBER, "red": TEXT, "blue": TEXT, "rules": TEXT, "time": TEXT},
    "setup": {**GAME, "event": NUMBER, "by": TEXT, "lineup": TEXT},
    "move": {**GAME, "event": NUMBER, "ply": NUMBER, "by": TEXT, "move": TEXT},
    "takeback": {**GAME, "event": NUMBER, "ply": NUMBER},
    "adjourn": {**GAME, "event": NUMBER},
    "continue": {**GAME, "event": NUMBER},
    "end": {**GAME, "event": NUMBER, "outcome": TEXT, "reason": TEXT, "text": TEXT},
    "board": {**GAME, "red": TEXT, "blue": TEXT, "rules": TEXT, "time": TEXT, "ply": NUMBER},
    "notice": {"kind": TEXT, "words": LIST, "values": OBJECT, "text": TEXT},
    "answer": {"to": TEXT, "ok": TRUTH, "words": LIST, "values": OBJECT, "text": TEXT},
    "item": {"of": TEXT, "line": TEXT, "words": LIST, "values": OBJECT},
    "question": {"text": TEXT},
    "refused": {"text": TEXT},
    "say": {"text": TEXT},
}
MAY = {"clock": OBJECT, "periods": OBJECT, "turn": TEXT, "check": TEXT, "piece": TEXT,
       "took": TEXT, "you": TEXT, "position": TEXT, "human": TEXT, "code": TEXT, "game": NUMBER,
       "outcome": TEXT, "reason": TEXT, "by": TEXT, "text": TEXT}


def no_twice(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key twice: {keys}")
    return dict(pairs)


def judge(line):
    """Raises ValueError for a line that breaks a rule of the manual."""
    thing = json.loads(line, object_pairs_hook=no_twice)
    if not isinstance(thing, dict) or thing.get("t") not in FIELDS:
        raise ValueError("no object of a known type")
    must = FIELDS[thing["t"]]
    for key, kind in must.items():
        if type(thing.get(key)) is not kind:
            raise ValueError(f"{key} is not {kind.__name__}")
    for key, value in thing.items():
        kind = TEXT if key == "t" else must.get(key, MAY.get(key))
        if kind is None or type(value) is not kind:
            raise ValueError(f"{key} is not in the manual, or no {kind}")
    return thing


def judge_files(paths):
    count = 0
    for path in paths:
        with open(path, "rb") as file:
            for raw in file:
                try:
                    judge(raw.decode("utf-8"))
                except ValueError as why:
                    print(f"# {path}: {why}: {raw[:200]!r}")
                    return 1
                count += 1
    if count == 0:
        print("# no line at all")
    return 0 if count > 0 else 1


class Player:
    def __init__(self, janggi, directory, name, *arguments):
        home = os.path.join(directory, "home-" + name)
        os.makedirs(home, exist_ok=True)
        self.name, self.path = name, os.path.join(directory, name + ".out")
        self.out = open(self.path, "wb")
        self.process = subprocess.Popen(
            [janggi, *arguments], stdin=subprocess.PIPE, stdout=self.out, stderr=self.out,
            env={**os.environ, "HOME": home, "USER": name})

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def lines(self):
        with open(self.path, "rb") as file:
            return file.read().decode("utf-8").splitlines()

    def things(self, kind):
        found = []
        for line in self.lines():
            try:
                thing = json.loads(line)
            except ValueError:
                continue
            if isinstance(thing, dict) and thing.get("t") == kind:
                found.append(thing)
        return found

    def wait(self, what, test):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            found = test(self)
            if found:
                return found
            time.sleep(0.05)
        print(f"not ok {what}")
        print("".join(f"# {self.name}: {line}\n" for line in self.lines()[-12:]), end="")
        sys.exit(1)

    def leave(self):
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        self.out.close()
        return code


FAILED = 0


def report(name, is_good):
    global FAILED
    print(("ok " if is_good else "not ok ") + name, flush=True)
    FAILED = FAILED if is_good else 1


TALK = 'he said "\\o/" and \\n, 안녕'


def play(janggi, directory, server, key):
    hong = Player(janggi, directory, "hong", "--json", "--pin", key, "-n", "hong", server)
    hong.wait("login is answered", lambda p: [a for a in p.things("answer") if a["to"] == "login"])
    kim = Player(janggi, directory, "kim", "--plain", "--speech", "--pin", key, "-n", "kim", server)
    kim.wait("kim is there", lambda p: any("kim" in line for line in p.lines()))
    hong.type("seek 10 5 red martin")
    seek = hong.wait("a seek is answered",
                     lambda p: [a for a in p.things("answer") if a["to"] == "seek"])[0]
    hong.type("seeks")
    item = hong.wait("seeks are items", lambda p: p.things("item"))[0]
    report("items-have-words-and-values", item["of"] == "seeks" and item["values"]["by"] == "hong"
           and item["words"][0] == "seek" and item["words"][1] == seek["values"]["id"])
    kim.type("accept " + seek["values"]["id"])
    start = hong.wait("a start", lambda p: p.things("start"))[0]
    report("start-says-who-you-are", start["you"] == "red" and start["blue"] == "kim")
    hong.type("setup 3")
    kim.wait("kim's turn to set up", lambda p: any("Blue to set up" in x for x in p.lines()))
    kim.type("setup 1")
    hong.wait("both set up", lambda p: len(p.things("setup")) == 2)
    park = Player(janggi, directory, "park", "--json", f"janggi://{server}/watch/{key}")
    park.wait("park watches", lambda p: len(p.things("setup")) == 2)
    game(hong, kim, park)
    codes = [hong.leave(), kim.leave(), park.leave()]
    report("all-leave-in-order", codes == [6, 6, 0])


def game(hong, kim, park):
    hong.type("b0b1")
    wrong = hong.wait("a wrong move is refused", lambda p: p.things("refused"))[0]
    report("a-wrong-move-is-explained", "the knight on B0 does not go to B1" in wrong["text"])
    hong.type("withdraw 999")
    wrong = hong.wait("the server refuses",
                      lambda p: [a for a in p.things("answer") if not a["ok"]])[0]
    report("a-refusal-has-code-and-words", wrong["code"] == "no-such" and
           wrong["to"] == "withdraw" and wrong["text"] != "")
    hong.type("g0f2")
    move = hong.wait("a move", lambda p: p.things("move"))[0]
    report("a-move-has-its-fields", (move["ply"], move["by"], move["move"], move["piece"],
                                     move["turn"], "took" in move) ==
           (1, "red", "G0-F2", "knight", "blue", False))
    report("clocks-are-milliseconds", 590000 < move["clock"]["blue"] <= 605000)
    kim.wait("kim hears it", lambda p: any(
        line.startswith("Red knight G0 to F2. Your move. Blue ") for line in p.lines()))
    report("a-listener-hears-a-sentence", True)
    kim.type("scan 2")
    kim.wait("kim scans", lambda p: any(
        x == "Row 2: B2 red cannon, F2 red knight, H2 red cannon." for x in p.lines()))
    kim.type("xyzzy")
    kim.type("say " + TALK)
    said = hong.wait(
        "talk arrives", lambda p: [n for n in p.things("notice") if n["kind"] == "say"])[0]
    report("talk-is-whole", said["human"] == TALK and said["text"].endswith("kim says: " + TALK))
    kim.type("draw")
    offer = hong.wait("an offer", lambda p: [n for n in p.things("notice") if n["kind"] == "offer"])
    report("an-offer-has-its-values", offer[0]["values"]["kind"] == "draw" and
           offer[0]["values"]["by"] == "kim")
    hong.type("nonsense")
    hong.wait("a refusal of a word", lambda p: len(p.things("refused")) == 2)
    hong.type("board")
    hong.wait("a board", lambda p: p.things("board"))
    hong.type("draw")
    for player in (hong, park):
        end = player.wait("an end", lambda p: p.things("end"))[0]
        report(player.name + "-has-an-end", (end["outcome"], end["reason"]) == ("draw", "agreement"))
    kim.wait("kim hears the end", lambda p: any(
        x.startswith("The game is over. Draw by agreement.") for x in p.lines()))


def on_terminal(arguments, *steps):
    """What a program prints on a terminal of 80x24, and how it ends. A step waits for a pattern in
    what was printed since the last one, then types a line; a number instead of a pattern waits so
    many seconds."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(arguments, stdin=its, stdout=its, stderr=its, close_fds=True,
                               start_new_session=True, env={**os.environ, "TERM": "xterm"})
    os.close(its)
    said = b""
    for wanted, line in steps:
        said += listen(ours, wanted)
        if line is not None:
            os.write(ours, line.encode() + b"\n")
    said += listen(ours, None)
    os.close(ours)
    return said, process.wait(PATIENCE_S)


def listen(terminal, wanted):
    """Returns the output until a pattern has been seen, the time is over, or the other end is closed."""
    is_time = isinstance(wanted, float)
    until, said = time.monotonic() + (wanted if is_time else PATIENCE_S), b""
    while (left := until - time.monotonic()) > 0:
        if not is_time and wanted is not None and re.search(wanted, said):
            break
        if not select.select([terminal], [], [], left)[0]:
            break
        try:
            more = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        said += more
    return said


def terminal(janggi):
    """Manners at a terminal: what escape codes and prompts there are, and that the others differ."""
    local = [janggi, "local", "--setup", "1/1", "--time", "10m"]
    screen, code = on_terminal(local, (b"1 red> ", "a3b3"), (b"1 blue> ", "quit!"))
    report("a-screen-has-escape-codes-boards-and-prompts",
           b"\x1b" in screen and b"+--+" in screen and b"1 red> " in screen and code == 0)
    for manner in ("--plain", "--json"):
        said, code = on_terminal(local + [manner], (b"(?s)NBBN.*NBBN.*\n", "a3b3"),
                                 (b"A3-B3.*\n", "quit!"))
        report(f"{manner[2:]}-at-a-terminal-has-neither",
               b"\x1b" not in said and b"> " not in said and b"+--+" not in said and
               b"A3-B3" in said and code == 0)
    spoken, code = on_terminal(local + ["--speech"], (b"1 red> ", "a3b3"), (b"1 blue> ", None),
                               (2.5, "quit!"))
    report("speech-at-a-terminal-has-a-prompt-that-stands-still",
           spoken.count(b"1 blue> ") <= 2 and b"[9:" not in spoken and b"+--+" not in spoken and
           b"Red pawn A3 to B3. Your move. Blue 10 minutes." in spoken and code == 0)
    ticking, _ = on_terminal(local, (b"1 red> ", "a3b3"), (b"1 blue> ", None),
                             (b"\x1b\\[1P9:|\\[9:", "quit!"))
    report("and-without-it-the-clock-runs", b"\x1b[1P9:" in ticking or b"[9:" in ticking)


if __name__ == "__main__":
    if sys.argv[1] == "terminal":
        terminal(sys.argv[2])
        sys.exit(FAILED)
    if sys.argv[1] == "lines":
        sys.exit(judge_files(sys.argv[2:]))
    play(*sys.argv[2:])
    sys.exit(FAILED)
