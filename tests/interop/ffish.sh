#!/bin/sh
# Endings and winners of whole kja games against npm's ffish. For .ci/run and make test-rules-long.
#
#   sh tests/interop/ffish.sh BUILD_DIR [GAMES]
set -u
here=$(dirname "$0")
build=${1:?usage: ffish.sh BUILD_DIR [GAMES]}
games=${2:-1000}

area=ffish
. "$here/../lib/ffish.sh"

# The control: a game whose winner is turned round must be noticed.
if "$build/tests/interop/play_games" --games 20 |
    sed 's/|1-0|/|x|/; s/|0-1|/|1-0|/; s/|x|/|0-1|/' | node "$here/ffish.js" | grep -q '^not ok'; then
    echo "ok ffish: a wrong winner is noticed"
else
    echo "not ok ffish: a wrong winner must be noticed"
    exit 1
fi
"$build/tests/interop/play_games" --games "$games" | node "$here/ffish.js"
