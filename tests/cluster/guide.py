#!/usr/bin/env python3
"""The lines of server/CLUSTER.md, typed: its four machines are directories and addresses of this one.

    python3 tests/cluster/guide.py BUILD

Without PostgreSQL it skips, and says so.
"""
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import cluster  # noqa: E402 (found beside this file only now)
import held_port  # noqa: E402
import postgres  # noqa: E402
from hosting import BUILD, PATIENCE_S, Player, Server, begin, expect, wait_until  # noqa: E402

PAGE = os.path.join(HERE, "..", "..", "server", "CLUSTER.md")
ADDRESSES = {"db1": "127.0.1.1", "db2": "127.0.1.2"}


def lines_of(section):
    """Machine and line of each line to type in that section, and the other lines of its blocks."""
    with open(PAGE, encoding="utf-8") as page:
        body = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", page.read(), re.S | re.M)[1]
    lines = re.findall(r"^    (\w+)[$#] (.*)$", body, re.M)
    return lines, [line[4:] for line in body.splitlines() if re.match(r"    (?!\w+[$#] )", line)]


class Machines:
    """Types lines at the machines of the page."""

    def __init__(self, directory):
        self.directory, self.port = directory, held_port.keep()
        self.servers = {}
        for name in (*ADDRESSES, "a", "b"):
            os.mkdir(os.path.join(directory, name))
            if name in ADDRESSES and os.geteuid() == 0:
                shutil.chown(os.path.join(directory, name), "postgres")
        os.chmod(directory, 0o755)
        self.ports = {}
        for name in "ab":
            _, self.ports[name] = held_port.hold()
            os.mkdir(self.data(name), 0o700)

    def data(self, name):
        return os.path.join(self.directory, name, "lib")

    def config(self, name):
        return os.path.join(self.directory, name, "janggid.conf")

    def here(self, machine, line):
        """The line with the addresses and directories of this machine."""
        home = os.path.join(self.directory, machine)
        line = line.replace("ssh b.example.org tar -C /var/lib/janggid", f"tar -C {self.data('b')}")
        for name, address in ADDRESSES.items():
            line = line.replace(f"{name}.example.org", address)
        for name, port in self.ports.items():
            line = line.replace(f"{name}.example.org:9032", f"127.0.0.1:{port}")
        line = line.replace("10.0.0.0/24", "127.0.0.0/8").replace("/srv/", home + "/")
        line = line.replace("listen_addresses = '*'", f"listen_addresses = '{ADDRESSES.get(machine)}'")
        return line.replace("/etc/janggid.conf", self.config(machine)).replace("/var/lib/janggid", self.data(machine))

    def sockets(self, machine):
        """Both servers have one port, so each needs a directory for its socket, and its own address."""
        with open(os.path.join(self.directory, machine, "pg", "postgresql.auto.conf"), "a", encoding="utf-8") as file:
            file.write(f"port = {self.port}\nunix_socket_directories = '{self.directory}/{machine}'\n"
                       f"listen_addresses = '{ADDRESSES[machine]}'\n")

    def service(self, name, verb):
        if verb == "stop":
            self.servers[name].stop()
        elif name not in self.servers:
            os.environ["PGPORT"] = str(self.port)
            self.servers[name] = Server(self.data(name), "--config", self.config(name), port=self.ports[name])
        else:
            self.servers[name].start()

    def type(self, machine, line):
        """Runs the line and returns what it prints. Its status must be 0."""
        service = re.match(r"systemctl (start|stop) janggid$", line)
        if service:
            return self.service(machine, service[1])
        if line.startswith("apt install"):  # the package's postinst: a restart
            self.servers[machine].stop()
            return self.servers[machine].start()
        if "pg_ctl" in line and re.search(" (re)?start$", line):
            self.sockets(machine)
        line = self.here(machine, line)
        environment = [f"PATH={BUILD}:{postgres.folder()}:{os.environ['PATH']}", f"PGPORT={self.port}",
                       f"PGHOST={self.directory}/{machine}"]
        words = ["env", *environment, "sh", "-c", f"cd {self.directory} && {line}"]
        if machine in ADDRESSES and os.geteuid() == 0:
            words = ["runuser", "-u", "postgres", "--", *words]
        out = os.path.join(self.directory, "typed")
        with open(out, "w", encoding="utf-8") as file:  # and no pipe: a server that is started would keep it open
            done = subprocess.run(words, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
                                  timeout=PATIENCE_S)
        with open(out, encoding="utf-8") as file:
            said = file.read()
        if done.returncode != 0:
            raise AssertionError(f"{machine}: {line}: status {done.returncode}: {said}")
        return said

    def type_all(self, section, *instead):
        """instead: pairs of words of the page and words for them."""
        said = []
        for machine, line in lines_of(section)[0]:
            for old, new in instead:
                line = line.replace(old, new)
            if line.startswith("psql") and "pg_stat_replication" in line:
                said.append(self.streaming(machine, line))
            else:
                said.append(self.type(machine, line))
        return said

    def streaming(self, machine, line):
        """Types the line until the standby streams; the page says to wait for that."""
        said = []

        def is_there():
            said.append(self.type(machine, line))
            return "|" in said[-1] and "startup" not in said[-1] and "async|" not in said[-1]
        wait_until(is_there, "the standby does not stream")
        return said[-1]

    def end(self):
        for server in self.servers.values():
            if server.process.poll() is None:
                server.process.kill()
                server.process.wait()
        for name in ADDRESSES:
            path = os.path.join(self.directory, name, "pg")
            if os.path.exists(path + "/postmaster.pid"):
                postgres.as_postgres(postgres.folder() + "/pg_ctl", "-D", path, "-m", "immediate", "stop")


