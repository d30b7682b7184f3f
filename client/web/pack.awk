# Takes unneeded space out of a script of the page: outside texts, around operators and brackets. A line with
# a back quote, a single quote or an escaped quote stays as it is, and so does a part with a slash, which may
# begin a regular expression.

function without(part, from, to,    out, at) {
    out = ""
    while ((at = index(part, from)) > 0) {
        out = out substr(part, 1, at - 1) to
        part = substr(part, at + length(from))
    }
    return out part
}

BEGIN {
    count = split("=> === !== = && || ?? ? : < > + * += >= <= {", spaced, " ")
}

/[`'\\]/ { print; next }

{
    parts = split($0, part, "\"")
    for (i = 1; i <= parts; i += 2) {
        if (part[i] ~ /\//) continue
        for (n = 1; n <= count; n++) part[i] = without(part[i], " " spaced[n] " ", spaced[n])
        gsub(/, /, ",", part[i])
        gsub(/: /, ":", part[i])
        gsub(/; /, ";", part[i])
        gsub(/ [(]/, "(", part[i])
        gsub(/ [{]/, "{", part[i])
        gsub(/[{] /, "{", part[i])
        gsub(/ [}]/, "}", part[i])
    }
    for (i = 1; i < parts; i++) printf "%s\"", part[i]
    printf "%s%s", part[parts], part[parts] ~ /[{,;]$/ ? "" : "\n"
}
