#!/bin/sh
# What janggi ends with and says when things go wrong: every exit code, trust in its order, and
# nothing but plain text in a pipe.
#
#   sh tests/cli/client_exit.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
esc=$(printf '\033')

# ends NAME CODE ARGUMENTS...: janggi of that player ends with the code; its words are in $dir/said
ends() {
    ends_name=$1 ends_code=$2
    shift 2
    (as "$ends_name" "$@") >"$dir/said" 2>&1 </dev/null
    ends_got=$?
    [ $ends_got -eq "$ends_code" ] && return
    echo "# ended with $ends_got, not $ends_code:"
    sed 's/^/#   /' "$dir/said"
    return 1
}
says() { grep -q -- "$1" "$dir/said"; }

check help-exits-with-0 ends hong 0 --help
(as hong local --setup 1/1 -c board) >/dev/full 2>/dev/null
check output-that-nobody-takes-exits-with-1 test $? -eq 1
(as hong learn -c hint) >/dev/full 2>/dev/null
check the-same-in-the-tour test $? -eq 1
check a-file-that-is-none-exits-with-1 ends hong 1 replay "$dir/none"
mkdir -p "$dir/home-hong/.config/janggi"
echo 'color = green' >"$dir/home-hong/.config/janggi/config"
check a-bad-setting-exits-with-2 ends hong 2 --version
rm "$dir/home-hong/.config/janggi/config"
check version-exits-with-0 ends hong 0 --version
check unknown-option-exits-with-2 ends hong 2 --nonsense
check damaged-link-exits-with-2 ends hong 2 janggi://h/join/A/short
check a-task-may-stand-behind-options ends hong 0 --pieces hanja local -c flip
check two-servers-are-2 ends hong 2 a b
check a-mistyped-task-is-2 ends hong 2 compter
check and-is-named says 'did you mean "janggi computer"?'
check a-link-for-a-browser-is-2 ends hong 2 'https://h:9032/join#K7Q2-9F3M'
python3 -c 'import http.server as h; s = h.HTTPServer(("127.0.0.1", 0), h.BaseHTTPRequestHandler)
print(s.server_port, flush=True); s.serve_forever()' >"$dir/http" 2>/dev/null &
http=$!
until [ -s "$dir/http" ]; do sleep 0.1; done
check a-port-of-http-exits-with-3 ends hong 3 "127.0.0.1:$(cat "$dir/http")"
check and-says-that-it-is-none-of-ours says 'no janggi server answers there'
kill $http
check nobody-there-exits-with-3 ends hong 3 127.0.0.1:1
check and-says-what-to-do says 'cannot reach 127.0.0.1:1: connection refused; is janggid running there?'
check a-certificate-that-is-not-there-exits-with-1 ends hong 1 --cert "$dir/none" --key "$0" 127.0.0.1:1
check and-says-which-it-is says "^janggi: $dir/none: No such file or directory$"
check a-key-that-is-not-there-exits-with-1 ends hong 1 --cert "$0" --key "$dir/none" 127.0.0.1:1
check and-says-which-file says "^janggi: $dir/none: No such file or directory$"
check an-authority-that-is-not-there-exits-with-1 ends hong 1 --ca "$dir/none" 127.0.0.1:1
check and-says-that-file says "^janggi: $dir/none: No such file or directory$"
check unknown-host-exits-with-3 ends hong 3 no-such-host.invalid

