"""Three servers of PostgreSQL under Debian's Patroni with one etcd, all on loopback, with the settings of janggid(8): a
lost primary is replaced. The same functions as postgres.Pair has. Standard library only.
"""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import held_port
import postgres
from hosting import wait_until

STUCK_S = 60
AS_POSTGRES = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
SETTINGS = """scope: janggi
name: {name}
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
    synchronous_mode: {is_safe}
    synchronous_mode_strict: {is_safe}
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
    - wal-segsize: '{segment}'
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {path}
  bin_dir: {bin}
  pgpass: {beside}.pgpass
  authentication:
    superuser:
      username: postgres
      password: secret
    replication:
      username: replicator
      password: secret
  parameters:
    unix_socket_directories: ''
    min_wal_size: {two_segments}MB
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
"""


STREAMS = "SELECT application_name, sync_state FROM pg_stat_replication WHERE state = 'streaming'"


def is_there():
    return None not in (postgres.folder(), shutil.which("patroni"), shutil.which("etcd"))


class Machine(postgres.Node):
    """PostgreSQL and the Patroni that starts it."""

    def __init__(self, directory, number, etcd, is_safe, disk_mb):
        super().__init__(os.path.join(directory, f"node{number}"), held_port.keep(), disk_mb)
        self.rest, self.process, self.name = held_port.keep(), None, f"node{number}"
        with open(self.beside + ".yml", "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(name=self.name, rest=self.rest, etcd=etcd, port=self.port, path=self.path,
                                       bin=self.bin, beside=self.beside, is_safe="true" if is_safe else "false",
                                       segment=self.segment_mb, two_segments=2 * self.segment_mb))

    def start(self):
        with open(self.beside + ".log", "ab") as log:
            self.process = subprocess.Popen([*AS_POSTGRES, shutil.which("patroni"), self.beside + ".yml"], stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
                                            cwd="/", env=os.environ)

    def has_role(self, role):
        """Whether this machine has the role, primary or replica, as Patroni's own API says."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/{role}", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def roles(self):
        """Returns the roles of all machines, as etcd knows them now: leader, sync_standby, replica."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/cluster", timeout=10) as answer:
            return {member["name"]: member["role"] for member in json.load(answer)["members"]}

    def signal_patroni(self, number):
        os.killpg(self.process.pid, number)

    def kill(self):
        """Kills Patroni and PostgreSQL at once, as if the machine were gone."""
        self.signal_patroni(signal.SIGKILL)
        self.process.wait()
        super().kill()

    def switch_over(self, standby):
        """Makes the standby the primary, and this primary a standby, as an operator would."""
        words = json.dumps({"leader": self.name, "candidate": standby.name}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.rest}/switchover", words,
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=postgres.PATIENCE_S) as answer:
            return answer.read().decode()


