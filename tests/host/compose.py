#!/usr/bin/env python3
"""compose.yaml, which starts three nodes on one machine, without containers: its commands are run one beside the other,
with folders of the test for its volumes and free ports for its ports. Then a node has the games, and two are standbys.

    python3 tests/host/compose.py BUILD

Without PostgreSQL or PyYAML it only looks for the options and folders that the file names.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import held_port  # noqa: E402 (found beside this file only now)
import postgres  # noqa: E402
from hosting import BUILD, JANGGID, run, wait_until  # noqa: E402

FILE = os.path.join(HERE, "..", "..", "server", "package", "compose.yaml")
with open(FILE, encoding="utf-8") as compose_file:
    TEXT = compose_file.read()


def services():
    try:
        import yaml
    except ImportError:
        return None
    return yaml.safe_load(TEXT)["services"]


def its_words_exist(_directory):
    command = re.search(r"exec (janggid --.*?)\n\n", TEXT, re.S)[1]
    known = subprocess.run([JANGGID, "--help"], text=True, capture_output=True, check=True).stdout
    options = set(re.findall(r"--[a-z-]+", command))
    unknown = [word for word in options if not re.search(rf"(?m)^  {word}( |$)", known)]
    assert not unknown and len(options) >= 5, f"unknown are {unknown} of {options}"
    assert "janggi 127.0.0.1:9041" in TEXT and 'PORT: "9041"' in TEXT, "the port of the first node is another one"
    assert "\t" not in TEXT and "build/deb/" in TEXT, "there is a tab, or the packages are elsewhere"


class Service:
    """A service, as its container would run it."""

    def __init__(self, directory, name, spec, changes):
        self.name, self.directory = name, directory
        words = [word.replace("$$", "$") for word in spec["command"]]
        env = dict(os.environ, PATH=f"{BUILD}:{postgres.folder()}:{os.environ['PATH']}",
                   **{key: str(value) for key, value in spec["environment"].items()})
        for old, new in changes:
            words = [word.replace(old, new) for word in words]
            env = {key: value if key == "PATH" else value.replace(old, new) for key, value in env.items()}
        self.port = env.get("PORT", "")
        if name.startswith("db"):
            env["PGDATA"] = os.path.join(directory, name)
            words[-1] = words[-1].replace("exec postgres ", f"exec postgres -c unix_socket_directories='{directory}' ")
            words = (["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []) + words
        with open(os.path.join(directory, name + ".log"), "wb") as log:
            self.words, self.env = words, env
            self.process = subprocess.Popen(words, env=env, cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)

    def status(self):
        said = subprocess.run([JANGGID, "ctl", "--data", os.path.join(self.directory, "nodes", self.name), "status"],
                              text=True, capture_output=True, check=False).stdout
        return dict(word.split("=", 1) for line in said.splitlines() for word in line.split())

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            self.process.wait()


def three_nodes_come_up(_directory):
    found = services()
    if found is None or postgres.folder() is None or not os.path.exists(os.path.join(BUILD, "janggid-postgres.so")):
        print("# not run: PostgreSQL or PyYAML is missing")
        return
    directory, running = tempfile.mkdtemp(prefix="janggi-compose-"), {}
    try:
        os.chmod(directory, 0o755)
        os.mkdir(os.path.join(directory, "nodes"))
        if os.geteuid() == 0:
            shutil.chown(directory, "postgres")
        changes = [(port, str(held_port.keep())) for port in sorted(set(re.findall(r"\b(?:54|90)4\d\b", TEXT)))]
        changes += [("/nodes", os.path.join(directory, "nodes")), ("exec janggid ", f"exec {JANGGID} ")]

        def start(*names):
            for name in names:
                running[name] = Service(directory, name, found[name], changes)

        def comes_again(name):
            """A container starts again after a failure."""
            if running[name].process.poll() not in (None, 0):
                start(name)
        start("db1", "db2", "db3", "a", "b", "c")

        def is_up():
            for name in running:
                comes_again(name)
            roles = sorted(running[name].status().get("role", "") for name in "abc")
            return roles == ["leader", "standby", "standby"]
        wait_until(is_up, "the nodes do not come up: " + directory)
    finally:
        for service in reversed(running.values()):
            service.end()
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(run([its_words_exist, three_nodes_come_up]))
