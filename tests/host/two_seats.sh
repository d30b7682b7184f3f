#!/bin/sh
# make play in three terminals of one user: the second and third find the server that runs, are
# other players with keys of their own, and all come back as who they were; the server stops with
# the last of them; and make never says that something failed.
#
#   sh tests/host/two_seats.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
home=$dir/home
data=$home/.local/share/janggi
mkdir -p "$data/play"
echo 0 >"$data/play/port" # any that is free
export LC_ALL=C

# at TERMINAL [ARGUMENTS...]: make play there; what make would do has been done
at() {
    at_where=$1
    shift
    if ! tm has-session -t "=$at_where" 2>/dev/null; then
        tm new-session -d -s "$at_where" -x 80 -y 24 -c "$root" \
            "env HOME='$home' USER=hong JANGGI_WEB='${JANGGI_WEB:-}' JANGGI_PUBLIC_NAME=board.example TERM=screen PS1='shell> ' sh -i"
        wait_for 60 shows "$at_where" 'shell>'
    fi
    enter "$at_where" clear
    enter "$at_where" "sh client/play.sh $build $*; echo 'ended with '\$?"
}
keys() { find "$data" -name 'identity*.key' | wc -l; }
is_stopped() { ! "$build/janggid" --data "$data/play" ctl status >/dev/null 2>&1; }

at one
sees the-first-starts-a-server one 'Your server runs on port'
sees a-line-for-who-has-janggi one '^  janggi janggi://board.example:'
sees a-line-for-who-has-a-clone one '^  make play LINK=janggi://board.example:'
sees it-asks-for-a-name one 'Your name \[hong\]:'
press one Enter
sees the-first-waits one 'the game begins when your opponent comes'
link=$(screen one | sed -n 's/^  janggi \(janggi:.*join.*\)/\1/p')

at two
sees the-second-finds-it two 'Your server runs already, on port'
sees another-name-is-offered two 'Your name \[hong2\]:'
enter two hong
sees the-name-in-use-may-be-taken-over one 'ended with 0'
sees and-says-so two "Hello hong"
# The client that took the name over marks it as in use once the other one is gone.
names_in_use() { [ "$(grep -c ":$(stat -c %i "$data/names.lock") " /proc/locks)" -eq "$1" ]; }
check the-name-is-in-use-again wait_for 60 names_in_use 1
at one
sees the-first-comes-back-as-another one 'Your name \[hong2\]:'
press one Enter
sees a-game-of-the-two-begins one 'Game 1: red hong2*, blue hong2*\.'
sees on-both-sides two 'Game 1: red hong2*, blue hong2*\.'
check each-name-has-its-key test "$(keys)" -eq 2
JANGGI_WEB=play at three
sees it-says-that-browsers-are-not-let-in three 'It was started without WEB=play\.'
sees a-third-is-offered-a-third-name three 'Your name \[hong3\]:'
enter three kim
sees and-stays-where-both-seats-are-taken three 'both seats of that game are taken'
check with-a-key-as-well test "$(keys)" -eq 3

enter one quit
sees a-seat-is-kept one 'Your seat in game 1 is kept\.'
sees the-server-goes-on-for-the-others one 'The server and the clocks go on for your other terminal'
sees and-that-is-no-failure one 'ended with 0'
at one
line_is coming-back-needs-no-question one '^\[.*\] 1 '
enter one opponent
sees as-who-one-was one '^[A-Z][a-z]* is hong\.'
enter one 'resign!'
sees the-game-ends two 'Game 1 is over'
enter three quit
sees three-leaves-for-a-while three '^ended with'
at three
sees an-invitation-of-a-game-that-is-over-has-its-own-words three 'is older than 24 hours'
sees and-one-stays-there-too three '^janggi>'
for where in two three; do
    enter $where quit
    sees "$where-leaves" $where '^ended with'
done
enter one quit
sees the-last-one-stops-it one 'The server has stopped, and all clocks with it'
sees and-says-how-to-come-back one '^  make play'
check it-has-stopped wait_for 60 is_stopped
check nothing-is-left-of-the-seats test -z "$(ls "$data/play/seats")"

# A script without a name gets no random name, and not the one that is in use.
at one
sees the-first-name-comes-first one 'Hello hong\.'
port=$(cat "$data/play/port")
as_hong() { (HOME=$home exec "$build/janggi" "$@" "$(echo "$link" | sed 's|/join/.*/|/join/2222-2222/|; s|//[^/]*/|//127.0.0.1:'"$port"'/|')"); }
as_hong --plain -c who </dev/null >"$dir/said" 2>&1
check a-script-is-refused-a-name-in-use grep -q 'you are already logged in as hong in another terminal' "$dir/said"
as_hong --plain -n kim -c who </dev/null >"$dir/said" 2>&1
check a-script-may-say-which grep -q '^Hello kim' "$dir/said"
# The key of a name was deleted: the client must not make another one, because the server knows the
# name by its first key.
rm "$data"/identity-kim.*
as_hong --plain -n kim -c who </dev/null >"$dir/said" 2>&1
check a-key-that-is-lost-is-told grep -q 'login refused\|not done' "$dir/said"
check and-no-other-is-left-behind test ! -e "$data/identity-kim.key"
enter one quit
sees it-stops-again one 'The server has stopped'
finish