class Machines:
    """etcd and three machines. is_safe False: without synchronous standbys. disk_mb: each has a disk of its own."""

    def __init__(self, is_safe=True, disk_mb=0):
        self.is_safe, self.made, self.database = is_safe, 0, "postgres"
        self.directory = tempfile.mkdtemp(prefix="janggi-patroni-")
        os.chmod(self.directory, 0o755)
        if os.geteuid() == 0:
            shutil.chown(self.directory, "postgres")
        port, peers = held_port.keep(), held_port.keep()
        self.etcd_port = port
        self.etcd = subprocess.Popen(
            [shutil.which("etcd"), "--data-dir", self.directory + "/etcd", "--listen-client-urls",
             f"http://127.0.0.1:{port}", "--advertise-client-urls", f"http://127.0.0.1:{port}", "--listen-peer-urls",
             f"http://127.0.0.1:{peers}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peers}",
             "--initial-cluster", f"default=http://127.0.0.1:{peers}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        self.all = [Machine(self.directory, number, port, is_safe, disk_mb) for number in range(3)]

    def begin(self):
        self.all[0].start()
        self.wait_for_primary()
        for machine in self.all[1:]:
            machine.start()
        self.wait_until_whole()

    def find_primary(self):
        """The primary, or None while there is none."""
        return next((machine for machine in self.all if machine.has_role("primary")), None)

    @property
    def primary(self):
        return self.wait_for_primary()

    def wait_for_primary(self, other_than=None):
        found = []

        def is_found():
            found.append(self.find_primary())
            return found[-1] not in (None, other_than)
        self.wait_until(is_found, "there is no primary")
        return found[-1]

    @property
    def standbys(self):
        primary = self.primary
        return [machine for machine in self.all if machine is not primary]

    def synchronous(self):
        """The standby that Patroni would promote; None while there is none."""
        roles = self.primary.roles()
        return next((machine for machine in self.all if roles.get(machine.name) == "sync_standby"), None)

    def are_whole(self):
        """True: a primary has two standbys that stream, one of them synchronous if is_safe, and etcd knows the same."""
        primary = self.find_primary()
        if primary is None:
            return False
        try:
            streams = primary.ask(STREAMS, "postgres").splitlines()
            roles = primary.roles()
        except (OSError, subprocess.CalledProcessError):  # it is no longer the primary
            return False
        wanted = {machine.name: "leader" if machine is primary else "replica" for machine in self.all}
        wanted.update({stream.split("|")[0]: "sync_standby" for stream in streams if stream.endswith("|sync")})
        return len(streams) == 2 and roles == wanted and self.is_safe == ("sync_standby" in roles.values())

    def wait_until_whole(self):
        """Waits until are_whole(). A Patroni 3.0.2 that was frozen may write its own name into etcd's key "sync" when
        it goes on, and then the primary never names a synchronous standby. If so, the key is removed, as an operator
        would do."""
        if not self.are_whole_within(STUCK_S):
            said = "# ".join(self.primary.log().splitlines(True)[-6:])
            print(f"# Patroni's key \"sync\" is removed, which was {self.forget_sync()}; the primary said:\n# {said}",
                  flush=True)
        self.wait_until(self.are_whole, "the servers of PostgreSQL do not find together again")

    def forget_sync(self):
        """Removes etcd's key "sync". Returns the value that it had."""
        words = json.dumps({"key": base64.b64encode(b"/service/janggi/sync").decode(), "prev_kv": True}).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.etcd_port}/v3/kv/deleterange", words, 10) as answer:
            removed = json.load(answer).get("prev_kvs", [])
        return [base64.b64decode(row["value"]).decode() for row in removed]

    def are_whole_within(self, seconds):
        end = time.monotonic() + seconds
        while not self.are_whole():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def wait_until(self, is_so, why):
        try:
            wait_until(is_so, why)
        except AssertionError as error:
            raise AssertionError("\n".join([why, *(f"{one.name}: {one.log_end()}" for one in self.all)])) from error

    def make_database(self):
        """A new database, which ask() of all uses from now on."""
        self.made += 1
        self.database = f"janggi{self.made}"
        self.primary.ask(f"CREATE DATABASE {self.database}", "postgres")
        for machine in self.all:
            machine.database = self.database

    def url(self):
        hosts = ",".join(f"127.0.0.1:{machine.port}" for machine in self.all)
        return f"postgres://postgres@{hosts}/{self.database}"

    def mend(self):
        """Lets all processes run again, whatever a test did to them."""
        self.etcd.send_signal(signal.SIGCONT)
        for machine in self.all:
            if machine.process.poll() is not None:
                machine.start()
            machine.signal_patroni(signal.SIGCONT)
            if machine.runs():
                machine.signal_all(signal.SIGCONT)
            if machine.disk is not None:
                machine.disk.empty()

    def end(self):
        for machine in self.all:
            if machine.process is not None and machine.process.poll() is None:
                machine.kill()
            machine.end()
        self.etcd.kill()
        self.etcd.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
