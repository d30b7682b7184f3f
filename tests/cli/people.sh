#!/bin/sh
# People who are not at the board: tell and messages, due and wait, and the programs of on-turn and
# on-match.
#
#   sh tests/cli/people.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

# run HOME ARGUMENTS...: janggi of that home; its words are in $dir/said, what went wrong in $dir/err
run() { (as "$@") >"$dir/said" 2>"$dir/err" </dev/null; }
says() {
    grep -q -- "$1" "$dir/said" && return
    sed "s/^/# said: /" "$dir/said"
    return 1
}
ends() {
    ends_want=$1
    shift
    run "$@"
    ends_got=$?
    [ $ends_got -eq "$ends_want" ] && return
    echo "# ended with $ends_got:"
    sed 's/^/#   /' "$dir/said" "$dir/err"
    return 1
}
say() { echo "$2" >&"$1"; }
told() { lines "$1" "$2" "${3:-1}"; }

start_server --rated-same-address on
here=127.0.0.1:$port

# --- tell and messages

check kim-takes-messages ends 0 kim --pin "$key" -n kim -c "set messages all; messages" "$here"
check and-has-none says '^-- you have no messages'
check a-message-is-kept ends 0 hong --pin "$key" -n hong -c 'tell kim at eight? $(touch x)' "$here"
check and-that-is-said says '^-- kim is not here; your words are kept as a message'
check it-comes-at-the-login ends 0 kim -n kim -c "messages" "$here"
check with-its-sender says '^-- message from hong, 20..-..-.. ..:..: at eight? \$(touch x)'
check and-is-listed says '^  20..-..-.. ..:..  hong: at eight?'
check the-list-is-cleared ends 0 kim -n kim -c "messages clear; messages" "$here"
check and-empty says '^-- you have no messages'
check a-stranger-may-not ends 0 kim -n kim -c "tell hong hello" "$here"
check a-refusal-is-worded says '^-- not done: hong accepts no messages from you'
check a-file-for-scripts ends 0 kim --json -n kim -c "messages" "$here"
check has-an-object says '"to":"messages".*"count":"0"'

# --- due and wait

check nothing-waits ends 1 kim -n kim due "$here"
check nobody-is-refused ends 5 kim -n stranger due "$here"
check usage-of-due ends 2 kim due "$here" 5 6
check usage-of-wait ends 2 kim wait a b c
check wait-has-a-shortest-time ends 2 kim wait 3
check an-unknown-server-is-not-trusted ends 4 stranger due "$here"
check nobody-there ends 3 kim due 127.0.0.1:1

