#!/usr/bin/env python3
"""A server that means no good: whatever it says, nothing reaches the terminal that the client
did not mean, its memory does not grow, it does not crash, and it can be left at any time.

    python3 tests/cli/hostile_server.py BUILD [TEST ...]

The judge of the terminal must catch a client that believes everything (janggi-blind).
"""
import os
import random
import shutil
import sys
import termios
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty
from client_pty import BUILD, MEANT, Checks, Terminal, identity, judge
from stepped_clock import SteppedClock

WANTED = sys.argv[2:]
CLIENT = os.path.join(BUILD, "janggi")
BLIND = os.path.join(BUILD, "tests", "proof", "fault", "janggi-blind")
# All code points; under a sanitizer those of the planes that have characters, and every 16th of the rest.
POINTS = [point for point in range(0x110000)
          if os.environ.get("CONTROLS") != "no" or point >> 16 in (0, 1, 2, 3, 14) or point % 16 == 0]
GROWTH_KIB = 16 * 1024  # memory that grows by more than this during a flood grows without limit
PATIENCE_S = 120
LEAVE_S = 30
SEED = int(os.environ.get("SEED", "1"))

START = "! game 1 0 start red=hong blue=kim rules=martin time=10m+5s"
SET_UP = [START, "! game 1 1 setup red NBNB", "! game 1 2 setup blue NBBN"]


class Scene(client_pty.Visit):
    """One client on a terminal, and the server it went to. is_stepped: the client's clock stands still until a test
    steps it."""

    def __init__(self, script, client=None, options=(), is_stepped=False):
        environment = {"ASAN_OPTIONS": "quarantine_size_mb=1"}
        if is_stepped:
            self.clock = SteppedClock(os.path.join(DIRECTORY, "clock"))
            environment.update(self.clock.environment(BUILD, "janggi"))
        self.serve = script
        super().__init__(*options, client=client, environment=environment)

    def __enter__(self):
        return self

    def leave(self, keys="quit\r"):
        """Leaves. Returns the exit status, or None if the client does not end."""
        self.terminal.type(keys)
        return self.terminal.end(LEAVE_S)

    def interrupt(self):
        """Types Ctrl-C, and again as long as the client asks for it; a client that leaves has let go of the
        terminal, and one more key would kill it. The kernel must not drop the output that waits, as it does at a
        Ctrl-C: what is left of an escape sequence would look like the server's."""
        modes = termios.tcgetattr(self.terminal.master)
        modes[3] |= termios.NOFLSH
        termios.tcsetattr(self.terminal.master, termios.TCSANOW, modes)
        for _ in range(4):
            self.terminal.type("\x03")
            if not self.terminal.wait_for("Ctrl-C once more", LEAVE_S):
                break
        return self.terminal.end(LEAVE_S)


check = Checks()


def tail(terminal):
    return bytes(terminal.seen[-300:])


# --- Every code point ----------------------------------------------------------------------

def encoded(point):
    return chr(point).encode("utf-8", "surrogatepass")


NAMES = [b"! say game=1 by=%s : a name", b"! challenge 5 by=%s time=5m rules=martin side=any",
         b"! watcher game=1 name=%s here=1", b"! offer 6 game=1 kind=draw by=%s",
         b"| player %s games=1", b"| seek 7 by=%s time=5m rules=martin side=any",
         b"! game 9 0 start red=%s blue=lee rules=martin time=5m"]
TITLES = [b"* janggi/1 server=\"%s\" rules=martin : welcome", b"* janggi/1 server=x : %s",
          b"! notice : %s", b"! bye why=%s", b"OK seek id=%s : %s", b"ERR limit : %s"]


def all_points(template):
    """A line for each code point, in pieces of 4096."""
    for start in range(0, len(POINTS), 4096):
        yield b"".join(
            template(point).replace(b"%s", encoded(point)) + b"\n"
            for point in POINTS[start:start + 4096])


