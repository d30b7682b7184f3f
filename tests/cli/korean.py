"""janggi in Korean, on a pseudo terminal and in a pipe, on a system that has no Korean
locale: which language is chosen, at the start and while it runs, that the board and the
words beside it keep their columns, and that a catalogue that is missing or torn means
English and no harm.

    python3 tests/cli/korean.py BUILD
"""

import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import client_pty  # noqa: E402
from hosting import Server  # noqa: E402

PATIENCE_S = 120
PANEL_AT, SECOND_MOVE_AT, COLUMNS = 38, 53, 76
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


class Terminal(client_pty.Terminal):
    """A program on a terminal that does not echo: an echo could come inside a line that the program is writing."""

    def __init__(self, *command, **variables):
        super().__init__(command, environment(**variables), has_echo=False)

    @property
    def text(self):
        # A bell may ring between any two lines.
        return self.seen.decode(errors="ignore").replace("\r\n", "\n").replace("\a", "")

    def type(self, line):
        super().type(line + "\n")

    def lines(self):
        """The lines that the program has written."""
        return self.text.split("\n")


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def misplaced(screen):
    """The lines of boards whose panel does not begin where it should, or is too wide."""
    bad, panels = [], 0
    for line in screen.split("\n"):
        if not FIGURE.match(line):
            continue
        pair = re.search(r" \d+\. \S+ +(?=\S+$)", line)
        if pair and (width(line[:pair.end()]) != SECOND_MOVE_AT or width(line) > COLUMNS):
            bad.append(line)
        if pair or re.search(r" \d+\. \S+$", line) or not HANGUL.search(line):
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
    report("korean: English at first", terminal.wait_for("Move 1, red to play.", 20))
    terminal.type("set lang ko")
    terminal.type("a3a4")
    report("korean: set lang ko", terminal.wait_for("1수, 초 차례.", 20), terminal.text[-300:])
    report("korean: a soldier of Red is 병", "(병)" in terminal.text, terminal.text[-300:])
    terminal.type("a0a9")
    report("korean: a move that is not legal", terminal.wait_for("두지 않았습니다", 20)
           or terminal.wait_for("내 것이 아닙니다", 20), terminal.text[-300:])
    terminal.type("resign")
    report("korean: a question", terminal.wait_for("예/아니요", 20), terminal.text[-300:])
    terminal.type("board")
    report("korean: a line that is no answer", terminal.wait_for("예도 아니요도 아닙니다.", 20)
           and terminal.wait_for("예/아니요", 20), terminal.text[-300:])
    terminal.type("아니요")
    report("korean: answered in Korean", terminal.wait_for("아무 일도 하지 않았습니다.", 20))
    terminal.type("legal a6")
    report("korean: the moves of a piece", terminal.wait_for("졸 A6:", 20), terminal.text[-300:])
    bad, panels = misplaced(terminal.text)
    report("korean: words beside the board stand in their column", panels > 4 and not bad,
           repr(bad[:2]))
    shifted = terminal.text.replace("마지막 수", " 마지막 수")
    report("korean: the judge sees a panel that is shifted", bool(misplaced(shifted)[0]))
    terminal.type("resign")
    terminal.wait_for("예/아니요", 20)
    terminal.type("예")
    report("korean: the end", terminal.wait_for(" 승: 기권.", 20), terminal.text[-300:])
    terminal.type("set lang en")
    terminal.type("help draw")
    report("korean: set lang en", terminal.wait_for("Usage: draw", 20), terminal.text[-300:])
    terminal.kill()


# Names that are the same in Korean: people, rulesets, programs, a key, and a piece elsewhere.
NAMES = {"hong", "kim", "martin", "kja", "janggi", "janggid", "catapult", "JANGKI", "Enter"}
# What is typed, where it stands without quotes: help, a choice of line-up, an answer, an option.
BARE = r"사용법:.*|\? help로|\bsetup (\d|same\b)|\(yes/no, |: --pin\."


