#!/bin/sh
# Games that people played, through GIB, PGN and our record and back: see published.py.
exec python3 "$(dirname "$0")/published.py" "${1:-build}"
