#!/bin/sh
# Runs every test there is against one build and adds up. A test is a program that prints
# "ok NAME" and "not ok NAME ..." lines; one that fails without saying which counts as one
# failure. Says only what failed, where its log is, and at the end "N passed, N failed".
#
#   sh tests/run.sh BUILD_DIR [PATTERN]     only the suite PATTERN, or if none has that name, those
#                                           whose name contains it
# TIER=check: the units, the plays, the texts, and the few others that a user would notice first (is_in_check).
# TIER=proof: all others. Without it, and with a PATTERN, all.
# Suites in cluster, cli and host mostly wait; the others mostly compute. The two groups run at the same
# time: two waiting suites for each processor, and one computing suite more than there are processors.
# Those that take long come first. JOBS=N makes one group that runs N at a time; JOBS=1 runs one after
# the other. SKIP="NAME NAME" leaves suites out.
# Suites keep their files in memory where there is room for them, because a disk that hangs for seconds
# makes servers give up a lease, or tell players about it. TMPDIR=/tmp keeps them on the disk.
set -u

build=${1:?usage: run.sh BUILD_DIR [PATTERN]}
[ -d "$build" ] || {
    echo "run.sh: no build in $build: make check-build" >&2
    exit 2
}
pattern=${2:-}
tier=${TIER:-all}
[ -z "$pattern" ] || tier=all
processors=$(getconf _NPROCESSORS_ONLN) || exit 2
logs=$build/test-logs
mkdir -p "$logs"
rm -f "$logs"/*.count
export BUILD="$build"
export CMOCKA_MESSAGE_OUTPUT=TAP

# Prints "yes" if programs can run in the directory, and there are 4 GB for its files, and 2 more of memory.
has_room() {
    [ -w "$1" ] && [ -r /proc/meminfo ] || return
    free_kb=$(df -Pk "$1" | awk 'NR == 2 { print $4 }')
    memory_kb=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
    cp /bin/true "$1/janggi-$$" && "$1/janggi-$$" 2>/dev/null &&
        [ "$free_kb" -ge 4194304 ] && [ "$memory_kb" -ge 6291456 ] && echo yes
    rm -f "$1/janggi-$$"
}
if [ -z "${TMPDIR:-}" ] && [ "$(has_room /dev/shm)" = yes ]; then
    memory=$(mktemp -d /dev/shm/jXXXXXX) && chmod 755 "$memory" && export TMPDIR="$memory"
    trap 'rm -rf "$memory"' EXIT
fi

# Without the timeout program (macOS) a suite that hangs is ended by hand.
limited() {
    if command -v timeout >/dev/null; then
        timeout -k 10 "$@"
    else
        shift
        "$@"
    fi
}

# run NAME LOG SECONDS COMMAND...: prints one line, and more if something failed; all at once.
run() {
    name=$1 log=$2 limit=$3
    shift 3
    began=$(date +%s)
    limited "$limit" "$@" >"$log" 2>&1 </dev/null 9>&-
    status=$?
    ok=$(grep -c '^ok ' "$log")
    not_ok=$(grep '^not ok ' "$log" | grep -vc '# SKIP') # as cmocka prints a test that was skipped
    if [ "$status" -ne 0 ] && [ "$not_ok" -eq 0 ]; then
        not_ok=1
        echo "not ok $name (ended with status $status)" >>"$log"
    elif [ "$status" -eq 0 ] && [ "$ok" -eq 0 ]; then
        not_ok=1
        echo "not ok $name (ran no test)" >>"$log"
    fi
    seconds=$(($(date +%s) - began))
    echo "$ok $not_ok $seconds $name" >"$log.count"
    {
        printf '%-32s %5d passed %3d failed  %4d s\n' "$name" "$ok" "$not_ok" "$seconds"
        if [ "$not_ok" -gt 0 ]; then
            grep '^not ok ' "$log" | grep -v '# SKIP' | head -20
            echo "--- the end of $log, without what passed:"
            grep -v '^ok ' "$log" | tail -n 25
        fi
    } >"$log.said"
    cat "$log.said"
    rm -f "$log.said"
}

# True if the suite $name is in $group.
is_in_group() {
    case $name in
    cluster/* | cli/* | host/* | web/*) [ "$group" != computes ] ;;
    *) [ "$group" != waits ] ;;
    esac
}

# True for the suites of TIER=check. The six of whole programs: a game at two real terminals with a watcher; make play;
# a host from the first start to the owner's link; a game typed at openssl s_client; both sides back after kill -9; and
# a game in Chromium.
is_in_check() {
    case $name in
    unit/* | play | floors | docs | po | certs) ;;
    cli/client_tmux | host/make_play | host/entry | interop/typed_game | cli/whole_game | web/play) ;;
    *) return 1 ;;
    esac
}

is_in_tier() {
    case $tier in
    check) is_in_check ;;
    proof) ! is_in_check ;;
    esac
}

# suite NAME SECONDS COMMAND...: if it is in the group, waits for a token and starts it.
suite() {
    name=$1 limit=$(($2 * ${LIMIT_TIMES:-1}))
    shift 2
    case " ${SKIP:-} " in *" $name "*) return ;; esac
    if [ $is_listing = yes ]; then
        [ "$name" != "$pattern" ] || exact=yes
        return
    fi
    case $exact$name in "yes$pattern" | no*"$pattern"*) ;; *) return ;; esac
    is_in_group && is_in_tier || return
    read -r _ <&9
    {
        run "$name" "$logs/$(echo "$name" | tr '/ ' '__').log" "$limit" "$@"
        echo >&9
    } &
}

all_suites() {
    suite play 900 python3 tests/play/run.py -j 12
    if [ -d "$build/web-node/node_modules" ]; then # as make test-web leaves it
        suite web/play 300 node --test --test-reporter=tap tests/web/play.test.mjs
    fi
    suite floors 300 sh tests/floors.sh --tap "$build"
    suite docs 300 sh tests/docs.sh
    suite po 300 sh tests/po.sh "$build"
    suite certs 300 sh tests/certs.sh
    for folder in proof cluster cli host interop tools; do
        for script in "tests/$folder"/*.sh; do
            case $script in */'*.sh' | *ffish.sh) continue ;; esac # no such file; these need npm: .ci/run
            suite "$folder/$(basename "$script" .sh)" 600 sh "$script" "$build"
        done
        # The others are modules and helpers.
        for script in $(grep -l '^#!' "tests/$folder"/*.py); do
            suite "$folder/$(basename "$script" .py)" 600 python3 "$script" "$build"
        done
    done
    for program in "$build"/tests/unit/*/test_*; do
        case $program in *.o | *.d) continue ;; esac
        suite "unit/${program##*/test_}" 600 "$program"
    done
    suite rules/data 300 python3 tests/rules/rules_data.py "$build"
    suite rules/differential 300 sh tests/rules/differential.sh "$build"
    suite rules/edges 120 "$build/tests/rules/test_edges"
    suite fuzz/replay 120 sh tests/fuzz/replay.sh "$build"
    suite measure/computer_match 600 sh tests/measure/engine/computer.sh "$build" --short
}

