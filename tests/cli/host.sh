#!/bin/sh
# What a host does with a running server, on real sockets: see host.py.
exec python3 "$(dirname "$0")/host.py" "${1:-build}"
