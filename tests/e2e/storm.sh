#!/bin/sh
# 200 games at once and twenty kills; then small storms that must fail: a judge, or a whole
# harness, that cannot find a fault proves nothing.
#
#   sh tests/e2e/storm.sh [BUILD] [OPTIONS OF storm ...]
build=${1:-build}
[ $# -gt 0 ] && shift
storm=$build/tests/e2e/storm
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-storm-log-XXXXXX") || exit 1

# control NAME WORDS OPTIONS...: the storm fails, and says WORDS
control() {
    name=$1 words=$2
    shift 2
    if "$storm" --build "$build" --games 6 --kills 1 --think 20 --plies 60 "$@" >"$log"; then
        echo "not ok storm-with-$name-fails it passed"
        failed=1
    elif grep -q "$words" "$log"; then
        echo "ok storm-with-$name-fails"
    else
        sed 's/^/# /' "$log"
        echo "not ok storm-with-$name-fails it failed for another reason"
        failed=1
    fi
    sed -n 's/^# files are in //p' "$log" | xargs -r rm -rf
}

"$storm" --build "$build" "$@" || failed=1
control a-dropped-event 'was seen and lost' --forge drop
control an-altered-event 'was seen as' --forge alter
control a-doubled-event 'is there 2 times' --forge double
control a-raised-clock 'clock went up' --forge clock
control a-lying-database 'was promised and is not there' --lose 2
early=$build/tests/fault/janggid-early
if [ -x "$early" ]; then
    control a-server-that-answers-before-the-disk 'was promised and is not there' \
        --server "$early" --games 40 --kills 3 --think 5
else
    echo "# not tried: $early was not built"
fi
rm -f "$log"
exit $failed
