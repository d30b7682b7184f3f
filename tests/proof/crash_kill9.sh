#!/bin/sh
# 200 games at once and twenty kills; then small storms that must fail: a judge, or a whole
# harness, that cannot find a fault proves nothing.
#
#   sh tests/proof/crash_kill9.sh [BUILD] [OPTIONS OF storm ...]
build=${1:-build}
[ $# -gt 0 ] && shift
storm=$build/tests/proof/crash_kill9
. "$(dirname "$0")/../lib/control.sh"

# small NAME WORDS OPTIONS...: a control, with a small storm
small() {
    name=$1 words=$2
    shift 2
    control "storm-with-$name-fails" "$words" \
        "$storm" --build "$build" --games 6 --kills 1 --think 20 --plies 60 "$@"
}

"$storm" --build "$build" "$@" || failed=1
small a-dropped-event 'was seen and lost' --forge drop
small an-altered-event 'was seen as' --forge alter
small a-doubled-event 'is there 2 times' --forge double
small a-raised-clock 'clock went up' --forge clock
small a-lying-database 'was promised and is not there' --lose 2
early=$build/tests/proof/fault/janggid-early
if [ -x "$early" ]; then
    small a-server-that-answers-before-the-disk 'was promised and is not there' \
        --server "$early" --games 40 --kills 3 --think 5
else
    echo "# not tried: $early was not built"
fi
exit $failed
