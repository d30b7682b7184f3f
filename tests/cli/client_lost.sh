#!/bin/sh
# Cuts and holds the connection: messages, reconnection, and what happens to a move, a resignation
# and a chat line of unknown outcome.
#
#   sh tests/cli/client_lost.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"
here=$(dirname "$0")

# relay WORDS...: tells the relay between hong and the server, and returns when it has obeyed
relay() {
    : >"$dir/relay.out"
    echo "$*" >&7
    wait_for 10 grep -q '^done' "$dir/relay.out"
}
start_relay() {
    mkfifo "$dir/relay.in"
    python3 "$here/../lib/relay.py" "$port" <"$dir/relay.in" >"$dir/relay.out" 2>"$dir/relay.err" &
    pids="$pids $!"
    exec 7>"$dir/relay.in"
    wait_for 10 grep -q '^port' "$dir/relay.out"
    relay_port=$(sed -n 's/^port //p' "$dir/relay.out")
}
# plain NAME ADDRESS FD: a --plain client that reads its lines from descriptor FD of ours
plain() {
    mkfifo "$dir/$1.in"
    (
        exec 3>&- 4>&- 5>&- 7>&-
        as "$1" --plain --pin "$key" -n "$1" "$2"
    ) <"$dir/$1.in" >"$dir/$1.out" 2>&1 &
    pids="$pids $!"
    eval "exec $3>\"$dir/$1.in\""
}
# read_by NAME PLAIN PATTERN: within 20 s among the lines of a --plain client
read_by() {
    wait_for 20 grep -q -- "$3" "$dir/$2.out" && ok "$1" && return
    tail -5 "$dir/$2.out" | sed 's/^/# /'
    not_ok "$1"
}
# unread NAME PLAIN PATTERN: not there
unread() { check "$1" sh -c "! grep -q -- '$3' '$dir/$2.out'"; }
unseen() { if shows "$2" "$3"; then not_ok "$1"; else ok "$1"; fi; }
# asks WHO LINE: types a line and waits until the screen has it
asks() {
    enter "$1" "$2"
    wait_for 10 shows "$1" "> $2\$"
}

start_server
start_relay
plain kim "127.0.0.1:$port" 4
echo 'seek none blue' >&4
read_by an-opponent-waits kim 'seek 1 (.*) is open'
sit hong --pin "$key" -n hong "127.0.0.1:$relay_port"
line_is hong-is-in-the-lobby hong '^janggi>'
enter hong 'accept 1'
sees the-game-begins hong 'setup 1   NBBN'
enter hong 'setup 3'
read_by the-set-up-arrives kim 'hong (red) sets up NBNB'
echo 'setup 1' >&4
sees the-board-stands hong 'YOUR MOVE'

# 1. The move arrives, but the server's answer does not.
relay hold down
enter hong a3b3
read_by the-move-arrives kim '1. red A3-B3'
relay cut
sees a-loss-has-its-reason hong 'connection lost (.*)'
sees and-its-countdown hong 'trying again in .* s (attempt 1); Enter tries now, Ctrl-C or "stop" gives up'
sees the-log-shows-that-it-arrived hong 'your move A3-B3 arrived: it is ply 1'
sees and-one-is-back hong 'back after'
unseen and-nothing-is-asked hong 'Send A3-B3'

# 2. The move does not arrive.
echo e6d6 >&4
sees the-answer-comes hong 'Last: blue E6-D6'
wipe hong
relay hold up
asks hong b2b6
relay cut
sees a-move-that-is-not-there-is-asked-about hong 'the server did not answer your move B2-B6 (ply 3)'
line_is with-a-question hong '^Send B2-B6 now? (y/n)$'
enter hong last
sees one-may-look-first hong '1. blue E6-D6 (pawn)'
line_is and-is-asked-again hong '^Send B2-B6 now? (y/n)$'
unread it-was-not-sent-by-itself kim 'red B2-B6'
enter hong y
read_by and-then-it-is-played kim '2. red B2-B6'
sees and-shown hong 'Last: red B2-B6'

