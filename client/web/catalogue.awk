# Converts the texts of a .po file that the page shows to JSON: those of client/web, the terms, and the
# sentences about the rules, without those about a position that somebody typed and the names of reasons.
#   awk -f catalogue.awk ko.po >ko.json

function quoted(line) {
    match(line, /".*"/)
    return substr(line, RSTART + 1, RLENGTH - 2)
}

function finish() {
    if (is_ours && id != "" && words != "" && !is_fuzzy && id !~ /\$[rcknR]|forfeits|must be|unexpected|^[a-z]+_[a-z_]+$|^(checkmate|bikjang|repetition|resignation|agreement|absence)$/)
        printf "%s\"%s\":\"%s\"", count++ ? ",\n" : "", id, words
    is_ours = is_fuzzy = 0
    id = words = context = ""
    part = ""
}

BEGIN { print "{" }
/^$/ { finish() }
/^#:/ && /client\/web\/|common\/words\/(sentence|term)/ { is_ours = 1 }
/^#,.*fuzzy/ { is_fuzzy = 1 }
/^msgctxt / { context = quoted($0) "\\u0004"; next }
/^msgid / { part = "id"; id = context quoted($0); next }
/^msgid_plural / { part = ""; next }
/^msgstr/ { part = "words"; words = quoted($0); next }
/^"/ { if (part == "id") id = id quoted($0); else if (part == "words") words = words quoted($0) }
END {
    finish()
    print "\n}"
}
