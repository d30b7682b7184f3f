#!/bin/sh
# Packs the files of the page for browsers into a C source (server/web/web_files.h).
#
#   sh server/web/web_files.sh FILE... >web_files.c
#
# Each file as it is, page.css without its comments and unneeded space, and packed with gzip; but page.html
# only as it is, for the server puts text into it. The word @HASH@ in page.html becomes the hash of all
# files, which is in their addresses.
set -eu

type_of() {
    case $1 in
    *.html) echo 'text/html; charset=utf-8' ;;
    *.css) echo 'text/css; charset=utf-8' ;;
    *.js) echo 'text/javascript; charset=utf-8' ;;
    *.json) echo 'application/json' ;;
    *.svg) echo 'image/svg+xml' ;;
    *.png) echo 'image/png' ;;
    *.wasm) echo 'application/wasm' ;;
    *) echo "web_files.sh: $1: a file of an unknown kind" >&2 && exit 1 ;;
    esac
}

# The content of the file, as it is sent.
content() {
    case $1 in
    */page.html) sed "s/@HASH@/$hash/g" "$1" ;;
    *.css) sed -E '/^\/\*.*\*\/$/d; s/^ *//; s/([:,;]) /\1/g; s/ ?([{}]) ?/\1/g' "$1" ;;
    *) cat "$1" ;;
    esac
}

# array NAME: the bytes of standard input, as C.
array() {
    echo "static const unsigned char $1[] = {"
    od -An -v -tu1 | sed 's/\([0-9][0-9]*\)/\1,/g'
    echo '};'
}

rows=
hash=$(cat "$@" /dev/null | cksum | awk '{ printf "%08x", $1 }')
echo '/* Made by server/web/web_files.sh. */'
echo '#include "server/web/web_files.h"'
for file; do
    symbol=$(basename "$file" | tr -c 'a-z0-9\n' _) packed='NULL, 0'
    type=$(type_of "$file")
    content "$file" | array "bytes_$symbol"
    case $file in
    */page.html) ;;
    *)
        content "$file" | gzip -9 -n | array "packed_$symbol"
        packed="packed_$symbol, sizeof packed_$symbol"
        ;;
    esac
    rows="$rows
    {\"$(basename "$file")\", \"$type\", bytes_$symbol, sizeof bytes_$symbol, $packed},"
done
echo "const char web_files_hash[] = \"$hash\";"
echo "const struct web_file web_files[] = {$rows
    {0}};"
