#!/bin/sh
# The game of tests/data/mate_game.txt typed through `gnutls-cli`: see typed_game.py.
exec python3 "$(dirname "$0")/typed_game.py" "${1:-build}" gnutls
