# Converts the texts of a .po file that the page shows to JSON: those of client/web, the terms, and the
# sentences about the rules and the manners, without those that only a terminal shows: about a position that somebody
# typed, a line-up, a takeback, rulesets, and the names of reasons.
#
# A text's key is a number made of the English one, as keyOf() in dom.js makes it: the page and the core have the
# English texts already, and a first visit must not fetch them twice.
#   awk -v modules="after list" -f catalogue.awk ko.po >ko.json
#   awk -v modules="after list" -v module=after -f catalogue.awk ko.po >ko-after.json
#
# modules: the scripts that are fetched later. module: the one whose texts are wanted, without those of the page.
# Those of guide.c, and the names of the rulesets, go with learn.js.

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

# A visitor does not need these before reading the rules.
function is_rare(words) {
    return words ~ /\$[rcknR]|\$S's|forfeits|must be|unexpected|more than 10 rows|[Rr]ules of|tournament rules|move to go back|line-up to choose|not adjourned|move is legal|goes on$|^(none|Nobody|host|aborted)$|^[a-z]+_[a-z_]+$|^(checkmate|bikjang|repetition|resignation|agreement|absence)$/
}

function finish(    is_in_page) {
    is_in_page = is_ours && !is_rare(id)
    if (module == "learn" && is_ours && id ~ /[Rr]ules of|tournament rules/) is_wanted = 1
    if ((module == "" ? is_in_page : is_wanted && !is_in_page) && id != "" && words != "" && !is_fuzzy)
        printf "%s\"%s\":\"%s\"", count++ ? "," : "", key_of(id), words
    is_ours = is_wanted = is_fuzzy = 0
    id = words = context = ""
    part = ""
}

BEGIN {
    ascii = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    count_of = split(modules, names, " ")
    for (i = 1; i <= count_of; i++) is_later["client/web/" names[i] ".js"]
    printf "{"
}
/^$/ { finish() }
/^#:/ {
    for (i = 2; i <= NF; i++)
        if ($i in is_later) is_wanted = is_wanted || $i == "client/web/" module ".js"
        else if (module == "learn" && $i == "common/words/guide.c") is_wanted = 1
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
