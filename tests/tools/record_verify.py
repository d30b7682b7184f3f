#!/usr/bin/env python3
"""Signed records: asked of a real server, changed in every way, judged by janggi verify.

    python3 tests/tools/record_verify.py BUILD_DIR [TEST ...]
"""
import os
import re
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import JANGGI, PATIENCE_S, Player, Server, begin, expect, must_fail, run
from players import recorded_game

PROVED, WRONG, USAGE, UNSIGNED, STRANGER = 0, 1, 2, 3, 4


def verify(path, *words, home=None):
    """(status, standard output, standard error) of janggi verify; no server is known but
    those of home."""
    home = home or os.path.dirname(path) or "."
    done = subprocess.run(
        [JANGGI, "verify", path, *words], capture_output=True, text=True, errors="replace",
        timeout=PATIENCE_S, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home})
    return done.returncode, done.stdout, done.stderr


def must_say(path, status, words, *options, home=None):
    found, output, errors = verify(path, *options, home=home)
    assert found == status, f"verify {options}: {found}, not {status}: {output} {errors}"
    return expect(output + errors, words)


def write(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def play_to_mate(server):
    """The game of the file, and its players."""
    hong, kim = Player(server, "hong"), Player(server, "kim")
    game, events = begin(hong, kim, "none", ("NBNB", "BNNB")), recorded_game()
    for number, event in enumerate(events[3:], 3):
        words = event.split()
        if words[0] == "move":
            (hong if words[2] == "red" else kim).move(game, words[3])
        for player in (hong, kim):
            player.expect(f"^! game {game} {number} {event}$")
    return hong, kim, game, events


def ask_record(player, game):
    rows, answer = player.block(f"record {game}")
    expect(answer, f"^OK record game={game} lines={len(rows)}$")
    return "".join(row + "\n" for row in rows)


def resigned_game(server, names=("hong", "kim")):
    """The record of a short game with clocks."""
    hong, kim = (Player(server, name) for name in names)
    game = begin(hong, kim, "10m+5s")
    for player, move in ((hong, "a3a4"), (kim, "a6a5"), (hong, "i3i4")):
        expect(player.ask(move), "^OK move")
    expect(kim.ask("resign"), "^OK resign")
    hong.expect("end red resignation")
    return ask_record(hong, game)


# --- What a server gives ---------------------------------------------------------------------


def a_record_is_the_game(directory, is_control=False):
    with Server(os.path.join(directory, "d"), "--limits", "keep-s=1") as server:
        hong, kim, game, events = play_to_mate(server)
        text = ask_record(hong, game)
        if is_control:
            text = text.replace("move 41", "move 14")
        rows = text.splitlines()
        if rows[0] != "janggi-record 1" or rows[2:-2] != [f"{i} {e}" for i, e in enumerate(events)]:
            raise AssertionError("its events are not those of the game")
        expect(rows[1], rf"^server={server.key} game={game} "
                        r"ended=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        path = write(directory, "game.record", text)
        must_say(path, PROVED, "Red wins by checkmate; it follows from the moves", "--server", server.key)
        server.stop()
        server.start()  # the record from disk is the same, except for the random part of the signature
        guest = Player(server)
        guest.ask("login")
        again = ask_record(guest, game)
        assert again.splitlines()[:-1] == rows[:-1], "after a restart it is another record"
        must_say(write(directory, "again.record", again), STRANGER, "signed with key")


def what_has_no_record(directory):
    with Server(os.path.join(directory, "d"), "--limits", "chat-burst=3", "--limits", "chat-per-min=1") as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "10m")
        for _ in range(5):  # a refusal costs nothing
            expect(hong.ask(f"record {game}"), f"^ERR not-now why=not-over game={game} : ")
        expect(hong.ask("record x"), "^ERR args ")
        expect(hong.ask("record"), "^ERR args ")
        expect(Player(server).ask(f"record {game}"), "^ERR not-now why=login")
        expect(kim.ask("resign"), "^OK")
        hong.expect("end red")
        expect(hong.ask("record 99"), "^ERR no-such game=99 : ")
        ask_record(hong, game)
        ask_record(hong, game)
        expect(hong.ask(f"record {game}"), "^ERR slow-down retry=60 : ")
        server.stop()
        with sqlite3.connect(os.path.join(server.data, "janggid.db")) as database:
            changed = database.execute("UPDATE game SET log = replace(log, 'setup red NBNB', 'setup red NBBN')").rowcount
        database.close()
        assert changed == 1, "there was no event to damage"
        server.start()
        hong = Player(server, "hong", hong.token)
        expect(hong.ask(f"record {game}"), f"^ERR not-now why=frozen game={game} : ")


def a_long_record_comes_whole(directory):
    """More than is read from the disk, or sent, at a time."""
    with Server(os.path.join(directory, "d"), "--limits", "chat-burst=1000") as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "5h")
        cycles = 500
        for _ in range(cycles):
            expect(hong.ask("a3a4"), "^OK move")
            expect(hong.ask("takeback to=0"), "^OK takeback .*offer=")
            kim.expect("^! offer .*kind=takeback")
            expect(kim.ask("takeback to=0"), "^OK takeback")
            hong.expect(f"^! game {game} .*takeback 0 ")
        expect(kim.ask("resign"), "^OK")
        hong.expect("end red")
        text = ask_record(hong, game)
        assert len(text.splitlines()) == 2 + 3 + 2 * cycles + 1 + 2, f"it has {len(text.splitlines())} lines"
        must_say(write(directory, "long.record", text), STRANGER, "proved  0 plies")
        print(f"# {len(text)} bytes")


