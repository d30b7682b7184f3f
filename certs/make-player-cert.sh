#!/bin/sh
# Makes a key and a certificate for a player, signed by the authority of make-ca.sh.
#
#   make-player-cert.sh [-o DIR] [-d DAYS] NAME
#
# The key proves the player's name from the first login on. DIR is ./private, DAYS 825.

. "$(dirname "$0")/shared.sh"

days=825
read_options "$@"
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
name=$1
check_name "$name"
must_exist "$dir/ca-key.pem" "$dir/ca.pem"
must_not_exist "$dir/player-$name-key.pem" "$dir/player-$name.pem"
start_work

extensions clientAuth >"$work/extensions"
make_key "$work/key"
sign "$work/key" "$name" "$days" "$work/cert"
keep "$work/key" "$dir/player-$name-key.pem"
keep "$work/cert" "$dir/player-$name.pem"

echo "made  $dir/player-$name-key.pem"
echo "made  $dir/player-$name.pem   ends $(ends "$work/cert")"
echo "pin   $(pin "$work/cert")"
echo
echo "next  give both and $dir/ca.pem to $name by a way that nobody else reads:"
echo "      janggi --cert player-$name.pem --key player-$name-key.pem --ca ca.pem \\"
echo "          -n $name HOST"
