#!/usr/bin/env python3
"""The work of a host: asks for the server's state, makes a backup while games go on, and stops the
server now, later, or when the games are over.

    python3 tests/host/host.py BUILD_DIR [TEST ...]
"""
import contextlib
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from wall_clock import WallClock, library
from hosting import (JANGGI, JANGGID, PATIENCE_S, Player, Server, begin, expect, must_fail, run, wait_until)


def ends(server, drain):
    """The statuses of a server that was asked to end, and of janggid drain that waited."""
    status = server.wait()
    output, errors = drain.communicate(timeout=PATIENCE_S)
    return status, drain.returncode, output, errors


# --- Ending ----------------------------------------------------------------------------------


def a_drain_waits_for_the_games_that_are_played(directory, is_control=False):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim, park = (Player(server, name) for name in ("hong", "kim", "park"))
        lee, choi = Player(server, "lee"), Player(server, "choi")
        game = begin(hong, kim, "10m")
        untimed = begin(lee, choi, "none")
        slow = begin(lee, choi, "3d")
        choi.cut()  # a player who waits for choi in an untimed game does not delay the shutdown
        seek = expect(park.ask("seek time=5m"), r"id=(\d+)")[1]
        code = expect(park.ask("invite"), r"code=(\S+)")[1]
        drain = server.drain()
        expect(drain.first, "No new game can begin.*\\(1 now")
        for player in (hong, kim, park, lee):
            player.expect("^! notice why=draining")
        late = Player(server, "late")
        late.expect("^! notice why=draining")
        guest = Player(server)
        guest.ask("login")
        guest.expect("^! notice why=draining")
        for line in ("seek", "challenge hong", f"accept {seek}", "invite", f"join {code}"):
            expect(late.ask(line), "^ERR not-now why=draining : ")
        expect(hong.ask("a3a4"), f"^OK move game={game} ply=1 ")
        lee.move(untimed, "a3a4")
        expect(server.ctl("status")[1], "draining=games games_left=1")
        expect(kim.ask("resign"), "^OK resign")
        rest = hong.expect_end()
        expect("\n".join(rest), "! bye why=shutdown")
        for player in (park, guest, lee):
            expect("\n".join(player.expect_end()), "! bye why=shutdown")
        status, waited, output, _ = ends(server, drain)
        assert (status, waited) == (0, 0), f"server {status}, drain {waited}"
        expect(output, "the server has shut down")
        if is_control:
            os.unlink(os.path.join(server.data, "janggid.db"))
        server.start()
        back = Player(server, "lee", lee.token)
        games = [row.split()[1] for row in back.block("games")[0]]
        assert sorted(games) == [str(untimed), str(slow)], f"after the restart the games are {games}"
        server.stop()


