#!/bin/sh
# 40 games over a bad network that is cut in every state of the protocol; then small ones
# that must fail: see net_impair.c.
#
#   sh tests/proof/net_impair.sh [BUILD] [OPTIONS OF net_impair ...]
build=${1:-build}
[ $# -gt 0 ] && shift
impair=$build/tests/proof/net_impair
. "$(dirname "$0")/../lib/control.sh"

# short OPTIONS...: a network that is bad, and not slow
short() {
    "$impair" --build "$build" --think 5 --delay 3 --jitter 3 --patience 3000 --give-up 200 "$@"
}

# few NAME WORDS OPTIONS...: a control, with few games
few() {
    name=$1 words=$2
    shift 2
    control "net-impair-with-$name-fails" "$words" \
        short --games 10 --at-once 10 --plies 24 --cuts 1 --patience 2000 "$@"
}

short --games 40 --at-once 40 --plies 40 --cuts 5 "$@" || failed=1
few a-state-left-alone 'never cut:.* move-answered' --spare move-answered
few players-who-do-not-resume 'did not$\|was refused\|is not there' --never-resumes
few a-lying-database 'could not be resumed\|was acknowledged and is not there' --lose 5
few a-dropped-event 'was seen and lost' --forge drop
few an-altered-event 'was seen as' --forge alter
few a-raised-clock 'clock went up' --forge clock
exit $failed
