#!/bin/sh
# 100 players come back to a server that was killed; then small storms that must fail: see
# reconnect_storm.c.
#
#   sh tests/e2e/reconnect_storm.sh [BUILD] [OPTIONS OF reconnect_storm ...]
build=${1:-build}
[ $# -gt 0 ] && shift
storm=$build/tests/e2e/reconnect_storm
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-reconnect-log-XXXXXX") || exit 1

# control NAME WORDS OPTIONS...: it fails, and says WORDS
control() {
    name=$1 words=$2
    shift 2
    if "$storm" --build "$build" --clients 20 "$@" >"$log"; then
        echo "not ok reconnect-storm-with-$name-fails it passed"
        failed=1
    elif grep -q "$words" "$log"; then
        echo "ok reconnect-storm-with-$name-fails"
    else
        sed 's/^/# /' "$log"
        echo "not ok reconnect-storm-with-$name-fails it failed for another reason"
        failed=1
    fi
    sed -n 's/^# files are in //p' "$log" | xargs -r rm -rf
}

"$storm" --build "$build" --clients 100 "$@" || failed=1
control clocks-charged-for-more 'is said to have' --forge-clock
control a-lying-database 'not ok reconnect-storm-everybody-is-seated-again' --lose 2
rm -f "$log"
exit $failed
