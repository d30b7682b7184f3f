#!/bin/sh
# Bits flip in a database and its log: bitflip.py. Then forgeries that nothing but the
# harness can notice, and it must.
#
#   sh tests/e2e/bitflip.sh [BUILD] [--seeds N] [--first SEED]
build=${1:-build}
[ $# -gt 0 ] && shift
here=$(dirname "$0")
failed=0
log=$(mktemp "${TMPDIR:-/tmp}/janggi-bitflip-log-XXXXXX") || exit 1

# control NAME WORDS OPTIONS...: the run fails, and says WORDS
control() {
    name=$1 words=$2
    shift 2
    if python3 "$here/bitflip.py" "$build" "$@" >"$log" 2>&1; then
        echo "not ok bitflip-with-$name-fails it passed"
        failed=1
    elif grep -q "$words" "$log"; then
        echo "ok bitflip-with-$name-fails"
    else
        sed 's/^/# /' "$log"
        echo "not ok bitflip-with-$name-fails it failed for another reason"
        failed=1
    fi
}

python3 "$here/bitflip.py" "$build" "$@" || failed=1
control a-forged-text 'is served as' --forge text
control a-forged-end 'verify finds nothing' --forge end
rm -f "$log"
exit $failed
