#!/bin/sh
# Writes what a shell completes after janggid or janggi, read from what the program itself says with
# --help, which it prints from its tables.
#
#   sh completion.sh bash|zsh|fish PROGRAM        PROGRAM: a path that ends in janggid or janggi
set -u
LC_ALL=C
export LC_ALL
shell=${1:?usage: completion.sh bash|zsh|fish PROGRAM}
program=${2:?usage: completion.sh bash|zsh|fish PROGRAM}
name=${program##*/}
help=$("$program" --help) || exit 1

# option LONG | option LONG VALUE [HELP]: VALUE is TEXT, N, FILE, on|off ...; the line below an option
# of janggid, or the rest of one of janggi's, is its help.
# task WORD, request WORD HELP: what may stand in place of options.
facts() {
    echo "$help" | awk -v name="$name" '
        function tell(rest,   value, long) {
            match(rest, /--[a-z0-9-]+/)
            long = substr(rest, RSTART + 2, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            value = "-"
            if (match(rest, /^ [^ ]+/) && substr(rest, 2, 1) != " ") {
                value = substr(rest, 2, RLENGTH - 1)
                rest = substr(rest, RLENGTH + 1)
            }
            sub(/^ +/, "", rest)
            sub(/ *\(default.*/, "", rest)
            print "option", long, value, rest
        }
        function task(word) { if (!(word in known)) print "task", word; known[word] = 1 }
        pending != "" { sub(/^ +/, ""); tell(pending "  " $0); pending = ""; next }
        $1 == name && $2 == "ctl" && $3 ~ /^[a-z]+$/ { request = $3; next }
        request != "" { sub(/^ +/, ""); print "request", request, $0; request = "" }
        $1 == name && $2 ~ /^[a-z]+$/ { task($2) }
        $1 == "Usage:" && $3 ~ /^[a-z]+$/ { task($3) }
        /^ +(-[a-zA-Z], )?--[a-z]/ { if (name == "janggid") pending = $0; else tell($0) }'
}

# Words for VALUE, or nothing: then a file.
values() {
    case $1 in
    *'|'*) echo "$1" | tr '|' ' ' ;;
    esac
}

in_bash() {
    options=$(facts | awk '$1 == "option" { printf "--%s ", $2 }')
    tasks=$(facts | awk '$1 == "task" { printf "%s ", $2 }')
    requests=$(facts | awk '$1 == "request" { printf "%s ", $2 }')
    cat <<END
# bash completion for $name, made from $name --help
_$name() {
    local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
    COMPREPLY=()
    case \$before in
END
    facts | while read -r kind long value rest; do
        [ "$kind" = option ] && [ "$value" != - ] || continue
        echo "    --$long) words='$(values "$value")' ;;"
    done
    [ -z "$requests" ] || echo "    ctl) words='$requests' ;;"
    cat <<END
    *)
        case \$word in
        -*) words='$options' ;;
        *) [ "\$COMP_CWORD" -gt 1 ] || words='$tasks' ;;
        esac
        ;;
    esac
    [ -z "\$words" ] || mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$word")
}
complete -o default -F _$name $name
END
}

in_zsh() {
    quote() { printf %s "$1" | sed "s/'/'\\\\''/g; s/[]:[]/\\\\&/g"; }
    echo "#compdef $name"
    echo "# zsh completion for $name, made from $name --help"
    echo "local -a options tasks requests"
    echo "options=("
    facts | while read -r kind long value rest; do
        [ "$kind" = option ] || continue
        printf "    '--%s[%s]" "$long" "$(quote "$rest")"
        case $value in
        -) printf "'\n" ;;
        *'|'*) printf ":%s:(%s)'\n" "$(quote "$long")" "$(values "$value")" ;;
        *) printf ":%s:_files'\n" "$(quote "$value")" ;;
        esac
    done
    echo ")"
    echo "tasks=($(facts | awk '$1 == "task" { printf "%s ", $2 }'))"
    echo "requests=("
    facts | while read -r kind word rest; do
        [ "$kind" = request ] && printf "    '%s:%s'\n" "$word" "$(quote "$rest")"
    done
    cat <<END
)
if ((CURRENT == 3 && \$#requests)) && [[ \$words[2] == ctl ]]; then
    _describe request requests
elif ((CURRENT == 2)) && [[ \$words[2] != -* ]]; then
    compadd -a tasks
else
    _arguments -s \$options '*:file:_files'
fi
END
}

in_fish() {
    quote() { printf %s "$1" | sed "s/[\\\\']/\\\\&/g"; }
    echo "# fish completion for $name, made from $name --help"
    facts | while read -r kind word value rest; do
        case $kind in
        option)
            printf "complete -c %s -l %s -d '%s'" "$name" "$word" "$(quote "$rest")"
            case $value in
            -) echo ;;
            *'|'*) echo " -x -a '$(values "$value")'" ;;
            *) echo " -r" ;;
            esac
            ;;
        task) echo "complete -c $name -n __fish_use_subcommand -a $word" ;;
        request) echo "complete -c $name -n '__fish_seen_subcommand_from ctl' -x -a $word -d '$(quote "$value $rest")'" ;;
        esac
    done
}

case $shell in
bash | zsh | fish) "in_$shell" ;;
*) exit 2 ;;
esac
