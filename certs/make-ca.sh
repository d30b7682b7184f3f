#!/bin/sh
# Makes a small authority of your own: a key and a certificate that may sign others.
#
#   make-ca.sh [-o DIR] [-d DAYS] [NAME]
#
# DIR is ./private, DAYS is 3650, NAME is "janggi authority" if you do not say.

. "$(dirname "$0")/shared.sh"

days=3650
read_options "$@"
shift $((OPTIND - 1))
[ $# -le 1 ] || usage
name=${1:-janggi authority}
check_name "$name"
must_not_exist "$dir/ca-key.pem" "$dir/ca.pem"
start_work

cat >"$work/config" <<END
[req]
distinguished_name = nobody
x509_extensions = authority
[nobody]
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
END
make_key "$work/key"
quietly openssl req -x509 -new -utf8 -config "$work/config" -key "$work/key" \
    -subj "/CN=$name" -set_serial "$(serial)" -days "$days" -sha256 -out "$work/cert"
keep "$work/key" "$dir/ca-key.pem"
keep "$work/cert" "$dir/ca.pem"

echo "made  $dir/ca-key.pem   keep it to yourself, best not on the server"
echo "made  $dir/ca.pem       give it to everybody; ends $(ends "$dir/ca.pem")"
echo
echo "next  make-server-cert.sh -o $dir HOST"
