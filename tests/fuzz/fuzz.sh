#!/bin/sh
# Runs each fuzz target for some seconds under libFuzzer with ASan and UBSan, from its corpus, as many at a
# time as there are processors. What it finds goes to BUILD_DIR/fuzz/NAME; "keep" then takes what reaches new code into the corpus.
#
#   sh tests/fuzz/fuzz.sh BUILD_DIR [SECONDS [NAME...]]
#   sh tests/fuzz/fuzz.sh BUILD_DIR keep
set -eu
here=$(dirname "$0")
build=${1:?usage: fuzz.sh BUILD_DIR [SECONDS [NAME...] | keep]}/fuzz
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
names=${*:-$(ls "$here"/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')}

sanitized="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"

# This target leans on one file of the server, whose other files nobody needs here.
build_http() {
    # shellcheck disable=SC2086 # words are wanted
    clang -std=c11 -D_GNU_SOURCE -I. $sanitized -fsanitize=fuzzer -o "$build/fuzz_http" tests/fuzz/fuzz_http.c \
        server/web/web_request.c common/base/text.c
}
# The others share the objects of our libraries.
build_together() {
    for name; do echo "$build/objects/tests/fuzz/libfuzzer_$name"; done |
        xargs make -s -j"$(getconf _NPROCESSORS_ONLN)" BUILD="$build/objects" CC=clang HARDEN= LDHARD= \
            CFLAGS="$sanitized -fsanitize=fuzzer-no-link"
    for name; do cp "$build/objects/tests/fuzz/libfuzzer_$name" "$build/fuzz_$name"; done
}
build_all() {
    together=
    for name; do
        case $name in http) build_http ;; *) together="$together $name" ;; esac
    done
    # shellcheck disable=SC2086 # one word for each
    [ -z "$together" ] || build_together $together
}

mkdir -p "$build"
cd "$here/../.."
# shellcheck disable=SC2086 # one word for each
set -- $names
[ -n "${IS_BUILT:-}" ] || build_all "$@"
if [ $# -gt 1 ]; then
    printf '%s\n' "$@" |
        IS_BUILT=yes xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh tests/fuzz/fuzz.sh "${build%/fuzz}" "$seconds"
    exit
fi
name=$1
corpus=tests/fuzz/corpus/$name
found=$build/$name
mkdir -p "$corpus" "$found"
words=
[ -f "tests/fuzz/$name.dict" ] && words=-dict=tests/fuzz/$name.dict
if [ "$seconds" = keep ]; then
    "$build/fuzz_$name" -merge=1 -use_counters=0 "$corpus" "$found" 2>/dev/null
    echo "$name: $(ls "$corpus" | wc -l) files"
elif "$build/fuzz_$name" -max_total_time="$seconds" -max_len=2048 -print_final_stats=1 $words \
    -artifact_prefix="$build/crash_${name}_" "$found" "$corpus" >"$build/$name.log" 2>&1; then
    echo "ok fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") runs"
else
    echo "not ok fuzz $name: see $build/$name.log"
    tail -20 "$build/$name.log"
    exit 1
fi