def speak_all(talk, template):
    talk.let_in("1")
    talk.send("\n".join(SET_UP))
    talk.hear_verb("resume")
    for piece in all_points(template):
        talk.send(piece)
    talk.say_ready()
    talk.until_gone()


def letters(seen):
    """The code points that stand alone in a line "kim says: X"."""
    mark = "kim says: "
    text = bytes(seen).decode(errors="replace")
    return {line[line.find(mark) + len(mark):].rstrip("\r")
            for line in text.split("\n") if mark in line}


def every_code_point(kind, template):
    with Scene(lambda talk: speak_all(talk, template)) as scene:
        is_read = scene.terminal.wait_for("the host says: marker", 400)
        check(is_read, f"all-{len(POINTS)}-code-points-in-{kind}-are-read", tail(scene.terminal))
        status = scene.leave()
        check(status == 0, f"and-one-can-leave-after-{kind}", f"status {status}")
        why = judge(scene.terminal.seen)
        check(not why, f"nothing-of-{kind}-does-harm-on-the-terminal", why)
        return scene.terminal.seen


def test_code_points_in_chat():
    seen = every_code_point("chat", lambda point: b"! say game=1 by=kim : %s")
    shown = letters(seen)
    check({"한", "楚", "é", "A", "~", "😀"} <= shown, "what-people-write-is-shown",
          f"{len(shown)} are")
    check(140000 < len(shown) < 160000, "as-much-as-unicode-has",
          f"{len(shown)} are shown")


def test_code_points_in_names():
    every_code_point("names", lambda point: NAMES[point % len(NAMES)])
    every_code_point("names-once-more", lambda point: NAMES[(point + 3) % len(NAMES)])


def test_code_points_in_titles():
    every_code_point("titles", lambda point: TITLES[point % len(TITLES)])


def test_greetings():
    """Sends the first line, which decides whether the client reads a second one."""
    plain = [point for point in POINTS if not judge(encoded(point) * 2)
             and not MEANT.fullmatch(encoded(point))]
    lines = [b"* janggi/1 server=\"\x1b]0;owned\x07\" : hello", b"* janggi/1 : \xe2\x80\xae",
             b"\x1b[2J* janggi/1", b"* janggi/2 : \xc2\x9b2J", b"", b"*", b"\x00"]
    for start in range(0, len(plain), 40000):
        lines.append(b"* janggi/1 server=\"%s\" : %s" % (
            encoded(plain[start]), b"".join(encoded(p) for p in plain[start:start + 900])))
    seen = b""
    for line in lines:
        is_read = threading.Event()

        def greet(talk, line=line, is_read=is_read):
            talk.send(line + b"\n")
            talk.hear_verb("login")
            is_read.set()
            talk.until_gone()
        with Scene(greet, is_stepped=True) as scene:
            # A key while a client leaves by itself would kill it.
            while scene.terminal.is_open and not is_read.is_set():
                scene.terminal.read(0.05)
                # After an empty line it waits for more, in vain.
                scene.clock.step_ms(1000 if line == b"" else 0)
            status = scene.interrupt() if is_read.is_set() else scene.terminal.end(LEAVE_S)
            seen += bytes(scene.terminal.seen)
            if status not in ((130,) if is_read.is_set() else (1, 3)):
                check(False, "a-greeting-is-survived", f"status {status}: {line[:40]!r}")
    why = judge(seen)
    check(not why, f"{len(lines)}-greetings-do-no-harm", why)


