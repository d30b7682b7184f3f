#!/bin/sh
# make play, alone: "computer" begins a game against the built-in engine, which leaves with us.
#
#   sh tests/e2e/play_computer.sh [BUILD]
. "$(dirname "$0")/client_lib.inc"

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$build" && pwd)
if python3 "$(dirname "$0")/play_computer_pty.py" "$root" "$build" "$dir"; then
    ok a-game-against-the-computer
else
    not_ok a-game-against-the-computer
fi

# Elsewhere nobody brings a computer, and it is said where one is.
start_server
(as hong --pin "$key" -n hong -c 'computer' "127.0.0.1:$port") >"$dir/said" 2>&1 </dev/null
check elsewhere-it-is-said grep -q 'comes to a server of "make play"' "$dir/said"
(as hong -n hong -c 'computer 11' "127.0.0.1:$port") >"$dir/said" 2>&1 </dev/null
check level-11-is-none grep -q 'Usage: computer \[LEVEL\]' "$dir/said"
finish
