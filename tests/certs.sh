#!/bin/sh
# Runs the scripts of certs/ in a directory of their own, and checks the files that they make with openssl.
# Prints "ok NAME" and "not ok NAME".

cd "$(dirname "$0")/.." || exit 1
failed=0
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
out=$room/private

# check NAME COMMAND...: ok if it succeeds.
check() {
    name=$1
    shift
    if "$@" >"$room/said" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        sed 's/^/# /' "$room/said"
        failed=1
    fi
}

fails() {
    ! "$@"
}

fails_saying() { # WORDS COMMAND...
    words=$1
    shift
    ! "$@" >"$room/words" 2>&1 && cat "$room/words" && grep -q -e "$words" "$room/words"
}

mode_is() {
    [ "$(stat -c %a "$2" 2>/dev/null || stat -f %Lp "$2")" = "$1" ]
}

verify() {
    openssl verify -x509_strict -CAfile "$out/ca.pem" "$@"
}

says() {
    "$@" | grep -q "$pattern"
}

same() {
    [ "$1" = "$2" ]
}

# Computes the pin with other tools than the script uses.
other_pin() {
    openssl x509 -in "$1" -noout -pubkey | python3 -c '
import base64, hashlib, sys
der = base64.b64decode("".join(sys.stdin.read().split("\n")[1:-2]))
print(base64.urlsafe_b64encode(hashlib.sha256(der).digest()).decode().rstrip("="))'
}

serve_and_call() { # CERT KEY OPTION...: one handshake between two openssl programs
    cert=$1 key=$2
    shift 2
    : >"$room/server"
    openssl s_server -accept 127.0.0.1:0 -cert "$cert" -key "$key" -tls1_3 -www \
        >"$room/server" 2>&1 &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$room/server")
        [ -n "$port" ] && break
        sleep 0.2
    done
    openssl s_client -connect "127.0.0.1:$port" -CAfile "$out/ca.pem" \
        -verify_return_error "$@" </dev/null >"$room/client" 2>&1
    status=$?
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    return "$status"
}

