#!/bin/sh
# The first game in client/FIRST_GAME.md is what the programs print today, and a word of it that
# they do not print is noticed. The excerpt in README.md is from there.
#
#   sh tests/host/transcript.sh [BUILD]
build=${1:-build}
root=$(cd "$(dirname "$0")/../.." && pwd)
game=$root/client/FIRST_GAME.md
copy=$(mktemp "${TMPDIR:-/tmp}/janggi-transcript-XXXXXX") || exit 1
trap 'rm -f "$copy"' EXIT
failed=0

# holds FILE: whether it says what the programs print.
holds() { python3 "$root/tests/transcripts.py" "$build" --check "$1"; }

# excerpt README: whether it has one, each row of which is in the first game. Prints the others.
excerpt() {
    sed -n '/excerpt: begin/,/excerpt: end/p' "$1" | grep '^    ' >"$copy" || return 1
    ! grep -vFx -f "$game" "$copy"
}

if holds "$game"; then
    echo "ok first-game-shows-what-the-programs-print"
else
    echo "not ok first-game-shows-what-the-programs-print \"make transcript\" writes it anew"
    failed=1
fi
sed 's/^    -- guest[0-9]* is watching$/    -- guest5 is looking on/' "$game" >"$copy"
if cmp -s "$copy" "$game" || holds "$copy" >/dev/null; then
    echo "not ok and-a-changed-word-is-noticed"
    failed=1
else
    echo "ok and-a-changed-word-is-noticed"
fi
if excerpt "$root/README.md"; then
    echo "ok README-shows-rows-of-it"
else
    echo "not ok README-shows-rows-of-it"
    failed=1
fi
exit $failed