def every_kind_of_key_signs(directory):
    kinds = {"p384": ("ec", "ec_paramgen_curve:P-384"), "rsa": ("rsa", "rsa_keygen_bits:3072"),
             "ed25519": ("ed25519", None)}
    for name, (algorithm, option) in kinds.items():
        key, cert = os.path.join(directory, name + ".key"), os.path.join(directory, name + ".pem")
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-newkey", algorithm,
                        *(["-pkeyopt", option] if option else []), "-keyout", key, "-out", cert,
                        "-days", "30", "-subj", "/CN=test"], check=True, capture_output=True)
        os.chmod(key, 0o600)
        with Server(os.path.join(directory, name), "--cert", cert, "--key", key) as server:
            path = write(directory, name + ".record", resigned_game(server))
            must_say(path, PROVED, "key of the server that you named", "--server", server.key)


# --- What is found in it ----------------------------------------------------------------------


def one_record(directory):
    """A record, the key of its server, and another record that it signed."""
    with Server(os.path.join(directory, "d")) as server:
        return resigned_game(server), server.key, resigned_game(server, ("lee", "choi"))


def any_byte_changed_is_found(directory, is_control=False):
    text = one_record(directory)[0].encode()
    path = write(directory, "good.record", text)
    must_say(path, STRANGER, "signed with key")

    def judge(at):
        # The control looks on without a change, and must be told that nothing is wrong.
        changed = bytes([text[at] ^ (0 if is_control else 1 << at % 8)])
        name = write(directory, f"{at}.record", text[:at] + changed + text[at + 1:])
        status, output, errors = verify(name)
        os.unlink(name)
        assert status == WRONG, f"byte {at}: status {status} {output} {errors}"
        return re.search(r"WRONG +line (\d+)", output) is not None

    with ThreadPoolExecutor(2) as pool:
        named = sum(pool.map(judge, range(len(text))))
    assert named == len(text), f"{len(text) - named} of {len(text)} faults have no line number"
    print(f"# {len(text)} bytes, each changed once, each found")


