#!/bin/sh
# The rules as a library: builds tests/interop/examples/count_moves.c with the pure sources that the
# Makefile names and nothing else, not even a library beside libc, and runs it.
#
#   sh tests/interop/example.sh BUILD_DIR
. "$(dirname "$0")/../lib/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$build/tests/interop/examples/count_moves

# result NAME STATUS
result() { check "$1" test "$2" -eq 0; }

sources=$(make -s -C "$root" list NAME=PURE | sed "s|^|$root/|")
mkdir -p "$(dirname "$program")"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -I"$root" -o "$program" \
    "$root/tests/interop/examples/count_moves.c" $sources
result "the pure part alone links a program" $?

out=$("$program")
result "the example runs" $?
[ "$(echo "$out" | tail -n 1)" = 30037 ]
result "30037 lines of three plies from figure 1" $?
[ "$(echo "$out" | head -n 1 | wc -w)" -eq 31 ]
result "31 moves from figure 1" $?
"$program" kja | tail -n 1 | grep -qx 33000
result "33000 lines in the ruleset kja" $?
"$program" martin "rubbish" 2>/dev/null
[ $? -eq 2 ]
result "a bad position is refused" $?
[ "$(wc -l <"$root/tests/interop/examples/count_moves.c")" -le 34 ]
result "it is short" $?
finish
