#!/bin/sh
# A typed line that is not understood completely does nothing, and the error names the word that was not
# understood; at a server and in a local game.
#
#   sh tests/cli/typed_words.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

# expect TEST NAME PATTERN [COUNT]: COUNT lines (1) that NAME is shown match
expect() {
    if wait_for 30 lines "$2" "$3" "${4:-1}"; then
        ok "$1"
        return
    fi
    not_ok "$1"
    tail -5 "$dir/$2.out" | sed "s/^/# $2: /"
}
hong() { echo "$*" >&3; }
kim() { echo "$*" >&4; }
# settle: waits until every line of both players was answered
settle() {
    settled=$((${settled:-0} + 1))
    hong "who$(printf '%*s' $settled '')"
    kim "who"
    wait_for 30 lines hong '^  hong ' $settled
    wait_for 30 lines kim '^  hong ' $settled
}
# lacks TEST NAME PATTERN: no line that NAME is shown matches
lacks() {
    if grep -q "$3" "$dir/$2.out"; then
        not_ok "$1"
        grep "$3" "$dir/$2.out" | sed "s/^/# $2: /"
    else
        ok "$1"
    fi
}

start_server
join hong --pin "$key" -n hong "127.0.0.1:$port"
exec 3>"$dir/hong.in"
join kim --pin "$key" -n kim "127.0.0.1:$port"
exec 4>"$dir/kim.in"
hong 'seek none red'
wait_for 30 lines hong 'is open' 1
kim 'accept 1'
wait_for 30 lines hong '^Game [0-9]*: ' 1
hong 'setup 1'
wait_for 30 lines kim '(red) sets up' 1
kim 'setup 1'
wait_for 30 lines hong '(blue) sets up' 1
hong a3b3
wait_for 30 lines kim '1\. red ' 1
kim a6b6
wait_for 30 lines hong '1\. blue ' 1

# --- Not understood, not done -------------------------------------------------------------------

kim draw
expect an-offer-arrives hong 'kim offers a draw'
hong 'draw no'
expect draw-no-is-refused hong '"no" is not the number of a game'
hong 'accept 2 no'
expect accept-with-more-is-refused hong '"no" is one word too many'
hong 'resign foo'
hong 'resign! foo'
hong 'abort foo'
hong 'takeback 1 please'
hong 'adjourn no'
hong 'claim win no'
hong 'unwatch foo'
hong 'draw!'
settle
lacks and-the-game-goes-on kim 'is over'
lacks nothing-was-asked kim 'hong asks'
hong decline
expect decline-is-understood kim 'was declined'
hong 'resign'
expect resign-is-understood kim 'Blue wins by resignation'
hong 'rematch soon'
expect rematch-takes-only-terms hong 'the terms are a time'
settle
lacks and-asks-nobody kim 'asks for a rematch'

# --- What is open -------------------------------------------------------------------------------

kim rematch
expect the-answer-says-who-is-asked-what kim 'rematch offered to hong (offer [0-9]*)'
expect a-rematch-is-asked-for hong 'kim asks for a rematch'
hong rematch
expect and-taken-up hong '^Game [0-9]*: ' 2
hong accept
expect then-nothing-is-open hong 'Nothing is offered to you'
join lee --pin "$key" -n lee "127.0.0.1:$port"
exec 5>"$dir/lee.in"
join park --pin "$key" -n park "127.0.0.1:$port"
exec 6>"$dir/park.in"
echo 'match hong 5' >&6
expect a-challenge-is-sent park 'challenge [0-9]* (5m, martin) was sent to hong'
expect a-challenge-arrives hong 'park challenges you'
hong decline
expect the-only-one-is-declined park 'challenge [0-9]* was declined'
hong decline
expect then-nothing-is-open-again hong 'Nothing is offered to you' 2
echo 'match hong 5 kja' >&5
expect another-challenge-arrives hong 'lee challenges you'
setup_side() { wait_for 30 lines "$1" ' sets up ' "$2"; }
kim 'setup 1'
setup_side hong 3
hong 'setup 1'
setup_side kim 4
kim draw
expect the-offer-has-its-words kim 'draw offered to hong (offer [0-9]*)'
expect and-arrives hong 'kim offers a draw' 2
hong accept
expect of-two-one-is-asked-about hong 'Which one? Nothing was done.'
expect with-their-numbers hong '^  accept [0-9]*  *kim offers a draw, game 2'
expect and-all-of-them hong '^  accept [0-9]*  *lee challenges you: 5m, kja'
lacks and-none-was-taken hong 'is over. Draw'
hong pending
expect pending-lists-them hong '^  [0-9]* *lee challenges you: 5m, kja'
expect and-offers hong '^  [0-9]* *kim offers a draw, game 2'
echo 'watch 2' >&5
expect a-watcher-comes hong 'lee is watching'
hong watchers
expect watchers-lists-them hong '^  lee$'
echo 'seek 7' >&6
expect a-seek-is-open park 'is open'
echo accept >&5
expect what-was-not-listed-is-not-accepted lee 'Nothing is offered to you'
echo seeks >&5
expect one-seek-is-listed lee '^  [0-9]* *park '
echo accept >&5
expect and-accept-takes-it park '^Game [0-9]*: '

# --- Without a server ---------------------------------------------------------------------------

# alone STATUS PATTERN WORDS...: janggi WORDS ends so and prints a line that matches
alone() {
    alone_status=$1 alone_pattern=$2
    shift 2
    (as hong "$@") >"$dir/alone" 2>&1 </dev/null
    [ $? -eq "$alone_status" ] && grep -q "$alone_pattern" "$dir/alone"
}
for words in 'draw no' 'resign foo' 'resign! foo' 'abort foo' 'undo two' 'level 11' 'rematch kja' \
    'save a b' 'quit now' 'new game' 'hint e1'; do
    check "in a game at one terminal $words is refused" \
        alone 6 'Nothing was done. Usage: ' local --setup 1/1 -c "$words; moves"
done
cat >"$dir/game" <<'END'
janggi-record 1
0 start red=hong blue=kim rules=martin time=none
1 setup red NBNB
2 setup blue NBBN
3 move 1 red A3-B3
END
printf 'next\nback please\nquit\n' >"$dir/typed"
replayed() { (as hong replay "$dir/game") <"$dir/typed" | grep -q '"please" is one word too many'; }
check in-a-replay-too replayed
check in-a-lesson-too alone 6 '"please" is one word too many' learn -c 'skip please'
finish
