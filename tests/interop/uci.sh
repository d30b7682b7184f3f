#!/bin/sh
# The engine as a UCI program: its answers, that it stops on request, and that its legal moves in
# Fairy-Stockfish's variants are Fairy-Stockfish's.
#
#   sh tests/interop/uci.sh [BUILD]
area=uci
. "$(dirname "$0")/../lib/tap.sh"
PATH=$PATH:/usr/games # where Debian keeps fairy-stockfish

# answers PATTERN INPUT: a line of the answer to these lines matches
answers() {
    printf '%b' "$2" | timeout 60 "$build/janggi" uci >"$dir/out" && grep -q -e "$1" "$dir/out"
}

check "it says who it is" answers '^id name janggi ' 'uci\n'
check "it says when it has said so" answers '^uciok$' 'uci\n'
check "it names its variants" answers 'UCI_Variant.* var janggi var ' 'uci\n'
check "it is ready" answers '^readyok$' 'isready\n'
check "it plays a move" answers '^bestmove [a-i][0-9]*[a-i][0-9]*$' 'position startpos\ngo nodes 3000\n'
check "it tells what it thinks" answers '^info depth 3 score cp .* pv [a-i]' 'position startpos\ngo depth 3\n'
check "it sees a mate" answers '^info .* score mate 1 .*pv a7a10' \
    'position fen 4k4/1R7/9/R8/9/9/9/9/5K3/9 w - - 0 1\ngo depth 3\n'
check "a mate leaves no move" answers '^bestmove (none)$' \
    'position fen R3k4/1R7/9/9/9/9/9/9/5K3/9 b - - 0 1\ngo depth 3\n'
check "a wrong move is named" answers '^info string position: illegal move' 'position startpos moves a4a9\n'
check "a wrong option is named" answers '^info string setoption' 'setoption name Hash value many\n'
check "an unknown command is passed over" answers '^readyok$' 'xyzzy\nisready\n'
check "a perft is counted" answers '^Nodes searched: 1024$' 'position startpos\ngo perft 2\n'
check "a long game is taken" answers '^bestmove ' "position startpos moves$(
    i=0
    while [ $i -lt 400 ]; do
        printf ' a4b4 a7b7 b4a4 b7a7'
        i=$((i + 1))
    done)\ngo nodes 100\n"

# It answers while it thinks, and stops when told.
mkfifo "$dir/in"
timeout 60 "$build/janggi" uci <"$dir/in" >"$dir/out" &
engine=$!
exec 3>"$dir/in"
printf 'position startpos\ngo infinite\n' >&3
check "it thinks" wait_for 10 has '^info depth 5 '
echo isready >&3
check "it answers while it thinks" wait_for 10 has '^readyok$'
check "it goes on until it is stopped" sh -c "! grep -q bestmove '$dir/out'"
echo stop >&3
check "it stops when told" wait_for 10 has '^bestmove '
printf 'go infinite\nquit\n' >&3
wait $engine
check "it leaves while it thinks" test $? -eq 0
exec 3>&-

# The legal moves of each variant, two plies deep, on positions of play. An engine sees the board turned, and Blue in
# capitals.
fens=$dir/fens
sed -n 's/.*"fen": "\([^"]*\)".*/\1/p' tests/data/positions.jsonl | awk 'NR % 12 == 0' |
    awk '{ board = ""
           for (i = length($1); i > 0; i--) {
               letter = substr($1, i, 1)
               board = board (letter ~ /[a-z]/ ? toupper(letter) : tolower(letter))
           }
           gsub("g", "a", board); gsub("G", "A", board)
           print board, $2 == "r" ? "b" : "w", "- -", $5, $6 }' >"$fens"
# perfts PROGRAM VARIANT: for each position its moves, sorted, each with the number of answers, and their sum
perfts() {
    {
        printf 'uci\nsetoption name UCI_Variant value %s\n' "$2"
        while read -r fen; do
            printf 'position fen %s\ngo perft 2\n' "$fen"
        done <"$fens"
        echo quit
    } | timeout 300 $1 | awk '/^[a-i][0-9]+[a-i][0-9]+: / { moves[++n] = $0 }
        /^Nodes searched/ {
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && moves[j] < moves[j - 1]; j--) { m = moves[j]; moves[j] = moves[j - 1]; moves[j - 1] = m }
            for (i = 1; i <= n; i++) printf "%s ", moves[i]
            print $3; n = 0 }'
}
check "there are positions to compare" test "$(wc -l <"$fens")" -gt 100
for variant in janggi janggitraditional janggimodern janggicasual; do
    perfts "$build/janggi uci" $variant >"$dir/ours"
    perfts fairy-stockfish $variant >"$dir/theirs"
    check "$variant has the legal moves of Fairy-Stockfish" cmp "$dir/ours" "$dir/theirs"
    check "$variant was compared" test "$(wc -l <"$dir/theirs")" -eq "$(wc -l <"$fens")"
done
perfts "$build/janggi uci" janggi >"$dir/ours"
check "other rules have other moves" sh -c "! cmp -s '$dir/ours' '$dir/theirs'"
finish
