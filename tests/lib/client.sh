# For the client_*.sh scripts, which source it: a server of their own on a free port, homes for
# players, and lines "ok NAME" / "not ok NAME". Sets build, dir, port, key.
build=${1:-build}
failed=0
server_pid=
pids=
dir=$(mktemp -d "${TMPDIR:-/tmp}/janggi-client-XXXXXX") || exit 1
unset JANGGI_SERVER JANGGI_NAME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME NO_COLOR CLICOLOR_FORCE

ok() { echo "ok $1"; }
not_ok() {
    echo "not ok $1"
    failed=1
}
# check NAME COMMAND...: ok if the command succeeds
check() {
    check_name=$1
    shift
    if "$@"; then ok "$check_name"; else not_ok "$check_name"; fi
}

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for() {
    wait_tenths=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        wait_tenths=$((wait_tenths - 1))
        [ $wait_tenths -gt 0 ] || return 1
        sleep 0.1
    done
}

# start_server [OPTIONS...]: the second time on the same port, as after a crash
start_server() {
    : >"$dir/server.out"
    "$build/janggid" --data "$dir/data" --listen "127.0.0.1:${port:-0}" "$@" \
        >"$dir/server.out" 2>>"$dir/server.err" 3>&- 4>&- 5>&- 6>&- &
    server_pid=$!
    wait_for 10 grep -q '^key ' "$dir/server.out" || {
        sed 's/^/# /' "$dir/server.out" "$dir/server.err"
        not_ok server-starts
        exit 1
    }
    port=$(sed -n 's/^listening on [^ ]*:\([0-9]*\) .*/\1/p' "$dir/server.out")
    key=$(sed -n 's/^key //p' "$dir/server.out")
}

kill_server() {
    kill -9 "$server_pid"
    wait "$server_pid" 2>/dev/null
    server_pid=
}

# as NAME ARGUMENTS...: janggi in the home of that player, in place of this (sub)shell
as() {
    as_name=$1
    shift
    mkdir -p "$dir/home-$as_name"
    HOME="$dir/home-$as_name" USER=$as_name exec "$build/janggi" "$@"
}

# join NAME ARGUMENTS...: a client that reads its commands from a fifo, with --plain and --log
join() {
    mkfifo "$dir/$1.in"
    join_name=$1
    shift
    (
        exec 3>&- 4>&- 5>&- 6>&- # or the fifos of the others would never end
        as "$join_name" --plain --log "$dir/$join_name.log" "$@"
    ) <"$dir/$join_name.in" >"$dir/$join_name.out" 2>"$dir/$join_name.err" &
    pids="$pids $!"
    eval "pid_$join_name=$!"
}

# lines NAME PATTERN COUNT: that many lines of a player's output match
lines() { [ "$(grep -c "$2" "$dir/$1.out")" -ge "$3" ]; }
finish() {
    [ -S "$dir/tmux" ] && tmux -S "$dir/tmux" kill-server 2>/dev/null
    for pid in $pids $server_pid; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    if [ $failed -eq 0 ]; then rm -rf "$dir"; else echo "# files are in $dir"; fi
    exit $failed
}
trap 'failed=1; finish' INT TERM
