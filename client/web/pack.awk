# Takes unneeded space out of a script of the page: outside texts, around operators and brackets. A line with
# a backslash stays as it is, and so does a part with a slash, which may begin a regular expression. A text
# between back quotes has no back quotes inside.

function without(part, from, to,    out, at) {
    out = ""
    while ((at = index(part, from)) > 0) {
        out = out substr(part, 1, at - 1) to
        part = substr(part, at + length(from))
    }
    return out part
}

function packed(part,    n) {
    if (part ~ /\//) return part
    for (n = 1; n <= count; n++) part = without(part, " " spaced[n] " ", spaced[n])
    gsub(/, /, ",", part)
    gsub(/: /, ":", part)
    gsub(/; /, ";", part)
    gsub(/ [(]/, "(", part)
    gsub(/ [{]/, "{", part)
    gsub(/[{] /, "{", part)
    gsub(/ [}]/, "}", part)
    return part
}

BEGIN {
    count = split("=> === !== = && || ?? ? : < > + * += >= <= {", spaced, " ")
}

/\\/ { print; next }

# Each text between quotes of its kind stays as it is.
{
    rest = $0
    out = quote = ""
    at = 1
    while (match(rest, /["'`]/)) {
        quote = substr(rest, RSTART, 1)
        out = out packed(substr(rest, 1, RSTART - 1)) quote
        rest = substr(rest, RSTART + 1)
        at = index(rest, quote)
        if (at == 0) break
        out = out substr(rest, 1, at)
        rest = substr(rest, at + 1)
    }
    out = out (at == 0 ? rest : packed(rest))
    printf "%s%s", out, out ~ /[{,;]$/ ? "" : "\n"
}