def english(line):
    """Returns the English words of a Korean line, without those that are typed."""
    line = re.sub(r'"[^"]*"|' + BARE, "", line)
    words = [word for word in re.findall("[A-Za-z]{3,}", line) if not re.fullmatch("[NB]{4}", word)]
    return [word for word in words if word not in NAMES]


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
    words, _ = said(janggi, "--lang", "ko", "local", "--setup", "NBNB/NBBN", "-c", "save /missing/game")
    report("korean: why a file cannot be written", "/missing/game: 그런 파일이나 폴더가 없습니다" in words, words[-200:])
    report("korean: English would be seen", english("한 4 minutes 57") == ["minutes"])
    report("korean: also a word that can be typed", english('"draw" pass, resign; yes') == ["pass", "resign", "yes"])


def reset_one(listener):
    """Takes one connection and resets it as soon as the other side has spoken."""
    caller, _ = listener.accept()
    caller.recv(1)
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    caller.close()


def check_connection():
    """Why there is no connection is said in Korean, although the system's own words are English."""
    words, _ = said(janggi, "--lang", "ko", "-n", "hong", "-c", "who", "hong.invalid", LC_ALL="C.UTF-8")
    report("korean: why there is no connection: no such name", "이름" in words
           and not english(words.replace(".invalid", "")), words[-200:])
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        place = "127.0.0.1:%d" % listener.getsockname()[1]
        for name, why in ("a closed port", "연결이 거부됨"), ("a reset", "상대가 연결을 끊었습니다"):
            if name == "a reset":
                listener.listen()
                threading.Thread(target=reset_one, args=(listener,), daemon=True).start()
            words, _ = said(janggi, "--lang", "ko", "-n", "hong", "-c", "who", place, LC_ALL="C.UTF-8")
            report(f"korean: why there is no connection: {name}", why in words and not english(words), words[-200:])


def seat(server, name):
    """A player at the server, on a terminal of their own."""
    player = Terminal(janggi, "--lang", "ko", "--color", "never", "--pin", server.key, "-n", name,
                      f"127.0.0.1:{server.port}", HOME=os.path.join(home, name), USER=name, LC_ALL="C.UTF-8")
    report(f"korean: {name} comes in", player.wait_for(f"{name} 님, 안녕하세요.", 20), player.text[-300:])
    return player


def play_at_server(hong, kim):
    def sees(player, what, words):
        report(f"korean: at a server: {what}", player.wait_for(words, 20), player.text[-300:])

    hong.type("seek none kja red")
    sees(hong, "a seek is open", "대국을 신청했습니다: 1번 (시간 없음, kja, 내 편은 한). ")
    kim.type("seeks")
    sees(kim, "the seek in the list", "hong             시간 없음    kja      편: 한")
    hong.type("withdraw 1")
    sees(hong, "it is withdrawn", "거두었습니다")
    hong.type("challenge kim none kja red")
    sees(kim, "a challenge", "-- hong 님의 도전: 시간 없음, 규칙 kja, 상대는 한: \"accept 2\" 또는 \"decline 2\"")
    kim.type("decline 2")
    hong.type("seek 10m+5s kja red")
    sees(hong, "another seek is open", "대국을 신청했습니다: 3번")
    kim.type("accept 9")
    sees(kim, "there is no such seek", "하지 않았습니다: 그 번호로 당신이 답할 것이 없습니다")
    kim.type("evening")
    sees(kim, "there is no club evening", "-- 모임이 없습니다")
    kim.type("accept 3")
    sees(kim, "the game begins", "나는 초입니다.")
    sees(hong, "Red sets up first", "마와 상의 자리를 고르세요")
    sees(hong, "the names of Red's line-ups", "상마상마 (B와 G에 상)")
    hong.type("상마상마")
    sees(kim, "the names of Blue's line-ups, as Blue sees them", "마상마상 (B와 G에 상)")
    sees(kim, "then Blue", "마틴은 같은 세로줄을 권합니다: setup same.")
    kim.type("setup same")
    sees(hong, "and Blue begins", "1수, 초 차례.")
    sees(kim, "who has the move", "내 차례!")
    kim.type("a6b6")
    sees(hong, "the move of a soldier of Blue", "마지막 수: 초 A6-B6 (졸)")
    hong.type("legal a3")
    sees(hong, "where a soldier of Red may go", "병 A3:")
    hong.type("a0a9")
    sees(hong, "a soldier of Red is in the way", "-- A0-A9 두지 않았습니다: A3 자리의 기물(병)이 A9")
    hong.type("졸b4")
    sees(hong, "no soldier of Red can go there", "B4 자리로 갈 수 있는 기물(병)이 없습니다.")
    hong.type("마b0-c2")
    sees(hong, "that is another piece", "B0 자리의 기물은 상입니다 (마 아님)")
    hong.type("a3a4")
    sees(kim, "the move of a soldier of Red", "마지막 수: 한 A3-A4 (병)")
    kim.type("draw")
    sees(hong, "a draw is offered", "kim 님이 무승부를 제안합니다: \"draw\" 또는 \"decline\"")
    hong.type("decline")
    sees(kim, "and refused", "-- 나의 제안(무승부): 거절됨")
    hong.type("say 안녕하세요")
    sees(kim, "what the opponent says", "-- hong 님: 안녕하세요")
    kim.type("pass")
    sees(hong, "a pass", "마지막 수: 초 한수쉼")
    hong.type("b0d3")
    sees(kim, "a pass in the list of moves", "2. 한수쉼    B0-D3")
    kim.type("resign")
    sees(kim, "resign is asked about", "대국 1: 기권할까요? (yes/no, 예/아니요)")
    kim.type("예")
    for player, end in (hong, "한 승: 기권. 이겼습니다!"), (kim, "대국 1: 끝났습니다. 한 승: 기권."):
        sees(player, "the end", end)
        sees(player, "what can be done then", "\"rematch\"는 한 판 더")
    hong.type("rematch")
    sees(kim, "a rematch", "hong 님이 다시 두기를 청합니다")
    kim.type("accept")
    sees(kim, "and taken", "-- hong 님의 재대국을 받아들였습니다, 대국 1")
    # A line that is typed while a game begins is dropped.
    sees(hong, "the next game begins", "kim 님(한)이 상차림을 고릅니다")
    sees(kim, "and one sets up", "setup 3로 정해집니다.")
    for player in hong, kim:
        player.type("quit")
        report("korean: at a server: one can leave", player.wait_for("돌아오려면:", 20), player.text[-300:])


