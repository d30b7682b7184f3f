#!/bin/sh
# make play: a server of your own, a seat at a game in this terminal, and the line that brings
# a friend. Games and keys are kept in one directory, so that running it again continues them.
#
#   sh client/play.sh BUILD_DIR [LINK]
#
# With a LINK (janggi://...) nothing is started here: you take the seat it names.
set -u

build=${1:?usage: play.sh BUILD_DIR [LINK]}
link=${2:-}
data=${JANGGI_PLAY_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/janggi/play}
name=${JANGGI_NAME:-${USER:-$(id -un)}}
export USER="${USER:-$name}" # what the client offers when it asks for a name
plain=
[ -t 0 ] && [ -t 1 ] || plain=--plain

if [ -n "$link" ]; then
    exec "$build/janggi" $plain "$link"
fi

mkdir -p "$data" && chmod 700 "$data" || exit 1
server=

# The server ends with us, in order, whatever way we go.
finish() {
    trap - EXIT
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        echo "The server has stopped, and with it all clocks; 'make play' continues your games."
    fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Starts janggid on port $1 in a process group of its own, so that Ctrl-C in the client is the
# client's. True once it listens.
start() {
    : >"$data/server.out"
    set -m 2>/dev/null # without a terminal there is no Ctrl-C to keep away either
    "$build/janggid" --data "$data" --name "$name's board" --listen ":$1" --invite \
        >"$data/server.out" 2>>"$data/server.log" </dev/null &
    server=$!
    set +m
    tries=0
    while ! grep -q '^Ctrl-C stops' "$data/server.out"; do
        kill -0 "$server" 2>/dev/null || { server=; return 1; }
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || return 1
        sleep 0.1
    done
}

# The port of last time, so that the friend's line stays good; then the usual one; then any.
last=$(cat "$data/port" 2>/dev/null)
start "${last:-9032}" || start 9032 || start 0 || {
    echo "janggid does not start. Its last words, from $data/server.log:" >&2
    tail -n 5 "$data/server.log" >&2
    exit 1
}
port=$(sed -n 's/^listening on .*:\([0-9]*\) (.*/\1/p' "$data/server.out")
echo "$port" >"$data/port"
join=$(sed -n 's/^ *janggi \(janggi:.*\/join\/.*\)/\1/p' "$data/server.out")
watch=$(sed -n 's/^ *janggi \(janggi:.*\/watch\/.*\)/\1/p' "$data/server.out")
code_and_key=${join#*/join/}

cat <<END
Your server runs (port $port, data in $data).

Send this line to your opponent:

  janggi $join

Anyone may watch:

  janggi $watch

From a clone without janggi installed: make play LINK=janggi://...
"computer" begins a game against the computer.
"quit" leaves and stops the server; games are kept, "make play" continues them.

END
JANGGI_COMPUTER=$build/janggi # what "computer" at the prompt starts
export JANGGI_COMPUTER
"$build/janggi" $plain "janggi://127.0.0.1:$port/join/$code_and_key"
status=$?
[ "$status" -ne 130 ] || status=0 # Ctrl-C is a way to leave, not a failure
exit "$status"
