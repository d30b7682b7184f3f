#!/bin/sh
# Old games that are read back one after the other: see past_games.py.
exec python3 "$(dirname "$0")/past_games.py" "${1:-build}"
