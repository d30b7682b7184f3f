#!/usr/bin/env python3
"""The evening of a host, for real: janggid with its defaults, and people with janggi on this machine. What
they type and what they read are the sections AN EVENING and A CLUB EVENING of janggid.8, which must be what the
programs print; the second one also has screens of four terminals of 80 columns and 24 rows, in tmux.

    python3 tests/host/evening.py BUILD            is the manual right?
    python3 tests/host/evening.py BUILD --write    write the section anew
    python3 tests/host/evening.py --root DIR       the same with the programs that are installed in that root

Keys, codes, addresses, homes, times and sizes are replaced by those of an example: all else is what the
programs print. Rows between those that are shown are left out.
"""
import difflib
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
from players import PATIENCE_S, Player  # noqa: E402 (found beside this file only now)
from terminals import SLOW_TRIES, Terminal, Tmux, tell_of_slow_disk  # noqa: E402

PAGE = os.path.join(ROOT, "server", "janggid.8")
KEY = "pRQ2JBqOTijcq8-XQipTIX"
PEOPLE = ("hong", "kim", "park", "lee", "eve", "choi", "other")


class Evening:
    """A directory with a home for each person, the servers, the clients, and what was written down."""

    def __init__(self, build, root=None):
        """root: the directory of another system; its own janggid and janggi are used, by chroot."""
        self.build, self.root = os.path.abspath(build), root
        self.directory = tempfile.mkdtemp(prefix="janggi-evening-", dir=root and os.path.join(root, "tmp"))
        self.rows, self.clients, self.servers, self.terminals = [], {}, [], []
        self.replaced = {}
        for name in PEOPLE:
            os.mkdir(self.home(name))

    def home(self, name):
        return os.path.join(self.directory, name)

    def inside(self, path):
        """The path as the programs see it."""
        return path[len(self.root):] if self.root else path

    def command(self, name, *words):
        """The words as a command in that person's home."""
        if self.root is None:
            return list(words)
        return ["chroot", self.root, "sh", "-c", 'cd "$0" && exec "$@"', self.inside(self.home(name)), *words]

    def environment(self, name):
        home = self.inside(self.home(name))
        path = "/usr/sbin:/usr/bin:/sbin:/bin" if self.root else self.build + ":" + os.environ["PATH"]
        return {"HOME": home, "USER": name, "LC_ALL": "C.UTF-8", "PATH": path,
                **{key: os.path.join(home, key) for key in
                   ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}}

    # --- What is written down ---

    def tell(self, words):
        self.rows.append((None, words))

    def note(self, row):
        self.rows.append((True, row))

    def example(self, real, shown):
        self.replaced[real] = shown

    # --- At a shell ---

    def serve(self, name, directory):
        """Starts janggid in that home, at a terminal. Returns all that it says before its log. A set-up may take longer
        than usual, because the boards of a round are played one after the other."""
        master, slave = pty.openpty()
        command = ["janggid", "--allow-root", "--data", directory, "--listen", "127.0.0.1:0", "--limits", "setup-s=300"]
        self.servers.append(subprocess.Popen(
            self.command(name, *command), stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, cwd=self.home(name),
            env=dict(os.environ, **self.environment(name))))
        os.close(slave)
        text = ""
        while "start version=" not in text:
            text += os.read(master, 65536).decode().replace("\r", "")
        self.terminals.append(master)
        text = "".join(row + "\n" for row in text.splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", row))
        port = re.search(r"listening on 127\.0\.0\.1:(\d+)", text)[1]
        self.note(f"{name}$ janggid --data {directory}")
        return text, port

    def shell(self, name, line):
        """Runs a command, and notes it with all that it prints."""
        done = subprocess.run(self.command(name, "sh", "-c", line), cwd=self.home(name), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S,
                              env=dict(os.environ, **self.environment(name)), check=False)
        assert done.returncode == 0, f"{line}: status {done.returncode}: {done.stdout}"
        self.note(f"{name}$ {line}")
        for row in done.stdout.splitlines():
            self.note("    " + row if row else "")
        return done.stdout

    # --- At a client ---

    def opens(self, name, words):
        """Starts janggi with these words, after ending the person's last client."""
        if name in self.clients:
            self.clients.pop(name).cut()
        self.note(f"{name}$ janggi {words}")
        self.clients[name] = Player(name=name).run(
            self.command(name, "sh", "-c", 'exec "$@" 2>&1', "sh", "janggi", *words.split()),
            cwd=self.directory, env=dict(os.environ, **self.environment(name)))

    def types(self, name, line):
        self.note(f"{name}> {line}")
        self.clients[name].say(line)

    def sees(self, name, pattern):
        found = self.clients[name].expect(pattern)
        self.note(f"{name}| {found.string}")
        return found

    def end(self):
        for client in self.clients.values():
            client.cut()
        for server in self.servers:
            server.terminate()
        for server in self.servers:
            server.wait(PATIENCE_S)


# --- The scenes ----------------------------------------------------------------------------


def first_start(evening):
    evening.tell("The first start prints a link; the person who opens it is the host.")
    text, port = evening.serve("hong", "hall")
    evening.example("127.0.0.1:" + port, "192.168.1.20:9032")
    key = re.search(r"(?m)^key (\S{43})$", text)[1]
    evening.example(key, KEY + "d0aVtZ5kKmUw3rYb8nL4E")
    evening.example(key[:22], KEY)
    for row in text.splitlines():
        evening.note("    " + row if row else "")
    link = re.search(r"janggi://\S+/owner/(\S+)/\S+", text)
    evening.example(link[1], "x4Tq8mZ_pLw2VbN7cRk3Yg")
    evening.opens("hong", "-n hong " + link[0])
    evening.sees("hong", "^Hello hong")
    evening.sees("hong", "You are an owner")
    return f"--pin {key} 127.0.0.1:{port}"


def door(evening, code, uses):
    evening.types("hong", f"door {uses}")
    evening.sees("hong", "Send this line")
    link = evening.sees("hong", r"janggi (janggi://\S+/enter/(\S+)/\S+)")
    evening.example(link[2], code)
    return link[1]


def three_members(evening, server):
    evening.tell("One link brings three people in.\nA stranger without it is refused.")
    link = door(evening, "K7Q2-9F3M", 5)
    for name in ("kim", "park", "lee"):
        evening.opens(name, f"-n {name} {link}")
        evening.sees(name, f"^Hello {name}")
    evening.opens("eve", f"-n eve {server}")
    evening.sees("eve", "needs an invitation")
    evening.types("hong", "members")
    for _ in range(4):
        evening.sees("hong", "(owner|member), here")
    return link


def a_troll(evening, server, old_link):
    evening.tell("Lee insults people.\nA kick is a warning; a ban also ends the link by which Lee came, and keeps new "
                 "names out of Lee's network.\nPark is in the same network, and a member: nothing changes for Park.")
    evening.types("hong", "kick lee please be friendly")
    evening.sees("hong", "lee")
    evening.sees("lee", "friendly")
    evening.types("hong", "ban lee for=30d insults")
    evening.sees("hong", "banned")
    evening.opens("lee", f"-n lee {old_link}")
    evening.sees("lee", "banned")
    new_link = door(evening, "W3XD-6PTH", 1)
    evening.opens("choi", f"-n choi {new_link}")
    evening.sees("choi", "network")
    evening.opens("park", f"-n park {server}")
    evening.sees("park", "^Hello park")


def a_private_game(evening, server):
    evening.tell("A private game is in no list; one friend is let in to watch.")
    evening.types("kim", "challenge hong time=none side=red private=yes")
    evening.sees("hong", "kim challenges you")
    evening.types("hong", "accept 1")
    evening.sees("hong", "^Game 1: ")
    evening.sees("kim", "^Game 1: ")
    evening.types("park", "watch 1")
    evening.sees("park", "there is no game 1 here")
    evening.types("kim", "let park")
    evening.sees("kim", "park may watch")
    evening.sees("park", "kim lets you watch")
    evening.types("park", "watch 1")
    evening.sees("park", "^Game 1: ")
    evening.sees("kim", "park is watching")
    evening.types("kim", "setup 1")
    evening.sees("hong", r"\(red\) sets up")


def a_lost_key(evening, server):
    evening.tell("Kim's disk is dead, and the key with it.")
    evening.clients.pop("kim").cut()
    shutil.rmtree(evening.home("kim"))
    os.mkdir(evening.home("kim"))
    evening.opens("kim", f"-n kim {server}")
    evening.sees("kim", "^(?!Connected)")
    words = evening.shell("hong", "janggid ctl reset kim --data hall")
    evening.example(words.split()[-1], "AiCKczC1OszLWNAsuB6qAQ")
    evening.opens("kim", re.search(r"(?m)^  janggi (.*)", words)[1])
    evening.sees("kim", "Hello kim")


def a_backup(evening, server):
    evening.tell("The backup is started on another machine.")
    evening.shell("hong", "janggid ctl backup $HOME/janggid.db --data hall")
    evening.shell("hong", "mkdir -m 700 ../other/hall && cp janggid.db hall/key.pem hall/cert.pem ../other/hall")
    _, port = evening.serve("other", "hall")
    evening.example("127.0.0.1:" + port, "192.168.1.30:9032")
    evening.opens("kim", " ".join(server.split()[:2]) + f" -n kim 127.0.0.1:{port}")
    evening.sees("kim", "Hello kim")
    evening.sees("kim", r"\(red\) sets up")


# --- A club evening ------------------------------------------------------------------------

FOUR = ("hong", "kim", "park", "lee")


def the_four_join(evening):
    evening.tell("Hong makes an evening: everybody meets everybody, which is three rounds for four people.\n"
                 "A round is shown for a minute before its games begin; here, for a second.")
    evening.types("hong", "evening new club system=rr time=10m rules=kja shown=1s")
    evening.sees("hong", "evening 1 is open")
    for name in FOUR:
        evening.types(name, "evening join 1")
        evening.sees(name, "you take part")


def play_a_board(evening, red, blue, loser):
    """Both line up, the first mover moves, and one of the two resigns."""
    evening.types(red, "setup 3")
    for name in (red, blue):
        evening.sees(name, r"\(red\) sets up")
    evening.types(blue, "setup 3")
    for name in (red, blue):
        evening.sees(name, r"\(blue\) sets up")
    evening.types(blue, "a6b6")
    evening.sees(red, r"1\. blue")
    evening.types(loser, "resign!")
    for name in (red, blue):
        evening.sees(name, r"^Game \d+ is over")


def play_round(evening, number, losers):
    """Plays a round. The pairs are found in what the players read."""
    for name in FOUR:
        evening.sees(name, rf"evening.*round {number}")
    red_of = {name: evening.sees(name, r"^Game \d+: red (\w+)")[1] for name in FOUR}
    for red in sorted(set(red_of.values())):
        blue = next(name for name in FOUR if red_of[name] == red and name != red)
        play_a_board(evening, red, blue, red if red in losers else blue)


def first_round(evening):
    evening.tell("When all are there, Hong pairs the first round; the games begin by themselves.")
    evening.types("hong", "evening start 1")
    play_round(evening, 1, ("kim", "lee"))


def later_rounds(evening):
    """Plays the later rounds like the first one. They are not in the manual."""
    rows = len(evening.rows)
    play_round(evening, 2, ("lee", "park"))
    play_round(evening, 3, ("park", "lee"))
    for name in FOUR:
        evening.sees(name, "evening.*over")
    del evening.rows[rows:]


def the_table(evening):
    evening.tell("The next rounds follow as soon as a round is decided.\n"
                 "After the last one the evening is over: its table, and the results as one page for the club's site.")
    evening.types("kim", "evening 1")
    for _ in FOUR:
        evening.sees("kim", r"points \d")
    for _ in range(2):
        evening.sees("kim", ", board")
    evening.sees("kim", "it is over")
    evening.shell("hong", "janggid ctl evening 1 html --data hall >results.html")


def club_evening(evening):
    server = first_start(evening)
    three_members(evening, server)
    evening.rows.clear()
    the_four_join(evening)
    first_round(evening)
    later_rounds(evening)
    the_table(evening)


# --- The same at terminals -----------------------------------------------------------------


class Screens:
    """Four people at terminals, in the evening that Hong makes."""

    def __init__(self, build, directory):
        self.path = os.path.abspath(build) + ":" + os.environ["PATH"]
        self.directory, self.tmux, self.at, self.out = directory, Tmux(directory), {}, []

    def sit(self, name, words, seat=None):
        terminal = Terminal(self.tmux, seat or name, os.path.join(self.directory, name), PATH=self.path, USER=name)
        terminal.enter(words)
        return terminal

    def open(self):
        server = self.server = self.sit("hong", "janggid --allow-root --listen 127.0.0.1:0 --limits setup-s=300", "server")
        self.at["hong"] = self.sit("hong", self.link_of(server, "owner"))
        self.log_in("hong")
        self.at["hong"].enter("door 5")
        link = self.link_of(self.at["hong"], "enter")
        for name in FOUR[1:]:
            self.at[name] = self.sit(name, link)
            self.log_in(name)

    @staticmethod
    def link_of(terminal, kind):
        """The line to type, which may be longer than the terminal is wide."""
        found = []

        def look():
            found[:] = re.findall(rf"janggi janggi://\S+/{kind}/\S+/\S{{22}}$", "\n".join(terminal.rows(is_joined=True)), re.M)
            return found
        terminal.wait(look, f"a link /{kind}/")
        return found[0]

    def log_in(self, name):
        self.at[name].sees(r"^Your name \[")
        self.at[name].enter("")
        self.at[name].sees(rf"^Hello {name}(?:.*\n)*janggi>$")

    def types(self, name, line, answer):
        self.at[name].enter(line)
        self.at[name].sees(answer)

    def shows(self, name, words):
        """Writes down the screen of that person, without what is above the first line about the evening."""
        rows = self.at[name].rows(has_history=False)
        first = next((i for i, row in enumerate(rows) if row.startswith("janggi> evening")), 0)
        rows = [re.sub(r"\[(red |blue |)\d:\d\d\]", r"[\g<1>1:00]", row) for row in rows[first:]]
        rows = [re.sub(r"(chooses a set-up,) \d:\d\d$", r"\1 1:00", row) for row in rows]
        rows = [re.sub(r" \b[5-9]:\d\d\b", "10:00", row) for row in rows]
        rows = [re.sub(r"\bin \d+ s$", "in 1 s", row) for row in rows]
        self.out += [words, ".Bd -literal -offset indent", *[row.replace("\\", "\\e") for row in rows], ".Ed", ".Pp"]

    def play_board(self, red, blue, game, loser):
        self.types(red, "setup 3", rf"^Game {game}: ")
        self.at[blue].sees(rf"^Game {game}: (?:.*\n)*  setup 4 (?:.*\n)*.*blue>$")
        self.types(blue, "setup 3", rf"^Game {game}: (?:.*\n)*.*YOUR MOVE(?:.*\n)*.*blue>$")
        self.types(blue, "a6b6", rf"^Game {game}: (?:.*\n)*.*Last: blue A6-B6(?:.*\n)*.*>$")
        self.at[red].sees(rf"^Game {game}: (?:.*\n)*.*Last: blue A6-B6(?:.*\n)*.*red>$")
        self.at[loser].enter("resign!")
        for name in (red, blue):
            self.at[name].sees(rf"^Game {game} is over(?:.*\n)*-- evening 1(?:.*\n)*.*janggi>$")

    def round(self, number):
        """The boards of the round: red, blue and game."""
        boards = set()
        for name in FOUR:
            self.at[name].sees(rf"^-- evening 1, round {number}: you play (?:.*\n)*Game \d+: ")
            boards.add(re.findall(r"(?m)^Game (\d+): red (\w+), blue (\w+)\.", "\n".join(self.at[name].rows()))[-1])
        return [(red, blue, int(game)) for game, red, blue in sorted(boards)]

    def play(self):
        self.open()
        self.types("hong", "evening new club system=rr time=10m rules=kja shown=1s", "evening 1 is open")
        self.types("kim", "evenings", "for the table")
        for name in FOUR:
            self.types(name, "evening join 1", "you take part")
        self.types("kim", "evening 1", "4 players")
        self.at["hong"].enter("evening start 1")
        first, second = self.round(1)
        self.at[first[0]].sees(r"red>$")
        self.at["kim"].sees("chooses a set-up" if first[1] == "kim" or second[1] == "kim" else r"red>$")
        self.shows("hong", "The screen of Hong, who has made the evening, joined it and started it:")
        self.shows("kim", "Kim has looked for evenings and joined; the game has begun by itself:")
        mine, other = (first, second) if "kim" in first else (second, first)
        self.play_board(*mine, loser=mine[0] if mine[1] == "kim" else mine[1])
        self.shows("kim", "Kim has won, and waits for the other board:")
        self.types("kim", "evening 1", r"round 1, board 2(?:.*\n)*.*10m, kja\n")
        self.shows("kim", "The table while the round is being played:")
        self.play_board(*other, loser=other[0])
        for number in (2, 3):
            for board in self.round(number):
                self.play_board(*board, loser=board[0])
        self.at["lee"].sees("evening 1 is over")
        self.types("lee", "evening 1", r"it is over(?:.*\n)*.*janggi>$")
        self.shows("lee", "And at the end, on the screen of Lee:")
        return "\n".join(self.out[:-1] + [""])

    def end(self):
        try:
            self.server.type(b"\x03")
            self.server.sees(r"^\$$")
        finally:
            self.tmux.close()


def play_screens(build):
    """What the screens show. It is played again if one of them tells of a slow disk."""
    for number in range(1, SLOW_TRIES + 1):
        directory = tempfile.mkdtemp(prefix="janggi-screens-")
        screens, text, problem = Screens(build, directory), None, None
        try:
            text = screens.play()
        except Exception as error:  # also rows that were not expected
            problem = error
        finally:
            is_slow = tell_of_slow_disk(screens.at.values())
            screens.end()
            shutil.rmtree(directory, ignore_errors=True)
        if not is_slow or number == SLOW_TRIES:
            break
    if problem is not None:
        raise problem
    return text


# --- The section ---------------------------------------------------------------------------


def replace_what_varies(evening, row):
    for real, shown in sorted(evening.replaced.items(), key=lambda pair: -len(pair[0])):
        row = row.replace(real, shown)
    row = row.replace(evening.inside(evening.directory), "/home")
    row = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-12-22 19:30", row)
    row = re.sub(r"\b(blue|red) [5-9]:\d\d\b", r"\1 10:00", row)  # a busy machine
    row = re.sub(r"in \d+ s$", "in 1 s", row)
    row = re.sub(r"seen_s=\d+", "seen_s=1795372200", row)
    return re.sub(r"\d+ bytes$", "73728 bytes", row)


def write_up(evening):
    """The scenes in mdoc: text, and a block of rows."""
    out, in_block = [], False
    for is_row, row in evening.rows:
        if is_row and not in_block:
            out.append(".Bd -literal -offset indent")
        if not is_row and in_block:
            out += [".Ed", ".Pp"]
        in_block = bool(is_row)
        row = replace_what_varies(evening, row).replace("\\", "\\e")
        out.append("\\&" + row if row[:1] in (".", "'") else row)
    return "\n".join(out + [".Ed", ""])


def hosts_evening(evening):
    server = first_start(evening)
    link = three_members(evening, server)
    a_troll(evening, server, link)
    a_private_game(evening, server)
    a_lost_key(evening, server)
    a_backup(evening, server)


def play(scenes, build, root):
    evening = Evening(build, root)
    try:
        scenes(evening)
        return write_up(evening)
    except Exception:
        for name, client in evening.clients.items():
            print(f"# {name} read last: {client.seen[-5:]}")
        raise
    finally:
        evening.end()
        shutil.rmtree(evening.directory, ignore_errors=True)


def check_section(text, name):
    """Compares the text with the section of that name, or writes it."""
    begin, end = f".\\\" The {name} begins: tests/host/evening.py writes it.\n", f".\\\" The {name} ends.\n"
    with open(PAGE, encoding="utf-8") as page:
        before, has_begin, rest = page.read().partition(begin)
    between, has_end, behind = rest.partition(end)
    if not has_begin or not has_end:
        sys.exit(f"{PAGE}: there must be a line {begin.strip()} and a line {end.strip()} below it")
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as page:
            page.write(before + begin + text + end + behind)
        return True
    changed = text.replace("evening", "another").replace("janggid", "another")  # the control: not printed
    test = "the_" + name.replace(" ", "_") + "_is_as_the_manual_says"
    if text != between:
        sys.stdout.writelines("# " + line for line in difflib.unified_diff(
            between.splitlines(True), text.splitlines(True), "janggid.8", "what the programs print"))
    print(("ok " if text == between else "not ok ") + test)
    print(("ok" if changed != between else "not ok") + " and_a_changed_word_is_noticed")
    return text == between and changed != between


def main():
    root = os.path.abspath(sys.argv[2]) if sys.argv[1:2] == ["--root"] else None
    build = "build" if root or len(sys.argv) < 2 else sys.argv[1]
    good = [check_section(play(scenes, build, root), name)
            for scenes, name in ((hosts_evening, "evening"), (club_evening, "club evening"))]
    if root is None and shutil.which("tmux"):
        good.append(check_section(play_screens(build), "club evening on screens"))
    else:
        print("# without tmux on this system the screens are not checked")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
