#!/bin/sh
# Signed records of games and what janggi verify says of them: see record_verify.py.
exec python3 "$(dirname "$0")/record_verify.py" "${1:-build}"
