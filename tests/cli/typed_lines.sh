#!/bin/sh
# A hundred lines typed at random while boards and notices arrive: see typed_lines.py.
#   sh tests/cli/typed_lines.sh [BUILD [SEED]]
exec python3 "$(dirname "$0")/typed_lines.py" "${1:-build}" ${2:+"$2"}
