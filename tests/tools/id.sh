#!/bin/sh
# The key of a player: shown, exported under a passphrase, imported on another machine.
#
#   sh tests/tools/id.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

run() { (as "$@") >"$dir/said" 2>&1 </dev/null; }
says() { grep -q -- "$1" "$dir/said"; }
kept() { echo "$dir/home-$1/.local/share/janggi/identity.$2"; }
mode() { ls -l "$1" | cut -c1-10; }

run hong id
check no-key-yet says 'There is no key yet'
check no-key-is-not-exported sh -c "! HOME=$dir/home-hong $build/janggi id export $dir/none 2>/dev/null"
start_server
here=127.0.0.1:$port
run hong --pin "$key" -n hong -c who "$here"
run hong id
check the-key-is-shown says '^key   [A-Za-z0-9_-]\{43\}$'
check the-file-is-shown says "^file  $(kept hong key)\$"
check the-name-is-shown says "^name  hong at $here\$"
mine=$(sed -n 's/^key   //p' "$dir/said")
spki=$(openssl pkey -in "$(kept hong key)" -pubout -outform DER | openssl dgst -sha256 -binary |
    openssl base64 | tr '+/' '-_' | tr -d '=')
check as-openssl-has-it test "$mine" = "$spki"

# Without a terminal there is no passphrase.
check no-terminal-no-export sh -c "! HOME=$dir/home-hong setsid $build/janggi id export $dir/none 2>/dev/null </dev/null"
check nothing-was-written test ! -e "$dir/none"
for words in 'export a b' 'import' 'import --force' 'import --forse a' 'nonsense'; do
    # shellcheck disable=SC2086
    run hong id $words
    check "misused-is-2: $words" test $? -eq 2
done

if python3 "$(dirname "$0")/id_pty.py" "$build" "$dir"; then ok on-a-terminal; else not_ok on-a-terminal; fi
check export-is-private test "$(mode "$dir/hong.key")" = -rw-------
check export-is-locked grep -q 'BEGIN ENCRYPTED PRIVATE KEY' "$dir/hong.key"
check openssl-opens-it sh -c "openssl pkey -in '$dir/hong.key' -passin pass:'open sesame' -noout"
check openssl-needs-the-passphrase sh -c "! openssl pkey -in '$dir/hong.key' -passin pass:other -noout 2>/dev/null"
check it-is-scrypt sh -c "openssl asn1parse -in '$dir/hong.key' | grep -q scrypt"

# The name opens to the imported key, on a machine that had another one.
run kim id
check the-key-went-along says "^key   $mine\$"
check imported-is-private test "$(mode "$(kept kim key)")" = -rw-------
check the-old-key-is-kept sh -c "ls '$dir'/home-kim/.local/share/janggi/identity.key.old-* >/dev/null"
check nothing-is-left-over test ! -e "$(kept kim key).new"
run kim --pin "$key" -n hong -c who "$here"
check the-name-opens-to-it says 'Hello hong'

# The server would not ask for another kind of key: the name would be bound to a token that is lost.
for kind in P-384 P-521 secp256k1 ed448; do
    case $kind in
    ed448) set -- -newkey "$kind" ;;
    *) set -- -newkey ec -pkeyopt "ec_paramgen_curve:$kind" ;;
    esac
    openssl req -x509 -nodes -subj /CN=x "$@" -keyout "$dir/odd.key" -out "$dir/odd.cert" 2>/dev/null
    run odd --pin "$key" --cert "$dir/odd.cert" --key "$dir/odd.key" -n odd -c who "$here"
    check "no-name-is-bound-to-$kind" test $? -ne 0
    check "$kind-is-refused-in-a-line" says 'odd.key: the key must be P-256, Ed25519, or RSA of 2048 to 4096 bits'
    check "$kind-is-not-imported" sh -c "! HOME=$dir/home-odd $build/janggi id import '$dir/odd.key' >/dev/null 2>&1"
done
finish
