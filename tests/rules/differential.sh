#!/bin/sh
# Our legal moves against Fairy-Stockfish's on random positions; before that, that a move
# missing from our lists would be noticed.
#
#   sh tests/rules/differential.sh BUILD_DIR [POSITIONS]
set -u
program=${1:?usage: differential.sh BUILD_DIR [POSITIONS]}/tests/rules/differential
positions=${2:-$([ "${CONTROLS:-yes}" = yes ] && echo 40000 || echo 10000)} # fewer under a sanitizer

if found=$("$program" --positions 1000 --drop-a-move); then
    echo "not ok differential: a hidden move must be noticed"
    exit 1
elif echo "$found" | grep -q '^not ok .*is legal, but not here$'; then
    echo "ok differential: a hidden move is noticed"
else
    echo "$found"
    exit 1
fi
exec "$program" --positions "$positions"
