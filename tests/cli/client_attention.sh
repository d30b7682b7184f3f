#!/bin/sh
# The bell and the window's title: see client_attention.py.
#   sh tests/cli/client_attention.sh [BUILD]
exec python3 "$(dirname "$0")/client_attention.py" "${1:-build}"
