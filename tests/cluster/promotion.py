#!/usr/bin/env python3
"""The primary is lost, and Patroni promotes a standby: three servers of PostgreSQL under Debian's patroni, etcd, and
janggid, all on loopback, with the settings of janggid(8).

    python3 tests/cluster/promotion.py BUILD [ROUNDS]        (sh tests/deps.sh promotion)

Each round kills Patroni and PostgreSQL on the primary's machine while two people play, and prints how long the move
waited that was made at that moment. Nothing that was acknowledged may be missing. Without the programs it skips.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import postgres  # noqa: E402 (found beside this file only now)
from cluster import Pairing, check, wait_until  # noqa: E402
from hosting import BUILD, Server  # noqa: E402

WAIT_MAX_S = 17 * float(os.environ.get("PLAY_SLOW", "1"))
AS_POSTGRES = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
SETTINGS = """scope: janggi
name: node{number}
restapi:
  listen: 127.0.0.1:{rest}
  connect_address: 127.0.0.1:{rest}
etcd3:
  host: 127.0.0.1:{etcd}
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 40
        shared_buffers: 16MB
        synchronous_commit: 'on'
  initdb:
    - encoding: UTF8
    - no-locale
    - data-checksums
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {path}
  bin_dir: {bin}
  pgpass: {path}.pgpass
  authentication:
    superuser:
      username: postgres
      password: secret
    replication:
      username: replicator
      password: secret
  parameters:
    unix_socket_directories: ''
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
"""


class Machine(postgres.Node):
    """PostgreSQL and the Patroni that starts it."""

    def __init__(self, directory, number, etcd):
        super().__init__(os.path.join(directory, f"node{number}"), postgres.free_port())
        self.rest, self.process, self.name = postgres.free_port(), None, f"node{number}"
        with open(self.path + ".yml", "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(number=number, rest=self.rest, etcd=etcd, port=self.port, path=self.path,
                                       bin=self.bin))

    def begin(self):
        with open(self.path + ".log", "ab") as log:
            self.process = subprocess.Popen([*AS_POSTGRES, shutil.which("patroni"), self.path + ".yml"], stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                            cwd="/", env=os.environ)

    def has_role(self, role):
        """primary, replica, or sync for a synchronous standby; as Patroni's own API says."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/{role}", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def lose(self):
        """The machine is gone: Patroni and PostgreSQL at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if os.path.exists(self.path + "/postmaster.pid"):
            self.signal_all(signal.SIGKILL)


class Machines:
    """etcd and three machines."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="janggi-patroni-")
        os.chmod(self.directory, 0o755)
        if os.geteuid() == 0:
            shutil.chown(self.directory, "postgres")
        port, peers = postgres.free_port(), postgres.free_port()
        self.etcd = subprocess.Popen(
            [shutil.which("etcd"), "--data-dir", self.directory + "/etcd", "--listen-client-urls",
             f"http://127.0.0.1:{port}", "--advertise-client-urls", f"http://127.0.0.1:{port}", "--listen-peer-urls",
             f"http://127.0.0.1:{peers}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peers}",
             "--initial-cluster", f"default=http://127.0.0.1:{peers}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        self.all = [Machine(self.directory, number, port) for number in range(3)]

    def begin(self):
        self.all[0].begin()
        wait_until(lambda: self.all[0].has_role("primary"), "there is no primary")
        for machine in self.all[1:]:
            machine.begin()
        wait_until(self.are_whole, "the standbys do not come")

    def primary(self):
        return next((machine for machine in self.all if machine.has_role("primary")), None)

    def are_whole(self):
        """A primary, a synchronous standby, and another one that streams."""
        primary = self.primary()
        return primary is not None and primary.ask(
            "SELECT count(*) || ' ' || count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication "
            "WHERE state = 'streaming'", "postgres") == "2 1"

    def url(self):
        hosts = ",".join(f"127.0.0.1:{machine.port}" for machine in self.all)
        return f"postgres://postgres@{hosts}/janggi"

    def end(self):
        for machine in self.all:
            if machine.process is not None and machine.process.poll() is None:
                machine.lose()
        self.etcd.kill()
        self.etcd.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Home:
    """What check() of cluster.py asks."""

    def __init__(self, machines):
        self.machines = machines

    def events(self, game):
        primary = self.machines.primary()
        rows = primary.ask(f"SELECT text FROM janggid.event WHERE game = {game} ORDER BY number", "janggi")
        return rows.splitlines()


def one_round(machines, server, number):
    """Two people play, and the primary is lost while a move is on its way."""
    pairing = Pairing(server, number)
    pairing.move(3)
    lost = machines.primary()
    began = time.monotonic()
    lost.lose()
    mover = pairing.say()
    pairing.hear(mover)
    waited = time.monotonic() - began
    pairing.move(5)
    check(Home(machines), pairing)
    now = machines.primary()
    print(f"# round {number}: {lost.name} was lost, {now.name} is the primary; the move waited {waited:.1f} s",
          flush=True)
    lost.begin()
    wait_until(machines.are_whole, "the lost machine does not come back as a standby")
    pairing.move(2)
    check(Home(machines), pairing)
    for player in pairing.players:
        player.close()
    server.players.clear()
    return waited


def trial(rounds):
    machines = Machines()
    directory = tempfile.mkdtemp(prefix="janggi-host-")
    server = None
    try:
        machines.begin()
        machines.primary().ask("CREATE DATABASE janggi", "postgres")
        server = Server(os.path.join(directory, "d"), "--store", machines.url())
        waits = [one_round(machines, server, number) for number in range(rounds)]
        server.stop()
    finally:
        if server is not None and server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        machines.end()
    is_good = max(waits) <= WAIT_MAX_S
    print(f"{'ok' if is_good else 'not ok'} promotion rounds={rounds} longest={max(waits):.1f} s, "
          f"at most {WAIT_MAX_S:.0f}")
    return 0 if is_good else 1


if __name__ == "__main__":
    if None in (postgres.folder(), shutil.which("patroni"), shutil.which("etcd")) or not os.path.exists(
            os.path.join(BUILD, "janggid-postgres.so")):
        print("ok promotion # SKIP patroni, etcd or PostgreSQL is missing: sh tests/deps.sh promotion")
        sys.exit(0)
    sys.exit(trial(int(sys.argv[2]) if len(sys.argv) > 2 else 3))
