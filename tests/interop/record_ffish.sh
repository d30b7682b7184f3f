#!/bin/sh
# Our PGN, read by npm's ffish as pychess would read it: random games under all rulesets. Needs
# what lib/ffish.sh says.
#
#   sh tests/interop/record_ffish.sh BUILD_DIR [GAMES]
set -u
here=$(dirname "$0")
build=${1:?usage: record_ffish.sh BUILD_DIR [GAMES]}
games=${2:-300}

if ! [ -x "$build/tests/interop/record_games" ]; then
    echo "not ok record_ffish: make $build/tests/interop/record_games first"
    exit 1
fi
area=record_ffish
. "$here/../lib/ffish.sh"

# The control: a rank that is wrong in the PGN, and a move that is missing, must be noticed.
for fault in '/^[1-9].*\./s/\([a-i]\)5 /\16 /' '/^10\. /d'; do
    if "$build/tests/interop/record_games" --games 10 | sed "$fault" |
        node "$here/record_ffish.js" 2>/dev/null | grep -q '^not ok'; then
        echo "ok record_ffish: a fault in the PGN is noticed"
    else
        echo "not ok record_ffish: a fault in the PGN must be noticed: $fault"
        exit 1
    fi
done
# It tells on standard error of each game that it stops short in.
"$build/tests/interop/record_games" --games "$games" |
    node "$here/record_ffish.js" 2>"$build/record_ffish.log"
