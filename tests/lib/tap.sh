# For test scripts, which source it: lines "ok NAME" and "not ok NAME", a directory of their own, and
# waiting. Sets build, dir and failed. With area set, it stands in front of every name.
build=${1:-build}
janggi=$build/janggi
failed=0
server_pid=
pids=
dir=$(mktemp -d "${TMPDIR:-/tmp}/janggi-test-XXXXXX") || exit 1
unset JANGGI_SERVER JANGGI_NAME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME NO_COLOR CLICOLOR_FORCE

ok() { echo "ok ${area:+$area: }$1"; }
# not_ok NAME: also prints what the last program has written
not_ok() {
    echo "not ok ${area:+$area: }$1"
    sed 's/^/# said: /' "$dir/out" "$dir/err" 2>/dev/null
    failed=1
}
# check NAME COMMAND...: ok if the command succeeds
check() {
    check_name=$1
    shift
    if "$@"; then ok "$check_name"; else not_ok "$check_name"; fi
}

# wait_for SECONDS COMMAND...: until the command succeeds; a busy machine has six times as long
wait_for() {
    wait_tenths=$(($1 * ${PATIENCE_TENTHS:-60}))
    shift
    while ! "$@" >/dev/null 2>&1; do
        wait_tenths=$((wait_tenths - 1))
        [ $wait_tenths -gt 0 ] || return 1
        sleep 0.1
    done
}

# stop_clock [PROGRAM]: makes a clock that moves only by `step MS`, for the server that is
# started next, or for PROGRAM if JANGGI_CLOCK is $dir/clock and LD_PRELOAD is $clock_preload
stop_clock() {
    clock_py=$(dirname "$0")/../lib/stepped_clock.py
    python3 "$clock_py" "$dir/clock" stop
    clock_preload=$(python3 "$clock_py" "$dir/clock" preload "$build" "${1:-janggid}")
}
step() { python3 "$clock_py" "$dir/clock" step "$1"; }

# ends STATUS WORDS...: janggi WORDS, with standard input as it is, ends with that status
ends() {
    ends_status=$1
    shift
    timeout 120 "$janggi" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$ends_status" ]
}
# says STATUS PATTERN WORDS...: like ends, and a line of the output matches
says() {
    says_status=$1 says_pattern=$2
    shift 2
    ends "$says_status" "$@" && has "$says_pattern"
}
has() { grep -q -e "$1" "$dir/out"; }
lacks() { ! grep -q -e "$1" "$dir/out"; }

# The last line of a script. Keeps the directory when a test has failed.
finish() {
    [ -S "$dir/tmux" ] && tmux -S "$dir/tmux" kill-server 2>/dev/null
    for pid in $pids $server_pid; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    if [ $failed -eq 0 ]; then rm -rf "$dir"; else echo "# files are in $dir"; fi
    exit $failed
}
trap 'failed=1; finish' INT TERM
