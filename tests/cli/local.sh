#!/bin/sh
# A game at one terminal, by two people and against the computer: what is printed for what is
# typed, in a pipe and on a screen; back after the end; saved, and gone on with.
#
#   sh tests/cli/local.sh [BUILD]
area=local
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/screen.sh"
export HOME="$dir" USER=hong
mate='4k4/1R7/9/R8/9/9/9/9/5K3/9 r - 0 0 1'
# same FILE: the output is that of FILE
same() { cmp -s "$1" "$dir/out"; }

# --- Two people -------------------------------------------------------------------------------

cat >"$dir/wanted" <<'END'
Game 1: red hong, blue kim. untimed, rules: martin.
-- you choose a set-up
-- hong (red) sets up NBBN
-- you choose a set-up
-- kim (blue) sets up NBNB; your move
-- 1. red B0-A2 (knight); your move
-- B9-B8 not played: the knight on B9 does not go to B8: it goes one step straight, then one diagonally outward
-- 1. blue B9-C7 (knight); your move
-- taken back to the start: the first move is next; your move
-- 1. red A3-B3 (pawn); your move
  1. A3-B3
Game 1 is over. Draw by agreement.
END
printf '%s\n' 'setup 1' 'setup nbnb' b0a2 b9b8 b9c7 'undo 2' 'a3 b3' moves draw |
    ends 6 local -n hong -n kim </dev/stdin
check "two people play" same "$dir/wanted"
sed 's/(pawn)/(rook)/' "$dir/wanted" >"$dir/other"
check "another game would be noticed" sh -c "! cmp -s '$dir/other' '$dir/out'"
check "what a script is refused ends it with 6" ends 6 local --setup 1/1 -c 'a3a5'
check "what is wrong for a server is refused" says 6 'needs a server' local --setup 1/1 -c 'seek 10'
check "an empty input is the end" ends 0 local </dev/null
for rules in martin courier vchess kja; do
    check "$rules can be played" says 0 ", rules: $rules\\." local -r $rules --setup 1/4 -c 'hint; moves'
done
check "in vchess the king onto the king is a pass" says 0 '-- 1. red pass' \
    local -r vchess --setup 1/1 -c e1e8
check "and nowhere else" ends 6 local -r courier --setup 1/1 -c e1e8
check "a mate is the end" says 0 'over. Red wins by checkmate' local -r kja --position "$mate" -c 'a6a9'
check "and can be taken back" says 0 '-- 1. red A6-A8' local -r kja --position "$mate" \
    -c 'a6a9; takeback; a6a8'
check "and is not taken back twice" ends 6 local -r kja --position "$mate" -c 'a6a9; takeback; takeback'
check "a resignation can be taken back" says 0 '-- 1. red A3-B3' local --setup 1/1 \
    -c 'resign; takeback; a3b3'
check "a private board ends with the end that is taken back" says 0 '-- 1. blue A6-B6' local \
    --setup 1/1 -c 'resign; try a3b3; takeback; c3d3; a6b6'
check "and with the moves before it" says 0 '-- 1. red A3-B3' local --setup 1/1 \
    -c 'c3d3; resign; try a6b6; takeback 1; a3b3'
check "a position is shown" says 0 '\[k\]' local -r kja --position "$mate" -c 'board'
check "no escape codes in a pipe" sh -c "! grep -q '$(printf '\033')' '$dir/out'"
stop_clock janggi
: >"$dir/out"
(
    echo a3b3
    wait_for 20 has '-- 1. red A3-B3'
    step 1000
    wait_for 20 has 'is over'
    echo moves
) | JANGGI_CLOCK=$dir/clock LD_PRELOAD=$clock_preload says 0 'over. Red wins on time' local --setup 1/1 --time 1s
check "a flag falls" test $? -eq 0

check "a setting that is not valid is refused" says 6 'invalid value "x" for color' local --setup 1/1 -c 'set color x'
at_home_of() { HOME=$dir "$janggi" local --setup 1/1 -c 'set on-turn ~/x' >"$dir/out" 2>&1; }
of_nobody() { ! env -u HOME "$janggi" local --setup 1/1 -c 'set on-turn ~/x' >"$dir/out" 2>&1; }
check "a program is one of HOME" at_home_of
check "and is refused without HOME" of_nobody
check "as a value that is not valid" grep -q 'invalid value "~/x" for on-turn' "$dir/out"
lines_of_help() { "$janggi" local --setup 1/1 "$@" -c help | wc -l; }
check "help is short where it is read aloud" test $(($(lines_of_help --speech) * 2)) -lt "$(lines_of_help)"
check "a private board is the same as at a server" says 0 'moves tried: 1; nothing is sent' \
    local --setup 1/1 -c 'try a3b3; back'
