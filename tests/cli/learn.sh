#!/bin/sh
# The beginner's tour as it is typed: the whole of it in a pipe, wrong tries, every word, and on
# a screen.
#
#   sh tests/cli/learn.sh [BUILD]
area=learn
. "$(dirname "$0")/../lib/tap.sh"
. "$(dirname "$0")/../lib/screen.sh"
export HOME="$dir"
ends() {
    ends_status=$1
    shift
    timeout 60 "$janggi" learn "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$ends_status" ]
}

# --- The whole tour ---------------------------------------------------------------------------

cat >"$dir/solutions" <<'END'
e1
h7
E8
e1f2
d1d0
d0e0
f0e1
D1-E1
a0 a6
d7f9
cE2xE6
b2h2
d5b4
b2b9
b0c2
e4g5
b0c2
c2d4
e4g7
e4h6
e4d4
d7e8
b9a9
a4e4
e1f1
a5e5
a6a9
a0a9
e5c4
f1e1
pass
setup 3
END
check "every task is solved in a pipe" ends 0 <"$dir/solutions"
check "the tour ends with a game to play" has '^  janggi computer --level 1$'
check "each lesson says how far one is" test "$(grep -c '^Lesson [0-9]* of 13: ' "$dir/out")" -eq 13
check "no prompt and no escape codes in a pipe" lacks "$(printf '\033')\|>"'$'
check "the same again, read aloud" ends 0 --speech <"$dir/solutions"
check "without boards" lacks '+--+'
check "with sentences instead" has '^Red: king F1; rook A0.$'
sed 's/^d5b4$/d5e7/' "$dir/solutions" >"$dir/wrong"
check "another move in it is noticed" ends 6 <"$dir/wrong"
check "and the tour goes no further there" lacks 'janggi computer'
echo quit >>"$dir/solutions"
check "the end is the end" ends 0 <"$dir/solutions"
check "an empty input is the end" ends 0 </dev/null

# --- Wrong tries, and what is said --------------------------------------------------------------

check "the referee says why not" says 6 'nothing stands between E2 and E3' cannon -c 'e2e3'
check "and which point it is" says 6 'the pawn on A6 is in the rook.s way to A7' rook -c 'a0a7'
check "a legal move may be wrong too" says 6 'does not solve the task' rook -c 'a0a5'
check "the board is as before then" says 6 'On an open line' rook -c 'a0a5; a0a6'
check "an empty point is named" says 6 'no piece stands on E4' rook -c 'e4e5'
check "a wrong point is explained" says 6 'E0 is empty' -c 'e0'
check "a point is no move" says 6 'A move has two' rook -c 'a6'
check "a pass where there are moves" says 6 'cannot pass' rook -c 'pass'
check "two moves may be needed" says 0 'Good. 1 more move' king -c 'skip; d1e1; e1e0'
check "a check must be answered" says 6 'leaves your king in check' check -c 'skip; a4a5'
check "a wrong line-up is named" says 6 'that is NBBN' 'the set-up' -c 'setup 1'
check "a word that is none" says 6 "Type help" -c resing

# --- Words ----------------------------------------------------------------------------------------

check "a hint" says 0 'jumps over your pawn' cannon -c hint
check "skip goes on" says 0 'Task 2 of 3' cannon -c skip
check "back goes back" says 0 'Lesson 4 of 13: the rook' cannon -c 'back; back'
check "to the beginning" says 0 'This is the beginning' -c back
check "the lessons are listed" says 0 '^>  5  the cannon' 5 -c lessons
check "and found by number" says 0 'Lesson 6 of 13' -c 'lesson 6'
check "and by name" says 0 'Lesson 11 of 13' -c 'lesson bare kings'
check "and by the word that a game has for it" says 0 'Lesson 13 of 13' -c 'lesson setup'
check "and by its Korean word" says 0 'Lesson 11 of 13' -c 'lesson bikjang'
check "a lesson that is none" says 0 'Unknown lesson "chess"' -c 'lesson chess'
check "help" says 0 '^  hint ' -c help
check "skipping to the end" says 0 'janggi computer' 'the set-up' -c skip
check "hanja on the board" says 0 '(兵)' pawn --pieces hanja
check "hangul on the board" says 0 '(병)' pawn --pieces hangul

