#!/bin/sh
# The game of tests/data/mate_game.txt typed through `openssl s_client -quiet`: see typed_game.py.
exec python3 "$(dirname "$0")/typed_game.py" "${1:-build}" openssl