def a_drain_waits_for_two_who_are_here_in_an_untimed_game(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim, lee, choi = (Player(server, name) for name in ("hong", "kim", "lee", "choi"))
        game = begin(hong, kim, "none")
        begin(lee, choi, "none")
        drain = server.drain()
        expect(drain.first, "No new game can begin.*\\(2 now")
        expect(hong.ask("a3a4"), f"^OK move game={game} ply=1 ")
        expect(server.ctl("status")[1], "draining=games games_left=2")
        lee.cut()  # choi waits, and choi's game goes on after the restart
        kim.expect(f"^! game {game} .* A3-A4$")
        expect(kim.ask("resign"), "^OK resign")
        for player in (hong, kim, choi):
            expect("\n".join(player.expect_end()), "! bye why=shutdown")
        assert ends(server, drain)[:2] == (0, 0), "it did not end in order"


def a_game_that_nobody_attends_holds_nothing_up(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        begin(hong, kim, "10m")
        drain = server.drain()
        expect(drain.first, "\\(1 now")
        hong.cut()
        kim.cut()
        status, waited, _, _ = ends(server, drain)
        assert (status, waited) == (0, 0), f"server {status}, drain {waited}"


def a_rematch_is_a_new_game(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim, lee, choi = (Player(server, name) for name in ("hong", "kim", "lee", "choi"))
        game = begin(hong, kim, "10m")
        begin(lee, choi, "10m")
        expect(hong.ask("resign"), "^OK")
        kim.expect("end blue resignation")
        offer = expect(hong.ask("rematch"), r"offer=(\d+)")[1]
        drain = server.drain()
        kim.expect("^! notice why=draining")
        for line in (f"accept {offer}", f"rematch {game}"):
            expect(kim.ask(line), "^ERR not-now why=draining")
        expect(server.ctl("stay")[1], "cancelled")
        kim.expect("^! notice why=stays")
        expect(kim.ask(f"accept {offer}"), "^OK accept ")
        drain.communicate(timeout=PATIENCE_S)
        assert drain.returncode == 1, f"drain that was called off ended with {drain.returncode}"
        server.stop()


def an_announced_end_is_told_again(directory):
    with Server(os.path.join(directory, "d"), is_stepped=True) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "10m")
        drain = server.drain("6")
        expect(drain.first, "shut down in 6 s")
        hong.expect("^! notice why=restart in_s=6 : ")
        late = Player(server, "late")
        late.expect("^! notice why=restart in_s=6 : ")
        expect(hong.ask("a3a4"), "^OK move")
        server.clock.step_ms(1000)
        hong.expect("^! notice why=restart in_s=5 : ")
        expect(kim.ask("a6a5"), f"^OK move game={game} ply=2 ")
        expect(server.ctl("status")[1], r"draining=restart in_s=5\b")
        server.clock.step_ms(5000)
        for player in (hong, kim, late):
            expect("\n".join(player.expect_end()), "! bye why=restart")
        status, waited, output, _ = ends(server, drain)
        assert (status, waited) == (0, 0), f"server {status}, drain {waited}"
        server.start()
        hong = Player(server, "hong", hong.token)
        expect(hong.ask(f"state {game}"), "ply=2 ")
        server.stop()


def no_game_begins_in_the_last_minute(directory):
    with Server(os.path.join(directory, "d"), is_stepped=True) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "none")
        expect(hong.ask("resign"), "^OK resign")
        drain = server.drain("3000")
        hong.expect("^! notice why=restart in_s=3000 : ")
        seek = expect(hong.ask("seek"), r"^OK seek id=(\d+)")[1]
        code = expect(hong.ask("invite"), r"^OK invite code=(\S+)")[1]
        offer = expect(hong.ask(f"rematch {game}"), r"offer=(\d+)")[1]
        later = server.drain("61")
        server.clock.step_ms(1000)
        lines = ("seek", "challenge hong", f"accept {seek}", "invite", f"join {code}",
                 f"accept {offer}", f"rematch {game}")
        kim.expect("^! notice why=restart in_s=60 : ")
        for line in lines:
            expect(kim.ask(line), "^ERR not-now why=restart in_s=60 : ")
        expect(kim.ask(f"resign {game}"), "^ERR not-now why=over")  # all else goes on
        expect(server.ctl("stay")[1], "cancelled")
        kim.expect("^! notice why=stays")
        expect(kim.ask(f"accept {offer}"), "^OK accept ")
        for waiting in (drain, later):
            waiting.communicate(timeout=PATIENCE_S)
        server.stop()


def clients_are_back_in_their_seats(directory):
    """Two of our own clients: nothing is typed between the end and the next move."""
    server = Server(os.path.join(directory, "d"), "--invite", "--invite-time", "none")
    clients = []
    try:
        code = expect(server.ctl("invite", "time=none")[1], r"/join/([A-Z0-9-]+)/")[1]
        link = f"janggi://127.0.0.1:{server.port}/join/{code}/{server.key[:22]}"
        for name in ("hong", "kim"):
            home = os.path.join(directory, name)
            os.mkdir(home)
            client = Player(name=name).run(
                [JANGGI, "--plain", "-n", name, link], stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home})
            clients.append(client)
            client.expect("you have a seat|chooses? a set-up")
        side = clients[0].expect("You play (red|blue)")[1]
        red = 0 if side == "red" else 1
        for client in (clients[red], clients[1 - red]):
            client.say("setup 1")
            clients[red].expect(r"\((red|blue)\) sets up")
            clients[1 - red].expect(r"\((red|blue)\) sets up")
        clients[red].say("a3a4")
        clients[1 - red].expect("A3-A4")
        drain = server.drain("1")
        assert ends(server, drain)[:2] == (0, 0), "the server did not end in order"
        server.start()
        for client in clients:
            client.expect("back after")
        clients[1 - red].say("a6a5")
        clients[red].expect("A6-A5")
        server.stop()
    finally:
        for client in clients:
            client.cut()


