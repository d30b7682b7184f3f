#!/usr/bin/env python3
"""The programs of the host that run beside the server: the one that pairs Swiss evenings (option pairing). They are
small scripts here, good and bad ones; a server with its sandbox must ask them, and check what they answer.

    python3 tests/host/programs.py BUILD [NAME...]
"""
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib"))
from hosting import JANGGID, PATIENCE_S, Player, Server, expect, run  # noqa: E402 (found beside this file only now)

NAMES = ("hong", "kim", "lee", "choi", "park")

# Pairs each player of the TRF file with the one half a table lower, and keeps what it was asked and how.
GOOD = """#!/bin/sh
cat >"$0.asked"
echo "$#:$*" >"$0.words"
n=$(grep -c ^001 "$0.asked")
echo $(( (n + 1) / 2 ))
i=1
while [ $i -le $((n / 2)) ]; do
    echo $i $((i + n / 2))
    i=$((i + 1))
done
[ $((n % 2)) -eq 0 ] || echo $n 0
"""


def program(directory, text, name="pairs"):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o700)
    return path


def club(directory, *options, names=NAMES[:4], pairing_s="3600"):
    """A server, a member, an evening of theirs, and these players, who have joined it."""
    server = Server(os.path.join(directory, "data"), "--sandbox", "on", "--evenings", "members",
                    "--pairing-s", pairing_s, *options)
    host = Player(server, "moon")
    server.ctl("role", "moon", "member")
    evening = re.search(r"id=(\d+)", host.ask("evening new club system=swiss rounds=2 shown=1h"))[1]
    players = [Player(server, name) for name in names]
    for player in players:
        server.ctl("role", player.name, "member")
        expect(player.ask(f"evening join {evening}"), "^OK")
    return server, host, evening, players


def boards(host, evening):
    """The pairs of the round that is shown."""
    rows = host.block(f"evening {evening}")[0]
    return sorted(tuple(sorted(re.findall(r"(?:red|blue|bye)=(\S+)", row)))
                  for row in rows if row.startswith("board "))


def the_program_pairs_a_round(directory):
    """The program pairs 1-3 and 2-4, where the server itself would pair 1-2 and 3-4. A shell never sees the
    arguments."""
    path = program(directory, GOOD)
    server, host, evening, players = club(directory, "--pairing", f"{path}  --dutch $(id) ;")
    expect(host.ask(f"evening start {evening}"), "^OK evening id=. round=1")
    assert boards(host, evening) == [("choi", "kim"), ("hong", "lee")], boards(host, evening)
    players[0].hear(r"^! evening . round=1 board=\d red=\S+ blue=\S+")
    with open(path + ".words", encoding="utf-8") as words:
        assert words.read() == "3:--dutch $(id) ;\n"
    with open(path + ".asked", encoding="utf-8") as asked:
        rows = asked.read().splitlines()
    assert sum(row.startswith("001 ") for row in rows) == 4, rows
    assert rows[0] == "012 club", rows
    assert server.stop() == 0


def a_player_without_an_opponent_gets_the_bye(directory):
    path = program(directory, GOOD)
    server, host, evening, _ = club(directory, "--pairing", path, names=NAMES)
    expect(host.ask(f"evening start {evening}"), "^OK evening")
    assert ("park",) in boards(host, evening), boards(host, evening)
    assert server.stop() == 0


BAD = {
    "it ended with status 3": "cat >/dev/null; echo 2; echo 1 2; echo 3 4; exit 3",
    "it is not a list of pairs": "cat >/dev/null; echo a pair",
    "it pairs a player twice": "cat >/dev/null; printf '2\\n1 2\\n1 4\\n'",
    "it leaves a player out": "cat >/dev/null; printf '1\\n1 2\\n'",
    "it writes no text": "cat >/dev/null; printf '2\\n1 3\\0 2 4\\n'",
    "it writes too much": "yes",
    "it takes too long": "exec 3<&0; sleep 3600 & sleep 3600",
    "does not start|ended with status 127": None,
}


def a_bad_answer_is_not_used(directory):
    """The server pairs the round itself then, and says why to the maker and in the log."""
    for number, (why, text) in enumerate(BAD.items()):
        place = os.path.join(directory, str(number))
        os.mkdir(place)
        if text is None:
            path = program(place, "#!/nowhere/at/all\n")
        else:
            path = program(place, "#!/bin/sh\n" + text + "\n")
        server, host, evening, _ = club(place, "--pairing", path,
                                        pairing_s="2" if why == "it takes too long" else "3600")
        expect(host.ask(f"evening start {evening}"), "^OK evening id=. round=1")
        rows = "\n".join(host.lines)
        expect(rows, f"! notice why=pairing : the pairing program was not used for evening .: .*(?:{why})")
        assert boards(host, evening) == [("choi", "lee"), ("hong", "kim")], (why, boards(host, evening))
        expect(server.log(), f"pairing=refused why=\".*(?:{why})")
        assert server.stop() == 0


