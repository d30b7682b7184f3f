#!/bin/sh
# 200 games at once and twenty kills; then the negative controls, which must fail.
#
#   sh tests/proof/crash_kill9.sh [BUILD] [OPTIONS OF crash_kill9 ...]
build=${1:-build}
[ $# -gt 0 ] && shift
crash=$build/tests/proof/crash_kill9
. "$(dirname "$0")/../lib/control.sh"

# small NAME WORDS OPTIONS...: a control, a small run
small() {
    name=$1 words=$2
    shift 2
    control "crash-kill9-with-$name-fails" "$words" \
        "$crash" --build "$build" --games 6 --kills 1 --think 20 --plies 60 "$@"
}

"$crash" --build "$build" --kills "$(amount 20 8)" "$@" || failed=1
small=$build/tests/proof/fault/janggid-small
if [ -x "$small" ]; then
    "$crash" --build "$build" --kills "$(amount 5 2)" --server "$small" "$@" || failed=1
else
    echo "# not tried: $small was not built"
fi
small a-dropped-event 'was seen and lost' --forge drop
small an-altered-event 'was seen as' --forge alter
small a-doubled-event 'is there 2 times' --forge double
small a-raised-clock 'clock went up' --forge clock
# Nobody had seen what is lost if the kill came before the answers; then the server finds the gap.
small a-lying-database 'was acknowledged and is not there\|is damaged on the server' --lose 2
early=$build/tests/proof/fault/janggid-early
if [ -x "$early" ]; then
    small a-server-that-answers-before-the-disk 'was acknowledged and is not there' \
        --server "$early" --games 40 --kills 3 --think 5
else
    echo "# not tried: $early was not built"
fi
exit $failed
