#!/bin/sh
# "janggi convert" and "janggi replay" without a terminal: what they print, byte for byte, what they
# say of files and words that are no good, and how they end. Whole games are in records.py.
#
#   sh tests/interop/records.sh BUILD_DIR
. "$(dirname "$0")/../lib/tap.sh"
HOME=$dir && export HOME

# verdict NAME STATUS: ok if the status is 0
verdict() { check "$1" test "$2" -eq 0; }

# says NAME STATUS OUT ERR WORDS...: what janggi WORDS prints and ends with; standard input is that
# of the caller.
says() {
    name=$1 status=$2
    printf '%s' "$3" >"$dir/want-out"
    printf '%s' "$4" >"$dir/want-err"
    shift 4
    "$janggi" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ "$got" -eq "$status" ] && cmp -s "$dir/want-out" "$dir/out" && cmp -s "$dir/want-err" "$dir/err"
    verdict "$name" $?
}

# --- Files to work with -------------------------------------------------------

game=$dir/game.record
cat >"$game" <<'END'
janggi-record 1
game=17 ended=2026-11-21T19:06:24Z
0 start red=hong blue=김 rules=martin time=10m+5s
1 setup red NBNB
2 setup blue NBBN
3 move 1 red A3-B3 red_ms=600000 blue_ms=600000
4 move 2 blue A6-B6 red_ms=600000 blue_ms=598250
5 move 3 red A0-A9 red_ms=599000 blue_ms=598250
6 takeback 2 red_ms=600000 blue_ms=598250
7 move 3 red B0-C2 red_ms=597000 blue_ms=598250
8 end blue resignation
END
straight=$dir/straight.record # the same without the take-back
sed -e '/^5 /d; /^6 /d; s/^7 /5 /; s/^8 /6 /' "$game" >"$straight"

# --- convert ------------------------------------------------------------------

says 'a record is copied as it is' 0 "$(cat "$game")
" '' convert "$game"
says 'from standard input' 0 "$(cat "$game")
" '' convert - <"$game"
"$janggi" convert --to gib "$game" >"$dir/game.gib"
says 'GIB, as Korean programs write it' 0 '[대회명 ""]
[대국일자 "2026-11-21"]
[초대국자 "김"]
[한대국자 "hong"]
[초차림 "마상상마"]
[한차림 "상마상마"]
[총수 "3"]
[대국결과 "초 기권승"]
[Rules "martin"]
[Time "10m+5s"]
[Reason "resignation"]
[Game "17"]
[Ended "2026-11-21T19:06:24Z"]

1. 49병48 {[%clk 0:10:00]} 2. 79졸78 {[%clk 0:09:58.250]} 3. 18마37 {[%clk 0:09:57]}
' '' convert --to gib "$game"
says 'and back, without what was taken back' 0 "$(cat "$straight")
" '' convert "$dir/game.gib"
"$janggi" convert --to gib --encoding cp949 "$game" >"$dir/old.gib"
says 'cp949 is found out' 0 "$(cat "$straight")
" '' convert "$dir/old.gib"
{ printf '\377'; sed 's/$/\r/' "$dir/old.gib"; printf '\032'; } >"$dir/stray.gib"
says 'stray bytes and CR LF do no harm' 0 "$(cat "$straight")
" '' convert "$dir/stray.gib"
says 'PGN, as pychess writes it' 0 '[Event "?"]
[Site "?"]
[Date "2026.11.21"]
[Round "-"]
[White "김"]
[Black "hong"]
[Result "1-0"]
[TimeControl "600+5"]
[Variant "Janggi"]
[FEN "rbna1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - - 0 1"]
[SetUp "1"]
[Rules "martin"]
[Time "10m+5s"]
[Reason "resignation"]
[Game "17"]
[Ended "2026-11-21T19:06:24Z"]