for script in certs/*.sh; do
    check "$script is POSIX sh" sh -n "$script"
done

# --- The authority
check "nothing is signed before there is an authority" \
    fails certs/make-server-cert.sh -o "$out" board.example
check "an authority is made" certs/make-ca.sh -o "$out" "Minho's circle"
check "its key is its owner's alone" mode_is 600 "$out/ca-key.pem"
pattern='CA:TRUE, pathlen:0'
check "it may sign, once" says openssl x509 -in "$out/ca.pem" -noout -text
check "it verifies itself" verify "$out/ca.pem"
before=$(cat "$out/ca-key.pem" "$out/ca.pem")
check "it is not made again over itself" fails certs/make-ca.sh -o "$out"
check "and has stayed the same" same "$before" "$(cat "$out/ca-key.pem" "$out/ca.pem")"

# --- A server
check "a server's certificate is made" \
    certs/make-server-cert.sh -o "$out" board.example 192.0.2.7 2001:db8::7 localhost
check "its key is its owner's alone" mode_is 600 "$out/server-key.pem"
check "it is good for its first name" \
    verify -purpose sslserver -verify_hostname board.example "$out/server.pem"
check "and its last" verify -verify_hostname localhost "$out/server.pem"
check "and its addresses" verify -verify_ip 192.0.2.7 "$out/server.pem"
check "of both kinds" verify -verify_ip 2001:db8::7 "$out/server.pem"
check "and no other name" fails verify -verify_hostname other.example "$out/server.pem"
check "nor address" fails verify -verify_ip 192.0.2.8 "$out/server.pem"
check "it is no player's" fails verify -purpose sslclient "$out/server.pem"
check "a client that trusts the authority connects" \
    serve_and_call "$out/server.pem" "$out/server-key.pem" -verify_hostname localhost
check "and not under another name" fails \
    serve_and_call "$out/server.pem" "$out/server-key.pem" -verify_hostname other.example
check "for that reason" grep -q "hostname mismatch" "$room/client"
check "a server's key is never written over" \
    fails certs/make-server-cert.sh -o "$out" board.example
check "what is no host is refused" \
    fails certs/make-server-cert.sh -o "$room/more" 'board.example,DNS:evil.example'

# --- Players
check "a player's certificate is made" certs/make-player-cert.sh -o "$out" hong
check "with a name in Hangul as well" certs/make-player-cert.sh -o "$out" 홍길동
check "its key is its owner's alone" mode_is 600 "$out/player-hong-key.pem"
check "it is good for a player" verify -purpose sslclient "$out/player-hong.pem"
check "it is no server's" fails verify -purpose sslserver "$out/player-hong.pem"
pattern='CN *= *홍길동'
check "the name is in it" says \
    openssl x509 -in "$out/player-홍길동.pem" -noout -subject -nameopt utf8
check "a player's key is never written over" \
    fails certs/make-player-cert.sh -o "$out" hong
for name in '' ../hong 'a/CN=b' .hong -- 'a,b'; do
    check "'$name' is no player's name" fails certs/make-player-cert.sh -o "$out" -- "$name"
done

# --- Pins and renewal
pin=$(certs/show-pin.sh "$out/server.pem")
check "a pin is 43 characters" sh -c "printf %s '$pin' | grep -Eqx '[A-Za-z0-9_-]{43}'"
check "it is the SHA-256 of the key" same "$pin" "$(other_pin "$out/server.pem")"
check "another key has another" fails same "$pin" "$(certs/show-pin.sh "$out/ca.pem")"
check "what is no certificate has none" fails certs/show-pin.sh "$out/server-key.pem"
old=$(openssl x509 -in "$out/server.pem" -noout -serial)
check "a server's certificate is renewed" certs/renew.sh -o "$out" -d 900 "$out/server.pem"
check "with the same pin" same "$pin" "$(certs/show-pin.sh "$out/server.pem")"
check "another serial" fails same "$old" "$(openssl x509 -in "$out/server.pem" -noout -serial)"
check "its own names" verify -verify_hostname board.example "$out/server.pem"
check "for its use alone" fails verify -purpose sslclient "$out/server.pem"
check "new dates" openssl x509 -in "$out/server.pem" -noout -checkend $((890 * 86400))
check "and the key it had" same "$(openssl pkey -in "$out/server-key.pem" -pubout)" \
    "$(openssl x509 -in "$out/server.pem" -noout -pubkey)"
check "the one before is kept" same "$old" \
    "$(openssl x509 -in "$out/server.old.pem" -noout -serial)"
pin=$(certs/show-pin.sh "$out/ca.pem")
check "an authority renews itself" certs/renew.sh -o "$out" -d 4000 "$out/ca.pem"
check "with the same pin as well" same "$pin" "$(certs/show-pin.sh "$out/ca.pem")"
check "and what it signed before still stands" verify "$out/player-hong.pem"
pin=$(certs/show-pin.sh "$out/player-hong.pem")
check "a player's certificate is renewed" certs/renew.sh -o "$out" "$out/player-hong.pem"
check "with its pin" same "$pin" "$(certs/show-pin.sh "$out/player-hong.pem")"
check "with another's key nothing is renewed" \
    fails certs/renew.sh -o "$out" -k "$out/server-key.pem" "$out/ca.pem"
check "another authority signs nothing that it did not sign before" certs/make-ca.sh -o "$room/stranger" 'Minho'"'"'s circle'
cp "$out/server.pem" "$out/server-key.pem" "$room/stranger/"
before=$(cat "$room/stranger/server.pem")
check "also under the same name" fails_saying "was not signed by the authority in" \
    certs/renew.sh -o "$room/stranger" "$room/stranger/server.pem"
check "and the file is as it was" same "$before" "$(cat "$room/stranger/server.pem")"
# A certificate that names our authority as its issuer, with names that the authority never certified.
forge() {
    openssl req -new -key "$out/server-key.pem" -subj "/CN=evil.example" -out "$room/request" &&
        printf 'subjectAltName=DNS:evil.example\nextendedKeyUsage=serverAuth\n' >"$room/extensions" &&
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$room/forger" &&
        openssl req -x509 -new -key "$room/forger" -subj "/CN=Minho's circle" -out "$room/forger.pem" &&
        openssl x509 -req -in "$room/request" -CA "$room/forger.pem" -CAkey "$room/forger" \
            -set_serial 7 -extfile "$room/extensions" -out "$room/forged.pem"
}
check "a certificate is forged in the name of the authority" forge
check "it is not renewed" fails_saying "was not signed by the authority in" \
    certs/renew.sh -o "$out" "$room/forged.pem"
check "a certificate that has ended is made" sh -c "openssl x509 -req -in '$room/request' -CA '$out/ca.pem' \
    -CAkey '$out/ca-key.pem' -set_serial 8 -days 1 -extfile '$room/extensions' -out '$room/ended.pem'"
check "what the authority signed is renewed" certs/renew.sh -o "$out" "$room/ended.pem"
# Changes bytes of a self-signed certificate: in the name, not in the signature.
tamper() {
    openssl x509 -in "$out/ca.pem" -outform DER | sed 's/circle/castle/g' |
        openssl x509 -inform DER -out "$room/tampered.pem"
}
check "an authority's own certificate is changed" tamper
check "it is not renewed either" fails_saying "its signature is another's" \
    certs/renew.sh -k "$out/ca-key.pem" "$room/tampered.pem"
mkdir "$room/other" && printf '#!/bin/sh\necho LibreSSL 3.3.6\n' >"$room/other/openssl" &&
    chmod +x "$room/other/openssl"
check "another program called openssl is refused" \
    fails env PATH="$room/other:$PATH" certs/make-ca.sh -o "$room/never"
check "nothing unfinished is left" sh -c "[ -z \"\$(find '$out' -name '.making*' -o -name '*.new')\" ]"
check "git would not take any of it" sh -c \
    "git init -q '$room/repo' && cp .gitignore '$room/repo' && cp -r '$out' '$room/repo' &&
     [ -z \"\$(git -C '$room/repo' status --porcelain -uall | grep -v gitignore)\" ]"

exit $failed
