#!/usr/bin/env python3
"""janggi bot at a server that says what a test wants: games that end while it is away or while its move is on
the way, refusals, and challenges that begin a game at once.

    python3 tests/cli/bot.py BUILD_DIR [TEST ...]
"""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import Gone, Server, make_identity
from hosting import JANGGI, PATIENCE_S, expect, run

EVENTS = ["start red=hong blue=kim rules=martin time=10m+5s", "setup red NBNB", "setup blue NBBN"]
END = "end red resignation by=blue"


def bot(directory, script, *options):
    """Runs a bot against script(talk, number), which serves its connections; the first has number 1. The bot has to
    leave with status 0."""
    identity, faults = make_identity(directory), []

    def serve(talk):
        try:
            script(talk, server.connections)
        except (AssertionError, ValueError) as error:
            faults.append(error)
            process.kill()

    server = Server(identity, serve)
    process = subprocess.Popen(
        [JANGGI, "bot", "-n", "hong", "--level", "1", "--movetime", "1", "--pin", identity[2], *options,
         f"127.0.0.1:{server.port}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=dict(os.environ, HOME=directory))
    try:
        said = process.communicate(timeout=PATIENCE_S)[0]
    finally:
        process.kill()
        process.wait()
        server.close()
    if faults:
        raise faults[0]
    assert process.returncode == 0, f"status {process.returncode}: {said}"


def begin(talk, game):
    """Begins a game in which the bot is Red and to move. Returns its first move, and the tag of it."""
    for number, event in enumerate(EVENTS):
        talk.send(f"! game {game} {number} {event}")
    return talk.hear_verb("move")


def until_it_leaves(talk):
    talk.hear_verb("quit")
    raise Gone


def a_game_that_ended_while_it_was_away_is_over(directory):
    def script(talk, number):
        talk.let_in()
        if number == 1:
            begin(talk, 1)
            return  # the connection breaks
        line, tag = talk.hear_verb("resume")
        expect(line, "^resume 1 3$")
        talk.send(f"{tag}OK resume game=1 next=3 events=4 red_ms=600000 blue_ms=600000 running=-")
        talk.send(f"! game 1 3 {END}")
        until_it_leaves(talk)
    bot(directory, script, "--leave-after", "1")


def a_game_that_is_gone_from_the_server_is_over(directory):
    def script(talk, number):
        talk.let_in()
        if number == 1:
            begin(talk, 1)
            return
        _, tag = talk.hear_verb("resume")
        talk.send(f"{tag}ERR no-such game=1")
        until_it_leaves(talk)
    bot(directory, script, "--leave-after", "1")


def a_move_in_a_game_that_is_gone_lets_it_go(directory):
    def script(talk, _):
        talk.let_in()
        _, tag = begin(talk, 1)
        talk.send(f"{tag}ERR no-such game=1 : no such game")
        line, tag = next_line(talk)
        expect(line, "^resume 1 3$")
        talk.send(f"{tag}ERR no-such game=1 : no such game")
        _, tag = begin(talk, 2)
        talk.send(f"{tag}ERR not-now why=not-seated game=2 : you do not play in game 2")
        line, _ = next_line(talk)
        expect(line, "^quit$")
        raise Gone
    bot(directory, script, "--leave-after", "2")


def a_move_that_meets_the_end_takes_no_place(directory):
    games = 17  # a bot has 16 places

    def script(talk, _):
        talk.let_in()
        for game in range(1, games + 1):
            line, tag = begin(talk, game)
            expect(line, f"^move {game} 1 ")
            talk.send(f"! game {game} 3 {END}")
            talk.send(f"{tag}ERR not-now why=over game={game} result=red reason=resignation by=blue")
        until_it_leaves(talk)
    bot(directory, script, "--leave-after", str(games))


def next_line(talk):
    while True:
        line, tag = talk.hear()
        if line != "ping":
            return line, tag
        talk.send(f"{tag}OK ping")


def what_comes_too_fast_is_sent_again(directory):
    def script(talk, _):
        talk.let_in()
        line, tag = begin(talk, 1)
        talk.send(f"{tag}ERR slow-down retry=1")
        again, tag = next_line(talk)
        expect(again, f"^{line}$")
        talk.send(f"{tag}ERR stale game=1 ply=2 last=A3-A4")
        again, _ = next_line(talk)
        expect(again, "^resume 1 3$")
        talk.send(f"! game 1 3 {END}")
        until_it_leaves(talk)
    bot(directory, script, "--leave-after", "1")


def what_waits_for_its_answer_is_not_sent_again(directory):
    def script(talk, _):
        talk.let_in()
        _, tag = begin(talk, 1)
        time.sleep(10)  # the server's disk is full; without an answer a bot looks after 8 s
        talk.send(f"{tag}OK move game=1 ply=1 move=A3-A4")
        talk.send(f"! game 1 3 {END}")
        line, _ = next_line(talk)
        expect(line, "^quit$")
        raise Gone
    bot(directory, script, "--leave-after", "1")


def after_three_illegal_moves_it_resigns(directory):
    def script(talk, _):
        talk.let_in()
        _, tag = begin(talk, 1)
        for _ in range(2):
            talk.send(f"{tag}ERR illegal why=shape")
            _, tag = talk.hear_verb("move")
        talk.send(f"{tag}ERR illegal why=shape")
        talk.hear_verb("resign")
        talk.send("! game 1 3 end blue resignation by=red")
        until_it_leaves(talk)
    bot(directory, script, "--leave-after", "1")


def a_challenge_that_begins_a_game_is_followed_by_another(directory):
    games = 2

    def script(talk, _):
        talk.let_in()
        for game in range(1, games + 1):
            line, tag = talk.hear_verb("challenge")
            expect(line, "^challenge kim time=10m ")
            talk.send(f"{tag}OK challenge game={game}")
            begin(talk, game)
            talk.send(f"! game {game} 3 {END}")
        until_it_leaves(talk)
    bot(directory, script, "--seek", "10m", "--challenge", "kim", "--leave-after", str(games))


TESTS = [a_game_that_ended_while_it_was_away_is_over, a_game_that_is_gone_from_the_server_is_over,
         a_move_in_a_game_that_is_gone_lets_it_go, a_move_that_meets_the_end_takes_no_place,
         what_comes_too_fast_is_sent_again, what_waits_for_its_answer_is_not_sent_again,
         after_three_illegal_moves_it_resigns, a_challenge_that_begins_a_game_is_followed_by_another]

if __name__ == "__main__":
    sys.exit(run(TESTS))
