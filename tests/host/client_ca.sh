#!/bin/sh
# A closed circle: with --client-ca the server admits only clients with a certificate of that authority, as
# the scripts of certs/ make them, and a client without one reads why.
#
#   sh tests/host/client_ca.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
root=$(dirname "$0")/../..
circle=$dir/circle
others=$dir/others

make_circle() { # DIR PLAYER
    mkdir -p "$1" && "$root/certs/make-ca.sh" -o "$1" "The circle" >>"$dir/made" 2>&1 &&
        "$root/certs/make-player-cert.sh" -o "$1" "$2" >>"$dir/made" 2>&1
}
check a-circle-is-made make_circle "$circle" hong
check and-another-one make_circle "$others" kim

# ends NAME CODE ARGUMENTS...: janggi of that player ends with the code; its words are in $dir/said
ends() {
    ends_name=$1 ends_code=$2
    shift 2
    (as "$ends_name" --pin "$key" "$@" "127.0.0.1:$port") >"$dir/said" 2>&1 </dev/null
    ends_got=$?
    [ $ends_got -eq "$ends_code" ] && return
    echo "# ended with $ends_got, not $ends_code:"
    sed 's/^/#   /' "$dir/said"
    return 1
}
said() { grep -q -e "$1" "$dir/said"; }
# shows_none: a client that has no certificate at all gets no greeting
shows_none() {
    timeout 60 openssl s_client -quiet -connect "127.0.0.1:$port" </dev/null >"$dir/said" 2>&1
    ! grep -q 'janggi/1' "$dir/said" && grep -q 'certificate required' "$dir/said"
}
with_cert() { # DIR PLAYER: the options
    echo "--cert $1/player-$2.pem --key $1/player-$2-key.pem"
}

start_server
check without-the-option-a-key-of-ones-own-is-enough ends lee 0 -c who
kill_server

start_server --client-ca "$circle/ca.pem"
# shellcheck disable=SC2046
check a-certificate-of-the-circle-is-admitted ends hong 0 $(with_cert "$circle" hong) -c who
check and-its-name-is-known said 'hong'
check ones-own-key-is-not ends lee 5 -c who
check which-is-said said 'requires a certificate from its own authority.*--cert FILE and --key FILE'
# shellcheck disable=SC2046
check nor-a-certificate-of-others ends kim 5 $(with_cert "$others" kim) -c who
check a-client-without-a-certificate-gets-no-greeting shows_none
check the-log-says-why grep -q 'closed why=handshake' "$dir/server.err"

# The certificate of the server itself is signed by the same authority, but is not a player's.
"$root/certs/make-server-cert.sh" -o "$circle" localhost >>"$dir/made" 2>&1
server_cert=$(find "$circle" -name 'server*.pem' ! -name '*key*' | head -1)
server_key=$(find "$circle" -name 'server*key*.pem' | head -1)
check a-certificate-for-servers-admits-nobody ends kim 5 --cert "$server_cert" --key "$server_key" -c who
kill_server

# refuses PATTERN OPTIONS...: janggid does not start and says why
refuses() {
    refuses_pattern=$1
    shift
    timeout 60 "$build/janggid" --allow-root --data "$dir/data" --listen 127.0.0.1:0 "$@" >"$dir/out" 2>"$dir/err"
    [ $? -ne 0 ] && grep -q -e "$refuses_pattern" "$dir/err"
}
check a-missing-file-is-said refuses 'client-ca' --client-ca "$dir/none.pem"
check browsers-show-none refuses 'client-ca: it admits no browsers' --client-ca "$circle/ca.pem" --web play
finish
