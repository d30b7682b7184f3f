#!/bin/sh
# The programs are built with what makes an attack on their memory harder.
#
#   sh tests/host/hardening.sh [BUILD]
area=hardening
. "$(dirname "$0")/../lib/tap.sh"

skip() { echo "ok $1 # SKIP $2"; }

notes() { readelf -l -d "$build/janggid" "$build/janggi" 2>/dev/null; }
if ! command -v readelf >/dev/null || nm "$build/janggid" | grep -q -e __asan_init -e __tsan_init || [ "$(uname -s)" != Linux ]; then
    skip built-with-hardening "no readelf, a sanitizer, or another linker"
else
    notes >"$dir/notes"
    count() { [ "$(grep -c -e "$1" "$dir/notes")" -eq 2 ]; }
    check relocations-are-read-only count GNU_RELRO
    check and-bound-at-the-start count 'FLAGS_1.*NOW.*PIE'
    check no-stack-is-run test "$(grep -A1 GNU_STACK "$dir/notes" | grep -c 'RW  ')" -eq 2
    case $(uname -m) in # Debian's own start-up objects have no such mark, so a whole program has none
    x86_64) check branches-are-marked sh -c "readelf -n '$build/server/main.o' | grep -q 'x86 feature: IBT, SHSTK'" ;;
    esac
    check bounds-are-checked sh -c "nm -D '$build/janggid' | grep -q '__.*_chk'"
fi
finish
