#!/bin/sh
# Renews a certificate over the same key: names and pin stay, only the dates are new.
#
#   renew.sh [-o DIR] [-d DAYS] [-k KEY] CERT
#
# A certificate that signed itself (an authority's, or the one that janggid made) signs
# itself again with KEY; any other is signed by the authority in DIR, ./private, if that authority
# has signed it before: what is renewed is copied from CERT, so a file that somebody else made
# would get what its maker wrote into it. KEY is CERT-key.pem beside CERT.pem if you do not say.
# The old one stays as CERT.old.pem.

. "$(dirname "$0")/shared.sh"

days=825
key=
while getopts o:d:k: option; do
    case $option in
    o) dir=$OPTARG ;;
    d) days=$OPTARG ;;
    k) key=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
cert=$1
must_exist "$cert"
before=$(pin "$cert")
start_work

line() {
    openssl x509 -in "$cert" -noout -nameopt utf8 "$@"
}

# is_signed_by AUTHORITY OPTION...: the signature of $cert is the authority's. It may have ended: that
# is why it is renewed.
is_signed_by() {
    authority=$1
    shift
    openssl verify -no-CApath -no-CAstore -no_check_time "$@" -CAfile "$authority" "$cert" \
        >"$work/why" 2>&1
}

# What was certified, read back out of the old certificate. Its owner's key is not here:
# a stand-in signs the request, and the authority is told which key is meant.
certify_again() {
    must_exist "$dir/ca-key.pem" "$dir/ca.pem"
    is_signed_by "$dir/ca.pem" ||
        die "$cert was not signed by the authority in $dir; nothing was done"
    name=$(line -subject | sed 's/^subject=CN *= *//')
    names=$(line -ext subjectAltName 2>/dev/null |
        sed -n 's/IP Address:/IP:/g; s/, /,/g; s/^ \{1,\}//p')
    case $(line -ext extendedKeyUsage) in
    *Server*) use=serverAuth ;;
    *Client*) use=clientAuth ;;
    *) die "$cert was not made by these scripts" ;;
    esac
    check_name "$name"
    extensions "$use" "$names" >"$work/extensions"
    openssl x509 -in "$cert" -noout -pubkey >"$work/own"
    make_key "$work/stand-in"
    sign "$work/stand-in" "$name" "$days" "$work/cert" -force_pubkey "$work/own"
}

if [ "$(line -subject_hash)" = "$(line -issuer_hash)" ]; then
    key=${key:-${cert%.pem}-key.pem}
    must_exist "$key"
    is_signed_by "$cert" -partial_chain -check_ss_sig ||
        die "$cert says that it signed itself, and its signature is another's; nothing was done"
    quietly openssl x509 -in "$cert" -signkey "$key" -set_serial "$(serial)" \
        -days "$days" -sha256 -out "$work/cert"
else
    certify_again
fi
[ "$(pin "$work/cert")" = "$before" ] || die "$key is not the key of $cert"
cp -p "$cert" "${cert%.pem}.old.pem"
cp -p "$cert" "$cert.new" # for its mode
cat "$work/cert" >"$cert.new"
mv "$cert.new" "$cert"

echo "made  $cert   ends $(ends "$cert")"
echo "pin   $before   as before"
echo
echo "next  a server reads it again on SIGHUP; a player just uses it"
