#!/bin/sh
# A hundred power cuts (make crash-power: more); then the negative controls, servers and a disk that must be detected.
#
#   sh tests/proof/crash_power.sh [BUILD] [OPTIONS OF crash_power ...]
build=${1:-build}
[ $# -gt 0 ] && shift
power=$build/tests/proof/crash_power
. "$(dirname "$0")/../lib/control.sh"

# cuts NAME WORDS OPTIONS...: a control, with fewer cuts
cuts() {
    name=$1 words=$2
    shift 2
    control "crash-power-with-$name-fails" "$words" "$power" --build "$build" --cuts 40 --look 1 "$@"
}

"$power" --build "$build" --cuts "$(amount 100 40)" "$@" || failed=1
server=$build/tests/proof/fault/janggid-power
# What the database lacks is said by the checker, or by the player who resumes a game first.
lost='was seen and lost\|was acknowledged and is not there\|unknown name\|having seen\|changed to\|does not follow\|could not be resumed\|nobody here has the name'
cuts synchronous-normal "$lost\|janggid did not start" --server "$server-normal"
cuts a-disk-that-lies "$lost" --lies --mode nothing
cuts an-answer-before-the-disk "$lost" --server "$server-early"
cuts news-before-the-disk "$lost" --server "$server-shown"
cuts a-server-whose-power-stays 'does not go' --server "$build/janggid" --run 100
exit $failed
