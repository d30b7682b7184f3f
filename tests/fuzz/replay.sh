#!/bin/sh
# Every file of every corpus through its fuzz target, without libFuzzer.
#
#   sh tests/fuzz/replay.sh BUILD_DIR
set -u
here=$(dirname "$0")
build=${1:?usage: replay.sh BUILD_DIR}
failed=0

for target in "$here"/fuzz_*.c; do
    name=$(basename "$target" .c)
    if said=$("$build/tests/fuzz/$name" "$here/corpus/${name#fuzz_}"/* 2>&1); then
        echo "ok $name: ${said#\# }"
    else
        echo "not ok $name: the corpus does not pass"
        echo "$said"
        failed=1
    fi
done
exit $failed
