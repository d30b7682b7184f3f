#!/usr/bin/env python3
"""A hundred lines typed at random on real terminals, while boards and notices arrive: screen,
cursor and what is sent are exact.

    python3 typed_lines.py BUILD [SEED]

Each game has a server of its own, hong at a terminal, and kim, who is scripted. What hong's
screen should show is put together from a line editor of our own (class Line) and from the
blocks of text that the same game prints on a terminal without editing (class Reference).
Controls that must fail: a client that does not clear its line, and a line replayed wrongly.
"""
import os
import random
import re
import shutil
import sys
import tempfile
import time
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import BUILD, Player, Server
from players import recorded_moves
from terminals import PATIENCE_S, Terminal, Tmux

# The same lines each time, unless another seed is given.
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
GAMES, LINES, COLUMNS = 8, 13, 80
TIMES = ("none", "20m+5s")
MOVE_EVERY = 3  # lines
SMUDGE = os.path.join("tests", "proof", "fault", "janggi-smudge")  # below BUILD
ANY_TIME = re.compile(r"\d+:\d\d")

CTRL = {name: bytes([ord(name) - 64]) for name in "ABDEFGKLQRUVXYZ"}
BACKSPACE, ENTER = b"\x7f", b"\r"


MOVES = [move for _, move in recorded_moves()]


# --- What should be there ------------------------------------------------------------------

def width(char):
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def lay_out(text, columns, upto=None):
    """Returns the rows that a terminal makes of text, and the (column, row) behind its first `upto`
    characters."""
    rows, column, cursor = [""], 0, (0, 0)
    for i, char in enumerate(text):
        if i == upto:
            cursor = (column, len(rows) - 1)
        if column + width(char) > columns:
            rows.append("")
            if i == upto:
                cursor = (0, len(rows) - 1)
            column = 0
        rows[-1] += char
        column += width(char)
    end = (column, len(rows) - 1) if column < columns else (0, len(rows))
    if upto is None or upto == len(text):
        return rows, end
    return rows, cursor if cursor[0] < columns else (0, cursor[1] + 1)


class Line:
    """A line that is edited as the keys are documented."""

    def __init__(self):
        self.chars, self.at, self.killed, self.has_just_killed = [], 0, None, False

    def text(self):
        return "".join(self.chars)

    def insert(self, text):
        self.chars[self.at:self.at] = text
        self.at += len(text)
        return text.encode()

    def _kill(self, first, last):
        if first == last:
            return
        # Two kills in a row add up, also if text typed ahead lies between them. Then Ctrl-Y is not used.
        self.killed = None if self.has_just_killed else self.chars[first:last]
        self.has_just_killed = True
        del self.chars[first:last]
        self.at = first

    def press(self, key):
        """Presses a key and returns its bytes: A E B F K U Y D mean Ctrl and that letter, < means
        Backspace."""
        was_killed, size = self.has_just_killed, len(self.chars)
        if key == "K":
            self._kill(self.at, size)
        elif key == "U":
            self._kill(0, self.at)
        else:
            self._move_or_delete(key)
        if key not in "KU":
            self.has_just_killed = False
        elif was_killed:
            self.killed = None
        return BACKSPACE if key == "<" else CTRL[key]

    def _move_or_delete(self, key):
        size = len(self.chars)
        if key == "Y":
            self.insert("".join(self.killed))
        elif key == "<" and self.at > 0:
            self.at -= 1
            del self.chars[self.at]
        elif key == "D":
            del self.chars[self.at:self.at + 1]
        else:
            self.at = {"A": 0, "E": size, "B": max(0, self.at - 1),
                       "F": min(size, self.at + 1)}.get(key, self.at)

    def press_any(self, dice):
        """Chooses a random key and returns its bytes."""
        key = dice.choices("aAEBFK<DUYh", [36, 2, 2, 8, 6, 1, 6, 3, 0.4, 2, 14])[0]
        if key == "a" or (key == "D" and self.at == len(self.chars)) or \
                (key == "Y" and not self.killed):
            return self.insert(dice.choice("abcdefgh 0123456789,.;!?#'\"\\%$-é"))
        if key == "h":
            return self.insert(dice.choice("가나다라한초장군멍상마포졸漢楚"))
        return self.press(key)


class Fault(Exception):
    """The screen differs from the expected one."""


def without_times(text):
    return ANY_TIME.sub(lambda found: re.sub(r"\d", "#", found[0]), text)


# --- A game ---------------------------------------------------------------------------------