def test_control_is_caught():
    """Sends hostile lines to a client that believes everything: the judge must notice them."""
    for name, line in (("escape", b"! say game=1 by=kim : \x1b[2J"),
                       ("title", b"! say game=1 by=kim : \x1b]0;owned\x07"),
                       ("c1", b"! say game=1 by=kim : \xc2\x9b2J"),
                       ("bidi", b"! say game=1 by=kim : \xe2\x80\xae"),
                       ("zero-width", b"! say game=1 by=\xe2\x80\x8bkim : x"),
                       ("no-utf8", b"! say game=1 by=kim : \xff\xfe"),
                       ("nul-like", b"! notice : \x01\x02")):
        def script(talk, line=line):
            talk.let_in()
            talk.send(line + b"\n")
            talk.say_ready()
            talk.until_gone()
        with Scene(script, client=BLIND) as scene:
            scene.terminal.wait_for("the host says: marker", 20)
            scene.interrupt()
            check(judge(scene.terminal.seen) != "", f"control-{name}-is-caught",
                  tail(scene.terminal))


def test_controls_of_the_harness():
    """The test must detect a program that does not leave, and one whose memory grows."""
    environment = {"PATH": os.environ["PATH"]}
    deaf = Terminal([sys.executable, "-c", "import signal, time; signal.signal(2, signal.SIG_IGN); "
                     "print('now', flush=True); time.sleep(60)"], environment)
    deaf.wait_for("now", 10)
    deaf.type("quit\r\x03")
    check(deaf.end(2) is None, "control-who-does-not-leave-is-seen")
    deaf.kill()
    greedy = Terminal([sys.executable, "-c", "print('now', flush=True); input(); x = b'x' * 99999999; "
                       "print('done', flush=True); input()"], environment)
    greedy.wait_for("now", 10)
    before = greedy.memory_kib()
    greedy.type("\r")
    greedy.wait_for("done", 10)
    check(greedy.memory_kib() - before > GROWTH_KIB, "control-growth-is-seen")
    greedy.kill()


# --- Lines that are no protocol --------------------------------------------------------------

def play_begins(talk):
    """Lets the client log in and play a game, until the player types "who"."""
    talk.let_in("1")
    _, tag = talk.hear_verb("resume")
    talk.send(f"{tag}OK resume game=1 next=0 events=3 red_ms=600000 blue_ms=600000 running=red")
    talk.send("\n".join(SET_UP))
    talk.say_ready()
    return talk.hear_verb("who")[1]


def under(name, payload, is_endless=False, keys="quit\r", statuses=(0,)):
    """The client must read everything that payload(talk) sends without growing, and then leave by the
    given keys, or by Ctrl-C for None."""
    def script(talk):
        tag = play_begins(talk)
        payload(talk, tag)
        talk.say_ready()
        talk.until_gone()
    with Scene(script) as scene:
        terminal = scene.terminal
        check(terminal.wait_for("the host says: marker", 20), f"{name}-begins", tail(terminal))
        before = terminal.memory_kib()
        terminal.type("who\r")
        if is_endless:
            terminal.watch(2)
        else:
            check(terminal.wait_for("the host says: marker", PATIENCE_S), f"{name}-is-read",
                  tail(terminal))
        grown = terminal.memory_kib() - before
        status = scene.leave(keys) if keys else scene.interrupt()
        why = judge(terminal.seen)
        check(status in statuses, f"{name}-can-be-left", f"status {status}: {tail(terminal)}")
        check(grown < GROWTH_KIB, f"{name}-does-not-grow", f"{grown} KiB")
        check(not why, f"{name}-does-no-harm", why)


HUGE = ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "2147483647",
        "-2147483648", "4294967296", "-1", "0", "99999999999999999999999999", "1e9", "nan", "", "0x10"]
KEYS = ["red_ms", "blue_ms", "red_periods", "blue_periods", "events", "next", "ply", "left_ms",
        "claim_ms", "to", "in_s", "retry", "hours", "here", "game", "id", "count", "max"]


