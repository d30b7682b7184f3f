#!/bin/sh
# Packs the files of the page for browsers into a C source (server/web/web_files.h).
#
#   sh server/web/web_files.sh FILE... >web_files.c
#
# page.html stays as it is, for the server puts text into it; the others are packed with gzip, page.css
# without its comments and unneeded space. The
# word @HASH@ in page.html becomes the hash of all files, which is in their addresses.
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
packed() {
    case $1 in
    */page.html) sed "s/@HASH@/$hash/g" "$1" ;;
    *.css) sed -E '/^\/\*.*\*\/$/d; s/^ *//; s/([:,;]) /\1/g; s/ ?([{}]) ?/\1/g' "$1" | gzip -9 -n ;;
    *) gzip -9 -n -c "$1" ;;
    esac
}

hash=$(cat "$@" /dev/null | cksum | awk '{ printf "%08x", $1 }')
echo '/* Made by server/web/web_files.sh. */'
echo '#include "server/web/web_files.h"'
for file; do
    type_of "$file" >/dev/null
    echo "static const unsigned char bytes_$(basename "$file" | tr -c 'a-z0-9\n' _)[] = {"
    packed "$file" | od -An -v -tu1 | sed 's/\([0-9][0-9]*\)/\1,/g'
    echo '};'
done
echo "const char web_files_hash[] = \"$hash\";"
echo 'const struct web_file web_files[] = {'
for file; do
    name=$(basename "$file")
    bytes=bytes_$(echo "$name" | tr -c 'a-z0-9\n' _)
    case $name in page.html) is_packed=false ;; *) is_packed=true ;; esac
    echo "    {\"$name\", \"$(type_of "$file")\", $bytes, sizeof $bytes, $is_packed},"
done
echo '    {0}};'
