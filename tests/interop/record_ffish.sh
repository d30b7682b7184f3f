#!/bin/sh
# Our PGN, read by npm's ffish as pychess would read it: random games under all rulesets. Needs node
# and npm, and the network once; the package goes into the build directory, where ffish.sh has it.
#
#   sh tests/interop/record_ffish.sh BUILD_DIR [GAMES]
set -u
here=$(dirname "$0")
build=${1:?usage: record_ffish.sh BUILD_DIR [GAMES]}
games=${2:-300}
version=0.7.10 # that of ffish.sh

if ! [ -x "$build/tests/interop/record_games" ]; then
    echo "not ok record_ffish: make $build/tests/interop/record_games first"
    exit 1
fi
home=$build/ffish
if ! grep -qs "\"version\": \"$version\"" "$home/node_modules/ffish/package.json"; then
    npm install --silent --no-save --no-audit --no-fund --prefix "$home" "ffish@$version" >&2 || {
        echo "not ok record_ffish: npm cannot install ffish@$version"
        exit 1
    }
fi
NODE_PATH=$home/node_modules
case $NODE_PATH in /*) ;; *) NODE_PATH=$PWD/$NODE_PATH ;; esac
export NODE_PATH

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
