#!/usr/bin/env python3
"""Admission tested from outside, on real sockets: which connections are accepted, which are refused,
and what a signal does. Each test starts its own janggid.

    python3 tests/proof/admission.py BUILD_DIR [TEST ...]
"""
import os
import select
import signal
import socket
import ssl
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from hosting import JANGGID, PATIENCE_S, Player, Refused, Server, run, wait_until  # noqa: E402


def serving(directory, *options, **how):
    return Server(os.path.join(directory, "d"), "--quotas", "on", *options, **how)


def check(condition, words):
    assert condition, words


def gets_in(server):
    try:
        Player(server.port).cut()
        return True
    except Refused:
        return False


# --- tests ------------------------------------------------------------------------


def a_silent_caller_is_cut_after_the_handshake_time(directory):
    with serving(directory, is_stepped=True) as server:
        witness = Player(server)
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


def a_caller_who_does_not_log_in_is_told_and_cut(directory):
    with serving(directory, "--limits", "login-s=2", is_stepped=True) as server:
        client = Player(server)
        for after_ms in (700, 700, 599, 1):  # a line in between changes nothing
            check(client.ask("ping") == "OK ping", "not heard")
            server.clock.step_ms(after_ms)
        client.expect("^! bye why=login")
        check(client.expect_end() == [], "not closed")


def old_tls_is_refused(directory):
    with serving(directory) as server:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
        tls.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            tls.wrap_socket(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S))
        except (ssl.SSLError, ConnectionError):
            pass
        else:
            raise AssertionError("TLS 1.2 came in")
        good = Player(server)
        check(good.socket.version() == "TLSv1.3", "not TLS 1.3")


def one_address_has_a_limit_and_others_still_come_in(directory):
    with serving(directory, "--per-address", "5") as server:
        inside = [Player(server) for _ in range(5)]
        check(not gets_in(server), "a sixth came in")
        Player(server, source="127.0.0.9")
        inside[0].ask("quit")
        inside[0].cut()
        wait_until(lambda: gets_in(server), "a place that fell free is not given again")


def without_descriptors_it_neither_spins_nor_floods_the_log_nor_forgets_its_players(directory):
    program = os.path.join(directory, "janggid")
    with open(program, "w", encoding="ascii") as script:
        script.write(f'#!/bin/sh\nulimit -n 48\nexec {JANGGID} "$@"\n')
    os.chmod(program, 0o700)
    with serving(directory, "--quotas", "off", "--limits", "accepts-per-s=0", program=program) as server:
        player = Player(server)
        check(player.ask("login hong").startswith("OK"), "no login")
        callers = []
        for _ in range(150):
            try:
                callers.append(socket.create_connection(("127.0.0.1", server.port), 2))
            except OSError:
                break
        wait_until(lambda: "refused" in server.log(), "the pressure was no pressure")
        before, began = server.cpu_s(), time.monotonic()
        for _ in range(20):
            check(player.ask("ping") == "OK ping", "no answer under pressure")
            time.sleep(0.1)
        used, took = server.cpu_s() - before, time.monotonic() - began
        check(used < 0.25 * took, f"{used:.2f} s of CPU in {took:.1f} s")
        check(server.log().count("\n") < 150, "the log is flooded")
        for caller in callers:
            caller.close()
        wait_until(lambda: gets_in(server), "does not accept again")


def an_idle_server_costs_nothing(directory):
    with serving(directory, "--quotas", "off", "--limits", "accepts-per-s=0") as server:
        clients = [Player(server) for _ in range(200)]
        for client in clients:
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


def sigterm_says_goodbye_and_ends_with_status_0(directory):
    with serving(directory) as server:
        client = Player(server)
        client.ask("login hong")
        server.process.send_signal(signal.SIGTERM)
        client.expect("^! bye why=shutdown")
        check(client.expect_end() == [], "not closed")
        check(server.process.wait(PATIENCE_S) == 0, "status is not 0")


def two_servers_do_not_share_a_directory(directory):
    with serving(directory) as server:
        second = subprocess.run(
            [JANGGID, "--allow-root", "--data", server.data, "--listen", "127.0.0.1:0"],
            capture_output=True, text=True, timeout=PATIENCE_S)
        check(second.returncode == 73, f"status {second.returncode}")
        check("another janggid" in second.stderr, second.stderr)


