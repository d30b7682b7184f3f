#!/bin/sh
# What PROTOCOL.md shows and tells to the author of a bot: see bot_author.py.
exec python3 "$(dirname "$0")/bot_author.py" "${1:-build}"
