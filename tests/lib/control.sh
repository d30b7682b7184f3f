# For scripts that source it: negative controls. A checker that cannot find a fault proves nothing.
# Sets failed=0, and failed=1 when a control does not do what it must.
failed=0
control_log=$(mktemp "${TMPDIR:-/tmp}/janggi-control-XXXXXX") || exit 1
trap 'rm -f "$control_log"' EXIT

# A fault may need a moment that not every run has, such as a kill between an answer and the disk.
CONTROL_RUNS=20

# amount USUAL FEW: how much a proof does; FEW with a sanitizer, which takes long (CONTROLS=no).
amount() {
    [ "${CONTROLS:-yes}" = yes ] && echo "$1" || echo "$2"
}

# control NAME WORDS COMMAND...: the command must fail and say WORDS. A run that passes is repeated
# until the failure has been seen. The first line with WORDS is shown. CONTROLS=no leaves the controls out:
# with a sanitizer they say nothing about the program, and take long.
control() {
    control_name=$1 control_words=$2 control_run=0
    shift 2
    [ "${CONTROLS:-yes}" = yes ] || {
        echo "# left out, CONTROLS=no: $control_name"
        return
    }
    while "$@" >"$control_log" 2>&1; do
        control_run=$((control_run + 1))
        sed -n 's/^# files are in //p' "$control_log" | xargs -r rm -rf
        [ $control_run -lt $CONTROL_RUNS ] || {
            echo "not ok $control_name it passed $CONTROL_RUNS times"
            failed=1
            return
        }
    done
    if grep -q "$control_words" "$control_log"; then
        echo "ok $control_name"
        [ $control_run -eq 0 ] || echo "# seen in run $((control_run + 1))"
        grep "$control_words" "$control_log" | head -n 1 | sed 's/^/# /'
    else
        # without the figures at its end, for only the end of a log is shown
        grep -v '^# [a-z, ]*  *[0-9]*$' "$control_log" | sed 's/^/# /'
        echo "not ok $control_name it failed for another reason"
        failed=1
    fi
    sed -n 's/^# files are in //p' "$control_log" | xargs -r rm -rf
}
