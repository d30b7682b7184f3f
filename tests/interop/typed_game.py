#!/usr/bin/env python3
"""A whole game to checkmate, typed line by line through TLS clients that are not ours.

    python3 tests/interop/typed_game.py BUILD [openssl|gnutls|ncat|socat]

A tool that is not installed is skipped.
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import playing

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


def sit_down(scene, red, blue):
    red.hear(r"^\* janggi/1 ")
    red.type("login hong")
    red.hear(r"^OK login name=hong token=")
    blue.hear(r"^\* janggi/1 ")
    blue.type("login kim")
    blue.hear(r"^OK login name=kim token=")
    red.type("seek time=none side=red")
    offer = red.hear(r"^OK seek id=(\d+)")[1]
    blue.type(f"accept {offer}")
    return int(blue.hear(r"^OK accept game=(\d+)")[1])


def play_event(number, text, people, game):
    """Types what leads to the event and waits until both have seen it."""
    kind, *words = text.split()
    if kind == "setup":
        people[words[0]].type("setup " + words[1])
        people[words[0]].hear(f"^OK setup game={game} setup={words[1]}$")
    elif kind == "move":
        people[words[1]].type(SPELLINGS[number % len(SPELLINGS)](words[2]))
        people[words[1]].hear(f"^OK move game={game} ply={words[0]} move={words[2]}$")
    for person in people.values():
        person.hear(f"^! game {game} {number} {text}$")


def play(scene, tool):
    wanted = playing.recorded_game()
    people = {}
    for side in ("red", "blue"):
        people[side] = scene.bring(
            side, TOOLS[tool](scene.port, scene.path(side + ".talk")))
    game = sit_down(scene, people["red"], people["blue"])
    for number, text in enumerate(wanted):
        play_event(number, text, people, game)
    people["blue"].type("board")
    people["blue"].hear(r"^\| +9 ")
    people["blue"].hear(rf"^OK board game={game}$")
    scene.check(True, f"{tool}-plays-{len(wanted)}-events-to-checkmate")
    for side, person in people.items():
        person.type(f"resume {game} 0")
        person.hear(f"^OK resume game={game} ")
        person.hear(f"^! game {game} {len(wanted) - 1} ")
        person.type("quit")
        person.hear(r"^OK quit")
        person.hear(r"^! bye why=quit")
        if tool == "ncat":  # it also waits for the end of what is typed
            person.process.stdin.close()
        person.wait()
        scene.check(playing.events_in(person.lines, game) == wanted,
                    f"{tool}-{side}-has-the-whole-log")
    scene.check(scene.stop_server() == 0, f"{tool}-server-stops-in-order")


def main():
    failures = [0]
    for tool in sys.argv[2:] or list(TOOLS):
        if shutil.which(PROGRAMS.get(tool, tool)):
            failures.append(playing.main(lambda scene, tool=tool: play(scene, tool)))
        else:
            print(f"ok {tool}-plays-to-checkmate # SKIP {tool} is not installed", flush=True)
    return max(failures)


sys.exit(main())