def lies_are_told_from_truth(directory):
    text, key, other = one_record(directory)
    lines = text.splitlines(keepends=True)
    count = len(lines)

    def say(name, words, status, pattern):
        must_say(write(directory, name, words), status, pattern)

    say("illegal", text.replace("A3-A4", "A3-A5"), WRONG, "^WRONG +line 6: A3-A5 is not legal")
    say("legal", text.replace("A3-A4", "C3-C4"), WRONG, rf"WRONG +line {count}: invalid signature")
    say("clock", text.replace("red_ms=6", "red_ms=7"), WRONG, "^WRONG +line 6: the times of this event")
    say("winner", text.replace("end red", "end blue"), WRONG, f"^WRONG +line {count - 2}: ")
    say("resigner", text.replace("end red resignation by=blue", "end blue resignation by=red"), WRONG,
        rf"WRONG +line {count}: invalid signature")
    say("mate", text.replace("resignation", "checkmate"), WRONG, f"^WRONG +line {count - 2}: ")
    say("short", "".join(lines[:5] + lines[6:]), WRONG, "^WRONG +line 6: ")
    say("unsigned", "".join(lines[:-2]), UNSIGNED, "unsigned: its origin")
    say("keyless", "".join(lines[:-2] + lines[-1:]), WRONG, "^WRONG +line ")
    say("more", text + "\n", WRONG, f"^WRONG +line {count + 1}: nothing may follow")
    say("cut", text[:-1], WRONG, f"^WRONG +line {count}: the file ends within the line")
    say("crlf", text.replace("\n", "\r\n"), WRONG, "^WRONG +line 1: .*LF")
    say("swapped", "".join(lines[:-1]) + other.splitlines(keepends=True)[-1], WRONG,
        rf"WRONG +line {count}: invalid signature")
    say("later", text.replace("6 end", "6 dance red\n7 end"), WRONG, "line 9: an unknown kind of event")
    say("empty", "", WRONG, "^WRONG +line 1: ")
    say("noise", os.urandom(5000), WRONG, "^WRONG +line 1: ")
    good = write(directory, "good", text)
    must_say(good, PROVED, "this is the key of the server that you named", "--server", key)
    must_say(good, PROVED, "this is the key of janggi://play.example.org/watch/",
             "--server", f"janggi://play.example.org/watch/{key[:22]}")
    stranger = ("B" if key[0] != "B" else "C") + key[1:]
    must_say(good, WRONG, "WRONG +line 2: .* not that of the server that you named",
             "--server", stranger)
    must_say(good, STRANGER, "open +it is unknown whose key this is: you have stored no key for this server")


def servers_that_are_known(directory):
    text, key, _ = one_record(directory)
    path, home = write(directory, "good", text), os.path.join(directory, "home")
    os.makedirs(os.path.join(home, "janggi"))
    write(home, "janggi/known_hosts",
          f"other.example.org:9032 {'A' * 43} 2026-01-01\nplay.example.org:9032 {key} 2026-01-01\n")
    must_say(path, PROVED, "the key that you have stored for play.example.org:9032$", home=home)
    must_say(path, PROVED, "the key of play.example.org$", "--server", "play.example.org", home=home)
    must_say(path, WRONG, "not that of other.example.org$", "--server=other.example.org", home=home)
    must_say(path, USAGE, "the key of that server is not known here", "--server", "new.example.org", home=home)


def what_is_no_question(directory):
    path = write(directory, "file", one_record(directory)[0])
    for words in (["--server"], ["--colour"], ["another"], ["--server", "a b"]):
        must_say(path, USAGE, "^janggi verify: ", *words)
    must_say(os.path.join(directory, "none"), USAGE, "none: No such file")
    must_say(directory, USAGE, "Is a directory", home=directory)
    must_say("--help", 0, "^Usage: janggi verify FILE", home=directory)
    with open(path, "rb") as file:
        done = subprocess.run([JANGGI, "verify", "-"], stdin=file, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
    assert done.returncode == STRANGER, f"from standard input: {done.returncode}"


TESTS = [
    a_record_is_the_game, must_fail(a_record_is_the_game), what_has_no_record,
    a_long_record_comes_whole, every_kind_of_key_signs, any_byte_changed_is_found,
    must_fail(any_byte_changed_is_found), lies_are_told_from_truth, servers_that_are_known,
    what_is_no_question,
]

if __name__ == "__main__":
    sys.exit(run(TESTS))
