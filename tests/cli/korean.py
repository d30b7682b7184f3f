"""janggi in Korean, on a pseudo terminal and in a pipe, on a system that has no Korean
locale: which language is chosen, at the start and while it runs, that the board and the
words beside it keep their columns, and that a catalogue that is missing or torn means
English and no harm.

    python3 tests/cli/korean.py BUILD
"""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

PATIENCE_S = 120
PANEL_AT, COLUMNS = 38, 76
FIGURE = re.compile(r"^     [0-9.] ")
HANGUL = re.compile("[가-힣]")
failed = False


def report(name, is_ok, why=""):
    global failed
    failed = failed or not is_ok
    print(f"ok {name}" if is_ok else f"not ok {name} {why}", flush=True)


def environment(**more):
    kept = {"PATH": os.environ["PATH"], "HOME": home, "USER": "hong", "TERM": "dumb"}
    kept.update({name: os.environ[name] for name in os.environ if name.endswith("SAN_OPTIONS")})
    return {**kept, **more}


class Terminal:
    """A program on a pseudo terminal of 80x24, and all it has written."""

    def __init__(self, program, *arguments, **variables):
        self.bytes, self.text, self.seen = b"", "", 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(program, [program, *arguments], environment(**variables))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, timeout_s):
        if not select.select([self.fd], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.bytes += data
        self.text = self.bytes.decode(errors="ignore").replace("\r\n", "\n")
        return bool(data)

    def wait_for(self, words):
        """True once words are there, behind what was waited for before."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.text[self.seen:] and time.monotonic() < end:
            self.read(1)
        at = self.text.find(words, self.seen)
        if at >= 0:
            self.seen = at + len(words)
        return at >= 0

    def type(self, line):
        os.write(self.fd, (line + "\n").encode())

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def misplaced(screen):
    """The lines of boards whose panel does not begin where it should, or is too wide."""
    bad, panels = [], 0
    for line in screen.split("\n"):
        if not FIGURE.match(line):
            continue
        if not HANGUL.search(line):
            continue
        panels += 1
        begin = len(re.match(r".{34}\s*", line).group())
        if width(line[:begin]) != PANEL_AT or width(line) > COLUMNS:
            bad.append(line)
    return bad, panels


def said(program, *arguments, typed="", **variables):
    """What the program writes to a pipe, and its code."""
    done = subprocess.run([program, *arguments], input=typed, capture_output=True, text=True,
                          env=environment(**variables), timeout=PATIENCE_S)
    return done.stdout + done.stderr, done.returncode


def check_choice():
    cases = [
        ("LANG=ko_KR.UTF-8", {"LANG": "ko_KR.UTF-8"}, True),
        ("LANGUAGE in C.UTF-8", {"LC_ALL": "C.UTF-8", "LANGUAGE": "fr:ko"}, True),
        ("LC_MESSAGES before LANG", {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"}, True),
        ("LANGUAGE=en before LANG", {"LANG": "ko_KR.UTF-8", "LANGUAGE": "en"}, False),
        ("LANGUAGE in C", {"LC_ALL": "C", "LANGUAGE": "ko"}, False),
        ("no UTF-8", {"LANG": "ko_KR.EUC-KR"}, False),
        ("nothing", {}, False),
    ]
    for name, variables, is_korean in cases:
        words, _ = said(janggi, "rules", **variables)
        report(f"korean: {name}", bool(HANGUL.search(words)) == is_korean, words[:60])
    for option in (["--lang", "ko"], ["--lang=ko"]):
        words, _ = said(janggi, *option, "rules", "-r", "kja", LC_ALL="C")
        report(f"korean: {' '.join(option)} in plain C", "빅장" in words, words[:60])
    words, _ = said(janggi, "computer", "--lang", "ko", "--help", LC_ALL="C")
    report("korean: --lang behind the name of a task", "사용법" in words, words[:60])
    words, code = said(janggi, "--lang", "xx", "rules")
    report("korean: an unknown language is refused", code == 2 and "xx" in words, words[:60])


def check_session():
    terminal = Terminal(janggi, "local", "--setup", "NBNB/NBBN", "--color", "never",
                        LC_ALL="C")
    report("korean: English at first", terminal.wait_for("Move 1, red to play."))
    terminal.type("set lang ko")
    terminal.type("a3a4")
    report("korean: set lang ko", terminal.wait_for("1수, 초 차례."), terminal.text[-300:])
    report("korean: a soldier of Red is 병", "(병)" in terminal.text, terminal.text[-300:])
    terminal.type("a0a9")
    report("korean: a move that is not legal", terminal.wait_for("두지 않았습니다")
           or terminal.wait_for("내 것이 아닙니다"), terminal.text[-300:])
    terminal.type("resign")
    report("korean: a question", terminal.wait_for("예/아니오"), terminal.text[-300:])
    terminal.type("아니오")
    report("korean: answered in Korean", terminal.wait_for("아무 일도 하지 않았습니다."))
    terminal.type("legal a6")
    report("korean: the moves of a piece", terminal.wait_for("졸 A6:"), terminal.text[-300:])
    bad, panels = misplaced(terminal.text)
    report("korean: words beside the board stand in their column", panels > 4 and not bad,
           repr(bad[:2]))
    shifted = terminal.text.replace("마지막 수", " 마지막 수")
    report("korean: the judge sees a panel that is shifted", bool(misplaced(shifted)[0]))
    terminal.type("resign")
    terminal.wait_for("예/아니오")
    terminal.type("예")
    report("korean: the end", terminal.wait_for(" 승: 기권."), terminal.text[-300:])
    terminal.type("set lang en")
    terminal.type("help draw")
    report("korean: set lang en", terminal.wait_for("Usage: draw"), terminal.text[-300:])
    terminal.close()


# Words that are the same in Korean: names (also of a piece), rulesets, and typed words.
TYPED = {"hong", "kim", "martin", "courier", "vchess", "kja", "save", "none", "setup", "rules", "same",
         "goto", "help", "catapult"}


def english(line):
    """Returns the English words of a Korean line, without those that are typed."""
    line = re.sub(r'"[^"]*"|사용법:.*', "", line)
    return [word for word in re.findall("[a-z]{3,}", line) if word not in TYPED]


def check_words():
    """A game prints no English text in Korean."""
    script = ("setup 1; setup same; b0c2; b9c7; moves; last; clock; opponent; describe; where knights;"
              "scan E; score; captured; legal b0; a0a5; draw no; seek 5; takeback; resign! x; level;"
              "rules; rules cannon; rematch kja; goto 3; resign!; takeback; abort!")
    for option in ([], ["--speech"]):
        words, _ = said(janggi, "--lang", "ko", "local", *option, "--time", "20m+3x40s", "-n", "hong",
                        "-n", "kim", "-c", script)
        lines = [line for line in words.split("\n")
                 if not re.match("game |함께 볼 것:|더 보기:", line)]
        left = [(line, english(line)) for line in lines if english(line)]
        report(f"korean: no English in what is said {' '.join(option)}", len(lines) > 40 and not left,
               repr(left[:5]))
    report("korean: English would be seen", english("한 4 minutes 57") == ["minutes"])


def check_plain():
    """Lines for scripts do not change with the language."""
    typed = "a3a4\nresign!\n"
    arguments = ["local", "--setup", "NBNB/NBBN", "--plain"]
    english, _ = said(janggi, *arguments, typed=typed, LC_ALL="C")
    korean, _ = said(janggi, "--lang", "ko", *arguments, typed=typed)
    events = [text.split(";")[0] for text in english.split("\n") if text.startswith("game")]
    others = [text.split(";")[0] for text in korean.split("\n") if text.startswith("game")]
    report("korean: events of --plain are the same", len(events) > 3 and events == others,
           f"{events[-1:]} {others[-1:]}")


def check_catalogues():
    alone = os.path.join(home, "bin")
    place = os.path.join(alone, "locale/ko/LC_MESSAGES")
    os.makedirs(place)
    copy = shutil.copy(janggi, alone)
    whole = open(os.path.join(os.path.dirname(janggi), "locale/ko/LC_MESSAGES/janggi.mo"),
                 "rb").read()
    words, code = said(copy, "--lang", "ko", "rules")
    report("korean: without a catalogue it is English", code == 0 and not HANGUL.search(words))
    harmed = 0
    for size in [*range(0, 200, 7), *range(200, len(whole), len(whole) // 40)]:
        with open(os.path.join(place, "janggi.mo"), "wb") as file:
            file.write(whole[:size])
        words, code = said(copy, "--lang", "ko", "rules")
        harmed += code != 0 or bool(HANGUL.search(words))
    report("korean: a torn catalogue does no harm", harmed == 0, f"{harmed} times")
    with open(os.path.join(place, "janggi.mo"), "wb") as file:
        file.write(whole)
    words, _ = said(copy, "--lang", "ko", "rules")
    report("korean: the whole catalogue is read again", bool(HANGUL.search(words)))


janggi = os.path.abspath(os.path.join(sys.argv[1], "janggi"))
home = tempfile.mkdtemp(prefix="janggi-korean-")
try:
    check_choice()
    check_session()
    check_words()
    check_plain()
    check_catalogues()
finally:
    shutil.rmtree(home)
sys.exit(failed)
