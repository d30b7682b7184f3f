#!/usr/bin/env python3
"""janggi wait beside a server that is full, or is asked too often: it asks again, but does not go on
asking a server that refuses.

    python3 due_wait.py BUILD
"""
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from client_pty import BUILD, Checks, Server, identity

NONE = "{tag}OK due count=0 name=hong"
ROW = "| game 3 red=hong blue=kim rules=martin time=3d phase=play ply=0 turn=red side=red here=-"
ANSWER = ROW + "\n{tag}OK due count=1 name=hong"

IDENTITY = identity()
check = Checks()


def wait(*answers):
    """Runs janggi wait, which gets one of the answers for each question. Returns its status, its output, and how
    often it asked."""
    left = list(answers)

    def script(talk):
        talk.send("* janggi/1 server=\"none\" : welcome")
        _, tag = talk.hear_verb("due")
        answer = left.pop(0)
        talk.send(answer.replace("{tag}", tag))
        if "! bye" not in answer:
            talk.hear_verb("quit")
    server = Server(IDENTITY, script)
    done = subprocess.run(
        [os.path.join(BUILD, "janggi"), "--pin", IDENTITY[2], "-n", "hong", "wait",
         f"127.0.0.1:{server.port}", "5"], env={"HOME": DIRECTORY, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        capture_output=True, timeout=300, check=False, text=True)
    server.close()
    return done.returncode, done.stdout + done.stderr, server.connections


def test_a_full_server():
    status, words, count = wait(NONE, "! bye why=full", ANSWER)
    check(status == 0 and "game 3" in words, "a-full-server-is-asked-again", f"{status}: {words}")
    check(count == 3, "once-each-time", f"{count}: {words}")
    check(words.count("too many people are logging in at the moment") == 1, "and-says-so", words)


def test_a_server_asked_too_often():
    status, words, count = wait(NONE, "{tag}ERR slow-down retry=1 : later", ANSWER)
    check(status == 0 and count == 3, "so-is-one-asked-too-often", f"{status}, {count}: {words}")


def test_a_refusal():
    status, words, _ = wait(NONE, "{tag}ERR entry why=banned until_s=0 : banned")
    check(status == 5, "a-refusal-is-the-end", f"{status}: {words}")


def test_a_dismissal():
    status, words, count = wait(NONE, "! bye why=kicked : go home")
    check(status == 3 and count == 2 and "disconnected you: go home" in words, "a-dismissal-is-the-end",
          f"{status}: {words}")


def test_a_failure_at_first():
    status, words, _ = wait("! bye why=full")
    check(status == 5, "and-so-is-a-failure-at-first", f"{status}: {words}")


DIRECTORY = tempfile.mkdtemp(prefix="janggi-wait-")
TESTS = [test_a_full_server, test_a_server_asked_too_often, test_a_refusal, test_a_dismissal, test_a_failure_at_first]
with ThreadPoolExecutor(len(TESTS)) as pool:  # at the same time: between two questions are 5 s at least
    list(pool.map(lambda test: test(), TESTS))
shutil.rmtree(DIRECTORY, ignore_errors=True)
sys.exit(1 if check.failed else 0)
