#!/usr/bin/env python3
"""Prints comments, messages and commit subjects chosen at random, for readers who judge the English of this project.

    python3 tests/sample.py TREE SEED

50 comments of .c and .h files with the lines around them, 50 messages of client/po, and 30 subjects of the last 1,000
commits. The same seed gives the same choice.
"""
import random
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IS_BANNER = re.compile(r"/\* [-=]{3}")
MESSAGE = re.compile(r'^msgid ((?:".*"\n)+)', re.MULTILINE)
CONTEXT = 5  # lines on each side of a comment


def git(tree, *command):
    return subprocess.run(["git", "-C", tree, *command], check=True, capture_output=True, text=True).stdout.splitlines()


def comments(tree):
    """(place, comment, lines around it) of each comment, without banners."""
    for name in git(tree, "ls-files", "*.c", "*.h"):
        with open(f"{tree}/{name}", encoding="utf-8") as file:
            text = file.read()
        lines = text.splitlines()
        for found in COMMENT.finditer(text):
            if not IS_BANNER.match(found.group()):
                first, last = text.count("\n", 0, found.start()), text.count("\n", 0, found.end())
                yield f"{name}:{first + 1}", found.group(), lines[max(0, first - CONTEXT):last + CONTEXT + 1]


def messages(tree):
    with open(f"{tree}/client/po/ko.po", encoding="utf-8") as file:
        for found in MESSAGE.finditer(file.read()):
            words = "".join(re.findall(r'"(.*)"', found.group(1)))
            if words:
                yield words


def main(tree, seed):
    chance = random.Random(seed)
    for place, comment, around in chance.sample(list(comments(tree)), 50):
        print(f"comment: {place}: {comment}", *(f"    | {line}" for line in around), sep="\n", end="\n\n")
    print("\n".join(f"message: {words}" for words in chance.sample(list(messages(tree)), 50)), end="\n\n")
    print("\n".join(f"subject: {words}" for words in chance.sample(git(tree, "log", "-1000", "--format=%s"), 30)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
