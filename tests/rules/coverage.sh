#!/bin/sh
# Line coverage of the pure rules by their own tests: a percentage for each file, and the lines that
# no test reaches. Fails below 95 % in any of them.
#
#   sh tests/rules/coverage.sh BUILD_DIR
set -eu
build=${1:?usage: coverage.sh BUILD_DIR}/coverage
cd "$(dirname "$0")/../.."
case $build in /*) ;; *) build=$PWD/$build ;; esac

rules="side board move reach legal rules ruleset fault clock event game
    diagram guide term sentence $(cd client/formats && ls notation*.c | sed 's/\.c$//')"
units="board move rules limits fault clock event game diagram notation guide"

rm -rf "$build"
mkdir -p "$build"
flags='-std=c11 -D_GNU_SOURCE -I. -O0 -g'
objects=
for name in $rules names text mem translate; do
    ${CC:-gcc} $flags --coverage -c -o "$build/$name.o" "$(ls "$PWD"/common/*/"$name.c" "$PWD"/client/formats/"$name.c" 2>/dev/null)" # gcov looks there
    objects="$objects $build/$name.o"
done

# run PROGRAM SOURCES... -- ARGUMENTS...
run() {
    program=$1 sources=
    shift
    while [ "$1" != -- ]; do sources="$sources $1" && shift; done
    shift
    # shellcheck disable=SC2086 # words are wanted
    ${CC:-gcc} $flags --coverage -o "$build/$program" $sources $objects -lcmocka -ljansson
    "$build/$program" "$@" >"$build/$program.log" 2>&1 || {
        echo "not ok coverage: $program fails, see $build/$program.log"
        exit 1
    }
}
for name in $units; do
    source=tests/unit/common/test_$name.c
    [ ! -e "$source" ] || run "test_$name" "$source" --
done
for source in tests/rules/test_*.c; do
    [ ! -e "$source" ] || run "$(basename "$source" .c)" "$source" --
done
for name in position move event; do
    run "fuzz_$name" "tests/fuzz/fuzz_$name.c" tests/fuzz/replay.c -- tests/fuzz/corpus/$name/*
done

cd "$build"
failed=0
for name in $rules; do
    gcov "$name.gcda" >/dev/null 2>&1
    awk -F: -v name="$name.c" '
        $1 !~ /-/ { lines++; if ($1 ~ /#####|=====/) { missed++; at = at " " ($2 + 0) } }
        END {
            share = lines ? 100 * (lines - missed) / lines : 0
            printf("%s %-18s %5.1f %% of %3d lines%s\n", (share >= 95 ? "ok" : "not ok"), name,
                share, lines, (missed ? "; never:" at : ""))
            exit (share < 95)
        }' "$name.c.gcov" || failed=1
done
exit $failed