class Game:
    """hong, at a terminal, against kim, who is scripted."""

    def __init__(self, directory, tmux, name, time_words, program="janggi", **environment):
        home = os.path.join(directory, name)
        # Its clock stands still: no slow disk is told of between the rows.
        self.server = Server(home + "-data", "--limits", "chat-burst=1000", is_stepped=True)
        self.kim = Player(self.server, "kim")
        code = re.search(r"code=(\S+)", self.kim.ask(f"invite time={time_words} side=blue"))[1]
        self.kim.ask(f"join {code}")
        link = f"janggi://127.0.0.1:{self.server.port}/join/{code}/{self.server.key[:22]}"
        self.has_clock, self.plies, self.words = time_words != "none", 0, 0
        self.command = f"$JANGGI -n hong '{link}'"
        self.terminal = Terminal(tmux, name, home, COLUMNS, JANGGI=os.path.join(BUILD, program),
                                 **environment)

    def sit_down(self):
        self.terminal.enter(self.command)
        self.terminal.sees("setup 4")
        self.terminal.enter("setup 3")
        self.kim.expect("^! game 1 1 setup red NBNB")
        self.kim.ask("setup 4")
        self.terminal.sees("YOUR MOVE")
        self.speak("that was the set-up")
        self.terminal.sees("-- kim says: that was the set-up$")

    def speak(self, words):
        self.kim.ask(f"say {words}")

    def move(self):
        """Plays kim's next move."""
        if not self.kim.ask(f"move {MOVES[self.plies]}").startswith("OK"):
            raise Fault(f"kim's move {self.plies} was refused")
        self.plies += 1

    def prompt(self):
        clocks = "[##:##, blue ##:##] " if self.has_clock else ""
        turn = " (blue's turn)" if self.plies % 2 == 1 else ""
        return f"{clocks}{self.plies // 2 + 1} red{turn}> "

    def end(self):
        """hong's client goes first: it would come again and again, to whatever gets the server's port."""
        self.terminal.close()
        self.kim.cut()
        self.server.players.clear()
        self.server.stop()


