"""For client_json.sh. "lines FILE...": every line is an object as janggi.6 describes it. "play
JANGGI DIR SERVER KEY": hong with --json and kim with --speech play, park watches with --json;
their output goes to DIR/NAME.out. "terminal JANGGI": the manners at a terminal. Both print "ok"
and "not ok" lines."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import Terminal  # noqa: E402
from players import Player  # noqa: E402

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


def sit(janggi, directory, name, *arguments):
    home = os.path.join(directory, "home-" + name)
    os.makedirs(home, exist_ok=True)
    return Player(name=name).run([janggi, *arguments], stderr=subprocess.STDOUT, env={**os.environ, "HOME": home, "USER": name})


def thing(player, t, **fields):
    """The next object of that kind with these fields."""
    while True:
        found = json.loads(player.expect(f'^{{"t":"{t}"').string)
        if all(found[key] == value for key, value in fields.items()):
            return found


def leave(player, directory):
    """Returns the exit status. What was printed goes to a file, for "lines"."""
    status = player.leave()
    with open(os.path.join(directory, player.name + ".out"), "wb") as out:
        out.writelines(line.encode(errors="surrogateescape") + b"\n" for line in player.seen)
    return status


FAILED = 0


def report(name, is_good):
    global FAILED
    print(("ok " if is_good else "not ok ") + name, flush=True)
    FAILED = FAILED if is_good else 1


TALK = 'he said "\\o/" and \\n, 안녕'


def play(janggi, directory, server, key):
    hong = sit(janggi, directory, "hong", "--json", "--pin", key, "-n", "hong", server)
    thing(hong, "answer", to="login")
    kim = sit(janggi, directory, "kim", "--plain", "--speech", "--pin", key, "-n", "kim", server)
    kim.expect("kim")
    hong.say("seek 10 5 red martin")
    seek = thing(hong, "answer", to="seek")
    hong.say("seeks")
    item = thing(hong, "item")
    report("items-have-words-and-values", item["of"] == "seeks" and item["values"]["by"] == "hong"
           and item["words"][0] == "seek" and item["words"][1] == seek["values"]["id"])
    kim.say("accept " + seek["values"]["id"])
    start = thing(hong, "start")
    report("start-says-who-you-are", start["you"] == "red" and start["blue"] == "kim")
    hong.say("setup 3")
    kim.expect("Blue to set up")
    kim.say("setup 1")
    park = sit(janggi, directory, "park", "--json", f"janggi://{server}/watch/{key}")
    for player in (hong, hong, park, park):
        thing(player, "setup")
    game(hong, kim, park)
    codes = [leave(player, directory) for player in (hong, kim, park)]
    report("all-leave-in-order", codes == [6, 6, 0])


def game(hong, kim, park):
    hong.say("b0b1")
    report("a-wrong-move-is-explained", "the knight on B0 does not go to B1" in thing(hong, "refused")["text"])
    hong.say("withdraw 999")
    wrong = thing(hong, "answer", ok=False)
    report("a-refusal-has-code-and-words", wrong["code"] == "no-such" and
           wrong["to"] == "withdraw" and wrong["text"] != "")
    hong.say("g0f2")
    move = thing(hong, "move")
    report("a-move-has-its-fields", (move["ply"], move["by"], move["move"], move["piece"],
                                     move["turn"], "took" in move) ==
           (1, "red", "G0-F2", "knight", "blue", False))
    report("clocks-are-milliseconds", 590000 < move["clock"]["blue"] <= 605000)
    kim.expect(r"^Red knight G0 to F2\. Your move\. Blue ")
    report("a-listener-hears-a-sentence", True)
    kim.say("scan 2")
    kim.expect(r"^Row 2: B2 red cannon, F2 red knight, H2 red cannon\.$")
    kim.say("xyzzy")
    kim.say("say " + TALK)
    said = thing(hong, "notice", kind="say")
    report("talk-is-whole", said["human"] == TALK and said["text"].endswith("kim says: " + TALK))
    kim.say("draw")
    offer = thing(hong, "notice", kind="offer")
    report("an-offer-has-its-values", offer["values"]["kind"] == "draw" and offer["values"]["by"] == "kim")
    hong.say("nonsense")
    thing(hong, "refused")
    hong.say("board")
    thing(hong, "board")
    hong.say("draw")
    for player in (hong, park):
        end = thing(player, "end")
        report(player.name + "-has-an-end", (end["outcome"], end["reason"]) == ("draw", "agreement"))
    kim.expect(r"^The game is over\. Draw by agreement\.")


def on_terminal(arguments, *steps):
    """What a program prints on a terminal, and how it ends. A step waits for words, or so many seconds, and then types
    a line."""
    screen = Terminal(arguments, {**os.environ, "TERM": "xterm"})
    for wanted, line in steps:
        if isinstance(wanted, float):
            screen.watch(wanted)
        else:
            screen.wait_for(wanted, 20)
        if line is not None:
            screen.type(line + "\n")
    code = screen.end(20)
    screen.kill()
    return bytes(screen.seen), code


def terminal(janggi):
    """Manners at a terminal: what escape codes and prompts there are, and that the others differ."""
    local = [janggi, "local", "--setup", "1/1", "--time", "10m"]
    screen, code = on_terminal(local, ("1 red> ", "a3b3"), ("1 blue> ", "quit!"))
    report("a-screen-has-escape-codes-boards-and-prompts",
           b"\x1b" in screen and b"+--+" in screen and b"1 red> " in screen and code == 0)
    for manner in ("--plain", "--json"):
        said, code = on_terminal(local + [manner], ("NBBN", None), ("NBBN", None), ("\n", "a3b3"),
                                 ("A3-B3", None), ("\n", "quit!"))
        report(f"{manner[2:]}-at-a-terminal-has-neither",
               b"\x1b" not in said and b"> " not in said and b"+--+" not in said and
               b"A3-B3" in said and code == 0)
    spoken, code = on_terminal(local + ["--speech"], ("1 red> ", "a3b3"), ("1 blue> ", None),
                               (2.5, "quit!"))
    report("speech-at-a-terminal-has-a-prompt-that-stands-still",
           spoken.count(b"1 blue> ") <= 2 and b"[9:" not in spoken and b"+--+" not in spoken and
           b"Red pawn A3 to B3. Your move. Blue 10 minutes." in spoken and code == 0)
    ticking, _ = on_terminal(local, ("1 red> ", "a3b3"), ("1 blue> ", None), ("9:", "quit!"))
    report("and-without-it-the-clock-runs", b"\x1b[1P9:" in ticking or b"[9:" in ticking)


if __name__ == "__main__":
    if sys.argv[1] == "terminal":
        terminal(sys.argv[2])
        sys.exit(FAILED)
    if sys.argv[1] == "lines":
        sys.exit(judge_files(sys.argv[2:]))
    play(*sys.argv[2:])
    sys.exit(FAILED)
