# Sourced by scripts with a server of their own, on a free port, and players with homes. Sets what tap.sh sets, `port`
# and `key`.
. "$(dirname "$0")/../lib/tap.sh"

# Chooses the port, which nobody else gets while the server is away.
hold_port() {
    python3 "$(dirname "$0")/../lib/held_port.py" "$dir/port" 3>&- 4>&- 5>&- 6>&- &
    pids="$pids $!"
    wait_for 30 test -s "$dir/port" || echo "# no port is held"
    port=$(cat "$dir/port")
}

# start_server [OPTIONS...]: the second time on the same port, as after a crash
start_server() {
    [ -n "${port:-}" ] || hold_port
    : >"$dir/server.out"
    env ${clock_preload:+"JANGGI_CLOCK=$dir/clock" "LD_PRELOAD=$clock_preload"} \
        "$build/janggid" --allow-root --data "$dir/data" --listen "127.0.0.1:${port:-0}" --quotas off --access open "$@" \
        >"$dir/server.out" 2>>"$dir/server.err" 3>&- 4>&- 5>&- 6>&- &
    server_pid=$!
    wait_for 30 grep -q '^key ' "$dir/server.out" || {
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