def peer_key(server):
    client = Player(server.port)
    der = client.socket.getpeercert(binary_form=True)
    client.cut()
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


def sighup_takes_a_new_certificate_and_keeps_the_old_one_when_it_is_broken(directory):
    cert, key = make_cert(directory)
    with serving(directory, "--cert", cert, "--key", key) as server:
        player = Player(server)
        player.ask("login hong")
        first = peer_key(server)
        make_cert(directory)  # renewed over the same key
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: peer_key(server) != first, "the new certificate is not served")
        second = peer_key(server)
        with open(cert, "w") as broken:
            broken.write("this is no certificate\n")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "kept=the-old-one" in server.log(), "nothing is said about it")
        check(peer_key(server) == second, "the broken one changed something")
        check(player.ask("ping") == "OK ping", "a player noticed")


def bad_options_are_refused_in_one_line(directory):
    for options in (["--listen"], ["--limits", "seeks=many"], ["--no-such"], ["stray"],
                    ["--cert", "x"], ["--invite-time", "soon"], ["--config", "/nonexistent"]):
        done = subprocess.run([JANGGID, *options], capture_output=True, text=True, timeout=PATIENCE_S)
        check(done.returncode == 2, f"{options}: status {done.returncode}")
        check(1 <= done.stderr.count("\n") <= 2, f"{options}: {done.stderr!r}")


def a_config_file_is_read(directory):
    path = os.path.join(directory, "conf")
    with open(path, "w") as conf:
        conf.write("; a comment\nname = Hong's board\ngames-max = 7\n")
    with serving(directory, "--config", path, "--games-max", "2") as server:
        client = Player(server)
        check("server=\"Hong's board\"" in client.seen[0], "name is not from the file")
    show = subprocess.run([JANGGID, "--check-config", "--config", path],
                          capture_output=True, text=True, timeout=PATIENCE_S)
    check(show.returncode == 0 and "games-max = 7" in show.stdout, show.stdout + show.stderr)


def all_errors_of_a_config_file_are_reported_at_once(directory):
    path = os.path.join(directory, "conf")
    lines = [("name = x", None), ("games-max = lots", "games-max"), ("sekes = 3", "sekes"),
             ("# a comment", None), ("names-max 5", "names-max 5"), ("", None),
             ("invite = maybe", "invite"), ("[limits]", "[limits]"), ("limits = watch=0", "limits"),
             ("  games-max = 7 ; not an error", None), ("invite-time = soon", "invite-time"),
             ('name = a "quoted" name', "name"), ("listen = 127.0.0.1:many", "listen"),
             ("data = " + "d" * 600, "data"), ("public-name = " + "p" * 300, None),
             ("cert = " + directory + "/cert.pem", "cert")]
    with open(path, "w") as conf:
        conf.write("\n".join(line for line, _ in lines))  # the last line has no end
    for options in ([], ["--check-config"], ["key"]):
        bad = subprocess.run([JANGGID, *options, "--config", path,
                              "--limits", "grace-s=never"], capture_output=True, text=True, timeout=PATIENCE_S)
        check(bad.returncode == 2, f"{options}: status {bad.returncode}")
        check(bad.stdout == "", bad.stdout)
        said = bad.stderr.splitlines()
        wanted = [f"janggid: {path}:{number}: {option}: "
                  for number, (_, option) in enumerate(lines, 1) if option is not None]
        wanted.insert(-1, "janggid: --limits: ")  # cert without key is known last
        check(len(said) == len(wanted) and
              all(line.startswith(start) for line, start in zip(said, wanted)),
              "\n".join(said))


def a_group_readable_key_is_refused(directory):
    cert, key = make_cert(directory)
    os.chmod(key, 0o644)
    done = subprocess.run([JANGGID, "--allow-root", "--data", directory + "/d", "--listen", "127.0.0.1:0",
                           "--cert", cert, "--key", key], capture_output=True, text=True, timeout=PATIENCE_S)
    check(done.returncode == 72, f"status {done.returncode}: {done.stderr}")


def the_server_does_not_link_readline(directory):
    libraries = subprocess.run(["ldd", JANGGID], capture_output=True, text=True).stdout
    check("libssl" in libraries and "readline" not in libraries, libraries)


sys.exit(run([a_silent_caller_is_cut_after_the_handshake_time,
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
              the_server_does_not_link_readline]))
