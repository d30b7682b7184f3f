"""At the question for a name, on a terminal: a wrong code, then the right one.

python3 device_pty.py BUILD LINK KEY CODE HOME
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import Terminal


def main():
    build, link, key, code, home = sys.argv[1:]
    os.makedirs(home, exist_ok=True)
    screen = Terminal([f"{build}/janggi", "--pin", key, link],
                      {"HOME": home, "USER": "hong", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                       "PATH": os.environ["PATH"]})
    for awaited, typed in (("Your name [", "hong code=AAAA-AAAA\n"),
                           ("Another name: ", f"hong {code}\n"),
                           ("Hello hong", "devices\n"),
                           (", this device", "quit\n")):
        if not screen.wait_for(awaited, 10):
            screen.kill()
            sys.exit(f"# no {awaited!r} in {bytes(screen.seen)!r}")
        screen.type(typed)
    status = screen.end(10)
    if status != 0:
        sys.exit(f"# janggi ended with {status}")
    with open(f"{home}/.local/state/janggi/history", "rb") as history:
        if code.encode() in history.read():
            sys.exit("# the code is kept in the history")


main()
