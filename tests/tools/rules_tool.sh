#!/bin/sh
# "janggi rules ...", the referee without a server: every question with its answer byte for byte,
# every kind of bad input with its line and status, and lines by the thousand.
#
#   sh tests/tools/rules_tool.sh BUILD_DIR
. "$(dirname "$0")/../lib/tap.sh"
start='rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 0 0 1'


# verdict NAME STATUS: ok if the status is 0
verdict() { check "$1" test "$2" -eq 0; }

# is NAME STATUS EXPECTED WORDS...: what janggi rules WORDS prints and ends with. Standard input
# is that of the caller.
is() {
    name=$1 status=$2 expected=$3
    shift 3
    "$janggi" rules "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    printf '%s\n' "$expected" >"$dir/expected"
    [ "$got" -eq "$status" ] && cmp -s "$dir/expected" "$dir/out" && [ ! -s "$dir/err" ]
    verdict "$name" $?
}

# refused NAME STATUS EXPECTED WORDS...: one line on standard error, nothing else.
refused() {
    name=$1 status=$2 expected=$3
    shift 3
    "$janggi" rules "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    printf '%s\n' "$expected" >"$dir/expected"
    [ "$got" -eq "$status" ] && cmp -s "$dir/expected" "$dir/err" && [ ! -s "$dir/out" ]
    verdict "$name" $?
}

# --- legal, perft, play, why --------------------------------------------------

fig1='A0-A1 A0-A2 A3-A4 A3-B3 B0-A2 B0-C2 C3-B3 C3-C4 C3-D3 D0-D1 D0-E0 E1-D1 E1-D2 E1-E0'
fig1="$fig1 E1-E2 E1-F1 E1-F2 E3-D3 E3-E4 E3-F3 F0-E0 F0-F1 G3-F3 G3-G4 G3-H3 H0-G2 H0-I2"
fig1="$fig1 I0-I1 I0-I2 I3-H3 I3-I4"
is 'the moves of figure 1' 0 "$fig1" legal fig1
is 'a position in one word' 0 "$fig1" legal "$start"
# shellcheck disable=SC2086
is 'a position in six words' 0 "$fig1" legal $start
is 'a set-up' 0 "$fig1" legal -r martin nbbn/NBBN
is 'mate leaves no move' 0 '' legal 'R3k4/8R/9/9/9/4P4/9/9/9/4K4 b - 0 0 1'
is 'pass comes last' 0 'D0-D1 D0-E0 D0-E1 pass' legal -r vchess '5k3/9/9/9/9/9/9/9/9/3K5 r - 0 0 1'

is 'perft of figure 1' 0 30037 perft fig1 3
is 'perft of figure 2' 0 951625 perft fig2 4
is 'perft of depth 0' 0 1 perft fig1 0
is 'perft of another ruleset' 0 1065277 perft --rules kja NBBN/NBBN 4
is 'a game that is over has no lines' 0 0 perft '4k4/9/9/9/9/9/9/9/9/3K5 r - 2 0 1' 2
is 'perft by first moves' 0 'D0-D1 4
D0-E0 4
D0-E1 4
pass 4
16' perft -r vchess '5k3/9/9/9/9/9/9/9/9/3K5 r - 0 0 1' 2 --divide

is 'a game after two moves' 0 'status=ongoing result=- reason=- check=none fen="rnbg1gbnr/4k4/1c5c1/1pp1p1p1p/9/9/P1P1P1P1P/1CN4C1/4K4/R1BG1GBNR r - 0 2 2"' \
    play fig1 B0-C2 A6-B6
is 'moves as people write them' 0 'status=ongoing result=- reason=- check=none fen="rnbg1gbnr/4k4/1c5c1/1pp1p1p1p/9/9/P1P1P1P1P/1CN4C1/4K4/R1BG1GBNR r - 0 2 2"' \
    play fig1 'nB0 c2' a6xb6
is 'a game of no moves' 0 'status=over result=red reason=checkmate check=piece fen="R3k4/8R/9/9/9/4P4/9/9/9/4K4 b - 0 0 1"' \
    play 'R3k4/8R/9/9/9/4P4/9/9/9/4K4 b - 0 0 1'
is 'points, and two passes' 0 'status=over result=red reason=double_pass check=none fen="rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR b - 2 2 2" points=73.5/72' \
    play -r kja fig1 pass pass
is 'the third repetition' 0 'status=over result=draw reason=repetition check=none fen="3k5/9/9/8r/9/R8/9/9/9/4K4 r - 0 8 5"' \
    play '3k5/9/9/8r/9/R8/9/9/9/4K4 r - 0 0 1' A4-A3 I6-I7 A3-A4 I7-I6 A4-A3 I6-I7 A3-A4 I7-I6
