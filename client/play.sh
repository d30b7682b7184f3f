#!/bin/sh
# make play: a server of your own, a seat at a game in this terminal, and the lines that bring
# a friend. Games and keys are kept in one directory, so that running it again continues them. A
# second one at the same time finds the server that runs and takes another seat at it; the server
# stops with the last of them.
#
#   sh client/play.sh BUILD_DIR [LINK]
#
# With a LINK (janggi://... or HOST:PORT) nothing is started here: you take the seat it names.
set -u

build=${1:?usage: play.sh BUILD_DIR [LINK]}
link=${2:-}
data=${JANGGI_PLAY_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/janggi/play}
name=${JANGGI_NAME:-${USER:-$(id -un)}}
export USER="${USER:-$name}" # the default name that the client offers
plain=
[ -t 0 ] && [ -t 1 ] || plain=--plain

# Runs the client. The client itself reports why it ended, so make must not add an error, unless the client
# never connected.
visit() {
    "$build/janggi" $plain "$@"
    status=$?
    case $status in 130) status=0 ;; esac # Ctrl-C is a way to leave
    return "$status"
}

if [ -n "$link" ]; then
    server=${link#janggi://}
    export JANGGI_COME_BACK="make play LINK=${server%%/*}"
    visit "$link"
    exit
fi

mkdir -p "$data/seats" && chmod 700 "$data" || exit 1
seat=$data/seats/$$
# A user who builds and plays as root, as in a container, has already decided to use root.
allow_root=
[ "$(id -u)" -ne 0 ] || allow_root=--allow-root

# Finds the server that uses this directory. Returns false if none is running.
ask() { "$build/janggid" --data "$data" "$@" 2>/dev/null; }
find_server() {
    port=$(ask ctl status | sed -n 's/^listen=.*:\([0-9]*\)$/\1/p')
    [ -n "$port" ]
}

# Returns true if another make play still runs in this directory.
others_are_here() {
    for other in "$data"/seats/*; do
        [ -e "$other" ] && [ "$other" != "$seat" ] || continue
        kill -0 "${other##*/}" 2>/dev/null && return 0
        rm -f "$other"
    done
    return 1
}

# Stops the server in an orderly way when the last make play ends, for whatever reason.
finish() {
    trap - EXIT
    rm -f "$seat"
    if others_are_here; then
        echo "The server and the clocks go on for your other terminal. Come back with:"
        echo "  make play"
    elif find_server; then
        ask drain 0 >/dev/null
        echo "The server has stopped, and all clocks with it. Come back with:"
        echo "  make play"
    fi
}
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Starts janggid on port $1 in its own process group, so that Ctrl-C reaches only the client. Returns true
# once the server listens.
start() {
    : >"$data/server.out"
    set -m 2>/dev/null # without a terminal there is no Ctrl-C to keep away from the server
    "$build/janggid" $allow_root --data "$data" --name "$name's board" --listen ":$1" --invite \
        ${JANGGI_PUBLIC_NAME:+--public-name "$JANGGI_PUBLIC_NAME"} ${JANGGI_WEB:+--web "$JANGGI_WEB"} \
        >"$data/server.out" 2>>"$data/server.log" </dev/null &
    server=$!
    set +m
    tries=0
    while ! grep -q '^Ctrl-C stops' "$data/server.out"; do
        kill -0 "$server" 2>/dev/null || return 1
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || return 1
        sleep 0.1
    done
    # Waits for the router's answer; without a router that takes a moment.
    tries=0
    while [ -z "${JANGGI_PUBLIC_NAME:-}" ] && [ "$tries" -lt 30 ] && grep -q 'private address' "$data/server.out" &&
        ! grep -q -e '^Your router forwards' -e '^Nobody outside' "$data/server.out"; do
        tries=$((tries + 1))
        sleep 0.1
    done
    port=$(sed -n 's/^listening on .*:\([0-9]*\) (.*/\1/p' "$data/server.out")
    echo "$port" >"$data/port"
}

# Finds in the output of janggid --invite the link of kind $1, and its advice about addresses.
link_to() { sed -n "s,^ *janggi \\(janggi:.*/$1/.*\\),\\1,p" "$data/server.out" | head -n 1; }
web_lines() {
    sed -n -e '/^no page for browsers/,+1p' -e '/^In a browser/,/^  .*\/$/p' -e '/^There is no link for/,+1p' "$data/server.out"
}
outside() { sed -n -e '/^Your router forwards/,$p' -e '/^Nobody outside/,$p' "$data/server.out"; }
advice() {
    sed -n -e '/private address/,/forward port/p' -e '/this machine alone/p' "$data/server.out" |
        sed 's/use --public-name NAME/use make play PUBLIC=NAME/'
}

# Prints where others can get these sources, if that is known.
origin() {
    git -C "$(dirname "$0")/.." config --get remote.origin.url 2>/dev/null |
        grep -E '^(https?|git|ssh)://|^[^/]+@[^/]+:'
}

tell_lines() {
    join=$(link_to join)
    source=$(origin)
    cat <<END
Your server runs on port $port.${moved:+ $moved} Send your opponent one of these two lines:

  janggi $join
  make play LINK=$join

The second one is for a clone of these sources, where janggi is not installed.
${source:+To make a clone:  git clone $source janggi && cd janggi
}
Anyone may watch:

  janggi $(link_to watch)
  make play LINK=$(link_to watch)

END
    if [ -n "${JANGGI_WEB:-}" ]; then
        web_lines
        cat <<END

The browser warns, because nobody has signed this server's certificate: add an exception.

END
    else
        echo "With a browser as well: make play WEB=play"
        echo
    fi
    outside | grep . || advice
}

# Prints the code in the link of kind $1 that "janggid ctl" makes for the other arguments: this terminal
# belongs to the owner of the server.
code_of() {
    kind=$1
    shift
    ask ctl "$@" | sed -n "s,^ *janggi janggi:.*/$kind/\\([^/]*\\)/.*,\\1,p"
}

if find_server; then
    JANGGI_DOOR=$(code_of enter invite door uses=1 days=1)
    [ -z "$JANGGI_DOOR" ] || export JANGGI_DOOR
    : >"$seat"
    trap finish EXIT
    echo "Your server runs already, on port $port; you join it."
    if [ -n "${JANGGI_WEB:-}" ] && [ "$JANGGI_WEB" != "$(ask ctl status | sed -n 's/^web=//p')" ]; then
        echo "It was started without WEB=$JANGGI_WEB. Leave all your terminals, then type"
        echo "  make play WEB=$JANGGI_WEB"
    fi
else
    rm -f "$data"/seats/*
    : >"$seat"
    # Tries the last port first, so that the friend's line stays valid; then the usual port; then any port.
    last=$(cat "$data/port" 2>/dev/null)
    start "${last:-9032}" || {
        moved=${last:+"A line that you sent before does not work: another program has port $last."}
        start 9032 || start 0
    } || {
        rm -f "$seat"
        echo "janggid does not start. Its last words:" >&2
        tail -n 5 "$data/server.log" >&2
        exit 1
    }
    trap finish EXIT
    JANGGI_OWNER=$(code_of owner owner)
    [ -z "$JANGGI_OWNER" ] || export JANGGI_OWNER
    tell_lines
fi
echo '"computer" begins a game against the computer; "quit" leaves. Games are kept.'
echo
export JANGGI_COMPUTER="$build/janggi" # what "computer" at the prompt starts
export JANGGI_OWN_SERVER=1             # its clocks stop with the server, and finish() prints how to come back
code_and_key=$(link_to join)
visit "janggi://127.0.0.1:$port/join/${code_and_key#*/join/}"
