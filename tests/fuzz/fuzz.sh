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

# The parsers and all that they lean on; nothing with a library behind it.
sources="$(make -s -C "$here/../.." list NAME=PURE) common/net/proto.c"
# Sources that only one target needs, and its libraries.
more() {
    case $1 in
    frame) echo common/net/wire_buffer.c common/net/wire_frame.c common/net/wire_lines.c common/base/utf8.c -lutf8proc ;;
    http) echo server/web/web_request.c ;;
    link) echo server/net/link.c server/net/branch.c server/base/prefix.c common/base/log.c common/base/mono.c common/base/table.c \
        common/base/utf8.c common/net/wire_buffer.c common/net/wire_turn.c -levent -lcrypto -lutf8proc ;;
    esac
}

sanitized="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"

# The client is more than parsers: a whole visit, which the Makefile knows how to put together.
build_client() {
    make -s BUILD="$build/objects" CC=clang CFLAGS="$sanitized -fsanitize=fuzzer-no-link" HARDEN= LDHARD= \
        "$build/objects/tests/fuzz/libfuzzer_client"
    cp "$build/objects/tests/fuzz/libfuzzer_client" "$build/fuzz_client"
}
build_parser() {
    # shellcheck disable=SC2046,SC2086 # words are wanted
    clang -std=c11 -D_GNU_SOURCE -I. $sanitized -fsanitize=fuzzer -o "$build/fuzz_$1" "tests/fuzz/fuzz_$1.c" \
        $sources $(more "$1")
}

mkdir -p "$build"
cd "$here/../.."
# shellcheck disable=SC2086 # one word for each
set -- $names
if [ $# -gt 1 ]; then
    printf '%s\n' "$@" |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh tests/fuzz/fuzz.sh "${build%/fuzz}" "$seconds"
    exit
fi
name=$1
corpus=tests/fuzz/corpus/$name
found=$build/$name
mkdir -p "$corpus" "$found"
words=
[ -f "tests/fuzz/$name.dict" ] && words=-dict=tests/fuzz/$name.dict
case $name in client) build_client ;; *) build_parser "$name" ;; esac
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
