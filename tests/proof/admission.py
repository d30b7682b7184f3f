#!/usr/bin/env python3
"""Admission tested from outside, on real sockets: which connections are accepted, which are refused,
and what a signal does. Each test starts its own janggid.

    python3 tests/proof/admission.py BUILD_DIR [TEST ...]
"""
import os
import re
import resource
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from stepped_clock import SteppedClock  # noqa: E402

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
PATIENCE_S = 120  # reached only by a failing test


class Server:
    """A janggid in a directory of its own; is_stepped: with a clock that stands still."""

    def __init__(self, *options, files=None, is_stepped=False):
        self.data = tempfile.mkdtemp(prefix="janggi-door-")
        self.clock = SteppedClock(os.path.join(self.data, "clock")) if is_stepped else None
        environment = self.clock.environment(BUILD) if is_stepped else {}
        self.log = open(os.path.join(self.data, "log"), "ab")
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        self.process = subprocess.Popen(
            [os.path.join(BUILD, "janggid"), "--allow-root", "--data", os.path.join(self.data, "d"),
             "--listen", "127.0.0.1:0", "--access", "open", *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=limit,
            env=dict(os.environ, **environment))
        self.port = None
        for line in self.process.stdout:
            found = re.match(r"listening on .*:(\d+) ", line)
            if found:
                self.port = int(found[1])
            if line.startswith("key "):
                self.key = line.split()[1]
                return
        raise RuntimeError("no start: " + self.text())

    def text(self):
        with open(os.path.join(self.data, "log"), errors="replace") as log:
            return log.read()

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        while self.clock is not None and self.process.poll() is None:
            self.clock.step_ms(50)  # the server's end takes time on its clock
            time.sleep(0.01)
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        self.log.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)


def context():
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname = False
    c.verify_mode = ssl.CERT_NONE
    return c


class Client:
    """Lines over TLS."""

    def __init__(self, server, tls=None, source=None):
        raw = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S,
                                       source_address=(source, 0) if source else None)
        self.socket = (tls or context()).wrap_socket(raw, server_hostname="localhost")
        self.file = self.socket.makefile("rwb", buffering=0)

    def line(self):
        """The next line that is not about a slow disk. "": the connection has ended."""
        self.socket.settimeout(PATIENCE_S)
        while True:
            line = self.file.readline().decode().rstrip("\n")
            if not line.startswith("! notice why=storage-"):
                return line

    def ask(self, text):
        """Sends a line and returns the answer to it."""
        self.file.write(text.encode() + b"\n")
        while True:
            answer = self.line()
            if answer == "" or answer.startswith(("OK", "ERR")):
                return answer

    def close(self):
        self.file.close()
        self.socket.close()


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def wait_until(condition, words):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        check(time.monotonic() < deadline, words)
        time.sleep(0.05)


def gets_in(server):
    try:
        return Client(server).line().startswith("*")
    except (ssl.SSLError, OSError):
        return False


# --- tests ------------------------------------------------------------------------


def a_silent_caller_is_cut_after_the_handshake_time():
    with Server(is_stepped=True) as server:
        witness = Client(server)
        witness.line()
        raw = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(9)
        for at in range(20):  # byte by byte: the limit counts from the first
            raw.send(hello[at:at + 1])
            witness.ask("ping")  # when this is answered, the byte has been read
            check(not select.select([raw], [], [], 0)[0], "cut too early")
            server.clock.step_ms(500 if at < 19 else 1000)
        try:
            check(raw.recv(1) == b"", "not cut")
        except ConnectionError:
            pass  # cut, with bytes unread


def a_caller_who_does_not_log_in_is_told_and_cut():
    with Server("--login-s", "2", is_stepped=True) as server:
        client = Client(server)
        check(client.line().startswith("* janggi/1"), "no greeting")
        for after_ms in (700, 700, 599, 1):  # a line in between changes nothing
            check(client.ask("ping") == "OK ping", "not heard")
            server.clock.step_ms(after_ms)
        check(client.line().startswith("! bye why=login"), "no goodbye")
        check(client.line() == "", "not closed")


def old_tls_is_refused():
    with Server() as server:
        tls = context()
        tls.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            Client(server, tls)
        except (ssl.SSLError, ConnectionError):
            pass
        else:
            raise AssertionError("TLS 1.2 came in")
        good = Client(server)
        check(good.socket.version() == "TLSv1.3", "not TLS 1.3")