# --- Long lines -----------------------------------------------------------------------------------

check "a long command of a script is whole" says 0 'jumps over your pawn' \
    cannon -c "$(printf '%4000s' '')hint"
check "one that is too long is refused and not cut" says 6 'too long' cannon -c "$(printf 'hint%5000s' '')"
printf 'hint%20000s\nskip\n' '' | says 6 'too long' cannon
check "the same in a pipe" test $? -eq 0
check "and the next line is read" has 'Task 2 of 3'

# --- Pages of help, here and elsewhere ------------------------------------------------------------

# page WORDS...: janggi WORDS shows the page of the cannon, whole
page() {
    timeout 60 "$janggi" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    has 'exactly one piece$' && has '<p>' && has '^Usage: ' && has '^See also: '
}
check "help cannon in the tour" page learn -c 'help cannon'
check "help cannon in a game" page local --setup 1/1 -c 'help cannon'
check "rules cannon in a game" page local --setup 1/1 -c 'rules cannon'
check "read aloud it has a sentence" sh -c "'$janggi' local --setup 1/1 --speech -c 'help cannon' |
    grep -q 'from E1 the cannon may go to E4, E5, E6 (a capture)'"
timeout 60 "$janggi" local --setup 1/1 -c 'rules kja; rules' >"$dir/out" 2>"$dir/err"
check "rules of a ruleset without a server" has '^kja: '
check "and of the game's own" has '^martin: '
timeout 60 "$janggi" local --setup 1/1 -c 'help hint' >"$dir/out" 2>"$dir/err"
check "help of a word has an example" has '^Examples:$'
check "and what else to read" has '^See also: legal, level$'

# --- Options ----------------------------------------------------------------------------------------

for wrong in chess 14 '5 6' '--pieces runes' '--xyzzy' '--color green'; do
    # shellcheck disable=SC2086 # words are wanted
    check "$wrong is refused" ends 2 $wrong
done
check "help tells" says 0 '^Usage' --help

# --- A screen ---------------------------------------------------------------------------------------

open_screen 40 "$janggi" learn knight
check "a prompt says where one is" on_screen '^lesson 6 of 13> *$'
type_line 'skip'
check "a task is shown" on_screen 'Task 2 of 3'
type_line 'e4d6'
check "the point in the way is marked" on_screen '<P>'
type_line 'e4g5'
check "right goes on" on_screen 'Task 3 of 3'

# On 80x24 the text of a lesson stays on the screen until it has been read.
open_screen 24 "$janggi" learn
check "the words of a lesson do not scroll away" on_screen '^Lesson 1 of 13: the board'
check "the task waits for Enter" on_screen '^lesson 1 of 13, Enter for the task> *$'
press "screen$screen_number" Enter
check "then there it is" on_screen '^Task 1 of 3$'
check "with its whole board" on_screen '^     9 '
type_line 'lesson cannon'
check "nor do those of a piece" on_screen '^Lesson 5 of 13: the cannon'
check "with their figure" on_screen 'Enter for the task'
type_line e2e6
check "a task may be solved at once" on_screen 'Task 2 of 3'

# tour NAME: a tour on a screen of that name; its process is in $dir/pid, and its end is told
tour() {
    # shellcheck disable=SC2016 # for the shell on the screen
    open_screen 40 \
        "trap : INT; sh -c 'echo \$\$ >$dir/pid; exec $janggi learn'; echo status=\$?; stty -a; while :; do cat; done" &&
        on_screen '^lesson 1 of 13> *$'
}
# For wait_for. Two Ctrl-C leave only if the second comes in time; one too many ends nothing else.
interrupts_and_ends() { interrupt && shows "screen$screen_number" 'status=130'; }
check "a tour that is interrupted" tour interrupted
interrupt
check "one Ctrl-C tells how to leave" on_screen 'Ctrl-C once more'
check "the second leaves" wait_for 20 interrupts_and_ends
check "a tour that is terminated" tour terminated
kill "$(cat "$dir/pid")"
check "ends with the signal's status" on_screen 'status=143'
check "and gives the terminal back" on_screen ' echo '
screen=
finish
