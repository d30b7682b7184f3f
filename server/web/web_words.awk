# Makes a C source of the translations in .po files of the texts that the pages without script show: those of
# server/web, and the sentences about results and the terms that they use.
#
#   awk -f web_words.awk client/po/*.po >web_words.c

function quoted(line) {
    match(line, /".*"/)
    return substr(line, RSTART + 1, RLENGTH - 2)
}

function finish() {
    if (is_sentence && id ~ /^([$]S wins|Draw|The game)/) is_ours = 1
    if (is_ours && id != "" && words != "" && !is_fuzzy) printf "    {\"%s\", \"%s\"},\n", id, words
    is_ours = is_sentence = is_fuzzy = 0
    id = words = context = part = ""
}

function end_language() {
    finish()
    if (language != "") print "    {0}};"
}

BEGIN {
    print "/* Made by server/web/web_words.awk. */"
    print "#include \"server/web/web_files.h\""
}
FNR == 1 {
    end_language()
    language = FILENAME
    sub(/.*\//, "", language)
    sub(/\.po$/, "", language)
    languages[++count] = language
    printf "static const struct web_words words_%s[] = {\n", language
}
/^$/ { finish() }
/^#: / { if ($0 ~ /server\/web\/|common\/words\/term\.c/) is_ours = 1 }
/^#: .*common\/words\/sentence\.c/ { is_sentence = 1 }
/^#,.*fuzzy/ { is_fuzzy = 1 }
/^#~/ { next }
/^msgctxt / { context = quoted($0) "\" \"\\004\" \""; next }
/^msgid / {
    part = "id"
    id = context quoted($0)
    next
}
/^msgid_plural / { part = ""; next }
/^msgstr/ { part = "words"; words = quoted($0); next }
/^"/ { if (part == "id") id = id quoted($0); else if (part == "words") words = words quoted($0) }
END {
    end_language()
    print "const struct web_language web_languages[] = {"
    for (i = 1; i <= count; i++) printf "    {\"%s\", words_%s},\n", languages[i], languages[i]
    print "    {0}};"
}