def one_address_has_a_limit_and_others_still_come_in():
    with Server("--per-address", "5") as server:
        inside = [Client(server) for _ in range(5)]
        check(all(c.line().startswith("*") for c in inside), "five do not fit")
        check(not gets_in(server), "a sixth came in")
        other = Client(server, source="127.0.0.9")
        check(other.line().startswith("*"), "another address is kept out")
        inside[0].ask("quit")
        inside[0].close()
        wait_until(lambda: gets_in(server), "a place that fell free is not given again")


def without_descriptors_it_neither_spins_nor_floods_the_log_nor_forgets_its_players():
    with Server("--quotas", "off", "--accepts-per-s", "0", files=48) as server:
        player = Client(server)
        player.line()
        check(player.ask("login hong").startswith("OK"), "no login")
        callers = []
        for _ in range(150):
            try:
                callers.append(socket.create_connection(("127.0.0.1", server.port), 2))
            except OSError:
                break
        wait_until(lambda: "refused" in server.text(), "the pressure was no pressure")
        before, began = server.cpu_s(), time.monotonic()
        for _ in range(20):
            check(player.ask("ping") == "OK ping", "no answer under pressure")
            time.sleep(0.1)
        used, took = server.cpu_s() - before, time.monotonic() - began
        check(used < 0.25 * took, f"{used:.2f} s of CPU in {took:.1f} s")
        check(server.text().count("\n") < 150, "the log is flooded")
        for caller in callers:
            caller.close()
        wait_until(lambda: gets_in(server), "does not accept again")


def an_idle_server_costs_nothing():
    with Server("--quotas", "off", "--accepts-per-s", "0") as server:
        clients = [Client(server) for _ in range(200)]
        for client in clients:
            client.line()
            client.ask("login")
        # Real time is tested here. In three periods of three seconds the server must use next to no CPU time;
        # work that it does every few seconds would fall into one of them. It may still have something to do
        # at first, so periods are tried until PATIENCE_S.
        used, end = [], time.monotonic() + PATIENCE_S
        while (len(used) < 3 or max(used[-3:]) > 0.02) and time.monotonic() < end:
            before = server.cpu_s()
            time.sleep(3)
            used.append(server.cpu_s() - before)
        check(len(used) >= 3 and max(used[-3:]) <= 0.02, f"seconds of CPU in each 3 s: {used}")


def sigterm_says_goodbye_and_ends_with_status_0():
    with Server() as server:
        client = Client(server)
        client.line()
        client.ask("login hong")
        server.process.send_signal(signal.SIGTERM)
        check(client.line().startswith("! bye why=shutdown"), "no goodbye")
        check(client.line() == "", "not closed")
        check(server.process.wait(PATIENCE_S) == 0, "status is not 0")


def two_servers_do_not_share_a_directory():
    with Server() as server:
        second = subprocess.run(
            [os.path.join(BUILD, "janggid"), "--allow-root", "--data", os.path.join(server.data, "d"),
             "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=PATIENCE_S)
        check(second.returncode == 73, f"status {second.returncode}")
        check("another janggid" in second.stderr, second.stderr)


def peer_key(server):
    client = Client(server)
    der = client.socket.getpeercert(binary_form=True)
    client.close()
    return der


def make_cert(directory, key=None):
    key_file, cert_file = os.path.join(directory, "k.pem"), os.path.join(directory, "c.pem")
    if not os.path.exists(key_file):
        subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout",
                        "-out", key_file], check=True, capture_output=True)
        os.chmod(key_file, 0o600)
    subprocess.run(["openssl", "req", "-x509", "-key", key_file, "-days", "9", "-subj",
                    "/CN=door", "-out", cert_file], check=True, capture_output=True)
    return cert_file, key_file


def sighup_takes_a_new_certificate_and_keeps_the_old_one_when_it_is_broken():
    directory = tempfile.mkdtemp(prefix="janggi-door-")
    try:
        cert, key = make_cert(directory)
        with Server("--cert", cert, "--key", key) as server:
            player = Client(server)
            player.line()
            player.ask("login hong")
            first = peer_key(server)
            make_cert(directory)  # renewed over the same key
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: peer_key(server) != first, "the new certificate is not served")
            second = peer_key(server)
            with open(cert, "w") as broken:
                broken.write("this is no certificate\n")
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: "kept=the-old-one" in server.text(), "nothing is said about it")
            check(peer_key(server) == second, "the broken one changed something")
            check(player.ask("ping") == "OK ping", "a player noticed")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def bad_options_are_refused_in_one_line():
    for options in (["--listen"], ["--seeks", "many"], ["--no-such"], ["stray"],
                    ["--cert", "x"], ["--invite-time", "soon"], ["--config", "/nonexistent"]):
        run = subprocess.run([os.path.join(BUILD, "janggid"), *options], capture_output=True,
                             text=True, timeout=PATIENCE_S)
        check(run.returncode == 2, f"{options}: status {run.returncode}")
        check(1 <= run.stderr.count("\n") <= 2, f"{options}: {run.stderr!r}")


