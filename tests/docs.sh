#!/bin/sh
# Checks that everything that can be typed is documented, and that everything that is documented can be
# typed.
#
#   sh tests/docs.sh [--self-test]      BUILD=build by default; prints "ok" and "not ok" lines
#
# PROTOCOL.md against the tables of the programs (docs/protocol.py); long options, as --help prints them,
# against the manual page of each program; make targets that README names; how wide the texts are.
set -u
cd "$(dirname "$0")/.." || exit 1

build=${BUILD:-build}
failed=0
section=$(mktemp) || exit 1
trap 'rm -f "$section"' EXIT

# Says of the words on standard input, one a line, which are not in the files after $1.
written() {
    what=$1
    shift
    count=0 missing=
    while read -r word; do
        [ -n "$word" ] || continue
        count=$((count + 1))
        # The word alone: "seek" is not explained by "seeks", nor --key by --keys. In a manual
        # page a dash may be \-, and the second one of --key is in the macro: Fl -key.
        sed 's/\\-/-/g; s/Fl -/Fl --/g' "$@" | grep -qE -e "(^|[^A-Za-z_-])$word([^A-Za-z_-]|\$)" ||
            missing="$missing $word"
    done
    if [ "$count" -eq 0 ]; then
        report "not ok docs: no $what found: has the source changed its form?"
    elif [ -n "$missing" ]; then
        report "not ok docs: $what not in $*:$missing"
    else
        report "ok docs: $count $what are in $*"
    fi
}

report() {
    echo "$1"
    case $1 in not*) failed=$((failed + 1)) ;; esac
}

options() {
    "$build/$1" --help | grep -o -e '--[a-z][a-z-]*' | sort -u
}

# Both `make x` in a sentence and a line of its own.
targets() {
    # shellcheck disable=SC2016
    sed -n 's/^    make/`make/p; /`make/p' README.md | grep -o '`make [a-z-]*[a-z]' |
        sed 's/.*make //' | sort -u
}

# The program that prints the tables is made anew if a source has changed.
protocol() {
    if MAKEFLAGS='' make -s "BUILD=$build" "$build/tests/docs/tables"; then
        python3 tests/docs/protocol.py --self-test "$build" ||
            report "not ok docs: PROTOCOL.md and the programs differ"
    else
        report "not ok docs: $build/tests/docs/tables cannot be built"
    fi
}

# The commands of the table "Keeping order" of PROTOCOL.md that moderators may use.
staff_commands() {
    sed -n '/^### Keeping order/,/^##* [^K]/s/^| `\([a-z]*\).*| moderators |.*/\1/p' common/PROTOCOL.md | sort -u
}

# The words about ratings that a player can type.
rating_words() {
    printf '%s\n' rank top rated=yes range firm classic days
}

# Lines of text that a person would have to scroll to read; not code, pictures, or what a program wrote.
wide_lines() {
    awk 'FNR == 1 { is_code = 0 } /^```/ { is_code = !is_code }
         length > 100 && !is_code && !/^    / && !/<img / { print FILENAME ":" FNR }' "$@"
}

check() {
    protocol
    # shellcheck disable=SC2046 # no name has a space
    wide=$(wide_lines $(find README.md .github common server client certs tests -name '*.md' \
        ! -name PROTOCOL.md ! -name FIRST_GAME.md))
    if [ -z "$wide" ]; then
        report "ok docs: lines are at most 100 columns wide"
    else
        report "not ok docs: wider than 100 columns: $(echo "$wide" | tr '\n' ' ')"
    fi
    sed -n '/^\.Sh ROLES AND ORDER/,/^\.Sh BROWSERS/p' server/janggid.8 >"$section"
    staff_commands | written "commands of moderators" "$section"
    rating_words | written "words about ratings" client/janggi.6
    for program in janggid:server/janggid.8 janggi:client/janggi.6; do
        if [ -x "$build/${program%%:*}" ]; then
            options "${program%%:*}" | written "options of ${program%%:*}" "${program#*:}"
        else
            report "not ok docs: $build/${program%%:*} is not built"
        fi
    done
    targets | sed 's/$/:/' | written "make targets of the README" Makefile tests/tests.mk server/package/package.mk
}

# A word that is not documented must be noticed.
self_test() {
    if echo xyzzy | written words README.md | grep -q '^not ok' &&
        : | written words README.md | grep -q '^not ok' &&
        printf '%0101d\n' 0 | wide_lines /dev/stdin | grep -q 1; then
        report "ok docs: sees what is not written down"
    else
        report "not ok docs: sees what is not written down"
    fi
}

[ "${1:-}" = --self-test ] || check
self_test
[ "$failed" -eq 0 ]