def test_events_that_do_not_follow():
    dice = random.Random(SEED)
    moves = ["move %d %s %s-%s" % (ply, side, a, b) for ply in (0, 1, 2, 999999) for side in ("red", "blue")
             for a, b in (("A3", "B3"), ("A0", "A0"), ("E1", "E9"), ("I9", "A0"))]
    events = moves + [
        "start red=hong blue=hong rules=martin time=none", "start", "start red= blue=",
        "start red=hong blue=kim rules=nonsense time=5m", "setup red NBNB", "setup green XXXX",
        "takeback 0", "takeback -1", "takeback 2147483647", "adjourn", "continue", "continue",
        "end red checkmate", "end none aborted", "end blue nonsense", "end", "dance wildly",
        "start red=hong blue=kim rules=martin time=9999d", "move 1 red pass",
        "start red=a blue=b rules=kja time=0m position=\"x\"",
        "start red=a blue=b rules=martin time=5m position=\"9/9/9/9/9/9/9/9/9/9 r - 0 0 1\""]

    def payload(talk, tag):
        for _ in range(400):
            talk.send("".join(
                f"! game {dice.choice([1, 1, 2, 3])} {dice.choice([3, 3, 4, 5, dice.randrange(20)])} "
                f"{dice.choice(events)} red_ms={dice.choice(HUGE)} blue_ms={dice.choice(HUGE)}\n"
                for _ in range(50)).encode())
    under("events-that-do-not-follow", payload)


def test_huge_numbers():
    heads = ["! clock game=1", "! setup game=1 side=red", "! presence game=1 side=blue here=0",
             "! notice why=restart", "! offer 3 game=1 kind=takeback by=kim", "OK resume game=1",
             "OK clock game=1", "ERR slow-down", "! claim game=1 side=blue", "! mine game=1",
             "! over game=1", "OK invite code=A", "! game 1 3 move 1 red A3-B3", "! frozen game=1"]

    def payload(talk, tag):
        for key in KEYS:
            for value in HUGE:
                talk.send("".join(f"{head} {key}={value} running=red\n" for head in heads).encode())
        for value in HUGE:
            talk.send(f"! game {value} 0 start red=hong blue=kim rules=martin time=5m\n"
                      f"! game 5 {value} start red=hong blue=kim rules=martin time=5m\n"
                      f"! gone {value} why=declined\n! offer {value} game=1 kind=draw by=kim\n"
                      f"! challenge {value} by=kim\n".encode())
    under("huge-numbers", payload)


def test_games_without_number():
    def payload(talk, tag):
        for first in range(10, 50000, 100):
            talk.send("".join(
                f"! game {game} 0 start red=hong blue=kim{game} rules=martin time=5m\n"
                for game in range(first, first + 100)).encode())
    under("fifty-thousand-games", payload)


def test_answers_nobody_asked_for():
    verbs = ["login name=kim token=x games=1,2,3", "resume game=1 events=9", "watch game=7 events=1",
             "join game=8", "join waiting=1", "unwatch game=1", "games count=1", "invite code=X",
             "move game=1 ply=1", "quit", "record game=1 lines=1", "nonsense"]
    errors = ["slow-down retry=1", "line why=too-long", "login", "stale game=1 ply=9", "illegal",
              "which games=1,2", "proof name=hong how=key", "not-now why=login", "nonsense"]

    def payload(talk, tag):
        for _ in range(2000):
            for mark in ("", "#1 ", "#99999 ", "#4294967296 ", "#x ", "# "):
                talk.send("".join(f"{mark}OK {verb} : words\n" for verb in verbs).encode())
                talk.send("".join(f"{mark}ERR {code} : words\n" for code in errors).encode())
    under("answers-nobody-asked-for", payload)


def test_long_lines():
    heads = ["! say game=1 by=kim : ", "! notice why=", "| ", "OK seek id=1 : ", "ERR limit : ", "! ",
             "! watcher game=1 here=1 name=", "! game 1 3 ", "#", "! offer 1 game=1 kind=", "* ", "? ",
             "! mine game=1 red=", "! over game=1 result=", "| seek 1 by=", "| game 1 red=",
             "! game 77 0 start red=x blue=y rules=martin time=5m position="]
    fills = ["x", " x", "=", "a=b ", "\"", "한", "\u0301", " :", "%s%n", "\\", "1,", "="]

    def payload(talk, tag):
        for head in heads:
            for fill in fills:
                for length in (4095, 4096, 4097, 5000, 70000):
                    line = (head + fill * length).encode()[:length]
                    talk.send(line.decode(errors="ignore").encode() + b"\n")
    under("long-lines", payload)


