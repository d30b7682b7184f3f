#!/bin/sh
# What "janggid verify" says: verify.py.
exec python3 "$(dirname "$0")/verify.py" "${1:-build}"