def too_wide(text):
    return [line for line in text.split("\n") if width(line) > 80]


def check_help(server):
    """All help at a server, and that of the tasks at a shell, fits on a screen."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    files = [os.path.join(root, folder, file) for folder in ("client/verb", "server/verb")
             for file in sorted(os.listdir(os.path.join(root, folder))) if file.endswith(".c")]
    names = [name for file in files
             for name in re.findall(r'(?<=\.usage = ")[a-z]+|(?<=^    \{")[a-z]+(?=",(?: VERB_|$))',
                                    open(file, encoding="utf-8").read(), re.M)]
    words, _ = said(janggi, "--lang", "ko", "--pin", server.key, "-n", "zed", "-c",
                    "; ".join(["help", *("help " + name for name in names)]), f"127.0.0.1:{server.port}")
    for task in ["", "rules", "computer", "local", "learn", "bot", "replay", "analyse", "convert", "verify"]:
        words += said(janggi, "--lang", "ko", *task.split(), "--help")[0]
    report("korean: the help has 80 columns", words.count("\n") > 700 and not too_wide(words),
           repr(too_wide(words)[:3]))
    report("korean: a line of help of 82 columns would be seen", len(too_wide(words + "가" * 41)) == 1)


def check_server():
    """A game of kja at a server, both players in Korean: no English, and the panel keeps its columns."""
    with Server(os.path.join(home, "data"), "--limits", "accepts-per-s=0") as server:
        players = {name: seat(server, name) for name in ("hong", "kim")}
        play_at_server(*players.values())
        check_help(server)
    for name, player in players.items():
        left = [(line, english(line)) for line in player.lines() if english(line)]
        report(f"korean: at a server: no English on the screen of {name}", not left, repr(left[:5]))
        bad, panels = misplaced(player.text)
        report(f"korean: at a server: the panel of {name} keeps its columns", panels > 20 and not bad,
               f"{panels} {bad[:2]}")
        wide = too_wide("\n".join(player.lines()))
        report(f"korean: at a server: the lines of {name} have 80 columns", not wide, repr(wide[:2]))
        player.kill()
    text = players["kim"].text
    report("korean: a move beside a pass that is shifted would be seen",
           bool(misplaced(text.replace("한수쉼    ", "한수쉼 "))[0]))


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
    check_connection()
    check_server()
    check_catalogues()
finally:
    shutil.rmtree(home)
sys.exit(failed)
