#!/bin/sh
# A link is pasted after "janggi" without quotes: each installed shell must pass it on unchanged, so that the
# client reaches the seat or the game to watch.
#
#   sh tests/cli/links.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

# Shells that read no files of their user, as their users type into them.
shells='bash --norc -O extglob -O failglob
bash --norc
dash
zsh -f
zsh -f -o extendedglob -o nomatch -o magicequalsubst
fish --no-config
busybox sh'

here_are() { command -v "${1%% *}" >/dev/null 2>&1; }

start_server --invite
here=127.0.0.1:$port
short=$(echo "$key" | cut -c1-22)
code=$(sed -n 's/^ *janggi janggi:.*\/join\/\([^/]*\)\/.*/\1/p' "$dir/server.out")
check server-invites test -n "$code"
# One name for the client that needs no path.
mkdir "$dir/bin" && ln -s "$(cd "$build" && pwd)/janggi" "$dir/bin/janggi"
PATH=$dir/bin:$PATH
cat >"$dir/bin/words" <<'END'
#!/bin/sh
printf '%s\n' "$@"
END
chmod +x "$dir/bin/words"

# types SHELL LINE: what that shell makes of the line, in an empty directory and a home of its own
types() {
    mkdir -p "$dir/empty" "$dir/home-kim"
    # shellcheck disable=SC2086 # the shell has options
    (cd "$dir/empty" && HOME="$dir/home-kim" USER=kim $1 -c "$2") </dev/null >"$dir/said" 2>&1
}
hands_on() {
    types "$1" "words $2" && [ "$(cat "$dir/said")" = "$2" ] && return
    sed 's/^/# /' "$dir/said"
    return 1
}
says() { grep -q -- "$1" "$dir/said"; }

# Keys are base64url: a dash or an underscore may stand anywhere, also in front.
links="janggi://$here/join/$code/$short janggi://$here/watch/$key
janggi://192.168.1.20:9032/join/K7Q2-9F3M/-_-_JBqOTijcq8-XQipTIX
janggi://play.example.org/watch/pRQ2JBqOTijcq8-XQipTI__ janggi://xn--0ca.example/watch/-aaaaaaaaaaaaaaaaaaaaaaa
janggi://%5B2001:db8::1%5D:9032/join/K7Q2-9F3M/$short"

echo "$shells" | while read -r shell; do
    here_are "$shell" || continue
    for link in $links; do hands_on "$shell" "$link" || echo "$shell: $link"; done
    types "$shell" "janggi --plain -n kim -c who janggi://$here/join/$code/$short" &&
        says '^Hello kim' && says '^  kim ' || echo "$shell: no seat"
    types "$shell" "janggi --plain -c games janggi://$here/watch/$key" &&
        says 'key matches the link' || echo "$shell: no watch"
    echo "$shell" >>"$dir/tried"
done >"$dir/wrong"
sed 's/^/# /' "$dir/wrong"
check links-survive-every-shell test ! -s "$dir/wrong"
for shell in bash zsh fish; do
    if here_are $shell; then check "$shell-was-tried" grep -q "^$shell" "$dir/tried"; fi
done
# Negative control: the test detects a link that a shell expands, because ? is a pattern.
if here_are zsh; then check a-pattern-is-seen sh -c "! zsh -f -c 'words janggi://h/watch/?a' 2>/dev/null"; fi
check a-changed-link-is-seen sh -c "cd '$dir/empty' && touch Xa && [ \"\$(bash -c 'words ?a')\" = Xa ]"

# An invitation made over the loopback interface is for other machines all the same.
stop_server() {
    kill "$server_pid" && wait "$server_pid"
    server_pid=
}
invites() {
    (as hong --plain -c invite --pin "$key" "127.0.0.1:$port") </dev/null >"$dir/said" 2>&1
}
stop_server
start_server --public-name board.example
invites
check an-invitation-has-the-public-name says "^  janggi janggi://board.example:$port/join/[A-Z0-9-]*/$short\$"
check an-invitation-has-a-line-for-a-clone says "^  make play LINK=janggi://board.example:$port/join/"
check a-public-name-needs-no-warning sh -c "! grep -q 'this machine\|private' '$dir/said'"
check no-link-for-a-browser-that-is-not-let-in sh -c "! grep -q https: '$dir/said'"
stop_server
start_server --public-name board.example --web play
invites
if grep -q '^no page for browsers' "$dir/server.out"; then
    check no-link-to-a-page-that-is-not-there sh -c "! grep -q https: '$dir/said'"
else
    check an-invitation-has-a-link-for-a-browser says "^  https://board.example:$port/join#[A-Z0-9-]*\$"
    check and-says-so says '^In a browser, with nothing to install:'
fi
stop_server
start_server
invites
check a-server-on-loopback-alone-is-warned-of says '^127.0.0.1 is this machine: the line works here only'
stop_server
data=$dir/data
"$build/janggid" --allow-root --data "$data" --listen ":$port" --access open >"$dir/server.out" 2>>"$dir/server.err" &
server_pid=$!
wait_for 30 grep -q '^key ' "$dir/server.out"
invites
# If this machine has an address, the link contains it; otherwise there is a warning.
check a-link-names-an-address-of-the-machine sh -c \
    "! grep -q 'janggi://127.0.0.1' '$dir/said' || grep -q 'works here only' '$dir/said'"
finish
