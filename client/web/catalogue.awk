# Converts the texts of a .po file that the page shows to JSON, by the English text: those of client/web and of the core,
# which has the terms and the sentences about moves and results.
#
#   awk -v modules="after list" -f catalogue.awk ko.po >ko.json
#   awk -v modules="after list" -v module=after -f catalogue.awk ko.po >ko-after.json
#
# modules: the scripts that are fetched later. module: the one whose texts are wanted, without those of the page.
# Those of guide.c go with learn.js.

function quoted(line) {
    match(line, /".*"/)
    return substr(line, RSTART + 1, RLENGTH - 2)
}

function finish() {
    if ((module == "" ? is_ours : is_wanted && !is_ours) && id != "" && words != "" && !is_fuzzy)
        printf "%s\"%s\":\"%s\"", count++ ? "," : "", id, words
    is_ours = is_wanted = is_fuzzy = 0
    id = words = context = ""
    part = ""
}

BEGIN {
    count_of = split(modules, names, " ")
    for (i = 1; i <= count_of; i++) is_later["client/web/" names[i] ".js"]
    printf "{"
}
/^$/ { finish() }
/^#:/ {
    for (i = 2; i <= NF; i++)
        if ($i in is_later) is_wanted = is_wanted || $i == "client/web/" module ".js"
        else if (module == "learn" && $i == "common/words/guide.c") is_wanted = 1
        else if ($i ~ /client\/web\/|common\/words\/(sentence|term|manner_words|message)/) is_ours = 1
}
/^#,.*fuzzy/ { is_fuzzy = 1 }
/^msgctxt / { context = quoted($0) "\\u0004"; next }
/^msgid / { part = "id"; id = context quoted($0); next }
/^msgid_plural / { part = ""; next }
/^msgstr/ { part = "words"; words = quoted($0); next }
/^"/ { if (part == "id") id = id quoted($0); else if (part == "words") words = words quoted($0) }
END {
    finish()
    print "}"
}
