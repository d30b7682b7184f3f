#!/bin/sh
# Who gets in and what a signal does: see door.py.
#   sh tests/e2e/door.sh BUILD [TEST ...]
exec python3 tests/e2e/door.py "$@"
