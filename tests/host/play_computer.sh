#!/bin/sh
# make play, alone: "computer" begins a game against the built-in engine, which leaves with us.
#
#   sh tests/host/play_computer.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$build" && pwd)
if python3 "$(dirname "$0")/play_computer_pty.py" "$root" "$build" "$dir"; then
    ok a-game-against-the-computer
else
    not_ok a-game-against-the-computer
fi

# At any other server the computer comes as the player's own bot.
start_server
mkfifo "$dir/typed"
(as hong --pin "$key" -n hong "127.0.0.1:$port") >"$dir/said" 2>&1 <"$dir/typed" &
exec 8>"$dir/typed"
echo 'computer 2' >&8
check elsewhere-it-comes-too wait_for 60 grep -q 'hong-bot' "$dir/said"
echo 'quit' >&8
exec 8>&-
wait $!
(as hong -n hong -c 'computer 11' "127.0.0.1:$port") >"$dir/said" 2>&1 </dev/null
check level-11-is-none grep -q 'Usage: computer \[LEVEL\]' "$dir/said"
finish
