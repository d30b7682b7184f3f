"""client/play.sh on a terminal, and a game against the computer.

python3 play_computer_pty.py ROOT BUILD DIR
"""
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import Terminal


def bots(directory):
    """Process numbers of janggi bots whose home is ours."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words, \
                    open(f"/proc/{pid}/environ", "rb") as environment:
                if words.read().split(b"\0")[1:2] == [b"bot"] and \
                        f"HOME={directory}\0".encode() in environment.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def main():
    root, build, directory = sys.argv[1:]
    os.makedirs(f"{directory}/play")
    with open(f"{directory}/play/port", "w", encoding="ascii") as port:
        port.write("0\n")  # any that is free

    def play():
        return Terminal(["sh", f"{root}/client/play.sh", build],
                        {"HOME": directory, "JANGGI_PLAY_DIR": f"{directory}/play",
                         "JANGGI_NAME": "hong", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                         "PATH": os.environ["PATH"]})
    screen = play()

    def await_words(words):
        if not screen.wait_for(words, 120):
            screen.kill()
            sys.exit(f"# no {words!r} in {bytes(screen.seen[-3000:])!r}")

    await_words("Hello hong")
    screen.type("computer 2\n")
    await_words("the computer joins you (level 2)")
    await_words("level2-bot")
    await_words("Choose how your")
    if len(bots(directory)) != 1:
        sys.exit("# there is no bot")
    screen.type("computer\n")
    await_words("one game at a time")
    screen.type("setup 1\n")
    # Whichever side begins, both have moved in the end.
    await_words("YOUR MOVE")
    begins = len(screen.seen)
    screen.type("legal\n")
    listed = re.compile(rb"\bpawn ([A-I][0-9]): ([A-I][0-9])\b")
    while not listed.search(screen.seen, begins):
        if not screen.read(1):
            sys.exit("# no legal move")
    move = listed.search(screen.seen, begins).groups()
    screen.type((move[0] + move[1]).decode().lower() + "\n")
    await_words("YOUR MOVE")
    boards = bytes(screen.seen).count(b"Game 1   red ")
    if boards != 2:  # when it was our turn, and after the answer
        sys.exit(f"# {boards} boards")


    def leave():
        screen.type("quit\n")
        status = screen.end(120)
        if status != 0:
            sys.exit(f"# make play ended with {status}: {bytes(screen.seen[-2000:])!r}")
    leave()
    # The next time the computer comes back to that game, and begins no other.
    screen = play()
    await_words("Hello hong")
    await_words('"computer" brings the computer back to this game')
    screen.type("computer\n")
    await_words("the computer joins you (level 2)")
    await_words("level2-bot (")
    screen.type("games mine\n")
    await_words('"game NUMBER" goes to one')
    if b"Choose how your" in screen.seen or b"game 2" in screen.seen.lower():
        sys.exit(f"# a second game: {bytes(screen.seen[-3000:])!r}")
    leave()
    by = time.monotonic() + 120
    while bots(directory) and time.monotonic() < by:
        time.sleep(0.1)
    if bots(directory):
        sys.exit("# the computer has not left")


main()
