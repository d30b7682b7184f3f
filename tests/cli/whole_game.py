#!/usr/bin/env python3
"""A whole game to checkmate between two janggi processes, with a watcher from the start
and one who joins late. In the middle the server is killed with SIGKILL and started
again; everybody comes back without help, and the game goes on.

    python3 tests/cli/whole_game.py BUILD
"""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from hosting import JANGGI, Player, Server, run  # noqa: E402
from players import recorded_game  # noqa: E402

KILL_AT = 20  # the event before which the server is killed
LATE_AT = 30  # the event before which the late watcher comes


def janggi(directory, server, who, *words):
    home = os.path.join(directory, "home-" + who)
    os.mkdir(home)
    places = {key: os.path.join(home, key) for key in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    return Player(name=who).run([JANGGI, "--plain", "--pin", server.key, "--log", os.path.join(directory, who), *words],
                                env=dict(os.environ, HOME=home, LC_ALL="C.UTF-8", **places))


def watch(directory, server, who, game):
    watcher = janggi(directory, server, who, f"janggi://127.0.0.1:{server.port}/watch/{server.key[:22]}")
    watcher.expect("^Connected")
    watcher.expect(f"^Game {game}: ")  # the only game shows by itself
    return watcher


def begin(directory, server):
    red, blue = (janggi(directory, server, name, "-n", name, f"127.0.0.1:{server.port}") for name in ("hong", "kim"))
    red.expect("^Hello hong")
    red.say("seek time=none side=red")
    offer = red.expect(r"^-- seek (\d+) ")[1]
    blue.expect("^Hello kim")
    blue.say(f"accept {offer}")
    return {"red": red, "blue": blue}, int(blue.expect(r"^Game (\d+): ")[1])


def play_event(text, people, watchers):
    kind, *words = text.split()
    if kind == "setup":
        people[words[0]].say("setup " + words[1])
    elif kind == "move":
        people[words[1]].say(words[2].replace("-", "").lower())
        words[0] = (int(words[0]) + 1) // 2  # people count moves in pairs,
        words[2] = words[2].replace("-", "[-x]")  # people write x for a capture
    shown = {"setup": r"\({0}\) sets up {1}", "move": r"{0}\. {1} {2}", "end": r"^Game \d+ is over\."}
    for person in [*people.values(), *watchers]:
        person.expect(shown[kind].format(*words))


def crash(server, everybody):
    server.stop(signal.SIGKILL)
    for person in everybody:
        person.expect("^-- connection lost")
    server.start()
    for person in everybody:
        person.expect(r"^-- back after \d+ s, nothing missed")


def a_whole_game_goes_on_after_a_kill(directory):
    server = Server(os.path.join(directory, "d"), "--limits", "accepts-per-s=0")
    people, game = begin(directory, server)
    watchers = [watch(directory, server, "early", game)]
    for number, text in enumerate(recorded_game()):
        if number == KILL_AT:
            crash(server, [*people.values(), *watchers])
        if number == LATE_AT:
            watchers.append(watch(directory, server, "late", game))
        if number > 0:  # the start has been seen
            play_event(text, people, watchers)
    lines = [f"{game} {number} {text}" for number, text in enumerate(recorded_game())]
    for person in [*people.values(), *watchers]:
        person.say("quit")
        assert person.leave() == 0, f"{person.name} ended with {person.process.returncode}"
        with open(os.path.join(directory, person.name), encoding="utf-8") as log:
            assert log.read().splitlines() == lines, f"the log of {person.name} is not the game"
    assert server.stop() == 0


sys.exit(run([a_whole_game_goes_on_after_a_kill]))