is 'perpetual check' 0 'status=over result=red reason=perpetual_check check=piece fen="4k4/9/9/9/9/9/9/9/9/5K2r r - 0 9 5" points=1.5/13' \
    play -r kja '4k4/9/9/9/9/8r/9/9/9/5K3 b - 0 0 1' I4-I0 F0-F1 I0-I1 F1-F0 I1-I0 F0-F1 I0-I1 F1-F0 I1-I0
is 'bikjang' 0 'status=over result=draw reason=bikjang check=kings fen="9/4k4/9/p8/9/2N6/9/9/4K4/9 r - 1 2 2"' \
    play -r courier '9/4k4/9/p8/4N4/9/9/9/4K4/9 r - 0 0 1' E5-C4 pass

refused 'an illegal move is named' 6 "error: move 2 C0-E3: not-yours at=C0 : the bishop on C0 is not yours" \
    play fig1 B0-C2 C0-E3
is 'the pass of vchess' 0 "status=over result=draw reason=double_pass check=none fen=\"\
rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 2 2 2\"" play -r vchess fig1 e1e8 e8e1
is 'why: the pass of vchess' 0 'legal' why -r vchess fig1 e1e8
is 'why: no pass of vchess elsewhere' 0 \
    "leaves-fortress at=E8 : the king may not leave its fortress, and E8 is outside" why -r courier fig1 e1e8
is "why: not with the enemy's king" 0 "not-yours at=E8 : the king on E8 is not yours" \
    why -r vchess fig1 e8e1
refused 'a move after the end' 6 'error: move 3 A6-B6: over : the game is over' play -r vchess fig1 pass pass a6b6
refused 'a word among the moves' 2 'error: move 2: xyzzy is not a move like B0-C2 or pass' play fig1 B0-C2 xyzzy
refused 'a wrong letter' 6 'error: move 1 B0-C2: wrong-piece at=B0 : the piece on B0 is a knight, not a rook' \
    play fig1 rB0-C2

is 'why: a leg' 0 "leg-blocked at=C0 : the bishop on C0 blocks the knight's step" why fig1 B0-D1
is 'why: legal' 0 legal why fig1 B0-C2
is 'why: no pass' 0 'pass-has-move at=A0 : you cannot pass: you can move, for example A0-A1' why fig1 pass
is 'why: no screen' 0 'no-screen : a cannon needs one piece to jump, and nothing stands between B2 and B5' \
    why fig1 B2-B5
is 'why: over' 0 'over : the game is over' why -r vchess '5k3/9/9/9/9/9/9/9/9/3K5 r - 2 0 1' D0-D1
refused 'why: no move' 2 'error: a move is missing' why fig1
refused 'why: two moves' 2 'error: unexpected argument A3-A4' why fig1 B0-C2 A3-A4

# --- show ---------------------------------------------------------------------

"$janggi" rules show fig1 >"$dir/out" 2>"$dir/err"
cmp -s "$dir/out" tests/data/figure1.txt
verdict 'show: figure 1' $?
"$janggi" rules show fig2 >"$dir/out" 2>"$dir/err"
cmp -s "$dir/out" tests/data/figure2.txt
verdict 'show: figure 2' $?
"$janggi" rules show fig1 --from B0 >"$dir/out" 2>"$dir/err"
grep -qx '     2  \*-(C)-\*--+--+--+--+-(C)-+' "$dir/out" && [ "$(grep -c '\*' "$dir/out")" -eq 1 ]
verdict 'show: where a knight may go' $?
"$janggi" rules show fig1 --flip >"$dir/out" 2>"$dir/err"
[ "$(head -n 1 "$dir/out")" = '     0 (R)(N)(B)(G)-+-(G)(B)(N)(R)' ] &&
    [ "$(tail -n 1 "$dir/out")" = '     .  I  H  G  F  E  D  C  B  A' ]
verdict "show: from Blue's side" $?
refused 'show: no piece' 2 'error: no piece stands on B1' show fig1 --from=B1
refused 'show: no point' 2 'error: J3 is not a point from A0 to I9' show fig1 --from J3
refused 'show: the other side' 2 "error: the piece on A6 is Blue's, and Red is to move" show fig1 --from A6

# --- bad input ----------------------------------------------------------------

refused 'two kings' 2 'error: Red has 2 kings, not 1' legal '4k4/9/9/9/9/9/9/9/3KK4/9 r - 0 0 1'
refused 'a pawn behind its row' 2 "error: Red's pawn on A2 stands behind the row it started from" \
    legal '4k4/9/9/9/9/9/9/P8/4K4/9 r - 0 0 1'
