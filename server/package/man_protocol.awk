# Makes the manual page janggi-protocol(7) of common/PROTOCOL.md: headings, paragraphs, lists, tables (as
# lists, which fit any terminal), blocks of lines, code, bold, links.
#
#   awk -f man_protocol.awk -v date="November 22, 2026" common/PROTOCOL.md

# Bytes as they are in running text.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

# A line of running text: `code` and **bold** are bold, [words](place) are words.
function inline(text,   out, at, end) {
    gsub(/\\\|/, "|", text)
    while (match(text, /`[^`]*`|\*\*[^*]*\*\*|\[[^]]*\]\([^)]*\)/)) {
        out = out plain(substr(text, 1, RSTART - 1))
        at = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (at ~ /^`/)
            out = out "\\fB" plain(substr(at, 2, length(at) - 2)) "\\fR"
        else if (at ~ /^\*/) {
            at = substr(at, 3, length(at) - 4)
            gsub(/`/, "", at)
            out = out "\\fB" plain(at) "\\fR"
        } else {
            end = index(at, "](")
            at = substr(at, 2, end - 2)
            gsub(/`/, "", at)
            out = out plain(at)
        }
    }
    return out plain(text)
}

# A line of output that must not be taken for a request. A sentence begins a line.
function say(text) {
    gsub(/[.] [A-Z]/, "&\001", text)
    while (match(text, /[.] [A-Z]\001/))
        text = substr(text, 1, RSTART) "\n" substr(text, RSTART + 2, 1) substr(text, RSTART + 4)
    if (text ~ /^[.']/) text = "\\&" text
    if (text != "") print text
}

function end_list() { if (list != "") print ".El"; list = "" }
function begin_list(kind) {
    if (list == kind) return
    end_list()
    print ".Bl " kind
    list = kind
}
function end_block() { if (in_block) print ".Ed"; in_block = 0 }
function begin_block() {
    if (!in_block) print ".Bd -literal -offset indent"
    in_block = 1
}
function literal(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    print text
}

# | cell | cell | ...: the first is the tag; cells may contain \|.
function row(text,   cells, count, i, rest) {
    sub(/^\| */, "", text)
    sub(/ *\|[ ]*$/, "", text)
    gsub(/\\\|/, "\001", text)
    count = split(text, cells, / *\| */)
    for (i = 1; i <= count; i++) gsub(/\001/, "|", cells[i])
    begin_list("-tag -width Ds")
    print ".It " quoted(inline(cells[1]))
    for (i = 2; i <= count; i++)
        if (cells[i] != "") rest = rest (rest == "" ? "" : "; ") cells[i]
    say(inline(rest))
}
# One argument of a macro.
function quoted(text) {
    gsub(/"/, "\\(dq", text)
    return "\"\\\&" text "\""
}

BEGIN {
    print ".\\\" Made of PROTOCOL.md."
    print ".Dd " date
    print ".Dt JANGGI-PROTOCOL 7"
    print ".Os"
    print ".Sh NAME"
    print ".Nm janggi\\-protocol"
    print ".Nd the lines between janggi and janggid"
    print ".Sh DESCRIPTION"
    headed = 1
}
fenced && /^```/ { fenced = 0; end_block(); next }
fenced { literal($0); next }
/^```/ { end_list(); fenced = 1; begin_block(); next }
/^# / || /^Contents: / { skipping = /^Contents/; next }
skipping && NF { next }
/^## / {
    end_block(); end_list()
    sub(/^## +/, "")
    print ".Sh " toupper(quoted(inline($0)))
    headed = 1
    next
}
/^### / {
    end_block(); end_list()
    sub(/^### +/, "")
    print ".Ss " quoted(inline($0))
    headed = 1
    next
}
/^    / && list == "" { begin_block(); literal(substr($0, 5)); next }
in_block && !NF { blank = 1; next }
in_block { end_block() }
/^\|[-: |]+\|$/ { next }
/^\|/ { if (!in_table) { in_table = 1; header = $0; next } row($0); next }
{ in_table = 0 }
/^[-*] / { begin_list("-bullet"); print ".It"; say(inline(substr($0, 3))); next }
/^[0-9]+\. / { begin_list("-enum"); print ".It"; sub(/^[0-9]+\. +/, ""); say(inline($0)); next }
!NF { skipping = 0; if (list !~ /tag/) pending = 1; else end_list(); next }
/^ +/ && list != "" { sub(/^ +/, ""); say(inline($0)); next }
{
    if (list != "" && pending) end_list()
    if (pending && !headed) print ".Pp"
    pending = headed = 0
    say(inline($0))
}
END {
    end_block(); end_list()
    print ".Sh SEE ALSO"
    print ".Xr janggi 6 ,"
    print ".Xr janggid 8"
}
