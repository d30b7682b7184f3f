# Converts the texts of a .po file that the page shows to JSON: those of client/web, the terms, and the
# sentences about the rules and the manners, without those that only a terminal shows: about a position that somebody
# typed, a line-up, a takeback, rulesets, and the names of reasons.
#
# A text's key is a number made of the English one, as keyOf() in dom.js makes it: the page and the core have the
# English texts already, and a first visit must not fetch them twice.
#   awk -f catalogue.awk ko.po >ko.json
#   awk -v after=1 -f catalogue.awk ko.po >ko-after.json     the others of after.js, which is fetched later

function quoted(line) {
    match(line, /".*"/)
    return substr(line, RSTART + 1, RLENGTH - 2)
}

# Of the printing characters of ASCII only, which are one character in every locale.
function key_of(words,    i, sum, at) {
    gsub(/\\n|\\u0004/, "", words)
    gsub(/\\"/, "\"", words)
    sum = 0
    for (i = 1; i <= length(words); i++)
        if ((at = index(ascii, substr(words, i, 1))) > 0) sum = (sum * 131 + 31 + at) % 16777213
    if (sum in words_of) {
        print "catalogue.awk: one number for two texts: " words_of[sum] " / " words >"/dev/stderr"
        exit failed = 1
    }
    words_of[sum] = words
    return sum
}

function finish() {
    if ((after ? is_after && !is_ours : is_ours) && id != "" && words != "" && !is_fuzzy && id !~ /\$[rcknR]|\$S's|forfeits|must be|unexpected|more than 10 rows|[Rr]ules of|tournament rules|move to go back|line-up to choose|not adjourned|move is legal|goes on$|^(none|Nobody|host|aborted)$|^[a-z]+_[a-z_]+$|^(checkmate|bikjang|repetition|resignation|agreement|absence)$/)
        printf "%s\"%s\":\"%s\"", count++ ? "," : "", key_of(id), words
    is_ours = is_after = is_fuzzy = 0
    id = words = context = ""
    part = ""
}

BEGIN {
    ascii = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    printf "{"
}
/^$/ { finish() }
/^#:/ {
    for (i = 2; i <= NF; i++)
        if ($i == "client/web/after.js") is_after = 1
        else if ($i ~ /client\/web\/|common\/words\/(sentence|term|manner_words)/) is_ours = 1
}
/^#,.*fuzzy/ { is_fuzzy = 1 }
/^msgctxt / { context = quoted($0) "\\u0004"; next }
/^msgid / { part = "id"; id = context quoted($0); next }
/^msgid_plural / { part = ""; next }
/^msgstr/ { part = "words"; words = quoted($0); next }
/^"/ { if (part == "id") id = id quoted($0); else if (part == "words") words = words quoted($0) }
END {
    if (failed) exit 1
    finish()
    print "}"
}