def test_random_lines():
    dice = random.Random(SEED)
    words = ("! game clock setup say offer gone challenge presence watcher notice bye claim mine over "
             "frozen rematch OK ERR * | # : = \" 1 2 99 red blue by=kim game=1 side=red name=x why=restart "
             "why=taken why=x kind=draw events=9 in_s=5 start move end A3-B3 checkmate").split()

    def line():
        if dice.random() < 0.5:
            return bytes(dice.randrange(256) for _ in range(dice.randrange(60)))
        text = bytearray(" ".join(dice.choice(words) for _ in range(dice.randrange(12))).encode())
        for _ in range(dice.randrange(3)):
            if text:
                text[dice.randrange(len(text))] = dice.randrange(256)
        return bytes(text)

    def payload(talk, tag):
        for _ in range(500):
            talk.send(b"\n".join(line() for _ in range(100)) + b"\n")
    under(f"random-lines-of-seed-{SEED}", payload)


# --- Without end -------------------------------------------------------------------------------

def endlessly(chunk):
    def payload(talk, tag):
        while True:
            talk.send(chunk)
    return payload


def test_floods():
    lines = {"notices": b"! notice : buy this\n", "chat": b"! say game=1 by=kim : hello\n",
             "rows-of-a-list": b"| player kim games=1\n", "lines-that-cannot-be-shown": b"\x1b[2J\n",
             "events": b"! game 1 9999 move 9 red A3-B3\n", "set-ups": b"! setup game=1 side=red left_ms=5\n",
             "offers": b"! offer 3 game=1 kind=draw by=kim\n", "answers": b"OK who count=0\n"}
    for name, line in lines.items():
        under(f"a-flood-of-{name}", endlessly(line * 200), is_endless=True)
    under("a-flood-left-by-ctrl-c", endlessly(lines["notices"] * 200), is_endless=True, keys=None, statuses=(130,))
    # A line without an end: the client gives up the connection and asks the player nothing.
    under("a-line-without-end", endlessly(b"x" * 65536), is_endless=True, statuses=(0,))


def test_half_a_line():
    def payload(talk, tag):
        talk.send(b"! say game=1 by=kim : half a li")
        talk.until_gone()
    under("half-a-line", payload, is_endless=True)


def test_silence():
    def never_speaks(talk):
        talk.until_gone()

    def never_lets_in(talk):
        talk.send("* janggi/1 : welcome")
        talk.until_gone()
    for name, script in (("greeting", never_speaks), ("login", never_lets_in)):
        with Scene(script) as scene:
            scene.terminal.wait_for("key matches", 10)
            status = scene.interrupt()
            check(status == 130, f"silence-at-{name}-can-be-left", f"status {status}")
            check(not judge(scene.terminal.seen), f"silence-at-{name}-does-no-harm")


# --- Connections -------------------------------------------------------------------------------

def test_goodbyes():
    for why, status, words in (("taken-over", 0, "you logged in from another place"),
                               ("full", 5, "too many people are logging in"),
                               ("login", 3, "you did not log in in time")):
        def script(talk, why=why):
            if why == "full":
                talk.send("* janggi/1 : welcome")
            else:
                talk.let_in()
            talk.send(f"! bye why={why}")
        with Scene(script, options=() if why == "taken-over" else ("--no-reconnect",)) as scene:
            got = scene.terminal.end(20)
            check(got == status, f"bye-{why}-ends", f"status {got}: {tail(scene.terminal)}")
            check(words.encode() in scene.terminal.seen, f"bye-{why}-is-said", tail(scene.terminal))
            check(scene.server.connections == 1, f"bye-{why}-is-not-fought",
                  f"{scene.server.connections} connections")