not_open='; no private board is open, so a move that you type now is played in the game'
check "a move that cannot be tried opens none" says 6 "to A4.*$not_open\$" local --setup 1/1 -c 'try a0a4'
check "nor one of the other side" says 6 "it is red's turn here$not_open\$" local --setup 1/1 -c 'try a6a5'
check "nor one of another piece" says 6 "not a knight$not_open\$" local --setup 1/1 -c 'try na3a4'
check "and so the next move is played" says 6 '-- 1. red A3-B3' local --setup 1/1 -c 'try a0a4; a3b3'
check "one that is open stays open" says 6 'move not made: .*nothing stands between' \
    local --setup 1/1 -c 'try a3b3; try b7b8'
no_word_of_it() { ! grep -q 'no private board' "$dir/out"; }
check "and nothing is said of it" no_word_of_it
check "so it is after the end" ends 6 local --setup 1/1 -c 'resign; try a0a4'
check "where no move is played" no_word_of_it
check "and so is one that is not there" says 6 'You have no private board' local --setup 1/1 -c back

check "two people have no side of their own" says 6 "it is red's turn, and the pawn on A6 is blue's" \
    local --setup 1/1 -c a6a5
check "a person against the computer has one" says 6 'the pawn on A6 is not yours' \
    computer --setup 1/1 --level 1 -c a6a5
check "a hint waits for the set-up" says 0 'no hint now: first both sides choose' local -c hint

# --- Files ------------------------------------------------------------------------------------

check "a game is saved" says 0 "saved in" local --setup 2/3 -c "a3b3; a6b6; save $dir/game"
check "it is a record" grep -q '^janggi-record 1$' "$dir/game"
check "it can be converted" ends 0 convert --to gib "$dir/game"
check "a replay is nobody's game" says 6 "it is red's turn, and the pawn on A6 is blue's" \
    replay "$dir/game" -c 'goto 0; try a6a5'
check "it goes on" says 0 '-- 2. red B3-B4' local --load "$dir/game" -c 'b3b4'
check "it is not written over by chance" ends 6 local --setup 1/1 -c "save $dir/game"
check "but if that is meant" ends 0 local --setup 1/1 -c "save! $dir/game"
check "what is loaded is saved in its place" ends 0 local --load "$dir/game" -c 'a3b3; save'
check "with what was played" says 0 'A3-B3' local --load "$dir/game" -c 'moves'
check "a file that is none is named" ends 1 local --load "$dir/none"
check "a directory is no place to save" says 6 'not saved' local --setup 1/1 -c "save! $dir"
cat >"$dir/adjourned" <<'END'
janggi-record 1
0 start red=hong blue=kim rules=martin time=10m
1 setup red NBBN
2 setup blue NBBN
3 move 1 red A3-B3 red_ms=600000 blue_ms=600000
4 adjourn red_ms=600000 blue_ms=590000
END
check "a game that a server adjourned goes on" says 0 'Blue .* 9:50' \
    local --load "$dir/adjourned" -c 'a6b6; board'
echo 'janggi-record 1' >"$dir/empty"
check "a record of nothing is not loaded" ends 1 local --load "$dir/empty"
echo rubbish >"$dir/rubbish"
check "rubbish is not loaded" ends 1 local --load "$dir/rubbish"

# --- The computer -----------------------------------------------------------------------------

play='a3b3\nb0a2\nc3d3\nmoves\n'
printf "$play" | ends 0 computer --setup 1/1 --level 1 --seed 7
check "it answers every move" test "$(grep -c '^-- [0-9]*\. blue ' "$dir/out")" -eq 3
cp "$dir/out" "$dir/first"
printf "$play" | ends 0 computer --setup 1/1 --level 1 --seed 7
check "with the same seed the same way" same "$dir/first"
check "options may stand before the word" says 0 'red hong, blue computer-3' --level 3 computer -c 'setup 1'
check "it sets up" says 0 '(blue) sets up' computer --level 1 -c 'setup 1'
check "it moves first where that is its part" says 0 '-- 1. blue' computer -r kja --setup 1/1 --level 2 -c moves
check "it takes the other side" says 0 'You play blue' computer --side blue --setup 1/1 --level 1 -c moves
check "it finds a mate" says 0 'over. Red wins by checkmate' \
    computer -r kja --side blue --level 2 --position "$mate" -c moves
check "a hint does too" says 0 'hint: A6-A9 (wins in 1' local -r kja --position "$mate" -c hint
check "a move is taken back with its answer" says 0 'taken back to the start.*; your move' \
    computer --setup 1/1 --level 1 -c 'a3b3; takeback'
check "a rematch gives up no game" says 6 'this game is not over' \
    computer --setup 1/1 --level 1 -c 'b0c2; rematch'
check "a rematch changes sides" says 0 'You play blue' \
    computer --setup 1/1 --level 1 -c 'resign; rematch'
check "two people have a rematch too" says 0 'red bb, blue aa' \
    local --setup 1/1 --name aa --name bb -c 'a3a4; resign; rematch'