refused 'a row of ten points' 2 'error: row 9 has more than 9 points' legal '4k5/9/9/9/9/9/9/9/4K4/9 r - 0 0 1'
refused 'a count that cannot be' 2 'error: Red has 3 rooks; at most 2 are allowed' \
    legal '4k4/9/9/9/RRR6/9/9/9/4K4/9 r - 0 0 1'
refused 'the other side in check' 2 "error: Blue is in check by the rook on E5, but it is the other side's turn" \
    legal '4k4/9/9/9/4R4/9/9/9/3K5/9 r - 0 0 1'
refused 'a point J3' 2 'error: move 1: J3-A1 is not a move like B0-C2 or pass' play fig1 J3-A1
refused 'a START that is none' 2 'error: fig3 is not a START: a position, fig1, fig2 or a set-up like NBNB/NBBN' \
    legal fig3
refused 'no START' 2 'error: missing START: a position, fig1, fig2 or a set-up like NBNB/NBBN' legal
refused 'a set-up that is none' 2 'error: NNNN/NBBN is not a set-up RED/BLUE; each is NBBN, BNBN, NBNB or BNNB' \
    legal NNNN/NBBN
refused 'a ruleset that is none' 2 \
    'janggi: rules: invalid value for --rules (martin, courier, vchess or kja): xyz; see janggi rules --help' \
    legal -r xyz fig1
refused 'a question that is none' 2 'error: unknown command or page mate; see --help' mate fig1
refused 'an option that is none' 2 'janggi: rules: unknown option: --fast; see janggi rules --help' legal --fast fig1
refused 'a letter that is none' 2 'janggi: rules: unknown option: -x; see janggi rules --help' legal -xr fig1
refused 'an option that is no text' 2 'janggi: rules: unknown option: --\x1b[2J; see janggi rules --help' legal "--$(printf '\033')[2J" fig1
refused 'an option of another question' 2 'error: an option is not valid for this command; see --help' \
    legal --divide fig1
refused 'a depth that is none' 2 'error: 99 is not a DEPTH from 0 to 12' perft fig1 99
refused 'bytes that do not show' 2 \
    'error: \xff\x1b[2J is not a START: a position, fig1, fig2 or a set-up like NBNB/NBBN' \
    legal "$(printf '\377\033[2J')"

# --- diagrams without kings ---------------------------------------------------

# The figures on the vchess page, one row lower in Martin's numbers: its marks are a5 b5 e9 e10
# g5 h5 and b7 b3 c2 c8 g8.
cannons=4r4/9/4n4/9/9/2r1Cr2c/9/4C4/9/9
is 'a diagram without kings' 0 '     9  +--+--+--+-<r>-+--+--+--+
     .  |  |  |  | \|/ |  |  |  |
     8  +--+--+--+--*--+--+--+--+
     .  |  |  |  | /|\ |  |  |  |
     7  +--+--+--+-[n]-+--+--+--+
     .  |  |  |  |  |  |  |  |  |
     6  +--+--+--+--+--+--+--+--+
     .  |  |  |  |  |  |  |  |  |
     5  +--+--+--+--+--+--+--+--+
     .  |  |  |  |  |  |  |  |  |
     4  *--*-[r]-+-(C)[r]-*--*-[c]
     .  |  |  |  |  |  |  |  |  |
     3  +--+--+--+--+--+--+--+--+
     .  |  |  |  |  |  |  |  |  |
     2  +--+--+--+-(C)-+--+--+--+
     .  |  |  |  | \|/ |  |  |  |
     1  +--+--+--+--+--+--+--+--+
     .  |  |  |  | /|\ |  |  |  |
     0  +--+--+--+--+--+--+--+--+
     .  A  B  C  D  E  F  G  H  I' show $cannons --from E4
"$janggi" rules show 9/9/2r6/9/9/4BP3/3p5/5p3/9/9 --from E4 >"$dir/out" 2>"$dir/err"
[ "$(grep -o '\*' "$dir/out" | wc -l)" -eq 4 ] && grep -q '^     7  +--+-<r>-+' "$dir/out"
verdict 'a bishop in a diagram' $?
"$janggi" rules show rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR >"$dir/out" 2>"$dir/err"
grep -q '\[r\]\[n\]\[b\]\[g\]-+-\[g\]\[b\]\[n\]\[r\]' "$dir/out" && grep -q '(R)(N)(B)(G)-+-(G)(B)(N)(R)' "$dir/out"
verdict 'advisors and elephants by the letters of others' $?
"$janggi" rules show $cannons --from E4 --svg >"$dir/out" 2>"$dir/err"
[ "$(grep -c 'class="mark"' "$dir/out")" -eq 5 ] && [ "$(grep -c 'class="ring"' "$dir/out")" -eq 1 ]
verdict 'a diagram as a picture' $?
"$janggi" rules show fig1 >"$dir/fig1"
is 'a board alone, with kings' 0 "$(cat "$dir/fig1")" show "${start%% *}"
refused 'two kings of a side' 2 'error: Red has 2 kings, not 1' show 9/9/9/9/9/9/9/9/3KK4/9
refused 'a diagram is no start of a game' 2 'error: Red has 0 kings, not 1' legal $cannons
refused 'a diagram with a fault' 2 'error: row 4 has 8 points, not 9' show 9/9/9/9/9/4C3/9/9/9/9
refused 'a board with kings and a check' 2 \
    "error: Blue is in check by the rook on E5, but it is the other side's turn" \
    show 4k4/9/9/9/4R4/9/9/9/3K5/9

