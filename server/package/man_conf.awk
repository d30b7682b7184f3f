# Makes the manual page janggid.conf(5) of what `janggid --print-config` prints: every option, its help and
# its default.
#
#   janggid --print-config | awk -f man_conf.awk -v date="November 22, 2026"

function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
function words(name, value) {
    return "\"\\&" plain(name) (value == "" ? "" : " = " plain(value)) "\""
}
BEGIN {
    print ".Dd " date
    print ".Dt JANGGID.CONF 5"
    print ".Os"
    print ".Sh NAME"
    print ".Nm janggid.conf"
    print ".Nd settings of the Korean chess server"
    print ".Sh DESCRIPTION"
    print "The file that"
    print ".Nm janggid"
    print ".Fl \\-config"
    print "reads; the service of the package reads"
    print ".Pa /etc/janggid.conf ."
    print "A line is"
    print ".Dq name = value ."
    print "Lines that begin with"
    print ".Ql #"
    print "or"
    print ".Ql \\&;"
    print "are comments, and so is what follows a"
    print ".Ql \\&;"
    print "after white space."
    print "The command line has priority."
    print "All errors are reported at once, one line each with file, line and option, and the server does not start."
    print ".Pp"
    print ".Nm janggid Fl \\-print\\-config"
    print "prints such a file with every option, its default and its help;"
    print ".Nm janggid Fl \\-check\\-config Fl \\-config Ar FILE"
    print "checks one."
    print "Options that end with"
    print ".Ql [reload]"
    print "take effect without a restart, at"
    print ".Nm janggid Cm ctl reload ."
    print "Each option may also be given to"
    print ".Nm janggid"
    print "as"
    print ".Fl \\-name Ar value ;"
    print "its page says more about some."
    print ".Sh OPTIONS"
    print "With their defaults:"
    print ".Bl -tag -width Ds"
}
NR <= 2 { next }
/^#?[a-z]/ {
    sub(/^#/, "")
    name = $1
    match($0, / +; /)
    value = substr($0, 1, RSTART - 1)
    help = substr($0, RSTART + RLENGTH)
    sub(/^[^=]*= */, "", value)
    print ".It " words(name, value)
    print plain(toupper(substr(help, 1, 1)) substr(help, 2)) "."
}
END {
    print ".El"
    print ".Sh FILES"
    print ".Bl -tag -width Ds"
    print ".It Pa /etc/janggid.conf"
    print "The settings of the service."
    print ".El"
    print ".Sh SEE ALSO"
    print ".Xr janggi\\-protocol 7 ,"
    print ".Xr janggid 8"
}