def test_a_restart_is_waited_for():
    def script(talk):
        talk.let_in()
        talk.send("! notice why=restart in_s=60")
        talk.hear_verb("who")
        talk.send("! notice why=stays")
        talk.hear_verb("games")
        talk.send("! bye why=restart")
    with Scene(script, is_stepped=True) as scene:
        terminal = scene.terminal
        check(terminal.wait_for("the server restarts in 60 s", 20), "a-restart-is-said",
              tail(terminal))
        check(terminal.wait_for("(restart in ", 10), "and-counted-down", tail(terminal))
        terminal.type("who\r")
        check(terminal.wait_for("the server will not shut down after all", 10), "or-not", tail(terminal))
        terminal.type("games\r")
        check(terminal.wait_for("the server restarts now; your games are kept", 10), "a-restart-begins",
              tail(terminal))
        # The client waits for 3 s, give or take a quarter.
        is_said = terminal.wait_for("trying again in ", 30) and terminal.wait_for(" s (", 30)
        check(is_said and terminal.seen[:terminal.looked].endswith((b" 3 s (", b" 4 s (")), "not-at-once",
              tail(terminal))
        scene.clock.step_ms(4000)
        check(terminal.wait_for("back after 4 s", 30), "and-one-comes-back", tail(terminal))
        check(scene.leave() == 0, "a-restart-can-be-left")
        check(not judge(terminal.seen), "a-restart-does-no-harm", judge(terminal.seen))


def test_doors_slammed():
    """A server that lets in and closes at once, again and again: no busy loop, and one can go."""
    def script(talk):
        talk.let_in()
    with Scene(script, is_stepped=True) as scene:
        scene.terminal.wait_for("key matches", 20)
        for count in range(1, 4):
            is_waiting = scene.terminal.wait_for("trying again in ", 20)
            scene.terminal.watch(1)
            check(is_waiting and scene.server.connections == count, "a-slammed-door-is-tried-with-patience",
                  f"{scene.server.connections} connections, not {count}: {tail(scene.terminal)}")
            scene.clock.step_ms(40000)  # longer than any wait
        check(scene.leave() == 0, "a-slammed-door-can-be-left")


def test_no_tls():
    """Something that does not speak TLS listens there."""
    def script(talk):
        pass
    with Scene(script) as scene:
        scene.interrupt()
    import socket
    import threading
    for name, answer in (("text", b"SSH-2.0-OpenSSH_9.2\r\n"), ("nothing", b""), ("noise", os.urandom(4096))):
        listener = socket.create_server(("127.0.0.1", 0))

        def serve(listener=listener, answer=answer):
            sock, _ = listener.accept()
            sock.sendall(answer)
            sock.close()
        threading.Thread(target=serve, daemon=True).start()
        terminal = Terminal([CLIENT, "--pin", identity()[2], "-n", "hong",
                             f"127.0.0.1:{listener.getsockname()[1]}"],
                            {"HOME": DIRECTORY, "TERM": "xterm", "PATH": os.environ["PATH"]})
        status = terminal.end(30)
        check(status == 3, f"no-tls-but-{name}-is-3", f"status {status}: {tail(terminal)}")
        check(not judge(terminal.seen), f"no-tls-but-{name}-does-no-harm", judge(terminal.seen))
        terminal.kill()
        listener.close()


DIRECTORY = tempfile.mkdtemp(prefix="janggi-hostile-")
for test_name, test in list(globals().items()):
    if test_name.startswith("test_") and (not WANTED or test_name[5:] in WANTED):
        began = time.monotonic()
        test()
        print(f"# {test_name[5:]}: {time.monotonic() - began:.0f} s", flush=True)
shutil.rmtree(DIRECTORY, ignore_errors=True)
sys.exit(1 if check.failed else 0)
