#!/bin/sh
# "janggi analyse": the same result with the same nodes, its formats, what it refuses, and Ctrl-C; and
# the verb of that name in a replay. The searches are short: judgement is tested by
# tests/unit/client/test_analysis.c.
#
#   sh tests/tools/analyse.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"

games=$(cd "$(dirname "$0")/../data/published" && pwd)
game=$games/donga-1937.gib
analyse() { "$build/janggi" analyse --nodes 200 "$@" 2>"$dir/said"; }

# Every published game has a graph of 64 by 5 characters at most, below a head and above the players.
has_graph() {
    analyse "$1" >"$dir/text" && [ "$(grep -cE '^ +[0-9]+ \|.{0,64}$' "$dir/text")" = 5 ] &&
        grep -q '^Red: accuracy ' "$dir/text" && grep -q '^Blue: accuracy ' "$dir/text"
}
has_picture() { analyse --to svg "$1" >"$dir/svg" && grep -q '^<polyline ' "$dir/svg" && [ "$(wc -c <"$dir/svg")" -le 4096 ]; }
speaks() { analyse --speech "$1" >"$dir/text" && grep -q "^At the end, Red's chances are " "$dir/text" && ! grep -q '|' "$dir/text"; }
for file in "$games"/*.gib; do
    check "graph-of-$(basename "$file" .gib)" has_graph "$file"
    check "picture-of-$(basename "$file" .gib)" has_picture "$file"
    check "speech-of-$(basename "$file" .gib)" speaks "$file"
done

is_repeatable() { analyse --to json "$game" >"$dir/one" && analyse --to json "$game" >"$dir/two" && cmp -s "$dir/one" "$dir/two"; }
check the-same-nodes-have-the-same-result is_repeatable
differs() { analyse --to json "$game" >"$dir/one" && "$build/janggi" analyse --nodes 300 --to json "$game" >"$dir/two" 2>/dev/null && ! cmp -s "$dir/one" "$dir/two"; }
check other-nodes-have-another differs
is_json() { python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["moves"]) == 167' "$dir/one"; }
check json-has-every-move is_json
# With comments it is still the same game.
record_of() { "$build/janggi" convert "$1" 2>/dev/null | tail -n +2; }
comes_back() {
    analyse --to "$1" "$game" >"$dir/game.$1" && grep -q '{' "$dir/game.$1" &&
        [ "$(record_of "$dir/game.$1")" = "$(record_of "$game")" ]
}
check gib-with-comments-is-the-same-game comes_back gib
check pgn-with-comments-is-the-same-game comes_back pgn
# A screen reader would read the progress after each position.
shows_progress() {
    python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$build/janggi" analyse --nodes 200 "$@" "$game" \
        </dev/null >"$dir/seen" && grep -q 'analysing [0-9]' "$dir/seen"
}
is_quiet() { shows_progress && ! shows_progress --speech && grep -q "Red's chances are" "$dir/seen"; }
check speech-has-no-progress is_quiet
in_korean() { "$build/janggi" --lang ko analyse --nodes 200 "$game" 2>/dev/null | grep -q '한의 승률'; }
check korean in_korean

refuses() {
    status=$1 words=$2
    shift 2
    "$build/janggi" analyse "$@" >"$dir/text" 2>"$dir/said"
    [ $? = "$status" ] && grep -q -- "$words" "$dir/said" && [ ! -s "$dir/text" ]
}
check no-time-is-refused refuses 2 'seconds' --seconds 0 "$game"
check an-unknown-format-is-refused refuses 2 'to' --to courier "$game"
check a-file-is-needed refuses 2 'FILE'
check a-missing-file-is-reported refuses 1 'cannot be read' "$dir/none"
printf 'janggi-record 1\n0 start red=hong blue=kim rules=kja time=none\n' >"$dir/empty"
check a-game-without-moves-is-refused refuses 1 'no moves' "$dir/empty"

# An hour, unless Ctrl-C ends it: then what is known is shown.
sit hong analyse --seconds 3600 "$game"
sees progress-is-shown hong 'analysing [0-9]*/167, [0-9]* s left'
press hong C-c
sees ctrl-c-ends-it hong 'searched well'
enter hong 'echo status=$?'
sees and-says-so hong 'status=130'

# stands_still WHO ARGUMENTS...: like sit, but the clock of that janggi stands still, so an analysis has no end of its own
stop_clock janggi
stands_still() (
    build="JANGGI_CLOCK=$dir/clock LD_PRELOAD=$clock_preload $build"
    sit "$@"
)
stands_still kim replay "$game"
line_is a-replay-begins kim '^0/166>'
enter kim analyse
sees an-analysis-begins-in-a-replay kim 'analysing, at most 15 seconds'
enter kim 'goto 3'
line_is the-replay-goes-on-meanwhile kim '^3/166>'
press kim C-c
sees ctrl-c-shows-the-result kim 'searched well'
line_is and-the-replay-goes-on kim '^3/166>'

# A script waits for the result, and goes on after it.
cat >"$dir/short" <<'END'
janggi-record 1
0 start red=hong blue=kim rules=martin time=none position="r4R3/9/4k2C1/9/9/9/9/N4KR2/6B2/3N5 r - 0 0 1"
1 move 1 red A2-B0
2 move 2 blue A9-A2
3 end red resignation
END
script_goes_on() {
    timeout 60 "$build/janggi" replay --plain "$dir/short" -c 'analyse; goto 1; quit' >"$dir/text" 2>&1 </dev/null &&
        sed -n '/^Red: accuracy/,$p' "$dir/text" | grep -q 'A2-B0'
}
check a-script-goes-on-after-the-analysis script_goes_on

"$build/janggi" convert "$game" >"$dir/donga" 2>/dev/null
stands_still lee local --load "$dir/donga"
line_is a-game-that-ended-is-loaded lee '^janggi>'
enter lee analyse
sees its-analysis-begins lee 'analysing, at most 15 seconds'
enter lee new
line_is another-game-begins lee '^1 red>'
press lee C-c
sees the-analysis-went-on lee 'searched well'
finish
