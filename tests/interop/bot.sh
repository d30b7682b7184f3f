#!/bin/sh
# Engines as players at a server: Fairy-Stockfish against our own, a whole game through a kill -9
# of the server; what a bot accepts and what it declines; engines that are none or cheat.
#
#   sh tests/interop/bot.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
PATH=$PATH:/usr/games # where Debian keeps fairy-stockfish

# bot NAME ARGUMENTS...: in the background, its words in NAME.out
bot() {
    bot_name=$1
    shift
    (as "$bot_name" bot -n "$bot_name" --pin "$key" "$@") >"$dir/$bot_name.out" 2>"$dir/$bot_name.err" &
    eval "pid_$bot_name=$!"
    pids="$pids $!"
}
# says NAME PATTERN [COUNT]: that many lines of its words match, now or soon
has_lines() { [ "$(grep -c -e "$2" "$dir/$1.out")" -ge "${3:-1}" ]; }
says() { wait_for 60 has_lines "$@"; }
# left_with NAME STATUS: it has ended so
left_with() {
    eval "wait \$pid_$1"
    [ $? -eq "$2" ]
}
# person NAME WORDS: a script of a person, which ends when no answer is missing
person() {
    person_name=$1
    shift
    (as "$person_name" -n "$person_name" --pin "$key" "127.0.0.1:$port" -c "$@") >"$dir/$person_name.out" 2>&1
}

start_server --limits chat-burst=50
here=127.0.0.1:$port

# --- A whole game -----------------------------------------------------------------------------

bot fairy --engine fairy-stockfish --option 'Skill Level=-20' --option Hash=16 --movetime 30 \
    --leave-after 1 "$here"
check bot-has-its-mark says fairy 'here as fairy-bot'
bot ours --level 4 --rules kja,martin --seek 10m+5s --challenge fairy-bot --leave-after 1 "$here"
check challenge-by-its-terms-is-accepted says fairy 'challenge .* by ours-bot: accepted'
check engines-play says ours '^-- game 1: 3\. '
kill_server
check lost-connection-is-noticed says ours 'no connection'
start_server --limits chat-burst=50
check bots-come-back says ours 'back as ours-bot'
check game-is-played-to-its-end says ours '^Game 1 is over'
check our-engine-wins-it says fairy '^Game 1 is over.* wins'
check bots-leave-after-it left_with ours 0
check both-of-them left_with fairy 0
sides() { sed -n 's/^-- game 1: \([0-9]*\. [a-z]* [^ ;]*\).*/\1/p' "$dir/$1.out"; }
sides ours >"$dir/ours.moves"
sides fairy >"$dir/fairy.moves"
check both-saw-the-same-game cmp "$dir/ours.moves" "$dir/fairy.moves"
check and-it-had-moves test "$(wc -l <"$dir/ours.moves")" -gt 5

# --- Terms ------------------------------------------------------------------------------------

bot strict --rules kja --shortest 5m --longest 20m "$here"
says strict 'here as strict-bot'
# challenged TERMS NAME PATTERN: a bare player challenges, each time another one, for a player who was
# declined has to wait before asking again
challengers=0
challenged() {
    challengers=$((challengers + 1))
    who=park$challengers
    mkfifo "$dir/$who.in"
    openssl s_client -quiet -connect "$here" <"$dir/$who.in" >"$dir/$who.out" 2>/dev/null &
    pids="$pids $!"
    exec 3>"$dir/$who.in"
    echo "login $who" >&3
    says "$who" '^OK login'
    echo "challenge strict-bot $1" >&3
    check "$2" says strict "$3"
    if [ "$2" = its-own-terms-are-accepted ]; then
        says "$who" ' start '
        exec 4>&3 # the player stays
    else
        says "$who" ' why=declined'
    fi
}
challenged 'time=10m rules=martin' other-rules-are-declined 'declined, it does not play these rules: martin'
challenged 'time=1m rules=kja' too-short-is-declined 'declined, this time is too short: 1m'
challenged 'time=2h rules=kja' too-long-is-declined 'declined, this time is too long: 2h'
challenged 'time=none rules=kja' untimed-is-declined 'declined, it does not play untimed games'
challenged 'time=3d rules=kja' correspondence-is-declined 'declined, it does not play this time control: 3d'
challenged 'time=10m rules=kja' its-own-terms-are-accepted 'by park[0-9]*: accepted'
challenged 'time=10m rules=kja' one-game-at-a-time 'declined, it already plays its maximum number of games'
exec 3>&- 4>&-
kill "$pid_strict"
check a-signal-ends-it left_with strict 143

# --- The same bot twice -----------------------------------------------------------------------

has_ended() { ! kill -0 "$1" 2>/dev/null; }
bot twin --level 1 "$here"
says twin 'here as twin-bot'
first=$pid_twin
mv "$dir/twin.out" "$dir/first.out"
bot twin --level 1 "$here"
check the-second-one-takes-over says twin 'here as twin-bot'
check the-first-one-does-not-come-back wait_for 20 has_ended "$first"
wait "$first"
check and-ends-as-one-that-lost-its-connection test $? -eq 3
check and-says-why says first 'you logged in from another place'
kill "$pid_twin"

# --- An invitation ----------------------------------------------------------------------------

person hana 'invite 1m'
link=$(sed -n 's/^ *janggi \(janggi:.*\)/\1/p' "$dir/hana.out")
bot guest --level 1 "$link"
check a-link-is-a-seat says guest '^Game .*: red.*hana'
check and-it-sets-up says guest '^-- game .* sets up '
kill "$pid_guest"

# --- Engines that are none --------------------------------------------------------------------

bot none --engine false "$here"
check no-engine-is-said left_with none 1
check and-named grep -q 'does not start or is not a UCI engine' "$dir/none.err"
bot chess --engine fairy-stockfish --rules martin "$here"
check rules-it-does-not-know-are-said left_with chess 2
cat >"$dir/cheat" <<'END'
#!/bin/sh
while read -r word rest; do
    case $word in
    uci) echo 'option name UCI_Variant type combo default janggi var janggi' && echo uciok ;;
    isready) echo readyok ;;
    go) echo 'bestmove a4a9' ;;
    quit) exit ;;
    esac
done
END
chmod +x "$dir/cheat"
bot cheat --engine "$dir/cheat" --leave-after 1 "$here"
says cheat 'here as cheat-bot'
bot honest --level 1 --rules kja --seek 10m --challenge cheat-bot --leave-after 1 "$here"
check a-cheat-gives-up says cheat 'the engine found no legal move'
check and-loses says honest 'is over.* resignation'

# --- Options ----------------------------------------------------------------------------------

for wrong in '-n x y z' '-n averyveryverylongname' '--level 0' '--games 99' '--rules chess' '--seek soon' \
    '--engine' '--option x' '--xyzzy' "janggi://$here/watch/$key"; do
    # shellcheck disable=SC2086 # words are wanted
    (as wrong bot $wrong) >"$dir/wrong.out" 2>&1
    check "refused: $wrong" test $? -eq 2
done
kill_server
(as lost bot --pin "$key" "$here") >"$dir/lost.out" 2>&1
check not-reached-exits-with-3 test $? -eq 3
finish
