#!/bin/sh
# Runs every test there is against one build and adds up. A test is a program that prints
# "ok NAME" and "not ok NAME ..." lines; one that fails without saying which counts as one
# failure. Says only what failed, where its log is, and at the end "N passed, N failed".
#
#   sh tests/run.sh BUILD_DIR [PATTERN]     only the suite PATTERN, or if none has that name, those
#                                           whose name contains it
# Runs more suites at a time than there are processors, because most suites mostly wait, and those that
# take long first; JOBS=1 runs one after the other. SKIP="NAME NAME" leaves suites out.
set -u

build=${1:?usage: run.sh BUILD_DIR [PATTERN]}
pattern=${2:-}
jobs=${JOBS:-$((2 * $(getconf _NPROCESSORS_ONLN) + 1))}
logs=$build/test-logs
mkdir -p "$logs"
rm -f "$logs"/*.count
export BUILD="$build"
export CMOCKA_MESSAGE_OUTPUT=TAP

# One token for each suite that may run at a time.
tokens=$logs/tokens.$$
mkfifo "$tokens" && exec 9<>"$tokens" && rm -f "$tokens" || exit 2
for _ in $(seq "$jobs"); do echo >&9; done

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
            echo "--- the end of $log:"
            tail -n 25 "$log"
        fi
    } >"$log.said"
    cat "$log.said"
    rm -f "$log.said"
}

# suite NAME SECONDS COMMAND...: waits for a token and starts it.
suite() {
    name=$1 limit=$(($2 * ${LIMIT_TIMES:-1}))
    shift 2
    case " ${SKIP:-} " in *" $name "*) return ;; esac
    if [ $is_listing = yes ]; then
        [ "$name" != "$pattern" ] || exact=yes
        return
    fi
    case $exact$name in "yes$pattern" | no*"$pattern"*) ;; *) return ;; esac
    read -r _ <&9
    {
        run "$name" "$logs/$(echo "$name" | tr '/ ' '__').log" "$limit" "$@"
        echo >&9
    } &
}

all_suites() {
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
    suite play 900 python3 tests/play/run.py
    suite rules/computer_match 600 sh tests/rules/computer.sh "$build" --short
}

exact=no is_listing=yes
all_suites # sets exact
is_listing=no
all_suites

wait
ls "$logs"/*.count >/dev/null 2>&1 || {
    echo "no suite has \"$pattern\" in its name" >&2
    exit 2
}
[ "$exact" = yes ] || cat "$logs"/*.count | sort -k3,3nr | awk 'NR <= 8 { said = said (NR > 1 ? ", " : "") $4 " " $3 " s" }
    END { print "# slowest: " said }'
passed=$(cat "$logs"/*.count | awk '{ n += $1 } END { print n + 0 }')
failed=$(cat "$logs"/*.count | awk '{ n += $2 } END { print n + 0 }')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