# 3. A move typed without a connection, and what else is typed then.
echo i6h6 >&4
sees the-next-answer-comes hong 'Last: blue I6-H6'
wipe hong
plain pat "127.0.0.1:$relay_port" 5
read_by somebody-else-is-there pat 'Hello pat'
relay shut
relay cut
sees the-prompt-counts-down hong '^(no connection, attempt [0-9]* in [0-9]* s) 3 red>'
asks hong i3h3
sees a-typed-move-waits hong 'when the connection is back, janggi asks you whether'
enter hong 'say hello there'
sees talk-is-not-sent hong 'not connected: your message was not sent'
enter hong 'resign!'
sees nor-anything-else hong 'not connected: "resign" was not sent'
press hong C-c
sees ctrl-c-gives-up hong 'janggi has stopped trying to connect; you see the last known state.'
line_is and-the-prompt-says-so hong '^(no connection) 3 red>$'
enter hong board
sees the-game-is-still-to-be-looked-at hong 'Last: blue I6-H6'
relay open
read_by one-who-did-not-give-up-comes-back pat 'back after'
exec 5>&-
line_is nothing-is-tried-then hong '^(no connection) 3 red>$'
press hong Enter
sees enter-tries-again hong 'back after'
line_is the-typed-move-is-asked-about hong '^Send I3-H3 now? (y/n)$'
enter hong n
sees and-may-be-dropped hong '-- it was not sent'
line_is and-one-goes-on hong '^3 red>$'
unread nothing-of-it-was-sent kim 'red I3-H3\|hello there\|wins by resignation'

# 4. A resignation is never repeated.
relay hold up
asks hong 'resign!'
relay cut
sees a-lost-resignation-is-told hong 'the server did not answer "resign", and janggi does not send it again'
wipe hong
sees and-the-way-back-is-the-same hong 'back after'
enter hong i3h3
read_by and-the-game-goes-on kim '3. red I3-H3'
unread without-an-end kim 'is over'

# 5. The game ends while a move is lost.
echo h6h5 >&4
sees once-more hong 'Last: blue H6-H5'
wipe hong
relay hold up
asks hong h3h4
relay shut
relay cut
echo 'resign!' >&4
read_by the-opponent-resigns kim 'Red wins by resignation'
relay open
press hong Enter
sees a-move-too-late-is-told hong 'your move H3-H4 (game 1, ply 7) was not played: the game is over'
sees and-the-end-is-shown hong 'Game 1 is over'
unseen once hong 'while you were away'

# 6. The same loss in --plain: there a move goes out again with its number, by itself.
echo 'seek none blue' >&4
read_by another-seek kim 'seek [2-9] (.*) is open'
plain lee "127.0.0.1:$relay_port" 3
wait_for 10 grep -q Hello "$dir/lee.out"
echo "accept $(sed -n 's/.*seek \([2-9]\) (.*) is open.*/\1/p' "$dir/kim.out" | tail -1)" >&3
read_by plain-has-a-game lee 'Game 2: red lee, blue kim'
echo 'setup 3' >&3
read_by plain-sets-up kim 'lee (red) sets up NBNB'
echo 'setup 1' >&4
read_by plain-may-move lee 'kim (blue) sets up NBBN'
wipe hong
relay hold up
echo a3b3 >&3
wait_for 20 grep -q '^held up newest' "$dir/relay.out" # lee's; hong may send a ping
relay cut
read_by plain-is-told lee 'connection lost'
read_by a-script-sends-again-by-itself kim '1. red A3-B3'

sees everybody-is-back hong 'back after'

# 7. The server stops in order, and comes back.
kill "$server_pid"
wait "$server_pid" 2>/dev/null
sees a-stop-is-said hong 'the server is shutting down; your games are kept'
start_server
sees and-one-comes-back hong 'back after'
enter hong quit
line_is and-leaves hong '^shell>'
finish