class Reference(Game):
    """The blocks of text that follow each move, from a terminal that edits nothing."""

    def __init__(self, directory, tmux, name, time_words):
        super().__init__(directory, tmux, name, time_words, TERM="dumb")
        self.sit_down()
        self.blocks = []
        for _ in range(LINES // MOVE_EVERY + 1):
            move = MOVES[self.plies]
            self.terminal.enter(move)
            self.plies += 1
            self.kim.expect(f"^! game 1 {self.plies + 2} move ")
            self._take(move)
            self.move()
            self._take(f"-- kim says: mark {self.plies - 1}")
        self.end()

    def _take(self, behind):
        mark = f"-- kim says: mark {self.plies}"
        self.speak(mark.split(": ")[1])
        self.terminal.sees(f"^{mark}$")
        rows = self.terminal.rows()
        first = len(rows) - rows[::-1].index(behind)
        self.blocks.append([without_times(row) for row in rows[first:rows.index(mark)]])


class Typing(Game):
    """A game in which lines are typed, and which knows what the screen should be."""

    kind_of_line = Line
    wide = COLUMNS
    patience_s = PATIENCE_S

    def begin(self, reference, dice):
        self.blocks, self.line, self.dice = reference.blocks, self.kind_of_line(), dice
        self.typed = []
        self.sit_down()
        self.rebase()

    def rebase(self):
        """Takes the present screen above the typed line as correct."""
        self.must_end_well()
        self.above = self.rows_above

    def expected_line(self):
        prompt = self.prompt()
        rows, cursor = lay_out(prompt + self.line.text(), self.wide, len(prompt) + self.line.at)
        return [row.rstrip() for row in rows], cursor

    def look(self):
        rows = [without_times(row) for row in self.terminal.rows()]
        column, row, history = self.terminal.cursor()
        return rows, (column, history + row)

    def ends_well(self):
        """Checks that the typed line is the last one on the screen, with the cursor in it. Keeps the rows above it."""
        shown, (column, row) = self.expected_line()
        rows, cursor = self.look()
        while len(rows) < cursor[1] + 1:
            rows.append("")
        first = cursor[1] - row
        self.rows_above = rows[:first]
        return cursor[0] == column and rows[first:] == shown + [""] * (len(rows) - first - len(shown))

    def is_exact(self):
        shown, (column, row) = self.expected_line()
        expected = self.above + shown
        while expected and not expected[-1]:
            expected.pop()
        self.seen = self.look()
        self.wanted = expected, (column, len(self.above) + row)
        return self.seen == self.wanted

    def must_be_exact(self):
        by = time.monotonic() + self.patience_s
        while not self.is_exact():
            if time.monotonic() > by:
                raise Fault(self.difference())
            time.sleep(0.005)

    def difference(self):
        (rows, cursor), (wanted, wanted_cursor) = self.seen, self.wanted
        at = next((i for i, (a, b) in enumerate(zip(rows, wanted)) if a != b),
                  min(len(rows), len(wanted)))
        return (f"typed {self.typed}; cursor {cursor} and not {wanted_cursor}; row {at} of {len(rows)}: "
                f"{rows[at:at + 4]} and not {wanted[at:at + 4]} of {len(wanted)}")

    # --- What happens ---

    def print(self, rows):
        """Notes rows that the client should have written above the line."""
        self.above += rows

    def speak_and_expect(self):
        self.words += 1
        words = f"word {self.words}: " + self.dice.choice(["hello", "안녕하세요 hong", "a line " * 7])
        self.speak(words.strip())
        self.print([f"-- kim says: {words.strip()}"])

    def submit(self):
        """Types Enter and waits for its effect. The end of a line that fills its row is in the next
        row."""
        self.must_be_exact()
        text = self.line.text()
        shown = lay_out(self.prompt() + text, self.wide)[0]
        self.print([row.rstrip() for row in shown])
        self.terminal.type(ENTER)
        self.line = self.kind_of_line()
        return text

    def say_line(self):
        """Says the line as it is in the chat, with marks at both of its ends."""
        self.terminal.type(self.line.press("A") + self.line.insert("say <") + self.line.press("E") +
                           self.line.insert(">"))
        self.must_have_sent(self.submit())
        self.speak_and_expect()
        self.must_be_exact()

    def must_have_sent(self, line):
        heard = self.kim.expect("^! say game=1 by=hong : (.*)")[1]
        if "say " + heard != line:
            raise Fault(f"sent was {heard!r} and typed {line!r}")

    def move_line(self):
        """Replaces the line by a move and sends it. kim answers while the next line is typed."""
        self.terminal.type(self.line.press("A") + self.line.press("K") +
                           self.line.insert(MOVES[self.plies]))
        self.submit()
        self.plies += 1
        self.kim.expect(f"^! game 1 {self.plies + 2} move {self.plies} red ")
        self.print(self.blocks[self.plies - 1])
        self.must_be_exact()

    def type_some(self, keys):
        typed = b"".join(self.line.press_any(self.dice) for _ in range(keys))
        self.typed.append(typed.decode())
        self.terminal.type(typed)

    def type_line(self, is_answered):
        """Types random keys. News may arrive between any two of them."""
        self.typed = []
        for _ in range(self.dice.randrange(2, 5)):
            self.type_some(self.dice.randrange(1, 60))
            if is_answered and self.plies % 2 == 1 and self.dice.randrange(2):
                self.answer()
            elif self.dice.randrange(2):
                self.speak_and_expect()
            self.type_some(self.dice.randrange(1, 12))
            self.must_be_exact()
        if is_answered and self.plies % 2 == 1:
            self.answer()

    def answer(self):
        self.move()
        self.print(self.blocks[self.plies - 1])

    def play(self, lines):
        for i in range(lines):
            self.type_line(is_answered=True)
            if i % MOVE_EVERY == MOVE_EVERY - 1:
                self.move_line()
            else:
                self.say_line()


    # --- Other things that happen to a line ---

    def press_waiting_keys(self):
        """After these keys the editor waits for another one, which must not stop the event loop. The
        other key comes after the news."""
        for first, second, added in WAITING_KEYS:
            self.type_some(20)
            self.must_be_exact()
            self.terminal.type(first)
            self.speak_and_expect()
            self.terminal.sees(f"word {self.words}: ")
            self.terminal.type(second)
            self.line.insert(added)
            self.must_be_exact()
        self.say_line()

    def change_size(self):
        """Makes the terminal narrower and wide again while events arrive. Terminals differ in what they
        do with rows above that no longer fit, so only the line and all later output are checked."""
        self.terminal.type(self.line.insert("짧은 line"))
        for wide in (50, 33, 64, COLUMNS):
            self.must_end_well()
            self.resize(wide)
            self.must_end_well()
        self.rebase()
        self.say_line()
        self.change_size_of_a_long_line()

    def change_size_of_a_long_line(self):
        """A wrapped line, which the terminal wraps again: nothing of it is left lying about, and nothing
        above it is lost. At the old width all rows are as they were."""
        self.rebase()
        self.type_some(90)
        self.must_be_exact()
        for wide in (50, 33, 64, COLUMNS):
            self.resize(wide)
            self.must_end_well()
            self.type_some(10)
            self.must_end_well()
        self.must_be_exact()
        self.say_line()

    def resize(self, wide):
        self.wide = wide
        self.terminal.resize(wide)
        self.speak(f"wide {wide}")
        self.terminal.sees(f"^-- kim says: wide {wide}$")
        self.print([f"-- kim says: wide {wide}"])

    def delete_wide_characters(self):
        """In a wrapped line, where the end of its first row moves: readline takes half of such a
        character away, and terminals disagree on what that leaves. These are the smallest cases
        of what the seed 436987 showed."""
        for total in range(COLUMNS - 2, COLUMNS + 5):
            for behind in ("b", "b-", "b-c", "초c"):
                wide = sum(map(width, "장가" + behind))
                self.terminal.type(self.line.insert(
                    "a" * (total - len(self.prompt()) - wide) + "장가" + behind))
                self.must_be_exact()
                for key in "B" * len(behind) + "<":
                    self.terminal.type(self.line.press(key))
                self.must_be_exact()
                self.terminal.type(self.line.press("E") + self.line.press("U"))
                self.must_be_exact()

    def stop_and_go_on(self):
        """Ctrl-Z, news meanwhile, fg."""
        self.type_some(30)
        self.must_be_exact()
        self.terminal.type(CTRL["Z"])
        self.terminal.wait(lambda: self.terminal.rows()[-1:] == ["$"], "the shell")
        self.speak("meanwhile")
        self.terminal.enter("fg")
        self.terminal.sees("^-- kim says: meanwhile$")
        self.rebase()
        self.type_some(20)
        self.say_line()

    def paste_lines(self):
        """Each pasted line is a line of its own, sent once Enter is pressed."""
        lines = ["say first 첫째", "say second", "say and the third 셋째"]
        self.must_be_exact()
        self.terminal.paste("\n".join(lines))
        self.terminal.wait(lambda: self.terminal.rows()[-1:] == [lines[-1]], "what was pasted")
        self.speak_and_expect()
        self.terminal.sees(f"word {self.words}: ")
        self.terminal.type(ENTER)
        for line in lines:
            self.must_have_sent(line)
        self.rebase()
        self.say_line()

    def must_end_well(self):
        self.terminal.wait(self.ends_well, "the line: " + self.prompt() + self.line.text())


# The key, the input that it waits for, and the text that both insert.
WAITING_KEYS = [
    (b"\x1b", CTRL["G"], ""), (CTRL["R"], CTRL["G"], ""), (CTRL["V"], b"!", "!"),
    (CTRL["X"], CTRL["G"], ""), ("한".encode()[:1], "한".encode()[1:], "한"),
    ("한".encode()[:2], "한".encode()[2:], "한"), (b"\x1b1", CTRL["G"], ""),
    (CTRL["Q"], b"?", "?")]


# --- The tests ------------------------------------------------------------------------------

class Stage:
    """Where the games are played."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="janggi-typing-")
        self.tmux = Tmux(self.directory)
        self.games, self.failed = 0, 0
        self.references = {words: Reference(self.directory, self.tmux, f"reference-{words[0]}", words)
                           for words in TIMES}

    def play(self, act, program="janggi"):
        """Runs act(game) in a new game. Returns "" or what was wrong."""
        words = TIMES[self.games % len(TIMES)]
        self.games += 1
        game = Typing(self.directory, self.tmux, f"game-{self.games}", words, program)
        try:
            game.begin(self.references[words], random.Random(SEED + self.games))
            act(game)
            return ""
        except (Fault, TimeoutError) as fault:
            return f"seed {SEED}: {fault}; the screen:\n" + "\n".join(game.terminal.rows(False))
        finally:
            game.end()

    def check(self, why, name):
        if why:
            self.failed += 1
            print("\n".join("# " + row for row in why.split("\n")))
        print(f"not ok {name}" if why else f"ok {name}", flush=True)

    def must_fail(self, why, name):
        """A control: passes if the game has failed. why: the reason, or "" if it has not."""
        if why:
            print(f"# as it must, it failed: {why.split(chr(10))[0][:150]}")
        self.check("" if why else "nothing was noticed", name)


class ForgetfulLine(Line):
    """A line that does not replay one of the keys."""

    def press(self, key):
        if key != "B":
            return super().press(key)
        return CTRL["B"]


def forget(game):
    game.kind_of_line, game.line = ForgetfulLine, ForgetfulLine()
    play_as_a_control(game)


def play_as_a_control(game):
    game.patience_s = PATIENCE_S / 10
    game.play(LINES)


def main():
    stage = Stage()
    try:
        for _ in range(GAMES):
            stage.check(stage.play(lambda game: game.play(LINES)),
                        f"game-{stage.games}-{LINES}-lines-typed-while-news-arrives")
        for act in (Typing.press_waiting_keys, Typing.change_size, Typing.stop_and_go_on,
                    Typing.paste_lines, Typing.delete_wide_characters):
            for clock in ("without-a-clock", "with-a-clock"):
                stage.check(stage.play(act), act.__name__.replace("_", "-") + "-" + clock)
        stage.must_fail(stage.play(forget), "a-key-less-is-noticed")
        stage.must_fail(stage.play(play_as_a_control, SMUDGE),
                        "a-client-that-does-not-clear-its-line-is-noticed")
    finally:
        stage.tmux.close()
    if not stage.failed:
        shutil.rmtree(stage.directory, ignore_errors=True)
    return 1 if stage.failed else 0


if __name__ == "__main__":
    sys.exit(main())
