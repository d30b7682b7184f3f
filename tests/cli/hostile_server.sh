#!/bin/sh
# What a server says cannot harm a terminal: see hostile_server.py.
#   sh tests/cli/hostile_server.sh BUILD [TEST ...]
exec python3 "$(dirname "$0")/hostile_server.py" "$@"
