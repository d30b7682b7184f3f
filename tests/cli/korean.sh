#!/bin/sh
# janggi in Korean: korean.py, and what a real server refuses, in the player's language.
#
#   sh tests/cli/korean.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

python3 "$(dirname "$0")/korean.py" "$build" || failed=1

# refused NAME WORDS TYPED: what comes of TYPED at the server has WORDS in it
refused() {
    (as hong "$2" "$3" --pin "$key" -n hong "127.0.0.1:$port" -c "$5") >"$dir/out" 2>&1
    grep -q "$4" "$dir/out" || sed 's/^/# /' "$dir/out"
    check "korean: $1" grep -q "$4" "$dir/out"
}

alone() { "$janggi" local --lang ko "$@" >"$dir/out" 2>&1 </dev/null; }
alone --setup 1/1 -c 'a6a5; 무르기'
check "korean: a move is taken back by its Korean word" grep -q '무르기: 첫 수부터' "$dir/out"

start_server
refused "hello" --lang ko '님, 안녕하세요' ping
refused "a refusal in Korean" --lang ko '하지 않았습니다: 대국 99번이 없거나 비공개입니다' 'watch 99'
refused "a refusal in English is the server's" --lang en 'not done: .*99' 'watch 99'
refused "an empty list" --lang ko '대국 신청이 없습니다' seeks
finish