# --- lines --------------------------------------------------------------------

printf '%s\n' fig1 'fig2 x' "$start" >"$dir/in"
is 'a line for each line' 2 "$fig1
error: unexpected argument x
$fig1" legal - <"$dir/in"
printf 'fig1 B0-C2\nfig1 B0-D1' >"$dir/in"
is 'why by lines, the last without its end' 0 "legal
leg-blocked at=C0 : the bishop on C0 blocks the knight's step" why - <"$dir/in"
printf 'fig1 B0-D1\nfig1\n' >"$dir/in"
is 'play by lines' 6 "error: move 1 B0-D1: leg-blocked at=C0 : the bishop on C0 blocks the knight's step
status=ongoing result=- reason=- check=none fen=\"$start\"" play - <"$dir/in"
printf 'fig1\r\nfig2\n' >"$dir/in"
is 'perft by lines' 0 '30037
30200' perft - 3 <"$dir/in"
printf 'fig1\n' >"$dir/in"
is 'a second "-" is a word as any other' 2 'error: unexpected argument -' perft - 1 - <"$dir/in"
printf 'fig1 2\n\nfig2 1\n' >"$dir/in"
is 'a depth in each line, and an empty one' 2 '961
error: missing START: a position, fig1, fig2 or a set-up like NBNB/NBBN
31' perft - <"$dir/in"
printf 'fi\000g1\nfig1\n' >"$dir/in"
is 'a NUL in a line' 2 "error: a NUL byte at character 3
$fig1" legal - <"$dir/in"
"$janggi" rules legal - </dev/null >"$dir/out" 2>"$dir/err"
[ $? -eq 0 ] && [ ! -s "$dir/out" ]
verdict 'nothing in, nothing out' $?
for question in legal play why 'perft - 2' show; do
    { head -c 4096 /dev/urandom | tr -d '\n' && echo && echo fig1; } >"$dir/in"
    # shellcheck disable=SC2086
    "$janggi" rules $question - <"$dir/in" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$dir/err" ] &&
        head -n 1 "$dir/out" | LC_ALL=C grep -q '^error: [ -~]*$' &&
        [ "$(head -n 1 "$dir/out" | wc -c)" -lt 400 ]
    verdict "4 KiB of noise: $question" $?
done

# --- in words -----------------------------------------------------------------

"$janggi" rules >"$dir/out" 2>"$dir/err"
grep -q '^first move  *red  *red  *red  *blue$' "$dir/out"
verdict 'the rulesets compared' $?
"$janggi" rules -r kja >"$dir/out" 2>"$dir/err"
grep -q 'Then Blue moves first' "$dir/out"
verdict 'a ruleset in words' $?
for page in kja names xiangqi chariot 象 bikjang pass setup; do
    "$janggi" rules "$page" >"$dir/out.$page" 2>"$dir/err"
    [ $? -eq 0 ] && [ ! -s "$dir/err" ]
    verdict "the page $page" $?
done
cmp -s "$dir/out" "$dir/out.kja"
verdict 'a ruleset by its name alone' $?
grep -q '^R rook     cha, tcha    차 車  ju     kui        chariot, car, tank$' "$dir/out.names"
verdict 'the names of the pieces' $?
grep -q '^B bishop .* prime minister$' "$dir/out.names"
verdict "the prime minister is Red's" $?
grep -q '^The bishop (prime minister, elephant, minister; in Korean sang)$' "$dir/out.象"
verdict 'a piece by the sign on it' $?
refused 'no page of that name' 2 'error: unknown command or page chess; see --help' chess
refused 'two pages' 2 'error: unexpected argument names' kja names
"$janggi" rules --help >"$dir/out" 2>"$dir/err"
grep -q '^Usage: janggi rules' "$dir/out"
verdict 'help' $?
"$janggi" rules legal fig1 >/dev/full 2>"$dir/err"
[ $? -eq 1 ] && [ -s "$dir/err" ]
verdict 'what cannot be written is a failure' $?
finish