cat >"$dir/hook" <<'END'
#!/bin/sh
{
    echo "$JANGGI_EVENT game=$JANGGI_GAME ply=$JANGGI_PLY side=$JANGGI_SIDE opponent=$JANGGI_OPPONENT time=$JANGGI_TIME rules=$JANGGI_RULES${JANGGI_EVENING:+ evening=$JANGGI_EVENING round=$JANGGI_ROUND in_s=$JANGGI_IN_S}"
    echo "arguments=$# first=$1 second=$2 door=${JANGGI_DOOR-none}"
} >>"$HOME/hook.out"
END
chmod +x "$dir/hook"
mkdir -p "$dir/home-hong/.config/janggi" "$dir/home-kim/.config/janggi"
printf 'on-turn = %s/hook "two words" $(id)\non-match = %s/hook\n' "$dir" "$dir" >"$dir/home-hong/.config/janggi/config"
printf 'on-turn = /nowhere/program\n' >"$dir/home-kim/.config/janggi/config"
export JANGGI_DOOR=secret
join hong --pin "$key" -n hong "$here"
exec 3>"$dir/hong.in"
unset JANGGI_DOOR
join kim --pin "$key" -n kim "$here"
exec 4>"$dir/kim.in"
wait_for 10 told hong '^Hello hong' && wait_for 10 told kim '^Hello kim'
say 3 'seek 3d kja red'
wait_for 10 told hong '^-- seek' || wait_for 1 true
say 4 'accept 1'
check a-game-begins wait_for 10 told hong '^Game 1: red hong, blue kim'
check on-match-is-run wait_for 10 grep -q '^match game=1 ply=0 side=red opponent=kim time=3d rules=kja' "$dir/home-hong/hook.out"
check without-arguments wait_for 10 grep -q '^arguments=0 first= second= door=none' "$dir/home-hong/hook.out"
check on-turn-is-run-for-the-line-up wait_for 10 grep -q '^turn game=1 ply=0' "$dir/home-hong/hook.out"
check the-arguments-are-fixed wait_for 10 grep -q '^arguments=2 first=two words second=\$(id) door=none' "$dir/home-hong/hook.out"
check a-game-waits-for-hong ends 0 hong -n hong due "$here"
check and-is-named says 'game 1: red against kim (here), 3d, ply 0, set up now'
check for-scripts ends 0 hong --json -n hong due "$here"
check as-an-object says '"of":"due".*"game"'
check the-client-stays-connected told hong '^Hello hong'
check not-for-kim ends 1 kim -n kim due "$here"
(as kim -n kim wait "$here" 5) >"$dir/waited" 2>&1 </dev/null &
waiting=$!
pids="$pids $waiting"
say 3 'setup NBNB'
check a-missing-program-is-reported wait_for 10 told kim '^-- the program for on-turn: it was not found'
check wait-ends-with-0 wait "$waiting"
check and-has-the-game grep -q 'game 1: blue against hong' "$dir/waited"
say 4 'setup NBNB'
say 4 'a3a4'
say 4 'a6b6'
say 4 'a6a5'
check the-game-goes-on wait_for 10 told hong '1. blue'
check on-turn-again wait_for 10 grep -q '^turn game=1 ply=1 side=red' "$dir/home-hong/hook.out"
check a-report-comes-once test "$(grep -c '^-- the program for on-turn' "$dir/kim.out")" -eq 1
check nothing-was-executed test ! -e x
say 3 'follow kim'
check follow-is-answered wait_for 10 told hong '^-- you will watch the next public games of kim'
say 3 'notify kim'
check notify-is-answered wait_for 10 told hong '^-- you will be notified when kim logs in'
join park --pin "$key" -n park "$here"
exec 5>"$dir/park.in"
wait_for 10 told park '^Hello park'
say 5 'seek none kja red'
wait_for 10 told park '^-- seek'
say 4 'accept 2'
check a-followed-game-is-shown wait_for 10 told hong '^-- game 2 of kim begins: you watch it'
check from-its-beginning wait_for 10 told hong '^Game 2: red park, blue kim'
join choi --pin "$key" -n choi "$here"
exec 6>"$dir/choi.in"
wait_for 10 told choi '^Hello choi'
echo 'tv classic' >&6
check tv-waits wait_for 10 told choi '^-- there is no game to show now'
echo 'tv' >&6
check tv-shows-a-game wait_for 10 told choi '^-- you watch game 2, the best one now'
check with-its-events wait_for 10 told choi '^Game 2: red park, blue kim'
echo 'quit' >&6
exec 6>&-
rm -f "$dir/choi.in"
say 5 'quit'
exec 5>&-
say 3 'set on-turn relative/path'
check a-relative-path-is-refused wait_for 10 told hong 'invalid value "relative/path" for on-turn'
say 3 'quit'
say 4 'quit'
exec 3>&- 4>&-

# --- ratings beside the names

for name in lee choi; do
    join $name --pin "$key" -n $name "$here"
done
exec 3>"$dir/lee.in" 4>"$dir/choi.in"
wait_for 10 told lee '^Hello lee' && wait_for 10 told choi '^Hello choi'
for name in lee choi; do "$build/janggid" ctl --data "$dir/data" role $name member >/dev/null; done
say 3 'seek 10 rated=yes setup=NBNB/NBNB'
wait_for 10 told lee '^-- seek'
say 4 'accept 3'
wait_for 10 told lee '(blue) sets up' && wait_for 10 told choi '(blue) sets up'
[ "$(sed -n 's/^Game 3: red \([a-z]*\), .*/\1/p' "$dir/lee.out")" = lee ] && first=3 second=4 || first=4 second=3
say $first 'a3a4'
wait_for 10 told lee '1. red' && wait_for 10 told choi '1. red'
say $second 'a6a5'
wait_for 10 told lee '1. blue' && wait_for 10 told choi '1. blue'
say 4 'resign!'
check the-end-tells-the-ratings wait_for 10 told lee '^-- .*ratings: .*lee 1[0-9]*? (+'
say 3 'rematch'
wait_for 10 told choi '^-- .*lee.*rematch'
say 4 'accept'
check a-board-without-them-is-followed-by-them wait_for 10 told lee '^-- ratings: .*lee 1[0-9]*?'
check nothing-is-said-without-ratings test "$(grep -c '^-- ratings' "$dir/hong.out")" -eq 0
say 3 'quit'
say 4 'quit'
exec 3>&- 4>&-

