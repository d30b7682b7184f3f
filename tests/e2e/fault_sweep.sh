#!/bin/sh
# Some of the calls of a short game fail, one after the other; then the same with a server
# that must be caught: a harness that cannot find a loss proves nothing.
#
#   sh tests/e2e/fault_sweep.sh [BUILD] [OPTIONS OF fault_sweep ...]
build=${1:-build}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- --stride 13 --memory-stride 8000
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-sweep-log-XXXXXX") || exit 1

"$build/tests/e2e/fault_sweep" --build "$build" "$@" || failed=1

name=sweep-with-an-answer-before-the-disk-fails
words='was seen and lost\|was promised and is not there'
if "$build/tests/e2e/fault_sweep" --build "$build" --only sync --stride 3 \
    --server "$build/tests/fault/janggid-early" >"$log" 2>&1; then
    echo "not ok $name it passed"
    failed=1
elif grep -q "$words" "$log"; then
    echo "ok $name"
    grep "$words" "$log" | head -n 1 | sed 's/^/# /'
else
    sed 's/^/# /' "$log"
    echo "not ok $name it failed for another reason"
    failed=1
fi
sed -n 's/^# files are in //p' "$log" | xargs -r rm -rf
rm -f "$log"
exit $failed
