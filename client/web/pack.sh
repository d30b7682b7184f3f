#!/bin/sh
# Packs the scripts of the page into one, with the rules core inside: one file to fetch in place of two.
#
#   sh client/web/pack.sh CORE.wasm SCRIPT... >page.js     CORE.wasm '': without a core
#
# Removes indentation, types, and comments that have lines of their own or end one. (A text between
# back quotes must therefore not have more than one line.)
set -eu
core=$1
shift
[ -z "$core" ] || printf 'const PACKED_CORE = "%s";\n' "$(gzip -9 -n -c "$core" | base64 | tr -d '\n')"
sed 's|/\*\*[^*]*\*/ *||g; s/^ *//; s| */\* [^*]* \*/$||' "$@" | awk '/^\/\*/ { inside = 1 } !inside && NF { print } /\*\/$/ { inside = 0 }'
