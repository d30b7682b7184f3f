#!/bin/sh
# 40 games over a bad network that is cut in every state of the protocol; then small ones
# that must fail: see net_impair.c.
#
#   sh tests/e2e/net_impair.sh [BUILD] [OPTIONS OF net_impair ...]
build=${1:-build}
[ $# -gt 0 ] && shift
impair=$build/tests/e2e/net_impair
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-impair-log-XXXXXX") || exit 1

# short OPTIONS...: a network that is bad, and not slow
short() {
    "$impair" --build "$build" --think 5 --delay 3 --jitter 3 --patience 3000 --give-up 200 "$@"
}

# control NAME WORDS OPTIONS...: it fails, and says WORDS
control() {
    name=$1 words=$2
    shift 2
    if short --games 10 --at-once 10 --plies 24 --cuts 1 --patience 2000 "$@" >"$log"; then
        echo "not ok net-impair-with-$name-fails it passed"
        failed=1
    elif grep -q "$words" "$log"; then
        echo "ok net-impair-with-$name-fails"
    else
        sed 's/^/# /' "$log"
        echo "not ok net-impair-with-$name-fails it failed for another reason"
        failed=1
    fi
    sed -n 's/^# files are in //p' "$log" | xargs -r rm -rf
}

short --games 40 --at-once 40 --plies 40 --cuts 5 "$@" || failed=1
control a-state-left-alone 'never cut:.* move-answered' --spare move-answered
control players-who-do-not-resume 'did not$\|was refused\|is not there' --never-resumes
control a-lying-database 'could not be resumed\|was acknowledged and is not there' --lose 5
control a-dropped-event 'was seen and lost' --forge drop
control an-altered-event 'was seen as' --forge alter
control a-raised-clock 'clock went up' --forge clock
rm -f "$log"
exit $failed