1... Pih7 {[%clk 0:10:00]}
2. Pih4 {[%clk 0:09:58.250]} Hg8 {[%clk 0:09:57]}
1-0
' '' convert --to pgn "$game"
"$janggi" convert --to fen "$game" >"$dir/out" 2>"$dir/err"
grep -qx 'r[a-zA-Z0-9/]* w - - 3 [0-9]*' "$dir/out"
verdict 'FEN of the last position' $?

# --- What is no good ----------------------------------------------------------

help='; see janggi convert --help
'
says 'no file' 2 '' "janggi: convert: one FILE, or - for standard input$help" convert
says 'two files' 2 '' "janggi: convert: invalid game number: b$help" convert a b
says 'no such option' 2 '' \
    "janggi: convert: unknown option: --what$help" convert --what
says 'no such format' 2 '' \
    "janggi: convert: invalid value for --to (record, gib, pgn, json or fen): sgf$help" \
    convert --to sgf "$game"
says 'no such ruleset' 2 '' \
    "janggi: convert: invalid value for --rules (martin, courier, vchess or kja): chess$help" \
    convert -r chess "$game"
says 'no such file' 1 '' "janggi: $dir/none: cannot be read: No such file or directory
" convert "$dir/none"
says 'a directory' 1 '' "janggi: $dir: cannot be read: Is a directory
" convert "$dir"
says 'an empty file' 1 '' 'janggi: standard input: not a record, GIB or PGN; to force a format: --from gib
' convert - </dev/null
sed 's/A6-B6/A6-A7/' "$game" >"$dir/bad"
says 'an illegal move in a record' 1 '' \
    "janggi: $dir/bad: line 7: A6-A7 is not legal: a pawn never moves backward
" convert "$dir/bad"
sed 's/79졸78/79졸88/' "$dir/game.gib" >"$dir/bad.gib"
"$janggi" convert "$dir/bad.gib" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q '^janggi: .*/bad.gib: line 15: A6-B7 is not legal: ' "$dir/err" && [ ! -s "$dir/out" ]
verdict 'an illegal move in GIB' $?
printf 'janggi-record 1\n0 start red=\033[31m blue=b rules=kja time=none\n' >"$dir/esc"
says 'what would upset a terminal' 1 '' "janggi: $dir/esc: line 2 contains characters that cannot be shown
" convert "$dir/esc"
printf '[\200 "x"]\n' >"$dir/neither"
says 'neither UTF-8 nor cp949' 1 '' "janggi: $dir/neither: line 1 is neither UTF-8 nor cp949
" convert "$dir/neither"
printf '[Korean "가\033"]\n' >"$dir/bell"
says 'a control character in UTF-8 is not taken for another encoding' 1 '' "janggi: $dir/bell: line 1 contains characters that cannot be shown
" convert "$dir/bell"
sed 's/red=hong/red=h☃g/' "$game" >"$dir/snow"
says 'what cp949 cannot write' 1 '' \
    'janggi: standard output: line 4 has a character that cp949 does not have; use UTF-8, without --encoding
' convert --to gib --encoding cp949 "$dir/snow"
says 'what is written only' 1 '' "janggi: $game: json is a format that can be written but not read
" convert --from json "$game"
head -3 "$game" >"$dir/begun"
says 'a game in its set-up' 1 '' 'janggi: the players have not set up yet, so there are no moves to write; use --to record or json
' convert --to gib "$dir/begun"
cat "$dir/game.gib" "$dir/game.gib" >"$dir/two.gib"
says 'one of two games' 0 "$(cat "$straight")
" "janggi: $dir/two.gib: the file contains 2 games; this is number 2
" convert --game 2 "$dir/two.gib"
grep -v Rules "$dir/game.gib" | sed 's/^1\. .*/1. 79졸78/; /총수/d; /Time/d' >"$dir/plain.gib"
says 'a ruleset that is not named is told' 0 'janggi-record 1
game=17 ended=2026-11-21T19:06:24Z
0 start red=hong blue=김 rules=kja time=none
1 setup red NBNB
2 setup blue NBBN
3 move 1 blue A6-B6
4 end blue resignation
' "janggi: $dir/plain.gib: line 1: the file names no known ruleset; assuming kja (see --rules)
" convert "$dir/plain.gib"
"$janggi" convert "$game" >/dev/full 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'standard output: cannot be written' "$dir/err"
verdict 'a full disk is noticed' $?

