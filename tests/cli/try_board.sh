#!/bin/sh
# try and back, in a game and while watching: nothing of it reaches the server.
#
#   sh tests/cli/try_board.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

has() { grep -q -- "$2" "$dir/$1.out"; }
start_server
here=127.0.0.1:$port
for who in hong kim park; do join $who --pin "$key" -n $who "$here"; done
exec 3>"$dir/hong.in" 4>"$dir/kim.in" 5>"$dir/park.in"
for who in hong kim park; do check "$who-is-in" wait_for 10 has $who "Hello $who"; done
echo 'try a3b3' >&3
check without-a-game-there-is-none wait_for 10 has hong 'You have no game here'
echo 'seek 10 5 red' >&3
wait_for 10 has hong 'seek 1 '
echo 'accept 1' >&4
wait_for 10 has kim 'Game 1'
echo 'setup 1' >&3
wait_for 10 has kim '(red) sets up'
echo 'setup 1' >&4
wait_for 10 has hong '(blue) sets up'
echo 'watch 1' >&5
wait_for 10 has park '(blue) sets up'
echo 'try a3b3' >&3
check a-player-tries wait_for 10 has hong 'a private board, moves tried: 1'
echo a6b6 >&3
check a-move-alone-goes-on-there wait_for 10 has hong 'a private board, moves tried: 2'
echo 'try a0b5' >&3
check the-rules-hold wait_for 10 has hong 'not made: '
echo 'try c3c4' >&5
check a-watcher-tries wait_for 10 has park 'a private board, moves tried: 1'
echo back >&3
echo back >&3
check there-is-one-way-back wait_for 10 has hong 'You have no private board'
# The move that is played is the first of the game.
echo c3d3 >&3
check the-game-is-where-it-was wait_for 10 has kim '1. red C3-D3'
check nothing-was-sent sh -c "! grep -q 'A3-B3' '$dir/kim.out' '$dir/park.out'"
check a-move-of-the-game-ends-it wait_for 10 has park 'the private board was closed'
echo 'try a6b6' >&5
check it-begins-anew wait_for 10 sh -c "[ \$(grep -c 'a private board, moves tried: 1;' '$dir/park.out') = 2 ]"
exec 3>&- 4>&- 5>&-
finish
