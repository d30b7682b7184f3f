#!/usr/bin/env python3
"""The rules of the log in PostgreSQL (server/README.md), each with a library that breaks it
(tests/proof/fault/postgres_*.c) and a test that must fail with that one: the negative controls of cluster.py.

    python3 tests/cluster/cluster_faults.py BUILD [TEST ...]

Without PostgreSQL it skips, and says so.
"""
import os
import re
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import cluster  # noqa: E402 (found beside this file only now)
from cluster import (Pairing, check, house, must_fail, no_answer_while, no_line_while,  # noqa: E402
                     start_again, wait_for_commit)
from hosting import PATIENCE_S, expect, wait_until  # noqa: E402


def nothing_is_shown_before_it_is_durable(directory, is_control=False):
    """The commit waits for the standby; the opponent sees nothing meanwhile."""
    with house(directory, fault="postgres_shown" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.standby.signal_all(signal.SIGSTOP)
        mover = pairing.say()
        wait_for_commit(home)
        other = next(player for player in pairing.players if player is not mover)
        no_line_while(other, PATIENCE_S if is_control else 2,
                      rf"^! game {pairing.game} {pairing.played + 3} move ",
                      "it was shown before it was durable")
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        check(home, pairing)


def a_new_server_trusts_nothing_before_its_own_commit(directory, is_control=False):
    """Rule 3: after a crash the primary shows a commit that no standby has."""
    with house(directory, fault="postgres_believing" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.standby.signal_all(signal.SIGSTOP)
        pairing.say()
        wait_for_commit(home)
        server.process.kill()
        server.process.wait()
        server.players.clear()
        home.primary.kill()
        home.primary.start()
        if len(home.events(pairing.game)) != pairing.played + 4:
            raise RuntimeError("the primary does not show what no standby has")
        try:
            server.start(is_patient=False)
        except RuntimeError as error:
            expect(str(error), f"status {cluster.EX_TEMPFAIL}")
        else:  # a node without the games may start
            if is_control:
                wait_until(lambda: server.status().get("role", "leader") == "leader", "it does not take over")
            if server.status().get("role", "leader") == "leader":
                raise AssertionError("it has games that no standby has")
        home.standby.signal_all(signal.SIGCONT)
        if server.process.poll() is None:
            wait_until(lambda: server.status()["role"] == "leader", "it does not take over")
        else:
            start_again(server)
        pairing.played += 1
        pairing.come_back(server)
        pairing.move(3)
        check(home, pairing)


def a_deadline_cancels_nothing(directory, is_control=False):
    """Rule 5: the server leaves a connection that does not answer, and what runs there goes on waiting."""
    with house(directory, fault="postgres_cancelling" if is_control else None) as home:
        server = home.serve()
        pairing = Pairing(server)
        pairing.move(3)
        home.standby.signal_all(signal.SIGSTOP)
        mover = pairing.say()
        wait_for_commit(home)
        wait_until(lambda: "no answer; is a standby missing?" in server.log(), "the deadline does not pass")
        no_answer_while(mover, 2)
        if is_control:
            wait_until(lambda: len(home.events(pairing.game)) != pairing.played + 3, "it cancels nothing")
        if len(home.events(pairing.game)) != pairing.played + 3:
            raise AssertionError("the primary shows a commit that no standby has")
        home.standby.signal_all(signal.SIGCONT)
        pairing.hear(mover)
        check(home, pairing)


def readers_use_the_primary(directory, is_control=False):
    """Rule 7: the standby is the first host of the URL, and it has stopped to show what it receives."""
    with house(directory, fault="postgres_standby" if is_control else None) as home:
        home.url = lambda port=None: (f"postgres://postgres@127.0.0.1:{home.standby.port},127.0.0.1:"
                                      f"{home.relay.port}/{home.primary.database}")
        home.standby.database = home.primary.database
        try:
            server = home.serve()
            home.standby.wait_for("SELECT count(*) > 0 FROM pg_tables WHERE schemaname = 'janggid'", "t")
            home.standby.ask("SELECT pg_wal_replay_pause()")
            pairing = Pairing(server)
            pairing.move(3)
            expect(pairing.players[0].ask(f"resign {pairing.game}"), "^OK")
            rows, _ = pairing.players[1].block("history")
            if not re.search(rf"^game {pairing.game} ", "\n".join(rows), re.MULTILINE):
                raise AssertionError(f"the history lacks a game that has ended: {rows}")
        finally:
            home.standby.ask("SELECT pg_wal_replay_resume()")


TESTS = [must_fail(cluster.a_batch_of_unknown_outcome_is_stored_once, "has not seen"),
         nothing_is_shown_before_it_is_durable,
         must_fail(nothing_is_shown_before_it_is_durable, "shown before it was durable"),
         a_new_server_trusts_nothing_before_its_own_commit,
         must_fail(a_new_server_trusts_nothing_before_its_own_commit, "games that no standby has"),
         a_deadline_cancels_nothing,
         must_fail(a_deadline_cancels_nothing, "shows a commit that no standby has"),
         must_fail(cluster.the_library_cancels_nothing, "can cancel a statement"),
         must_fail(cluster.a_log_that_lost_data_ends_the_server, "a log that lost data goes on"),
         readers_use_the_primary,
         must_fail(readers_use_the_primary, "the history lacks a game"),
         must_fail(cluster.play_stops_while_standbys_are_not_demanded, "before it was durable"),
         must_fail(cluster.a_history_delays_no_commit, "a history delays a move")]

if __name__ == "__main__":
    sys.exit(cluster.main(TESTS))
