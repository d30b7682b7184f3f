"""janggi id export and import, typed at a terminal. Expects a key in DIR/home-hong.

python3 id_pty.py BUILD DIR
"""
import os
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import Terminal

SECRET = "open sesame"


def wait_for_silence(screen):
    """Waits with typing until the terminal has turned the echo off, which it does after the question."""
    by = time.monotonic() + 20
    while termios.tcgetattr(screen.master)[3] & termios.ECHO and time.monotonic() < by:
        time.sleep(0.01)


def play(build, directory, who, words, talk, status):
    """Runs janggi WORDS; talk lists the texts to wait for and the lines to type then."""
    home = f"{directory}/home-{who}"
    os.makedirs(home, exist_ok=True)
    screen = Terminal([f"{build}/janggi", *words],
                      {"HOME": home, "TERM": "xterm", "PATH": os.environ["PATH"]})
    name = " ".join(words).replace(directory, "DIR")
    for awaited, typed in talk:
        if not screen.wait_for(awaited, 20):
            screen.kill()
            sys.exit(f"# {name}: no {awaited!r} in {bytes(screen.seen)!r}")
        if typed not in ("yes\n", "no\n"):
            wait_for_silence(screen)
        screen.type(typed)
    got = screen.end(20)
    if got != status:
        sys.exit(f"# {name}: ended with {got}: {bytes(screen.seen)!r}")
    if SECRET.encode() in screen.seen:
        sys.exit(f"# {name}: the passphrase is on the terminal")
    return bytes(screen.seen).decode()


def expect(words, text):
    if words not in text:
        sys.exit(f"# no {words!r} in {text!r}")


def main():
    build, directory = sys.argv[1:]
    locked = f"{directory}/hong.key"

    def hong(words, talk, status):
        return play(build, directory, "hong", words, talk, status)

    def kim(words, talk, status):
        return play(build, directory, "kim", words, talk, status)

    first, again = "A passphrase for the file: ", "The same passphrase again: "
    opened = "The passphrase of the file: "
    expect("do not match", hong(["id", "export", locked],
                                   [(first, SECRET + "\n"), (again, "open samese\n")], 1))
    expect("at least 8", hong(["id", "export", locked], [(first, "short\n")], 1))
    if os.path.exists(locked):
        sys.exit("# a refused export wrote a file")
    expect("Your key is in", hong(["id", "export", locked],
                                  [(first, SECRET + "\n"), (again, SECRET + "\n")], 0))
    expect("file exists", hong(["id", "export", locked],
                                 [(first, SECRET + "\n"), (again, SECRET + "\n")], 1))
    # To the terminal only after a yes.
    expect("Nothing was written", hong(["id", "export"], [("Continue (yes or no)? ", "no\n")], 1))
    text = hong(["id", "export"], [("Continue (yes or no)? ", "yes\n"), (first, SECRET + "\n"),
                                   (again, SECRET + "\n")], 0)
    expect("BEGIN ENCRYPTED PRIVATE KEY", text)
    expect("already have this key", hong(["id", "import", locked], [(opened, SECRET + "\n")], 0))
    # On another machine: the wrong passphrase, no key there, another key there.
    expect("wrong passphrase", kim(["id", "import", locked], [(opened, "wrong one\n")], 1))
    expect("no key yet", kim(["id"], [], 0))
    expect("From now on", kim(["id", "import", locked], [(opened, SECRET + "\n")], 0))
    os.remove(f"{directory}/home-kim/.local/share/janggi/identity.key")
    os.remove(f"{directory}/home-kim/.local/share/janggi/identity.pem")
    own = f"{directory}/own.key"
    os.system(f"openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out {own}"
              " 2>/dev/null")
    expect("From now on", kim(["id", "import", own], [], 0))
    expect("you already have another key", kim(["id", "import", locked], [(opened, SECRET + "\n")], 1))
    expect("The old key is kept in", kim(["id", "import", "--force", locked],
                                         [(opened, SECRET + "\n")], 0))
    expect("From now on", kim(["id", "-n", "lee", "import", own], [], 0))
    garbage = f"{directory}/garbage"
    with open(garbage, "w", encoding="ascii") as out:
        out.write("no key\n")
    expect("not a file written by janggi id export", kim(["id", "import", garbage], [], 1))


main()
