#!/usr/bin/env python3
"""A whole game to checkmate between two janggi processes, with a watcher from the start
and one who joins late. In the middle the server is killed with SIGKILL and started
again; everybody comes back without help, and the game goes on.

    python3 tests/cli/whole_game.py BUILD
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import playing

KILL_AT = 20  # the event before which the server is killed
LATE_AT = 30  # the event before which the late watcher comes


def janggi(scene, who, *words, name=None):
    home = scene.path("home-" + who)
    os.mkdir(home)
    command = [os.path.join(scene.build, "janggi"), "--plain", "--pin", scene.key,
               "--log", scene.path(who + ".log")]
    command += ["-n", name] if name else []
    environment = {"HOME": home, "LC_ALL": "C.UTF-8",
                   **{key: os.path.join(home, key) for key in
                      ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}}
    return scene.bring(who, command + list(words), environment=environment)


def watch(scene, who, game):
    link = f"janggi://127.0.0.1:{scene.port}/watch/{scene.key[:22]}"
    watcher = janggi(scene, who, link)
    watcher.hear(r"^Connected")
    watcher.hear(rf"^Game {game}: ")  # the only game shows by itself
    return watcher


def begin(scene):
    server = f"127.0.0.1:{scene.port}"
    red = janggi(scene, "hong", server, name="hong")
    red.hear(r"^Hello hong")
    red.type("seek time=none side=red")
    offer = red.hear(r"^-- seek (\d+) ")[1]
    blue = janggi(scene, "kim", server, name="kim")
    blue.hear(r"^Hello kim")
    blue.type(f"accept {offer}")
    game = int(blue.hear(r"^Game (\d+): ")[1])
    return {"red": red, "blue": blue}, game


def play_event(text, people, watchers, game):
    kind, *words = text.split()
    if kind == "setup":
        people[words[0]].type("setup " + words[1])
    elif kind == "move":
        people[words[1]].type(words[2].replace("-", "").lower())
        words[0] = (int(words[0]) + 1) // 2  # people count moves in pairs,
        words[2] = words[2].replace("-", "[-x]")  # people write x for a capture
    shown = {"setup": r"\({0}\) sets up {1}", "move": r"{0}\. {1} {2}", "end": r"^Game \d+ is over\."}
    line = shown[kind].format(*words)
    for person in [*people.values(), *watchers]:
        person.hear(line)


def crash(scene, everybody):
    scene.kill_server()
    for person in everybody:
        person.hear(r"^-- connection lost")
    scene.start_server()
    for person in everybody:
        person.hear(r"^-- back after \d+ s, nothing missed")
    scene.check(True, "whole-game-everybody-comes-back-after-a-kill")


def check_logs(scene, wanted, game):
    lines = [f"{game} {number} {text}" for number, text in enumerate(wanted)]
    for person in scene.people:
        with open(scene.path(person.name + ".log"), encoding="utf-8") as log:
            got = log.read().splitlines()
        scene.check(got == lines, f"whole-game-log-of-{person.name}-is-the-game",
                    f"{len(got)} lines, not {len(lines)}")


def play(scene):
    wanted = playing.recorded_game()
    people, game = begin(scene)
    watchers = [watch(scene, "early", game)]
    for number, text in enumerate(wanted):
        if number == KILL_AT:
            crash(scene, [*people.values(), *watchers])
        if number == LATE_AT:
            watchers.append(watch(scene, "late", game))
        if number > 0:  # the start has been seen
            play_event(text, people, watchers, game)
    scene.check(True, f"whole-game-of-{len(wanted)}-events-to-{wanted[-1].split()[-1]}")
    for person in scene.people:
        person.type("quit")
        status = person.wait()
        scene.check(status == 0, f"whole-game-{person.name}-leaves-with-0", f"not {status}")
    check_logs(scene, wanted, game)
    scene.check(scene.stop_server() == 0, "whole-game-server-stops-in-order")


sys.exit(playing.main(play))