def an_end_is_called_off(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong = Player(server, "hong")
        status, _, errors = server.ctl("stay")
        assert status == 1, f"stay with nothing to call off: {status}"
        expect(errors, "^janggid: stay: ")
        kim = Player(server, "kim")
        begin(hong, kim, "10m")  # this game keeps the server from ending at once
        for words in (["300"], []):
            drain = server.drain(*words)
            hong.expect("^! notice why=" + ("restart in_s=300" if words else "draining"))
            expect(server.ctl("stay")[1], "cancelled")
            hong.expect("^! notice why=stays")
            _, errors = drain.communicate(timeout=PATIENCE_S)
            assert drain.returncode == 1, f"drain that was called off ended with {drain.returncode}"
            expect(errors, "the shutdown was cancelled")
        expect(hong.ask("seek"), "^OK seek")
        expect(server.ctl("status")[1], "draining=no")
        server.stop()


def sigusr1_drains(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        begin(hong, kim, "10m")
        server.process.send_signal(signal.SIGUSR1)
        hong.expect("^! notice why=draining")
        expect(hong.ask("seek"), "^ERR not-now why=draining")
        expect(hong.ask("resign"), "^OK resign")
        expect("\n".join(kim.expect_end()), "! bye why=shutdown")
        assert server.wait() == 0, "it did not end in order"


def a_reload_in_the_start_is_done_after_it(directory):
    """The server waits for its certificate, which comes through a pipe. The signal would end a process that has no
    handler for it."""
    with Server(os.path.join(directory, "d")) as server:
        server.stop()
        old, pipe, cert = server.process, os.path.join(directory, "pipe"), os.path.join(server.data, "cert.pem")
        signals = [signal.SIGHUP]
        os.mkfifo(pipe)

        def feed():
            while True:
                with open(pipe, "wb", buffering=0) as file, open(cert, "rb") as words:  # the server has opened it
                    wait_until(lambda: server.process is not old, "it did not start")
                    while signals:
                        server.process.send_signal(signals.pop())
                    with contextlib.suppress(BrokenPipeError):  # the signal came before the server's open() returned
                        file.write(words.read())
                        os.replace(shutil.copy(cert, cert + ".new"), pipe)  # for the reload
                        return
        threading.Thread(target=feed, daemon=True).start()
        server.options += ("--cert", pipe, "--key", os.path.join(server.data, "key.pem"))
        server.start()
        wait_until(lambda: "reload done" in server.log(), "the reload is not done")
        server.stop()


def a_signal_ends_at_once_what_was_to_end_later(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong = Player(server, "hong")
        drain = server.drain("3000")
        hong.expect("^! notice why=restart")
        server.process.send_signal(signal.SIGTERM)
        expect("\n".join(hong.expect_end()), "! bye why=shutdown")
        assert ends(server, drain)[:2] == (0, 0), "it did not end in order"


def a_client_that_does_not_answer_does_not_hold_up_the_end(directory):
    """Its connection is freed, which AddressSanitizer checks: the second signal ends the server at once."""
    with Server(os.path.join(directory, "d")) as server:
        hong = Player(server, "hong")
        server.process.send_signal(signal.SIGTERM)
        hong.expect("^! bye why=shutdown")
        server.process.send_signal(signal.SIGTERM)
        assert server.wait() == 0, "it did not end in order"


# --- The clock ---------------------------------------------------------------------------------


def start_evening(server, words):
    """Two members, who have joined evening 1, which has started."""
    players = [Player(server, name) for name in ("hong", "kim")]
    for player in players:
        expect(str(server.ctl("role", player.name, "member")[0]), "^0$")
    expect(players[0].ask(f"evening new club system=rr time=20m rules=martin {words}"), "^OK evening id=1")
    for player in players:
        expect(player.ask("evening join 1"), "^OK")
    expect(players[0].ask("evening start 1"), "^OK")
    return players


def an_evening_goes_on_when_the_wall_clock_is_set(directory):
    clock = WallClock(os.path.join(directory, "wall"))
    with Server(os.path.join(directory, "d"), "--evenings", "members",
                     environment=clock.environment(JANGGID)) as server:
        players = start_evening(server, "shown=2s")
        clock.set("-7200s")
        for player in players:
            player.expect("^! game 1 0 start ")
        server.stop()
    WallClock.forget(server.process.pid)


def seeks_are_told_when_the_wall_clock_is_set(directory):
    clock = WallClock(os.path.join(directory, "wall"))
    with Server(os.path.join(directory, "d"), environment=clock.environment(JANGGID)) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        expect(hong.ask("seeks on"), "^OK")
        expect(kim.ask("seek"), "^OK")
        clock.set("-7200s")
        hong.expect("^! seek 1 by=kim")
        server.stop()
    WallClock.forget(server.process.pid)


def cpu_ticks(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))


def rests(process):
    """True if the process needs no processor for half a second."""
    before = cpu_ticks(process)
    time.sleep(0.5)
    return cpu_ticks(process) == before


def an_evening_with_a_damaged_game_keeps_no_processor_busy(directory):
    with Server(os.path.join(directory, "d"), "--evenings", "members", is_stepped=True) as server:
        players = start_evening(server, "noshow=5m")
        server.clock.step_ms(60000)
        players[0].expect("^! game 1 0 start ")
        server.stop(signal.SIGKILL)
        with sqlite3.connect(os.path.join(server.data, "janggid.db")) as file:
            file.execute("UPDATE journal SET text = 'x' WHERE game = 1 AND number = 0")
        file.close()
        server.start()
        server.clock.step_ms(6 * 60 * 1000)
        expect(Player(server, "hong", players[0].token).block("evening 1 1")[1], "^OK .* state=playing .* open=1 ")
        wait_until(lambda: rests(server.process), "it never rests")


# --- Backup ----------------------------------------------------------------------------------


def wander(players, game, stop, made):
    """Moves rooks to and fro until `stop` is set. `made` gets each acknowledged ply."""
    moves = ["A3-A4", "A6-A5", "I3-I4", "I6-I5", "A0-A1", "A9-A8", "A1-A0", "A8-A9"]
    ply = 0
    while not stop.is_set() and ply < 90:
        move = moves[ply] if ply < 4 else moves[4 + (ply - 4) % 4]
        if ply % 12 == 11:  # three times the same position would be a draw
            move = "C3-C4" if ply % 24 == 11 else "C6-C5"
        if not players[ply % 2].ask(f"move {game} {ply + 1} {move}").startswith("OK move"):
            break
        ply += 1
        made.append(ply)


def a_backup_goes_on_as_a_server(directory, is_control=False):
    server = Server(os.path.join(directory, "d"))
    stop, made = threading.Event(), []
    try:
        players = hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "none")
        done = begin(kim, hong, "10m")
        expect(kim.ask(f"resign {done}"), "^OK resign")
        hong.expect(f"^! game {done} 3 end")
        thread = threading.Thread(target=wander, args=(players, game, stop, made))
        thread.start()
        while len(made) < 2:
            pass
        before = made[-1]
        copy = os.path.join(directory, "copy")
        os.mkdir(copy, 0o700)
        status, output, errors = server.ctl("backup", "copy/janggid.db", cwd=directory)
        stop.set()
        thread.join()
        assert status == 0, f"backup: {status} {errors}"
        path = os.path.join(copy, "janggid.db")
        size = int(expect(output, rf"^wrote {re.escape(path)}, (\d+) bytes$")[1])
        if size != os.path.getsize(path) or stat.S_IMODE(os.stat(path).st_mode) != 0o600:
            raise AssertionError("its size or its mode are not as they should be")
        if is_control:
            os.unlink(path)
        other = Server(copy)
        again = Player(other, "hong", hong.token), Player(other, "kim", kim.token)
        ply = int(expect(again[0].ask(f"state {game}"), r" ply=(\d+) phase=play")[1])
        assert before <= ply <= made[-1], f"the copy is at ply {ply}, acknowledged were {before}"
        rows, _ = again[0].block("history")
        assert rows and rows[0].startswith(f"game {done} "), f"the history is {rows}"
        move = expect(again[ply % 2].ask(f"moves {game}"), "list=([^,]+),")[1]
        expect(again[ply % 2].ask(f"move {game} {move}"), f"^OK move game={game} ply={ply + 1} ")
        again[1 - ply % 2].expect(f"^! game {game} .* {move}$")
        expect(hong.ask(f"state {game}"), f" ply={made[-1]} phase=play")  # the first server goes on too
        print(f"# backup of {size} bytes at ply {ply}, asked at {before}, play went to {made[-1]}")
        server.stop()
        other.stop()
    finally:
        stop.set()


def a_backup_that_cannot_be_says_why(directory):
    with Server(os.path.join(directory, "d")) as server:
        there = os.path.join(directory, "there")
        with open(there, "w", encoding="utf-8") as file:
            file.write("mine")
        for path, why in ((there, "exists"), (os.path.join(directory, "no/b"), "No such file")):
            status, output, errors = server.ctl("backup", path)
            assert status == 1 and not output, f"backup {path}: {status} {output}"
            expect(errors, f"^janggid: backup: {re.escape(path)}: .*{why}")
        with open(there, encoding="utf-8") as file:
            assert file.read() == "mine", "the file that was there has been changed"
        for words in (["backup"], ["backup", "a", "b"], ["backup", "a\nb"]):
            assert server.ctl(*words)[0] == 2, f"{words} is no usage error"
        if os.listdir(directory).count("a") or server.stop() != 0:
            raise AssertionError("something was written, or it did not stop in order")


# --- Asking ----------------------------------------------------------------------------------


def the_host_asks_and_tells(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        watcher = Player(server)
        watcher.ask("login")
        game = begin(hong, kim, "10m")
        begin(hong, kim, "3d")
        expect(watcher.ask(f"watch {game}"), "^OK watch")
        wait_until(lambda: server.status()["disk"] == "good", "the disk is not good")  # after one that was slow
        status = server.status()
        wanted = {"version": None, "up_s": None, "key": server.key, "connections": "3",
                  "players": "2", "guests": "1", "games": "1", "games_by_correspondence": "1",
                  "games_adjourned": "0", "games_frozen": "0", "events": "6", "commits": None,
                  "slowest_commit_ms": None, "disk": "good", "draining": "no",
                  "listen": f"127.0.0.1:{server.port}"}
        wrong = [f"{key}={status.get(key)}" for key, value in wanted.items()
                 if key not in status or value not in (None, status[key])]
        assert not wrong, f"status: {' '.join(wrong)}"
        expect(server.ctl("who")[1], r"(?m)^player hong from=127\.0\.0\.1 games=1,2 watching=0$")
        expect(server.ctl("who")[1], r"(?m)^who count=3$")
        expect(server.ctl("games")[1],
               rf"(?m)^game {game} red=hong blue=kim rules=martin time=10m phase=play ply=0 turn=red watchers=1$")
        expect(server.ctl("notice", "the", "cellar", "floods", "한강")[1], "told 3")
        for player in (hong, kim, watcher):
            player.expect("^! notice : the cellar floods 한강$")
        lines = server.ctl("invite", "time=5m+3s", "rules=kja", "side=any")[1]
        code, pin = expect(lines, r"janggi janggi://127\.0\.0\.1:\d+/join/([A-Z0-9-]+)/(\S+)\n").groups()
        assert server.key.startswith(pin), f"the link has the key {pin}"
        expect(hong.ask(f"join {code}"), "^OK join waiting=1")
        expect(kim.ask(f"join {code}"), "^OK join game=3")
        expect(kim.ask("state 3"), "rules=kja time=5m[+]3s")
        assert server.stop() == 0, "it did not stop in order"


def what_cannot_be_asked_is_refused(directory):
    with Server(os.path.join(directory, "d")) as server:
        for words in ([], ["fly"], ["status", "now"], ["notice"], ["drain", "1", "2"],
                      ["stay", "x"], ["invite", "a", "b", "c", "d"]):
            assert server.ctl(*words)[0] == 2, f"{words} is no usage error"
        for words in (["invite", "time=soon"], ["invite", "colour=red"], ["drain", "soon"],
                      ["drain", "-1"], ["drain", "86401"], ["notice", "\x1b[2J"],
                      ["notice", "x" * 1001], ["notice", "\u202e"]):
            words = ["--", *words] if words[-1].startswith("-") else words
            status, _, errors = server.ctl(*words)
            if status not in (1, 2) or not errors.startswith("janggid: ") or errors.count("\n") != 1:
                raise AssertionError(f"{words}: {status} {errors}")
        assert server.status()["draining"] == "no", "a refused drain began"
        assert server.stop() == 0, "it did not stop in order"
        status, _, errors = server.ctl("status")
        assert status == 69, f"without a server: {status}"
        expect(errors, f"^janggid: no janggid runs on {re.escape(server.data)}; give the server's directory "
                       r"with --data DIR \(the service has /var/lib/janggid\)\n$")


def talk(path, data, wait_for_end=True):
    """Sends bytes to the control socket. Returns what comes back, to the answer or the socket's end."""
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(path)  # without a time limit it waits for its turn
        one.settimeout(PATIENCE_S)
        one.sendall(data)
        got = b""
        while wait_for_end and not re.search(rb"(?m)^(OK|ERR) .*\n\Z", got):
            piece = one.recv(65536)
            if not piece:
                break
            got += piece
        return got


def as_nobody(path):
    """Returns the answer that another user gets to "status"; None: cannot even connect."""
    program = ("import os, socket, sys\n"
               "os.setgid(65534); os.setuid(65534)\n"
               "s = socket.socket(socket.AF_UNIX); s.settimeout(20)\n"
               "try: s.connect(sys.argv[1])\n"
               "except PermissionError: print('no way in'); sys.exit()\n"
               "try:\n"
               "    s.sendall(b'status\\n'); print('heard', s.recv(100))\n"
               "except (BrokenPipeError, ConnectionResetError): print('heard', b'')\n")
    return subprocess.run([sys.executable, "-c", program, path], text=True, check=True,
                          capture_output=True, timeout=PATIENCE_S).stdout.strip()


def the_socket_is_for_its_user_alone(directory):
    with Server(os.path.join(directory, "d")) as server:
        path = os.path.join(server.data, "control")
        mode = os.lstat(path).st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, f"its mode is {mode:o}"
        if os.geteuid() == 0:
            os.chmod(directory, 0o711)
            os.chmod(server.data, 0o711)
            assert as_nobody(path) == "no way in", "another user may connect"
            os.chmod(path, 0o666)  # as on a file system without modes: the uid decides
            assert as_nobody(path) == "heard b''", f"another user was answered: {as_nobody(path)}"
            expect(server.log(), "control uid=65534 refused")
        else:
            print("# the check of the other user's id needs root: skipped")
        if not talk(path, b"status\n").startswith(b"| version="):
            raise AssertionError("its own user was not answered")  # the control of the above
        server.stop()
        assert not os.path.lexists(path), "it is there after the end"


def the_socket_bears_nonsense(directory):
    with Server(os.path.join(directory, "d")) as server:
        path = os.path.join(server.data, "control")
        for data in (b"\nfly\n", b"\0\0\n", b"\xff\xfe\n", b"status status\n", b"backup x\n",
                     b"drain 1 2\n", b"x" * 8193 + b"\n", b"x" * 100000):
            try:
                got = talk(path, data)
            except ConnectionError:  # it closed before it had read all
                continue
            expect(got.decode(), "^ERR .*\n$")
        crowd = [socket.socket(socket.AF_UNIX) for _ in range(40)]
        for one in crowd:  # half a request each: more than there may be at a time
            one.connect(path)
            one.settimeout(PATIENCE_S)
            try:
                one.sendall(b"sta")
            except ConnectionError:
                pass  # one too many: the server has closed it already
        # Those that are turned away have an end to read; one of the requests above may still be closing.
        wait_until(lambda: len(select.select(crowd, [], [], 0)[0]) >= 8, "8 too many were not turned away")
        refused = len(select.select(crowd, [], [], 0)[0])
        for one in crowd:
            one.close()
        assert refused <= 9, f"{refused} of 40 were turned away"
        for _ in range(200):
            try:
                talk(path, b"games\n", wait_for_end=False)
            except ConnectionError:
                pass  # too many connections were open already
        deadline = 100
        while server.ctl("status")[0] != 0 and deadline > 0:
            deadline -= 1
        assert server.status()["connections"] == "0" and server.stop() == 0, "it did not bear it"


def a_dead_servers_socket_is_replaced(directory):
    with Server(os.path.join(directory, "d")) as server:
        path = os.path.join(server.data, "control")
        server.stop(signal.SIGKILL)
        if not os.path.lexists(path) or server.ctl("status")[0] != 69:
            raise AssertionError("a dead server's socket is not what it should be")
        server.start()
        second = subprocess.run(
            [JANGGID, "--allow-root", "--data", server.data, "--listen", "127.0.0.1:0"], text=True,
            capture_output=True, timeout=PATIENCE_S, check=False)
        if second.returncode != 73 or server.ctl("status")[0] != 0:
            raise AssertionError(f"a second server: {second.returncode}, {server.ctl('status')}")
        server.stop()
        with open(path, "w", encoding="utf-8") as file:
            file.write("mine")
        server.start()
        expect(server.log(), "control path=.* why=\"a file that is not a socket is in its place\"")
        Player(server, "hong").cut()
        server.stop()
        with open(path, encoding="utf-8") as file:
            assert file.read() == "mine", "the file in its place has been changed"


def a_path_too_long_for_a_socket(directory):
    with Server(os.path.join(directory, "x" * 100)) as server:
        Player(server, "hong").cut()
        expect(server.log(), "control path=.* why=.longer than the 107 bytes .* use a shorter --data\"")
        status, _, errors = server.ctl("status")
        assert status == 69, f"status {status}"
        expect(errors, "^janggid: .*/control is longer than .* use a shorter --data\n$")
        server.stop()


def a_full_disk_is_in_the_status(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong = Player(server, "hong")
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, hard))
        hong.say("invite")
        hong.expect("^! notice why=storage-full")
        expect(server.ctl("status")[1], "(?m)^disk=full$")
        status, _, errors = server.ctl("health")
        assert status == 1 and metrics(server)[1]['janggid_disk{state="full"}'] == 1, f"health {status} {errors}"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        hong.expect("^! notice why=storage-back")
        hong.expect("^OK invite")
        wait_until(lambda: server.status()["disk"] == "good", "the disk is not good")
        server.stop()


def an_answer_does_not_wait_for_a_full_disk(directory):
    """The first to write on a full disk is janggid ctl itself."""
    with Server(os.path.join(directory, "d")) as server:
        hong = Player(server, "hong")
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, hard))
        asked = subprocess.Popen([JANGGID, "ctl", "--data", server.data, "role", "hong", "member"], text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(asked.communicate(timeout=PATIENCE_S)[1], "^janggid: role: the server's disk is full; .*stored when")
        expect(str(asked.returncode), "^75$")
        hong.expect("^! notice why=storage-full")
        status, _, errors = server.ctl("role", "hong", "moderator")  # the next is refused at once
        expect(f"{status} {errors}", "^1 janggid: role: the server cannot store anything at the moment")
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        hong.expect("^! notice why=storage-back")
        expect(server.ctl("members")[1], "^member hong role=member ")
        server.stop()


def programs_read_seconds_and_objects(directory):
    with Server(os.path.join(directory, "d")) as server:
        Player(server, "hong")
        expect(str(server.ctl("ban", "hong", "for=1h", "noise \"here\"")[0]), "^0$")
        rows = [json.loads(line) for line in server.ctl("bans", "--json")[1].splitlines()]
        assert [row["t"] for row in rows] == ["row", "ok"] and rows[1]["count"] == 1, rows
        assert rows[0]["until_s"] - rows[0]["since_s"] == 3600 and rows[0]["text"].endswith(': noise "here"'), rows
        expect(server.ctl("bans")[1], rf" until_s={rows[0]['until_s']} ")
        server.stop()


def metrics(server):
    """Returns the output of janggid ctl metrics as {sample: value}."""
    status, output, errors = server.ctl("metrics")
    assert status == 0, errors
    return output, {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
                    for line in output.splitlines() if not line.startswith("#")}


# Graphs and alarms of hosts name these; a new one is added here.
METRICS = """build_info uptime_seconds cpu_seconds_total sessions lines_total sent_bytes_total
    refusals_total connections_refused_total connections_waiting sources banned_networks games
    moves_total events_total commit_seconds commit_max_seconds last_commit_age_seconds disk
    disk_free_bytes database_bytes draining""".split()


def metrics_are_prometheus_text(directory):
    with Server(os.path.join(directory, "d")) as server:
        hong, kim = Player(server, "hong"), Player(server, "kim")
        game = begin(hong, kim, "10m")
        _, before = metrics(server)
        expect(hong.ask("a3a4"), f"^OK move game={game} ply=1 ")
        expect(hong.ask("a4a5"), "^ERR not-now ")
        wait_until(lambda: server.status()["disk"] == "good", "the disk is not good")  # after one that was slow
        text, after = metrics(server)
        names = re.findall(r"^# TYPE janggid_(\w+) ", text, re.M)
        assert names == METRICS, f"not {METRICS} but {names}"
        wanted = {'janggid_sessions{state="player"}': 2, 'janggid_sessions{state="guest"}': 0,
                  'janggid_games{state="live"}': 1, "janggid_moves_total": 1, 'janggid_disk{state="good"}': 1,
                  "janggid_draining": 0, "janggid_banned_networks": 0, "janggid_connections_waiting": 0}
        for sample, value in wanted.items():
            assert after.get(sample) == value, f"{sample} is {after.get(sample)}, not {value}"
        commits = "janggid_commit_seconds_count"  # each minute there is one more
        for sample, step in {'janggid_refusals_total{reason="not-now"}': 1, "janggid_lines_total": 2,
                             commits: 1, "janggid_events_total": 1}.items():
            more = after[sample] - before[sample]
            if more < step or more > step and sample != commits:
                raise AssertionError(f"{sample} went from {before[sample]} to {after[sample]}")
        for sample in ("janggid_disk_free_bytes", "janggid_database_bytes", "janggid_commit_seconds_sum",
                       "janggid_sent_bytes_total", "janggid_cpu_seconds_total"):
            assert after[sample] > 0, f"{sample} is {after[sample]}"
        if shutil.which("promtool"):
            judged = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                    capture_output=True, timeout=PATIENCE_S, check=False)
            if judged.returncode != 0 or judged.stderr + judged.stdout:
                raise AssertionError(judged.stderr + judged.stdout)
        else:
            print("# promtool (Debian: prometheus) is not installed: the text is not judged")
        expect(server.ctl("health")[1], "^good: ")
        server.stop(signal.SIGKILL)
        assert server.ctl("health")[0] == 69, "a dead server is healthy"


