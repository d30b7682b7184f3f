# Runs a long command quietly: its output goes into a log, a terminal shows how far it is, and only a
# failure shows what it said. Sourced by scripts, or
#
#   sh tests/progress.sh LOG WORDS TOTAL COMMAND...
#
# On a terminal there is one line: WORDS, and the last line of output or, with a TOTAL above 0, how
# many of so many files have been compiled. Elsewhere WORDS are printed once.

# The last line of output, cut to one line of the terminal; nothing but ASCII is shown.
progress_show() {
    case $1 in
    *[!\ -~]*) ;;
    *) printf '\r%-79.79s' "$1" ;;
    esac
}

progress_read() {
    progress_count=0
    while IFS= read -r progress_line || [ -n "$progress_line" ]; do
        printf '%s\n' "$progress_line" >&3
        if [ "$2" -gt 0 ]; then
            case $progress_line in
            *' -c -o '*) progress_count=$((progress_count + 1)) ;;
            esac
            progress_show "$1: $progress_count of $2 files"
        else
            progress_show "$1: $progress_line"
        fi
    done
    printf '\r%-79s\r' ''
}

# with_progress LOG WORDS TOTAL COMMAND...: the status of the command
with_progress() {
    progress_log=$1 progress_words=$2 progress_total=$3
    shift 3
    mkdir -p "$(dirname "$progress_log")" || return 1
    if [ -t 1 ]; then
        {
            "$@" 2>&1
            echo $? >"$progress_log.status"
        } | progress_read "$progress_words" "$progress_total" 3>"$progress_log"
        progress_status=$(cat "$progress_log.status")
        rm -f "$progress_log.status"
    else
        echo "$progress_words ..."
        "$@" >"$progress_log" 2>&1
        progress_status=$?
    fi
    [ "$progress_status" -eq 0 ] && return 0
    tail -n 20 "$progress_log" >&2
    echo "That failed; all that was said is in $progress_log" >&2
    return "$progress_status"
}

case ${0##*/} in
progress.sh) with_progress "$@" ;;
esac
