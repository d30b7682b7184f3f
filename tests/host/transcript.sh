#!/bin/sh
# The first game in README.md is what the programs print today; a word of it that they do not
# print is noticed.
#
#   sh tests/host/transcript.sh [BUILD]
build=${1:-build}
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp "${TMPDIR:-/tmp}/janggi-transcript-XXXXXX") || exit 1
trap 'rm -f "$copy"' EXIT
failed=0

# holds README: whether it says what the programs print.
holds() { python3 "$root/tests/transcripts.py" "$build" --check "$1"; }

if holds "$root/README.md"; then
    echo "ok README-shows-what-the-programs-print"
else
    echo "not ok README-shows-what-the-programs-print \"make transcript\" writes it anew"
    failed=1
fi
sed 's/^    -- guest[0-9]* is watching$/    -- guest5 is looking on/' "$root/README.md" >"$copy"
if cmp -s "$copy" "$root/README.md" || holds "$copy" >/dev/null; then
    echo "not ok and-a-changed-word-is-noticed"
    failed=1
else
    echo "ok and-a-changed-word-is-noticed"
fi
exit $failed
