#!/bin/sh
# Short matches of the computer, refereed: its moves are legal, it beats who plays at random.
exec sh "$(dirname "$0")/../rules/computer.sh" "${1:-build}" --short