# run_group GROUP N: runs the suites of the group, N at a time: each takes a token of N.
run_group() {
    group=$1 tokens=$logs/tokens.$$.$1
    mkfifo "$tokens" && exec 9<>"$tokens" && rm -f "$tokens" || exit 2
    for _ in $(seq "$2"); do echo >&9; done
    all_suites
    wait
}

exact=no is_listing=yes
all_suites # sets exact
is_listing=no
if [ -n "${JOBS:-}" ]; then
    run_group all "$JOBS"
else
    # Both ignore Ctrl-C, because they run in the background, and start no more suites without this shell.
    (run_group waits $((2 * processors))) &
    waits=$!
    (run_group computes $((processors + 1))) &
    computes=$!
    trap 'kill $waits $computes; exit 130' INT TERM
    wait $waits || exit 2
    wait $computes || exit 2
fi
ls "$logs"/*.count >/dev/null 2>&1 || {
    echo "no suite has \"$pattern\" in its name; unit programs are built by: make check-build" >&2
    exit 2
}
[ "$exact" = yes ] || cat "$logs"/*.count | sort -k3,3nr | awk 'NR <= 8 { said = said (NR > 1 ? ", " : "") $4 " " $3 " s" }
    END { print "# slowest: " said }'
passed=$(cat "$logs"/*.count | awk '{ n += $1 } END { print n + 0 }')
failed=$(cat "$logs"/*.count | awk '{ n += $2 } END { print n + 0 }')
if [ "$failed" -gt 0 ] && [ -n "${memory:-}" ]; then
    trap - EXIT
    echo "# what the failed tests left is in $memory, in memory: remove it"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