check "it wants no draw at once" says 0 'wants to play on' computer --setup 1/1 --level 1 -c draw
check "its game is saved" ends 0 computer --setup 1/1 --level 3 -n hong -c "a3b3; save $dir/with"
check "and it goes on at its level" says 0 'computer-3' computer --load "$dir/with" -c 'board; level'
cat >"$dir/resigned" <<'END'
janggi-record 1
0 start red=computer-1 blue=hong rules=martin time=none
1 setup red NBBN
2 setup blue NBBN
3 end red resignation by=blue
END
check "a resignation before its first move can be taken back" says 0 'the end of the game was taken back' \
    computer --load "$dir/resigned" -c takeback
check "and it plays that move" says 0 '-- 1. red' computer --load "$dir/resigned" -c 'takeback; moves'
check "as told" says 0 'level 3' computer --load "$dir/with" -c 'level'
check "it plays by the clock" says 0 '-- 2. blue' \
    computer --setup 1/1 --time 30s+1s --level 10 -c 'a3b3; b0a2; moves'

# --- Options ----------------------------------------------------------------------------------

for wrong in '--level 11' '--side green' '--rules chess' '--time soon' '--time 3d' '--setup 1' \
    '--position x' '--load' '--xyzzy' 'word'; do
    # shellcheck disable=SC2086 # words are wanted
    check "$wrong is refused" ends 2 computer $wrong
done
# complains PATTERN WORDS...: janggi WORDS ends with 2, and what it says of that matches
complains() {
    pattern=$1
    shift
    ends 2 "$@" && grep -q -e "$pattern" "$dir/err"
}
check "a wrong value is said with those that are right" \
    complains 'computer: invalid value for --level (1-10): 11; see janggi computer --help' computer --level 11
check "and of another task" complains 'replay: invalid value for --speed (0.01 to 1000): x;' replay --speed x y
check "and of janggi itself" complains '^janggi: invalid value for --color (auto, always or never): green;' --color green
check "a value that is missing" complains 'local: --time needs a value' local --time
check "a value that is too much" complains 'local: --plain takes no value' local --plain=1
check "an option that is unknown" complains 'local: unknown option: --xyzzy' local --xyzzy
check "a word that is too much" complains 'local: unexpected argument: word' local word
check "an option may stand in front of the task" says 0 'blue computer-3' --level 3 computer -c level
check "with its value, and several of them" says 0 'untimed, rules: kja' -n hong -r kja --plain local -c flip
check "the language too" says 6 "help로" --plain --lang ko local -c xyzzy
check "a host is no task" complains '^janggi: "localhost" is not a command of janggi, and only one server can be given' localhost local
check "both spellings are a task" says 0 '^Usage: janggi analyse' analyze --help
check "times are read as people type them" says 0 '20 min + 3 x 40 s, rules' computer --time 20+3x40 -c clock
check "help tells" says 0 '^Usage' local --help

# --- A screen ---------------------------------------------------------------------------------

open_screen 24 "$janggi" computer --level 1 --seed 3
check "the line-ups are shown" on_screen 'setup 4   BNNB'
type_line 'setup 1'
check "the board is shown" on_screen 'YOUR MOVE'
type_line a3b3
check "the answer is shown" on_screen '1. A3-B3     [A-I]'
# Two by now: after the set-ups, and after the computer's answer.
boards() { [ "$(tm capture-pane -p -S - | grep -c 'vs  blue computer-1')" -eq "$1" ]; }
check "a turn has one board" boards 2
check "and one's own move is a line" on_screen '^-- 1. red A3-B3 (pawn)$'
type_line 'set board off'
check "a setting is confirmed" on_screen '^-- board: off$'
type_line i3i4
check "without boards the answer is a line" on_screen '^-- 2. blue .*; your move$'
check "and there is no other board" boards 2
type_line hint
check "a hint is on its way" on_screen '^-- the computer is looking for a move for you$'
check "and comes" on_screen '^-- hint: '
type_line 'set board each'
type_line b3b4
check "or there is one after each move" on_screen '3. B3-B4     [A-I]'
check "that is two more" boards 4
type_line flip
check "the board is turned round" on_screen '\.  I  H  G'
type_line quit
check "leaving asks for what is not saved" on_screen 'Leave without saving'
type_line maybe
check "another line is told of Enter" on_screen 'please answer (Enter means no):$'
press "screen$screen_number" Enter
check "and can be thought over" on_screen 'Nothing was done'
type_line replay
check "the game is seen again" on_screen '^replay 0/6>'
press "screen$screen_number" Enter
check "Enter is its next move" on_screen '^replay 1/6>'
type_line back
check "back leads to the game" on_screen 'red>'
type_line 'resign!'
check "what can be done after a game is one line" on_screen '^Type "new" or "rematch", "analyse", "replay", "takeback", "save FILE" or "quit".$'
type_line 'replay 2'
check "it is seen again then" on_screen '^replay 2/6>'
interrupt
check "one Ctrl-C tells how to leave" on_screen 'Ctrl-C once more'
type_line 'quit!'
has_left() { ! tm has-session; }
check "it leaves" wait_for 10 has_left
finish
