#!/bin/sh
# Makes a key and a certificate for a server, signed by the authority of make-ca.sh.
#
#   make-server-cert.sh [-o DIR] [-d DAYS] HOST ...
#
# HOST is each name or address by which players will reach it. DIR is ./private, DAYS 825.

. "$(dirname "$0")/shared.sh"

days=825
read_options "$@"
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage

kind_of() {
    case $1 in
    *:*) echo IP ;;
    *[!0-9.]*) echo DNS ;;
    *) echo IP ;;
    esac
}

names=
for host in "$@"; do
    case $host in
    '' | *[!0-9A-Za-z.:*-]* | -*) die "not a host: '$host'" ;;
    esac
    names=$names${names:+,}$(kind_of "$host"):$host
done
check_name "$1"
must_exist "$dir/ca-key.pem" "$dir/ca.pem"
must_not_exist "$dir/server-key.pem" "$dir/server.pem"
start_work

extensions serverAuth "$names" >"$work/extensions"
make_key "$work/key"
sign "$work/key" "$1" "$days" "$work/cert"
keep "$work/key" "$dir/server-key.pem"
keep "$work/cert" "$dir/server.pem"

echo "made  $dir/server-key.pem"
echo "made  $dir/server.pem   for $names; ends $(ends "$dir/server.pem")"
echo "pin   $(pin "$dir/server.pem")"
echo
echo "next  janggid --cert $dir/server.pem --key $dir/server-key.pem"
echo "      and every player: janggi --ca ca.pem $1"
