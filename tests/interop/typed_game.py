#!/usr/bin/env python3
"""A whole game to checkmate, typed line by line through TLS clients that are not ours.

    python3 tests/interop/typed_game.py BUILD [openssl|gnutls|ncat|socat]

A tool that is not installed is skipped.
"""
import functools
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import Player, Server, run  # noqa: E402
from players import recorded_game  # noqa: E402

TOOLS = {
    # -quiet: otherwise s_client itself eats lines that begin with Q, R or K.
    "openssl": lambda port, log: [
        "openssl", "s_client", "-quiet", "-verify_quiet", "-connect", f"127.0.0.1:{port}"],
    # --insecure: the certificate is the server's own. --crlf: lines end in CR LF. Its own
    # talk goes to a file.
    "gnutls": lambda port, log: [
        "gnutls-cli", "--insecure", "--crlf", "--logfile", log, "-p", str(port),
        "127.0.0.1"],
    "ncat": lambda port, log: ["ncat", "--ssl", "127.0.0.1", str(port)],
    "socat": lambda port, log: ["socat", "STDIO", f"OPENSSL:127.0.0.1:{port},verify=0"],
}
PROGRAMS = {"gnutls": "gnutls-cli"}
# The ways in which people write a move.
SPELLINGS = [
    lambda move: move.replace("-", "").lower(),
    lambda move: move,
    lambda move: move.replace("-", " "),
    lambda move: "move " + move.replace("-", "x").lower(),
]


def sit_down(red, blue):
    for player in (red, blue):
        player.expect(r"^\* janggi/1 ")
        player.say(f"login {player.name}")
        player.expect(f"^OK login name={player.name} token=")
    red.say("seek time=none side=red")
    offer = red.expect(r"^OK seek id=(\d+)")[1]
    blue.say(f"accept {offer}")
    return int(blue.expect(r"^OK accept game=(\d+)")[1])


def play_event(number, text, people, game):
    """Types what leads to the event and waits until both have seen it."""
    kind, *words = text.split()
    if kind == "setup":
        people[words[0]].say("setup " + words[1])
        people[words[0]].expect(f"^OK setup game={game} setup={words[1]}$")
    elif kind == "move":
        people[words[1]].say(SPELLINGS[number % len(SPELLINGS)](words[2]))
        people[words[1]].expect(f"^OK move game={game} ply={words[0]} move={words[2]}$")
    for person in people.values():
        person.expect(f"^! game {game} {number} {text}$")


def events_in(lines, game):
    """The events of a game by number; each must be the same whenever it was shown."""
    events = {}
    for line in lines:
        found = re.match(rf"! game {game} (\d+) (.*)", line)
        if found and events.setdefault(int(found[1]), found[2]) != found[2]:
            raise AssertionError(f"event {found[1]} was shown in two ways")
    return [events.get(number) for number in range(len(events))]


def play(tool, directory):
    server = Server(os.path.join(directory, "d"), "--limits", "accepts-per-s=0")
    people = {side: Player(name=name).run(TOOLS[tool](server.port, os.path.join(directory, side)), cwd=directory)
              for side, name in (("red", "hong"), ("blue", "kim"))}
    game = sit_down(people["red"], people["blue"])
    for number, text in enumerate(recorded_game()):
        play_event(number, text, people, game)
    people["blue"].say("board")
    people["blue"].expect(r"^\| +9 ")
    people["blue"].expect(rf"^OK board game={game}$")
    for person in people.values():
        person.say(f"resume {game} 0")
        person.expect(f"^OK resume game={game} ")
        person.expect(f"^! game {game} {len(recorded_game()) - 1} ")
        person.say("quit")
        person.expect(r"^OK quit")
        person.expect(r"^! bye why=quit")
        person.leave()
        assert events_in(person.seen, game) == recorded_game(), f"{person.name} has another log"
    assert server.stop() == 0


def main():
    tests = []
    for tool in sys.argv[2:] or list(TOOLS):
        if shutil.which(PROGRAMS.get(tool, tool)):
            test = functools.partial(play, tool)
            test.__name__ = f"{tool}_plays_to_checkmate"
            tests.append(test)
        else:
            print(f"ok {tool}_plays_to_checkmate # SKIP {tool} is not installed", flush=True)
    del sys.argv[2:]  # run() would take them as names of tests
    return run(tests)


sys.exit(main())
