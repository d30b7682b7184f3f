#!/bin/sh
# The words of the client in other languages are whole: every text that a person reads is
# marked (po.py), has a translation in each client/po/*.po, and its format fits.
#
#   sh tests/po.sh BUILD_DIR [ROOT]     prints "ok" and "not ok" lines
set -u
build=${1:?usage: po.sh BUILD_DIR [ROOT]}
root=${2:-$(dirname "$0")/..}
failed=0

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

ok() { echo "ok po: $1"; }
not_ok() {
    sed 's/^/# /' "$scratch/said"
    echo "not ok po: $1"
    failed=1
}

# check NAME COMMAND...: the command succeeds
check() {
    name=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then ok "$name"; else not_ok "$name"; fi
}

# sees NAME COMMAND...: the command fails, as it should, for what was put in
sees() {
    name=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then not_ok "$name"; else ok "$name"; fi
}

# Checks the texts in the code of $1 in the language $2, as msgfmt counts them. Returns 0 if nothing is
# missing.
is_complete() {
    make -s -C "$1" pot BUILD="$scratch/build" >"$scratch/made" 2>&1 || return 1
    msgmerge --quiet --no-fuzzy-matching --output-file="$scratch/$2.po" \
        "$1/client/po/$2.po" "$scratch/build/janggi.pot" || return 1
    msgattrib --untranslated --no-obsolete "$scratch/$2.po" | grep -A1 '^msgid' | grep '"..'
    LC_ALL=C msgfmt --check --statistics --output-file=/dev/null "$scratch/$2.po" 2>"$scratch/count"
    status=$?
    cat "$scratch/count"
    [ $status -eq 0 ] && ! grep -q 'untranslated\|fuzzy' "$scratch/count"
}

# The server's pages take their texts from the file $1 by the places that it names: they are those of
# $scratch/$2.po, whose places are fresh.
has_texts_of_pages() {
    awk="$root/server/web/web_words.awk"
    awk -f "$awk" "$scratch/$2.po" | sort >"$scratch/fresh"
    awk -f "$awk" "$1" | sort | diff - "$scratch/fresh"
}

# In Korean 님 is a word of its own after a name.
has_polite_names() {
    ! grep -n '[s}]님' "$1"
}

copy() {
    rm -rf "$scratch/copy"
    mkdir "$scratch/copy"
    cp -R "$root/client" "$root/common" "$root/Makefile" "$scratch/copy/"
    mkdir -p "$scratch/copy/server" && cp -R "$root/server/web" "$scratch/copy/server/"
    mkdir -p "$scratch/copy/tests" && cp "$root/tests/tests.mk" "$scratch/copy/tests/"
}

# put FILE TEXT: at its end, in a fresh copy
put() {
    copy
    printf '%s\n' "$2" >>"$scratch/copy/$1"
}

if ! command -v msgfmt >/dev/null || ! command -v xgettext >/dev/null; then
    echo "not ok po: gettext is not installed"
    exit 1
fi

mkdir "$scratch/old"
check "every text is marked" python3 "$root/tests/po.py" "$root"
put client/online/command_input.c 'void f(struct client *c) { console_say(c->console, "Nothing\n"); }'
sees "sees a text that is shown and not marked" python3 "$root/tests/po.py" "$scratch/copy"
put client/online/command_input.c 'static const char *const words[] = {"not a word of it"};'
sees "sees a table that is not marked" python3 "$root/tests/po.py" "$scratch/copy"

for po in "$root"/client/po/*.po; do
    language=$(basename "$po" .po)
    check "$language: all is translated" is_complete "$root" "$language"
    check "$language: the pages of the server have all their texts" has_texts_of_pages "$po" "$language"
    sed 's| common/words/term\.c||' "$po" >"$scratch/old/$language.po"
    sees "$language: sees a text whose place is not named" has_texts_of_pages "$scratch/old/$language.po" "$language"
    put client/online/command_input.c 'const char *g(void) { return _("a text of tomorrow"); }'
    sees "$language: sees a text without translation" is_complete "$scratch/copy" "$language"
    copy
    sed 's/^msgstr "\(.*\)%s/msgstr "\1%d/' "$po" >"$scratch/copy/client/po/$language.po"
    sees "$language: sees a format that does not fit" is_complete "$scratch/copy" "$language"
    check "$language: a name and 님 are two words" has_polite_names "$po"
    printf 'msgid "x"\nmsgstr "%%s님"\n' >"$scratch/polite"
    sees "$language: sees 님 without a space" has_polite_names "$scratch/polite"
    check "$language: a translation has the values of its message" python3 "$root/tests/po.py" --values "$po"
    printf 'msgid "{name} is here"\nmsgstr "{game}"\n' >"$scratch/values"
    sees "$language: sees a value that is not filled" python3 "$root/tests/po.py" --values "$scratch/values"
    check "$language: is built" test -s "$build/locale/$language/LC_MESSAGES/janggi.mo"
done
exit $failed
