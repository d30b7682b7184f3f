#!/bin/sh
# Some of the calls of a short game fail, one after the other; then the negative
# control, a server that must be detected.
#
#   sh tests/proof/fault_sweep.sh [BUILD] [OPTIONS OF fault_sweep ...]
build=${1:-build}
[ $# -gt 0 ] && shift
. "$(dirname "$0")/../lib/control.sh"
[ $# -gt 0 ] || set -- --stride "$(amount 13 31)" --memory-stride "$(amount 8000 19000)"

"$build/tests/proof/fault_sweep" --build "$build" "$@" || failed=1

control fault-sweep-with-an-answer-before-the-disk-fails 'was seen and lost\|was acknowledged and is not there\|nobody here has the name' \
    "$build/tests/proof/fault_sweep" --build "$build" --only sync --stride 3 --failures 1 \
    --server "$build/tests/proof/fault/janggid-early"
exit $failed