def a_config_file_is_read():
    directory = tempfile.mkdtemp(prefix="janggi-door-")
    path = os.path.join(directory, "conf")
    try:
        with open(path, "w") as conf:
            conf.write("; a comment\nname = Hong's board\nseeks = 7\n")
        with Server("--config", path, "--seeks", "2") as server:
            client = Client(server)
            check("server=\"Hong's board\"" in client.line(), "name is not from the file")
        show = subprocess.run([os.path.join(BUILD, "janggid"), "--check-config", "--config", path],
                              capture_output=True, text=True, timeout=PATIENCE_S)
        check(show.returncode == 0 and "seeks = 7" in show.stdout, show.stdout + show.stderr)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def all_errors_of_a_config_file_are_reported_at_once():
    directory = tempfile.mkdtemp(prefix="janggi-door-")
    path = os.path.join(directory, "conf")
    lines = [("name = x", None), ("seeks = lots", "seeks"), ("sekes = 3", "sekes"),
             ("# a comment", None), ("chat-burst 5", "chat-burst 5"), ("", None),
             ("invite = maybe", "invite"), ("[limits]", "[limits]"), ("watch = 0", "watch"),
             ("  games-max = 7 ; not an error", None), ("invite-time = soon", "invite-time"),
             ('name = a "quoted" name', "name"), ("listen = 127.0.0.1:many", "listen"),
             ("data = " + "d" * 600, "data"), ("public-name = " + "p" * 300, None),
             ("cert = " + directory + "/cert.pem", "cert")]
    try:
        with open(path, "w") as conf:
            conf.write("\n".join(line for line, _ in lines))  # the last line has no end
        for options in ([], ["--check-config"], ["key"]):
            bad = subprocess.run([os.path.join(BUILD, "janggid"), *options, "--config", path,
                                  "--grace-s", "never"], capture_output=True, text=True, timeout=PATIENCE_S)
            check(bad.returncode == 2, f"{options}: status {bad.returncode}")
            check(bad.stdout == "", bad.stdout)
            said = bad.stderr.splitlines()
            wanted = [f"janggid: {path}:{number}: {option}: "
                      for number, (_, option) in enumerate(lines, 1) if option is not None]
            wanted.insert(-1, "janggid: --grace-s: ")  # cert without key is known last
            check(len(said) == len(wanted) and
                  all(line.startswith(start) for line, start in zip(said, wanted)),
                  "\n".join(said))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def a_group_readable_key_is_refused():
    directory = tempfile.mkdtemp(prefix="janggi-door-")
    try:
        cert, key = make_cert(directory)
        os.chmod(key, 0o644)
        run = subprocess.run([os.path.join(BUILD, "janggid"), "--allow-root", "--data", directory + "/d",
                              "--listen", "127.0.0.1:0", "--cert", cert, "--key", key],
                             capture_output=True, text=True, timeout=PATIENCE_S)
        check(run.returncode == 72, f"status {run.returncode}: {run.stderr}")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def the_server_does_not_link_readline():
    libraries = subprocess.run(["ldd", os.path.join(BUILD, "janggid")], capture_output=True,
                               text=True).stdout
    check("libssl" in libraries and "readline" not in libraries, libraries)


TESTS = [a_silent_caller_is_cut_after_the_handshake_time,
         a_caller_who_does_not_log_in_is_told_and_cut,
         old_tls_is_refused,
         one_address_has_a_limit_and_others_still_come_in,
         without_descriptors_it_neither_spins_nor_floods_the_log_nor_forgets_its_players,
         an_idle_server_costs_nothing,
         sigterm_says_goodbye_and_ends_with_status_0,
         two_servers_do_not_share_a_directory,
         sighup_takes_a_new_certificate_and_keeps_the_old_one_when_it_is_broken,
         bad_options_are_refused_in_one_line,
         a_config_file_is_read,
         all_errors_of_a_config_file_are_reported_at_once,
         a_group_readable_key_is_refused,
         the_server_does_not_link_readline]


def main():
    wanted = sys.argv[2:]
    failed = 0
    for test in TESTS:
        name = test.__name__
        if wanted and name not in wanted:
            continue
        try:
            test()
            print("ok", name, flush=True)
        except Exception as problem:  # every kind of it is a failed test
            failed += 1
            print("not ok", name, repr(problem), flush=True)
    sys.exit(1 if failed else 0)


main()
