#!/bin/sh
# "janggi replay" of a game from the server where it was played: by a link with its number, and
# by a host and the number.
#
#   sh tests/tools/replay_fetch.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

run() { (as "$@") >"$dir/said" 2>&1 </dev/null; }
says() { grep -q -- "$1" "$dir/said"; }
replays() { printf 'goto 3\nmoves\n' | (as "$@") >"$dir/said" 2>&1; }
refuses() { ! run "$@"; }

start_server
here=127.0.0.1:$port
short=$(echo "$key" | cut -c1-22)
# A game of three moves, which red resigns.
join hong --pin "$key" -n hong "$here"
join kim --pin "$key" -n kim "$here"
exec 3>"$dir/hong.in" 4>"$dir/kim.in"
wait_for 10 grep -q 'Hello hong' "$dir/hong.out"
wait_for 10 grep -q 'Hello kim' "$dir/kim.out"
echo 'seek 10 5 red' >&3
wait_for 10 grep -q 'seek 1 ' "$dir/hong.out"
echo 'accept 1' >&4
wait_for 10 grep -q 'You play' "$dir/kim.out"
echo 'setup 1' >&3
wait_for 10 grep -q '(red) sets up' "$dir/kim.out"
echo 'setup 1' >&4
wait_for 10 grep -q '(blue) sets up' "$dir/hong.out"
echo a3b3 >&3
wait_for 10 grep -q 'A3-B3' "$dir/kim.out"
check a-running-game-has-no-record refuses park replay "janggi://$here/watch/$short/1"
echo a6b6 >&4
wait_for 10 grep -q 'A6-B6' "$dir/hong.out"
echo a0a1 >&3
wait_for 10 grep -q 'A0-A1' "$dir/kim.out"
echo 'resign!' >&3
check the-game-ends wait_for 10 grep -qi 'resign' "$dir/kim.out"

check by-a-link replays park replay --plain "janggi://$here/watch/$short/1"
check all-moves-are-there says 'A0-A1'
check with-the-whole-key replays park replay --plain "janggi://$here/watch/$key/1"
check an-unknown-key-is-refused refuses lee replay "$here" 1
check and-it-is-said-what-to-do says 'janggi --pin'
check another-key-is-refused refuses lee replay "janggi://$here/watch/AAAAAAAAAAAAAAAAAAAAAA/1"
run hong --pin "$key" -n hong2 -c who "$here"
check by-a-host-that-is-known replays hong replay --plain "$here" 1
check all-moves-are-there-too says 'A0-A1'
converts() { (as hong convert --to gib "$here" 1 1) >"$dir/two.gib" 2>"$dir/said" </dev/null; }
check several-games-are-converted converts
check each-of-them-can-be-read sh -c "\"$janggi\" convert --to fen --game 2 \"$dir/two.gib\" >\"$dir/second\""
check and-it-is-the-same-game sh -c "\"$janggi\" convert --to fen --game 1 \"$dir/two.gib\" | cmp - \"$dir/second\""
check there-is-no-third refuses park convert --game 3 "$dir/two.gib"
check a-bad-number-is-refused refuses hong convert "$here" 1 x
check no-such-game refuses park replay "janggi://$here/watch/$short/99"
check is-said says '99'
check no-number refuses park replay "$here" x
check no-server refuses park replay 127.0.0.1:1 1
check is-said-too says 'cannot reach 127.0.0.1:1'
exec 3>&- 4>&-

# Where guests may play, a guest gets a name: it is not that of the player from then on.
kill_server
start_server --guests play
run choi --pin "$key" -n min -c who "$here"
check by-a-guest-with-a-name replays choi replay --plain "janggi://$here/watch/$short/1"
check or-by-one-who-watches run choi -c who "janggi://$here/watch/$short"
check who-is-called-by-the-server says '^  guest-'
check the-player-keeps-their-own-name run choi -c who "$here"
check as-before says 'Hello min'
finish
