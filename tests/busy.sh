#!/bin/sh
# Runs all tests beside processes that only burn time: a test that needs a quick machine fails here.
# Only the limits of whole suites, which find one that hangs, are longer.
#
#   sh tests/busy.sh BUILD_DIR [RUNS] [LOAD] [PATTERN]     3 runs beside a load of 8
set -u
build=${1:?usage: busy.sh BUILD_DIR [RUNS] [LOAD] [PATTERN]}
runs=${2:-3} load=${3:-8} pattern=${4:-}
burning=
# shellcheck disable=SC2086 # one word for each
stop() { kill $burning 2>/dev/null; }
trap stop EXIT
trap 'exit 1' INT TERM

for _ in $(seq "$load"); do
    sh -c 'while :; do :; done' &
    burning="$burning $!"
done
failed=0
for run in $(seq "$runs"); do
    echo "# run $run of $runs, beside a load of $load"
    LIMIT_TIMES=3 sh tests/run.sh "$build" "$pattern" || failed=$((failed + 1))
done
[ $failed -eq 0 ] && echo "ok check-busy: $runs runs beside a load of $load" && exit
echo "not ok check-busy: $failed of $runs runs failed"
exit 1
