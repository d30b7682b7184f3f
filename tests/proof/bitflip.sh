#!/bin/sh
# Bits flip in a database and its log: bitflip.py. Then forgeries that nothing but the
# harness can notice, and it must.
#
#   sh tests/proof/bitflip.sh [BUILD] [--seeds N] [--first SEED]
build=${1:-build}
[ $# -gt 0 ] && shift
here=$(dirname "$0")
. "$here/../lib/control.sh"


python3 "$here/bitflip.py" "$build" "$@" || failed=1
control bitflip-with-a-forged-text-fails 'is served as' \
    python3 "$here/bitflip.py" "$build" --forge text
control bitflip-with-a-forged-end-fails 'verify finds nothing' \
    python3 "$here/bitflip.py" "$build" --forge end
exit $failed