def the_dearest_come_first(directory):
    """The counts fade with every minute, so the server's clock stands still."""
    with Server(os.path.join(directory, "d"), is_stepped=True) as server:
        hong, kim, lee = (Player(server, name) for name in ("hong", "kim", "lee"))
        for player, count in ((hong, 3), (kim, 40), (lee, 15)):
            for _ in range(count):
                expect(player.ask("ping"), "^OK")
        status, output, _ = server.ctl("top")
        rows = output.splitlines()
        assert status == 0 and [row.split()[1] for row in rows] == ["127.0.0.1", "kim", "lee", "hong"], output
        lines = [int(re.search(r" lines=(\d+)", row)[1]) for row in rows]
        assert lines[0] == sum(lines[1:]) and 40 <= lines[1] < 50 and " connections=3 " in rows[0], output


def who_is_refused_most_is_named(directory):
    """One address opens more connections than it may."""
    with Server(os.path.join(directory, "d"), "--quotas", "on", is_stepped=True) as server:
        expect(server.ctl("top")[1], "^$")
        held = [socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.8.9", 0))
                for _ in range(90)]
        for one in held[64:]:
            one.settimeout(PATIENCE_S)
            with contextlib.suppress(ConnectionResetError):
                one.recv(1)  # the end
        expect(server.ctl("top")[1], r"^refused 127\.0\.8\.9 connections=26$")
        for one in held:
            one.close()
        server.clock.step_ms(120 * 1000)
        expect(server.ctl("top")[1], "^$")


