#!/bin/sh
# Game clocks under a wall clock that is moved, and what must be noticed when the monotonic one
# is moved too: see fault_clock.c. Needs faketime.
#
#   sh tests/proof/fault_clock.sh [BUILD] [OPTIONS OF fault_clock ...]
build=${1:-build}
[ $# -gt 0 ] && shift
clock=$build/tests/proof/fault_clock
. "$(dirname "$0")/../lib/control.sh"

# Preloads faketime's library directly: faketime itself sometimes fails because of files that a killed
# process with the same id has left. A sanitizer's library must come before all others.
for _ in 1 2 3 4 5; do
    # shellcheck disable=SC2016 # for the inner shell
    faketime=$(faketime -m -f +0 sh -c 'echo "$LD_PRELOAD"' 2>/dev/null)
    [ -n "$faketime" ] && break
done
if [ -z "$faketime" ]; then
    echo "not ok fault-clock faketime is not installed: sh tests/deps.sh test"
    exit 1
fi
sanitizer=$(ldd "$build/janggid" | awk '/lib[at]san/ { print $3 }')
libraries=${sanitizer:+$sanitizer:}$faketime

# moved NAME PHASE WORDS: a control: in that phase the monotonic clock is moved too
moved() {
    control "fault-clock-with-$1-fails" "$3" \
        "$clock" --build "$build" --faketime "$libraries" --fake-monotonic --only "$2"
}

"$clock" --build "$build" --faketime "$libraries" "$@" || failed=1
moved game-clocks-an-hour-on 1 'and a clock ended one\|which is not in'
moved game-clocks-sixty-times-as-fast 3 'and a clock ended one\|which is not in'
exit $failed
