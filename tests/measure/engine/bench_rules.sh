#!/bin/sh
# make bench-rules: leaves a second, time of a judgement, and, where valgrind is installed,
# instructions a leaf, which a busy machine does not change. Two depths are subtracted, so that
# what starting up costs is not in the count.
#
#   sh tests/measure/engine/bench_rules.sh BUILD_DIR
set -eu
build=${1:?usage: bench.sh BUILD_DIR}
ours=$build/tests/measure/engine/bench_rules
engine=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)

"$ours"

if ! command -v valgrind >/dev/null 2>&1; then
    echo "no valgrind here: instructions are not counted"
    exit 0
fi

# Instructions that a command executes; its standard input is ours.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}

of_engine() {
    printf 'setoption name UCI_Variant value janggi\nposition startpos\ngo perft %d\nquit\n' "$1" |
        instructions "$engine"
}

leaves=$(($("$ours" perft 4) - $("$ours" perft 3)))
per_leaf=$((($(instructions "$ours" perft 4) - $(instructions "$ours" perft 3)) / leaves))
engine_per_leaf=$((($(of_engine 4) - $(of_engine 3)) / leaves))
echo "instructions a leaf  fairy-stockfish $engine_per_leaf, janggi $per_leaf (below 250)"
[ "$per_leaf" -lt 250 ]
