"""A primary of PostgreSQL and its standby on loopback, in a directory of their own: for tests of
--store. Standard library only; needs Debian's postgresql-15 or a later one.
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import disk
import held_port

PATIENCE_S = 120


def folder():
    """The newest folder with initdb, or None."""
    versions = sorted(int(path.split("/")[4]) for path in glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if versions:
        return f"/usr/lib/postgresql/{versions[-1]}/bin"
    found = shutil.which("initdb")
    return os.path.dirname(found) if found else None


def as_postgres(*words, **options):
    """Runs a command and returns its output. As root, runs it as the user postgres, because PostgreSQL refuses to run
    as root."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    done = subprocess.run([*user, *words], check=False, stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, cwd="/", **options)
    if done.returncode != 0:
        raise subprocess.CalledProcessError(done.returncode, f"{words[-1]}: {done.stderr.strip()}", done.stdout)
    return done.stdout


class Node:
    """One server of PostgreSQL. disk_mb: its data are on a disk of that size, and the write-ahead log has small
    segments, so that it soon needs another one. Files beside the data are not on that disk."""

    def __init__(self, path, port, disk_mb=0):
        self.path, self.port, self.bin, self.beside = path, port, folder(), path
        self.database, self.made = "postgres", 0
        self.segment_mb = 1 if disk_mb else 16
        self.disk = disk.Disk(path, disk_mb) if disk_mb else None
        if self.disk is not None:
            self.path = path + "/data"
            if os.geteuid() == 0:
                shutil.chown(path, "postgres")

    def configure(self, text):
        with open(self.path + "/postgresql.conf", "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def control(self, *words):
        as_postgres(self.bin + "/pg_ctl", "-D", self.path, "-w", "-t", str(PATIENCE_S), "-l", self.beside + ".log",
                    *words, timeout=2 * PATIENCE_S)

    def start(self):
        """Starts the server, with several tries: after a kill -9 its shared memory may be in use for a moment."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.control("start")
                return
            except subprocess.CalledProcessError as error:
                if time.monotonic() > end:
                    raise RuntimeError(f"{error.stdout}{error.stderr}{self.log_end()}") from error
                time.sleep(0.2)

    def log_end(self):
        return "".join(self.log().splitlines(True)[-25:])

    def log(self):
        with open(self.beside + ".log", encoding="utf-8", errors="replace") as log:
            return log.read()

    def stop(self, mode="fast"):
        self.control("-m", mode, "stop")

    def pid(self):
        with open(self.path + "/postmaster.pid", encoding="utf-8") as file:
            return int(file.readline())

    def runs(self):
        """True also while only one of its processes is left."""
        return subprocess.run(["pgrep", "-f", "--", f"-D {self.path}"], capture_output=True,
                              check=False).returncode == 0

    def wait_for_end(self):
        end = time.monotonic() + PATIENCE_S
        while self.runs():
            if time.monotonic() > end:
                raise RuntimeError("it still runs")
            time.sleep(0.02)

    def kill(self):
        """Kills all processes of the server, unless it has ended by itself, and waits until none is left."""
        if self.runs():
            self.signal_all(signal.SIGKILL)
        self.wait_for_end()

    def signal_all(self, number):
        """Sends a signal to the server and to its children, which are processes that we started. The server is
        stopped first: a child that it forks meanwhile would be missed, and would keep its memory in use."""
        pid = self.pid()
        os.kill(pid, signal.SIGSTOP)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], text=True,
                                  capture_output=True, check=False).stdout.split()
        for process in [*map(int, children), pid]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def ask(self, sql, database=None, patience_s=PATIENCE_S):
        """The rows of a query, columns separated by |."""
        return as_postgres(self.bin + "/psql", "-X", "-A", "-t", "-q", "-h", "127.0.0.1", "-p",
                           str(self.port), "-d", database or self.database, "-c", sql, timeout=patience_s).strip()

    def events(self, game):
        """What the table event has of a game, in order; its numbers have no gap."""
        return self.events_of([game])[game]

    def events_of(self, games):
        """Returns the events of several games, by the games' numbers."""
        found = {game: [] for game in games}
        for row in self.ask(f"SELECT game || ' ' || number || ' ' || text FROM janggid.event WHERE game IN "
                            f"({','.join(map(str, games))}) ORDER BY game, number").splitlines():
            game, number, text = row.split(" ", 2)
            if int(number) != len(found[int(game)]):
                raise AssertionError(f"event {len(found[int(game)])} of game {game} is missing")
            found[int(game)].append(text)
        return found

    def end(self):
        """Removes the disk, if there is one. The server has been killed or stopped."""
        if self.disk is not None:
            self.disk.end()

    def wait_for(self, sql, wanted):
        end = time.monotonic() + PATIENCE_S
        while self.ask(sql) != wanted:
            if time.monotonic() > end:
                raise RuntimeError(f"{sql}: not {wanted}")
            time.sleep(0.05)


class Pair:
    """A primary and a synchronous standby; with has_standby False a primary alone, and with has_spare two standbys,
    either of which is enough for a commit. disk_mb: each has a disk of its own. is_durable False: the standbys do not
    wait for their disks, for a test kills processes and no machine; the primary does, or janggid would refuse it."""

    def __init__(self, has_standby=True, has_spare=False, disk_mb=0, is_durable="--bars" in sys.argv):
        self.directory = tempfile.mkdtemp(prefix="janggi-postgres-")
        os.chmod(self.directory, 0o755)
        if os.geteuid() == 0:
            shutil.chown(self.directory, "postgres")
        self.disk_mb, self.is_durable = disk_mb, is_durable
        self.primary = Node(self.directory + "/a", held_port.keep(), disk_mb)
        self.standby, self.standbys = None, []
        self.demanded = "ANY 1 (b, c)" if has_spare else "b"
        as_postgres(self.primary.bin + "/initdb", "--no-sync", "-A", "trust", "-E", "UTF8", "--no-locale",
                    f"--wal-segsize={self.primary.segment_mb}", "-D", self.primary.path)
        self.primary.configure(
            f"listen_addresses = '127.0.0.1'\nport = {self.primary.port}\n"
            f"unix_socket_directories = ''\nshared_buffers = 16MB\nmax_connections = 40\n"
            f"synchronous_standby_names = ''\nwal_keep_size = 256MB\nmin_wal_size = {2 * self.primary.segment_mb}MB\n")
        self.primary.start()
        if has_standby:
            for name in "bc" if has_spare else "b":
                self.add_standby(name)
            self.standby = self.standbys[0]
            self.demand_standby(self.demanded)

    def make_database(self):
        """A new database, which primary.ask() uses from now on."""
        self.primary.made += 1
        name = f"janggi{self.primary.made}"
        self.primary.ask(f"CREATE DATABASE {name}", "postgres")
        self.primary.database = name

    def url(self):
        return f"postgres://postgres@127.0.0.1:{self.primary.port}/{self.primary.database}"

    def is_whole(self):
        """Starts the servers that have ended. True: all standbys stream from the primary."""
        for node in (self.primary, *self.standbys):
            if not node.runs():
                node.start()
        try:
            return self.primary.ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'",
                                    "postgres") == str(len(self.standbys))
        except subprocess.CalledProcessError:  # the primary is not ready, or has ended again
            return False

    def wait_until_whole(self):
        end = time.monotonic() + PATIENCE_S
        while not self.is_whole():
            if time.monotonic() > end:
                raise RuntimeError("the servers do not find together again")
            time.sleep(0.05)

    def mend(self):
        """Lets the standbys run again, ends janggid's connections, and demands the standbys again, whatever a test
        did."""
        for standby in self.standbys:
            if os.path.exists(standby.path + "/postmaster.pid"):
                standby.signal_all(signal.SIGCONT)
        self.primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name "
                         "LIKE 'janggid%'", "postgres")
        self.demand_standby(self.demanded)

    def add_standby(self, name):
        primary, port = self.primary, held_port.keep()
        standby = Node(self.directory + "/" + name, port, self.disk_mb)
        as_postgres(primary.bin + "/pg_basebackup", "-h", "127.0.0.1", "-p", str(primary.port), "-D",
                    standby.path, "-X", "stream", "-c", "fast", "--no-sync")
        standby.configure(
            f"port = {port}\nprimary_conninfo = 'host=127.0.0.1 port={primary.port} user=postgres "
            f"application_name={name}'\nhot_standby = on\nwal_retrieve_retry_interval = 200ms\n"
            f"fsync = {'on' if self.is_durable else 'off'}")
        with open(standby.path + "/standby.signal", "w", encoding="utf-8"):
            pass
        if os.geteuid() == 0:
            shutil.chown(standby.path + "/standby.signal", "postgres")
        standby.start()
        self.standbys.append(standby)

    def demand_standby(self, names):
        """Sets synchronous_standby_names. names "": commits wait for no standby any more."""
        self.primary.configure(f"synchronous_standby_names = '{names}'")
        self.primary.control("reload")
        self.primary.wait_for("SHOW synchronous_standby_names", names)
        if names:  # the standbys may have to connect first
            self.primary.wait_for("SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')",
                                  str(len(self.standbys)))

    def end(self):
        for node in (*self.standbys, self.primary):
            if os.path.exists(node.path + "/postmaster.pid"):
                try:
                    node.stop("immediate")
                except subprocess.CalledProcessError:
                    pass
            node.end()
        shutil.rmtree(self.directory, ignore_errors=True)
