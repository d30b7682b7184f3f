#!/bin/sh
# A whole game between two janggi processes, with a kill in the middle: whole_game.py.
exec python3 "$(dirname "$0")/whole_game.py" "${1:-build}"