# --- replay -------------------------------------------------------------------

head='Game 17: red hong, blue 김. 10 min + 5 s, rules: martin.
-- hong (red) sets up NBNB
-- 김 (blue) sets up NBBN
'
first='-- 1. red A3-B3 (pawn)
'
second='-- 1. blue A6-B6 (pawn)
'
printf '\nnext\nquit\n' >"$dir/typed"
says 'Enter and next go on' 0 "$head$first$second" '' replay "$game" <"$dir/typed"
says 'the end of what is typed ends it' 0 "$head" '' replay "$game" </dev/null
says 'moves come by themselves' 0 "$head$first${second}-- 2. red A0xA9 (rook takes rook)
-- taken back to the position after move 1 of blue
-- 2. red B0-C2 (knight)
Game 17 is over. Blue wins by resignation.
" '' replay --speed 1000 "$game" </dev/null
printf 'goto 9\ngoto x\nback\nxyzzy\nb0c2\nshow zz\ntry a0a1x\ntry c2e3\n' >"$dir/typed"
says 'what cannot be done is said, and ends a script with 6' 6 "${head}The record has 3 moves.
\"x\" is not a number from 0 to 9999. Nothing was done. Usage: goto NUMBER
This is the beginning.
\"xyzzy\"? Type help for what can be typed. Nothing was done.
To try a move of your own, type \"try B0-C2\"
\"zz\" is not a point (a letter A to I and a digit, like B0). Nothing was done. Usage: show POINT
\"a0a1x\" cannot begin a move: type two points, from and to, like b0c2. Nothing was done. Usage: try MOVE
-- not played: no piece stands on C2
" '' replay "$game" <"$dir/typed"

# board_of NAME PATTERN TYPED...: what is typed leads to a last board with PATTERN in its panel.
board_of() {
    name=$1 pattern=$2
    shift 2
    printf '%s\n' "$@" | "$janggi" replay "$game" >"$dir/out" 2>"$dir/err"
    tail -20 "$dir/out" | grep -q -- "$pattern"
    verdict "$name" $?
}
board_of 'goto shows the board there' 'Last: red B0-C2 (knight)' 'goto 3'
board_of 'back goes back' 'Last: blue A6-B6 (pawn)' 'goto 3' back
board_of 'a board to try on' 'Last: red I3-H3 (pawn)' 'goto 2' 'try i3h3'
board_of 'where both sides move' 'Last: blue I6-H6 (pawn)' 'goto 2' 'try i3h3' i6h6
board_of 'back leads from it to the record' 'Last: blue A6-B6 (pawn)' 'goto 2' 'try i3h3' i6h6 back
board_of 'from a game that was resigned too' 'Last: blue I6-H6 (pawn)' 'goto 3' next 'try i6h6'
board_of 'a move that is tried must be legal' 'not played: the pawn on I3 does not go to I5' 'try i3i5'
board_of 'flip turns the board' '^     9 .*' flip
board_of 'legal lists moves' '^pawn I3: H3 I4$' legal
board_of 'moves lists moves' '^  1. A3-B3     A6-B6' 'goto 2' moves
"$janggi" replay -c 'goto 1; nonsense' "$game" >"$dir/out" 2>"$dir/err"
[ $? -eq 6 ] && grep -q 'Last: red A3-B3' "$dir/out"
verdict 'a script does what it says and tells of what was refused' $?
says 'no such speed' 2 '' 'janggi: replay: invalid value for --speed (0.01 to 1000): 0; see janggi replay --help
' replay --speed 0 "$game"

python3 "$(dirname "$0")/records.py" "$build" || failed=1
finish
