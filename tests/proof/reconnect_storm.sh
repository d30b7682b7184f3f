#!/bin/sh
# 100 players come back to a server that was killed; then small storms that must fail: see
# reconnect_storm.c.
#
#   sh tests/proof/reconnect_storm.sh [BUILD] [OPTIONS OF reconnect_storm ...]
build=${1:-build}
[ $# -gt 0 ] && shift
storm=$build/tests/proof/reconnect_storm
. "$(dirname "$0")/../lib/control.sh"

# few NAME WORDS OPTIONS...: a control, with few players
few() {
    name=$1 words=$2
    shift 2
    control "reconnect-storm-with-$name-fails" "$words" "$storm" --build "$build" --clients 20 "$@"
}

"$storm" --build "$build" --clients 100 "$@" || failed=1
few clocks-charged-for-more 'is said to have' --forge-clock
few a-lying-database 'not ok reconnect-storm-everybody-is-seated-again' --lose 2
exit $failed