def play(server, game, players, moves):
    """The next moves of a game, by whichever side they belong to."""
    for number, move in moves:
        expect(players[number % 2].ask(f"move {game} {number + 1} {move}"), "^OK move ")


def leads(server):
    wait_until(lambda: server.status().get("role") == "leader" and server.status()["disk"] == "good",
               "the server does not lead")


def from_nothing_to_a_cluster_and_back_to_a_moment(directory):
    machines = Machines(directory)
    try:
        machines.type_all("PostgreSQL on the first machine")
        expect(machines.type_all("PostgreSQL on the second machine")[3], r"^db2\|streaming")
        machines.type_all("janggid")
        a, b = machines.servers["a"], machines.servers["b"]
        if a.key != b.key:
            raise AssertionError("the servers have two keys")
        leads(a)
        wait_until(lambda: b.ctl("health")[0] == 0, "the standby is not healthy")
        health, _, roles, standby, verified = machines.type_all("What to watch")
        expect(health, "^good: accepts")
        expect(roles, "(?m)^role=leader$")
        expect(standby, r"^db2\|sync\|")
        expect(verified, "damaged=0")

        players = [Player(a, "hong"), Player(a, "kim")]
        game = begin(*players, "3d")
        play(a, game, players, [(0, "a3a4")])
        check_haproxy(machines, a, b)

        machines.type_all("The first database machine is lost")
        leads(a)
        play(a, game, players, [(1, "a6a5")])
        for player in players:
            player.cut()
        a.players.clear()

        *_, health = machines.type_all("A new version")
        expect(health, "^good")
        tokens = [player.token for player in players]
        wait_until(lambda: leader_of(a, b) is not None, "no server leads")

        section = "Backups, and going back to a moment"
        lines = lines_of(section)[0]
        stop = lines.index(("a", "systemctl stop janggid"))
        for machine, line in lines[:stop]:
            machines.type(machine, line)
        wait_until(lambda: leader_of(a, b) is not None, "no server leads")
        leader = leader_of(a, b)
        moment = machines.type("db2", "psql -A -t -c 'SELECT clock_timestamp()'").strip()
        players = [Player(leader, name, token) for name, token in zip(("hong", "kim"), tokens)]
        play(leader, game, players, [(2, "c3c4")])
        for player in players:
            player.cut()
        leader.players.clear()
        for machine, line in lines[stop:-1]:
            machines.type(machine, line.replace("2026-03-01 19:30:00+01", moment))
        leader.options += ("--store-sync", "outside")
        wait_for_promotion(machines)
        try:
            leader.start(is_patient=False)
            raise AssertionError("a log that lost a move goes on")
        except RuntimeError as error:
            expect(str(error), f"status {cluster.EX_DATABASE}")
        expect(lines[-1][1], "^janggid .*--store-sync outside --accept-loss$")
        leader.options += ("--accept-loss",)
        leader.start()
        leads(leader)
        back = Player(leader, "hong", tokens[0])
        expect(back.ask(f"state {game}"), " ply=2 ")
    finally:
        machines.end()


def leader_of(*servers):
    return next((server for server in servers
                 if server.status().get("role") == "leader" and server.status()["disk"] == "good"), None)


def wait_for_promotion(machines):
    wait_until(lambda: machines.type("db2", "psql -A -t -c 'SELECT pg_is_in_recovery()'").strip() == "f",
               "the restored server is not promoted")


def check_haproxy(machines, leader, standby):
    """The configuration of the page sends a client to the leader only."""
    leads(leader)
    expect(standby.status()["role"], "^standby$")
    if shutil.which("haproxy") is None:
        print("# haproxy is missing, so its check was not tried: sh tests/deps.sh cluster")
        return
    port = held_port.keep()
    text = "\n".join(lines_of("A janggid machine is lost")[1])
    for name, at in machines.ports.items():
        text = text.replace(f"{name}.example.org:9032", f"127.0.0.1:{at}")
    path = os.path.join(machines.directory, "haproxy.cfg")
    with open(path, "w", encoding="utf-8") as file:
        file.write("defaults\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1h\n" +
                   text.replace("bind :9032", f"bind 127.0.0.1:{port}") + "\n")
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    process = subprocess.Popen(["haproxy", "-db", "-f", path], stderr=subprocess.DEVNULL)
    try:
        found = []

        def is_leader():
            try:
                with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as plain, \
                        tls.wrap_socket(plain) as connection:
                    found.append(connection.recv(1000))
            except OSError:  # HAProxy has no leader yet
                found.append(b"")
            return found[-1].startswith(b"* janggi/1")
        # Until it has checked both servers, it sends each second client to the standby.
        wait_until(lambda: all(is_leader() for _ in range(10)),
                   f"HAProxy sends clients to the standby: {found[-1:]}")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(cluster.main([from_nothing_to_a_cluster_and_back_to_a_moment]))