def wait_for_words(path):
    """Waits until the program has been asked."""
    until = time.monotonic() + PATIENCE_S
    while not os.path.exists(path + ".words"):
        assert time.monotonic() < until, "the program is not asked"
        time.sleep(0.05)


def the_server_goes_on_while_the_program_thinks(directory):
    """Others are answered meanwhile, a second request is refused, and who left is not paired."""
    gate = os.path.join(directory, "gate")
    path = program(directory, GOOD.replace("n=$(grep", f"while [ ! -e {gate} ]; do sleep 0.1; done\nn=$(grep", 1))
    server, host, evening, players = club(directory, "--pairing", path)
    host.say(f"evening start {evening}")
    wait_for_words(path)
    expect(server.ctl("evening", "pair", evening)[2], "no round can begin now")
    expect(players[3].ask(f"evening leave {evening}"), "^OK")
    with open(gate, "w", encoding="utf-8"):
        pass
    host.hear("^! notice why=pairing : .*not here")
    host.hear("^OK evening id=. round=1")
    assert "choi" not in str(boards(host, evening)), boards(host, evening)
    assert server.stop() == 0


def the_server_ends_while_the_program_thinks(directory):
    """Everybody gets the goodbye, although a command still waits for the program."""
    path = program(directory, "#!/bin/sh\n: >\"$0.words\"\nsleep 60\n")
    server, host, evening, players = club(directory, "--pairing", path)
    host.say(f"evening start {evening}")
    wait_for_words(path)
    server.process.terminate()
    expect("\n".join(players[0].hear_end()), "! bye why=shutdown")
    expect("\n".join(host.hear_end()), "! bye why=shutdown")
    assert server.wait() == 0


def a_server_that_dies_takes_its_helper_along(directory):
    path = program(directory, GOOD)
    server, _, _, _ = club(directory, "--pairing", path)
    with open(f"/proc/{server.process.pid}/task/{server.process.pid}/children", encoding="utf-8") as file:
        children = file.read().split()
    assert len(children) == 1, children
    server.process.kill()
    server.wait()
    until = time.monotonic() + PATIENCE_S
    while os.path.exists(f"/proc/{children[0]}"):
        assert time.monotonic() < until, "the helper is still there"
        time.sleep(0.05)


def a_path_that_is_none_is_refused(directory):
    for bad in ("bbpPairings", "/nowhere/at/all", directory + "/x y"):
        try:
            Server(os.path.join(directory, "data"), "--pairing", bad).stop()
        except RuntimeError as error:
            expect(str(error), "status 2: .*--pairing: .*a program that can be run")
        else:
            raise AssertionError(f"{bad} was taken")


def a_start_fails_for_good_or_for_now(directory):
    """systemd starts the server again after 75, and not after 78."""
    def status(program, *limit):
        return subprocess.run([*limit, JANGGID, "--data", os.path.join(directory, "data"), "--listen", "127.0.0.1:0",
                               "--allow-root", *program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=False).returncode

    few = ("prlimit", "--nofile=4:4")  # the loader needs one, a pair of sockets two
    assert status(["--pairing", "/bin/cat"], *few) == 75
    assert status(["--notify-program", "/nowhere/at/all"]) == 78


def bbp_pairings_pairs_a_round(directory):
    """The real program, where there is one: BBPPAIRINGS, or in PATH."""
    path = os.environ.get("BBPPAIRINGS") or shutil.which("bbpPairings")
    if path is None:
        print("# skipped: no bbpPairings here")
        return
    server, host, evening, _ = club(directory, "--pairing", f"{path} --dutch /dev/stdin -p", names=NAMES)
    expect(host.ask(f"evening start {evening}"), "^OK evening")
    assert "pairing=refused" not in server.log(), server.log()
    first = boards(host, evening)
    for board in (1, 2):
        expect(host.ask(f"evening result {evening} {board} red it was so"), "^OK")
    until = time.monotonic() + PATIENCE_S
    while boards(host, evening) == first and time.monotonic() < until:
        time.sleep(0.1)
    second = boards(host, evening)
    assert not set(first) & set(second), (first, second)
    assert "pairing=refused" not in server.log(), server.log()
    assert server.stop() == 0


if __name__ == "__main__":
    sys.exit(run([the_program_pairs_a_round, a_player_without_an_opponent_gets_the_bye, a_bad_answer_is_not_used,
                  the_server_goes_on_while_the_program_thinks, the_server_ends_while_the_program_thinks,
                  a_server_that_dies_takes_its_helper_along,
                  a_path_that_is_none_is_refused, a_start_fails_for_good_or_for_now,
                  bbp_pairings_pairs_a_round]))
