#!/bin/sh
# Two hundred power cuts; then the same with servers and a disk that must be caught: a
# harness that cannot find a loss proves nothing.
#
#   sh tests/e2e/crash_power.sh [BUILD] [OPTIONS OF crash_power ...]
build=${1:-build}
[ $# -gt 0 ] && shift
power=$build/tests/e2e/crash_power
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-power-log-XXXXXX") || exit 1

# control NAME WORDS OPTIONS...: the run fails, and says WORDS
control() {
    name=$1 words=$2
    shift 2
    if "$power" --build "$build" --cuts 40 --look 1 "$@" >"$log"; then
        echo "not ok power-with-$name-fails it passed"
        failed=1
    elif grep -q "$words" "$log"; then
        echo "ok power-with-$name-fails"
        grep "$words" "$log" | head -n 1
    else
        sed 's/^/# /' "$log"
        echo "not ok power-with-$name-fails it failed for another reason"
        failed=1
    fi
    sed -n 's/^# files are in //p' "$log" | xargs -r rm -rf
}

"$power" --build "$build" "$@" || failed=1
server=$build/tests/fault/janggid-power
lost='was seen and lost\|was promised and is not there\|nobody has that name'
control synchronous-normal "$lost" --server "$server-normal"
control a-disk-that-lies "$lost" --lies --mode nothing
control an-answer-before-the-disk "$lost" --server "$server-early"
control news-before-the-disk "$lost" --server "$server-shown"
control a-server-whose-power-stays 'does not go' --server "$build/janggid" --run 100
rm -f "$log"
exit $failed