# --- The games of an evening begin by themselves: the same programs say so

for name in dan eun; do
    mkdir -p "$dir/home-$name/.config/janggi"
    printf 'on-turn = %s/hook\non-match = %s/hook\n' "$dir" "$dir" >"$dir/home-$name/.config/janggi/config"
    join $name --pin "$key" -n $name "$here"
done
exec 3>"$dir/dan.in" 4>"$dir/eun.in"
wait_for 10 told dan '^Hello dan' && wait_for 10 told eun '^Hello eun'
ctl() { "$build/janggid" ctl --data "$dir/data" "$@" >/dev/null; }
ctl role dan member
ctl role eun member
ctl evening new club system=rr time=5m shown=1s
for out in 3 4; do say $out 'evening join 1'; done
check both-take-part wait_for 10 told dan '^-- you take part' && wait_for 10 told eun '^-- you take part'
say 3 'evening 1'
check it-says-who-takes-part wait_for 10 told dan '; it has not begun, and you take part'
check nothing-has-begun test ! -e "$dir/home-dan/hook.out"
ctl evening start 1
check on-match-is-run-for-a-game-of-an-evening \
    wait_for 10 grep -q '^match game=[0-9]* ply=0 side=[a-z]* opponent=eun time=5m rules=kja' "$dir/home-dan/hook.out"
check on-turn-says-it-before \
    wait_for 10 grep -q '^evening game= ply= side=[a-z]* opponent=eun time= rules= evening=1 round=1 in_s=[01]$' "$dir/home-dan/hook.out"
check for-both-of-them wait_for 10 grep -q '^match game=[0-9]* .* opponent=dan ' "$dir/home-eun/hook.out"
evening_red=$(sed -n 's/^Game [0-9]*: red \([a-z]*\), .*/\1/p' "$dir/dan.out")
check on-turn-is-run-for-its-line-up wait_for 10 grep -q '^turn game=[0-9]* ply=0 side=red' "$dir/home-$evening_red/hook.out"
say 3 'resign!'
wait_for 10 told dan 'is over'
say 3 'quit'
say 4 'quit'
exec 3>&- 4>&-

# --- A game with a clock comes before one without

for name in ann bob cho; do
    join $name --pin "$key" -n $name "$here"
done
exec 3>"$dir/ann.in" 4>"$dir/bob.in" 5>"$dir/cho.in"
say 3 'seek none red'
check an-untimed-game-is-looked-for wait_for 10 told ann '^-- seek [0-9]* (none.* is open'
say 4 "accept $(sed -n 's/^-- seek \([0-9]*\) (none.*/\1/p' "$dir/ann.out")"
check an-untimed-game-begins wait_for 10 told ann '^Game [0-9]*: .*untimed'
say 3 'setup 1'
wait_for 10 told bob 'you choose a set-up'
say 4 'setup 1'
check it-is-ann-s-move wait_for 10 told ann '^-- bob (blue) sets up'
say 3 'seek 5 red'
check a-timed-game-is-looked-for wait_for 10 told ann '^-- seek [0-9]* (5m.* is open'
say 5 "accept $(sed -n 's/^-- seek \([0-9]*\) (5m.*/\1/p' "$dir/ann.out")"
check a-timed-game-begins wait_for 10 told ann '^Game [0-9]*: .*5 min'
timed=$(sed -n 's/^Game \([0-9]*\): .*5 min.*/\1/p' "$dir/ann.out")
say 3 'setup 1'
wait_for 10 told cho 'you choose a set-up'
say 5 'setup 1'
check its-clock-runs wait_for 10 told ann "^-- cho (blue) sets up"
say 3 'b0c2'
check a-move-goes-to-the-game-with-a-clock wait_for 10 told ann "^-- 1. red B0-C2"
exec 3>&- 4>&- 5>&-

printf 'on-turn = "/bin/true\n' >"$dir/home-kim/.config/janggi/config"
check an-open-quote-is-an-error-of-the-file ends 2 kim due "$here"
check that-names-its-line grep -q 'config:1: invalid value' "$dir/err"
printf 'on-turn = none\n' >"$dir/home-kim/.config/janggi/config"

finish