start_server
here=127.0.0.1:$port
check unknown-key-exits-with-4 ends hong 4 "$here"
check and-shows-the-line-to-use says "janggi --pin $key $here"
check wrong-pin-exits-with-4 ends hong 4 --pin AAAAAAAAAAAAAAAAAAAAAA "$here"
check right-pin-exits-with-0 ends hong 0 --pin "$key" "$here"
check known-key-exits-with-0 ends hong 0 "$here"
check known-key-is-said says 'key unchanged'
check forget-forgets ends hong 0 forget "$here"
check forgotten-key-exits-with-4 ends hong 4 "$here"
check link-with-key-exits-with-0 ends lee 0 -c games "janggi://$here/watch/$key"
short=$(echo "$key" | cut -c1-22)
check link-with-short-key-exits-with-0 ends lee 0 -c games "janggi://$here/watch/$short"
check a-link-that-was-cut-exits-with-4 ends kim 4 "janggi://$here/join/K7Q2-9F3M"
check and-says-that-it-was-cut says 'The link was probably cut'
check used-up-invitation-exits-with-5 ends kim 5 "janggi://$here/join/K7Q2-9F3M/$short"
code=$( (as park -n park --pin "$key" -c 'invite' "$here") 2>/dev/null </dev/null | sed -n 's/^ *janggi janggi:.*\/join\/\([^/]*\)\/.*/\1/p')
check a-friend-takes-the-seat ends choi 0 -n choi -c who "janggi://$here/join/$code/$short"
check a-third-exits-with-5 ends lee 5 -n lee "janggi://$here/join/$code/$short"
check and-reads-that-both-seats-are-taken says "both seats of the game of $code are taken; ask for a new invitation"
check the-seat-is-given-up ends choi 0 -c 'resign!' "$here"
check taken-name-exits-with-5 ends lee 5 --pin "$key" -n kim "$here"
check no-name-exits-with-2 ends lee 2 --pin "$key" -n 'a b' "$here"
check refused-move-exits-with-6 ends kim 6 -c 'b0c2' "$here"
check unknown-word-says-what-was-meant says 'You have no game here'
check refused-word-goes-on ends kim 6 -c 'resing; who' "$here"
check the-next-command-ran says '^  kim '
check refused-and-then-quit-exits-with-6 ends kim 6 -c 'resing; quit' "$here"
check quit-alone-exits-with-0 ends kim 0 -c 'who; quit; resing' "$here"
check a-refused-setting-exits-with-6 ends kim 6 -c 'set color green' "$here"
check a-command-too-long-exits-with-6 ends kim 6 -c "who$(printf '%5000s' '')" "$here"
printf 'who%20000s\nwho\n' '' | (as kim "$here") >"$dir/said" 2>&1
check a-line-too-long-exits-with-6 test $? -eq 6
check and-the-next-line-is-read says '^  kim '
check script-exits-with-0 ends kim 0 -c 'seek 10 5; seeks; limits' "$here"
check seek-is-listed says '^  [0-9]* *kim '

echo who | (as kim "$here") >"$dir/said" 2>&1
check pipe-exits-with-0 test $? -eq 0
check pipe-is-answered says '^  kim '
(NO_COLOR='' CLICOLOR_FORCE=1 as kim -c 'help; rules; games; who' "$here") >"$dir/said" 2>&1
check no-escape-codes-in-a-pipe sh -c "! grep -q '$esc' '$dir/said'"
(as kim "$here") <"$0" >"$dir/said" 2>&1
check a-file-can-be-standard-input test $? -eq 6

# an interrupt: the shell of a background job ignores it, so another program must send it
HOME=$dir/home-lee python3 - "$build/janggi" "janggi://$here/watch/$key" <<'END' && ok interrupt-is-130 || not_ok interrupt-is-130
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
client = subprocess.Popen([sys.argv[1], "--plain", sys.argv[2]], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True)
for line in client.stdout:
    if "waiting" in line:
        client.send_signal(signal.SIGINT)
sys.exit(client.wait(120) != 130)
END

# lingers NAME ARGUMENTS...: janggi of that player stays, for nobody closes its input; its words go
# to $dir/stays
mkfifo "$dir/never"
exec 5<>"$dir/never"
lingers() {
    (exec 5>&- && as "$@") <"$dir/never" >"$dir/stays" 2>&1 &
    lingers_pid=$!
    wait_for 10 grep -q 'Hello' "$dir/stays"
}
# leaves CODE: it ends with the code
leaves() {
    wait "$lingers_pid"
    [ $? -eq "$1" ]
}
lingers hong --pin "$key" "$here"
check a-script-takes-no-name-in-use ends hong 5 -c who "$here"
check a-second-login-takes-over ends hong 0 -n hong -c who "$here"
check the-first-one-exits-with-3 leaves 3
check and-says-why grep -q 'you logged in from another place' "$dir/stays"
check and-does-not-come-back sh -c "! grep -q 'trying again' '$dir/stays'"
lingers hong --no-reconnect "$here"
kill_server
check lost-without-reconnect-exits-with-3 leaves 3
start_server

# the server gets another key, on the same port
check pin-for-later ends hong 0 --pin "$key" "$here"
kill_server
mv "$dir/data" "$dir/old-data"
start_server
check changed-key-exits-with-4 ends hong 4 "$here"
check and-says-so says "the key of $here has CHANGED. Not connected."
check and-says-how-to-go-on says "janggi --pin $key $here"
check old-link-exits-with-4 ends lee 4 "janggi://$here/watch/$short"
check the-line-it-gave-works ends hong 0 --pin "$key" "$here"
check and-is-kept ends hong 0 "$here"
finish
