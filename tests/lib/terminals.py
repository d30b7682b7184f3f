"""Real terminals for tests: shells in a tmux of their own, which is asked over its control
mode, so that a look at a screen costs a millisecond. Standard library and tmux only.
"""
import os
import re
import shutil
import subprocess
import time

PATIENCE_S = 120 * float(os.environ.get("PLAY_SLOW", "1"))


SLOW_DISK = re.compile("the server's disk is slow|the server can store moves again")
SLOW_TRIES = 5  # of a test that compares screens, while a disk hangs


def tell_of_slow_disk(terminals):
    """Whether one of the terminals shows what janggi says while the disk of the server hangs, and after it."""
    return any(SLOW_DISK.search(re.sub(r"\s+", " ", " ".join(terminal.rows(is_joined=True)))) for terminal in terminals)


class Tmux:
    """A tmux server with its socket in `directory`, and one client that sends it commands."""

    def __init__(self, directory):
        self.socket = os.path.join(directory, "tmux")
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "TERM": "screen",
                       "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            ["tmux", "-u", "-S", self.socket, "-f", "/dev/null", "-C", "new-session", "-s",
             "control", "sleep 100000"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._answer()
        self.ask("set-option -g history-limit 100000")
        self.ask("refresh-client -f no-output")

    def _answer(self):
        rows = None
        for line in self.process.stdout:
            line = line.decode(errors="replace").rstrip("\n")
            if rows is None:
                rows = [] if line.startswith("%begin ") else None
            elif re.match(r"%(end|error) \d+ \d+ \d+$", line):
                if line.startswith("%error"):
                    raise RuntimeError(f"tmux: {rows}")
                return rows
            else:
                rows.append(line)
        raise RuntimeError("tmux has ended")

    def ask(self, command):
        """Sends a command and returns the rows of the answer."""
        self.process.stdin.write((command + "\n").encode())
        self.process.stdin.flush()
        return self._answer()

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False,
                       capture_output=True)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Terminal:
    """A shell with a home of its own on a terminal of its own."""

    def __init__(self, tmux, name, home, columns=80, rows=24, prompt="$ ", **environment):
        self.tmux, self.name, self.home = tmux, name, home
        os.makedirs(home, exist_ok=True)
        words = {"HOME": home, "USER": name, "PATH": os.environ["PATH"], "TERM": "screen",
                 "LC_ALL": "C.UTF-8", "PS1": prompt, "NO_COLOR": "1",
                 **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")},
                 **environment}
        # tmux gets separate arguments, and no string in its own language, in which quotes would
        # change.
        subprocess.run(["tmux", "-S", tmux.socket, "new-session", "-d", "-s", name, "-x", str(columns),
                        "-y", str(rows), "-c", home, "env", "-i",
                        *[f"{k}={v}" for k, v in words.items()], shutil.which("sh"), "-i"], check=True)
        self.wait(lambda: self.rows()[-1:] == [prompt.rstrip()], "the shell's prompt")

    def close(self):
        """Hangs up."""
        self.tmux.ask(f"kill-session -t {self.name}")

    def type(self, keys):
        """Types bytes or text, as a keyboard sends them."""
        data = keys if isinstance(keys, bytes) else keys.encode()
        for at in range(0, len(data), 200):
            self.tmux.ask(f"send-keys -t {self.name} -H " +
                          " ".join(f"{byte:02x}" for byte in data[at:at + 200]))

    def enter(self, words):
        self.type(words + "\r")

    def paste(self, words):
        """Pastes text, between the codes of a bracketed paste if the program wants them."""
        path = os.path.join(self.home, "paste")
        with open(path, "w", encoding="utf-8") as file:
            file.write(words)
        self.tmux.ask(f"load-buffer {path}")
        self.tmux.ask(f"paste-buffer -p -t {self.name}")

    def resize(self, columns, rows=24):
        """Changes the size. Returns when the program can see it: tmux tells the terminal device some
        time later."""
        self.tmux.ask(f"resize-window -t {self.name} -x {columns} -y {rows}")
        device = self.tmux.ask(f"display-message -p -t {self.name} '#{{pane_tty}}'")[0]
        line = os.open(device, os.O_RDONLY | os.O_NOCTTY)
        try:
            self.wait(lambda: tuple(os.get_terminal_size(line)) == (columns, rows), "its size")
        finally:
            os.close(line)

    def rows(self, has_history=True, is_joined=False):
        """Returns all rows from the first to the last that is not empty. is_joined: rows into which
        the terminal itself has wrapped a line are one row."""
        rows = self.tmux.ask(f"capture-pane -p -t {self.name}" + (" -S -" if has_history else "") +
                             (" -J" if is_joined else ""))
        while rows and not rows[-1].strip():
            rows.pop()
        return [row.rstrip() for row in rows]

    def cursor(self):
        """(column, row) on the screen, and how many rows are above it."""
        words = self.tmux.ask(
            f"display-message -p -t {self.name} '#{{cursor_x}} #{{cursor_y}} #{{history_size}}'")
        return tuple(int(word) for word in words[0].split())

    def wait(self, is_so, what, seconds=PATIENCE_S):
        by = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > by:
                raise TimeoutError(f"{self.name} did not see {what}; the screen:\n" +
                                   "\n".join(self.rows(False)))
            time.sleep(0.02)

    def sees(self, pattern, seconds=PATIENCE_S):
        """Waits until the pattern matches what is on the terminal, and returns the match."""
        found = []

        def look():
            found[:] = [m for m in [re.search(pattern, "\n".join(self.rows()), re.M)] if m]
            return found
        self.wait(look, f"\"{pattern}\"", seconds)
        return found[0]
