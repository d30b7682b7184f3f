#!/bin/sh
# The disk is full for some seconds: simulated in the C library, and really, in a small file system of its
# own where the system allows one.
#
#   sh tests/proof/fault_full.sh [BUILD] [OPTIONS OF fault_full ...]
build=${1:-build}
[ $# -gt 0 ] && shift
full=$build/tests/proof/fault_full
. "$(dirname "$0")/../lib/control.sh"
place=$(mktemp -d "${TMPDIR:-/tmp}/janggi-full-XXXXXX") || exit 1
trap 'rm -rf "$place" "$control_log"' EXIT

"$full" --build "$build" "$@" || failed=1

mkdir "$place/disk"
if unshare -rm mount -t tmpfs -o size=1m none "$place/disk" 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    unshare -rm sh -c 'mount -t tmpfs -o size=12m none "$0" && exec "$@"' \
        "$place/disk" "$full" --build "$build" --real "$place/disk" "$@" || failed=1
else
    echo "# not tried: no file system of its own without unshare and mount"
fi

control fault-full-with-a-disk-that-has-room-fails 'were told that it is full' \
    "$full" --build "$build" "$@" --full-s 1 --never
exit $failed