TESTS = [
    a_drain_waits_for_the_games_that_are_played,
    must_fail(a_drain_waits_for_the_games_that_are_played),
    who_is_refused_most_is_named, a_drain_waits_for_two_who_are_here_in_an_untimed_game, no_game_begins_in_the_last_minute,
    a_game_that_nobody_attends_holds_nothing_up,
    a_rematch_is_a_new_game, an_announced_end_is_told_again, clients_are_back_in_their_seats,
    an_end_is_called_off, sigusr1_drains, a_reload_in_the_start_is_done_after_it,
    a_signal_ends_at_once_what_was_to_end_later,
    a_client_that_does_not_answer_does_not_hold_up_the_end, an_evening_with_a_damaged_game_keeps_no_processor_busy,
    a_backup_goes_on_as_a_server, must_fail(a_backup_goes_on_as_a_server), a_backup_that_cannot_be_says_why, the_host_asks_and_tells,
    what_cannot_be_asked_is_refused, the_socket_is_for_its_user_alone, the_socket_bears_nonsense,
    a_dead_servers_socket_is_replaced, metrics_are_prometheus_text, the_dearest_come_first, a_path_too_long_for_a_socket,
    a_full_disk_is_in_the_status, an_answer_does_not_wait_for_a_full_disk, programs_read_seconds_and_objects,
]

if library():
    TESTS += [an_evening_goes_on_when_the_wall_clock_is_set, seeks_are_told_when_the_wall_clock_is_set]
else:
    print("ok evenings, seeks and the wall clock # SKIP libfaketime is missing")

if __name__ == "__main__":
    sys.exit(run(TESTS))
