#!/bin/sh
# --json and --speech: a game over a server between a script and a listener, a watcher, lists,
# refusals and questions; and the same at one terminal and in a replay. Every line of JSON is
# read by Python's json, and has the fields that the manual promises.
#
#   sh tests/cli/client_json.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
judge=$(dirname "$0")/client_json.py
mkdir -p "$dir/home-hong"

# judged FILE...: all lines are objects as the manual has them
judged() { python3 "$judge" lines "$@"; }
# at_home ARGUMENTS...: without a server
at_home() { (as hong "$@") >"$dir/out" 2>"$dir/err" </dev/null; }
says() { grep -q -e "$1" "$dir/out"; }
lacks() { ! grep -q -e "$1" "$dir/out"; }

# --- Over a server ------------------------------------------------------------------------------

start_server
python3 "$judge" play "$build/janggi" "$dir" "127.0.0.1:$port" "$key" || failed=1
check json-of-a-player judged "$dir/hong.out"
check json-of-a-watcher judged "$dir/park.out"
check words-of-a-listener-are-no-json sh -c "! python3 '$judge' lines '$dir/kim.out' >/dev/null"

# --- At one terminal ----------------------------------------------------------------------------

script='b0c2; a3b3; a6b6; xyzzy; legal b0; where knights; board; set; help; takeback; captured'
at_home local --setup 1/1 --json --time 20m+3x40s -c "$script; draw; board; save $dir/record"
check local-refusals-are-6 test $? -eq 6
check local-json judged "$dir/out"
check local-json-has-a-board says '"t":"board","game":1,.*"position":"rnb'
check local-json-has-refusals says '"t":"refused","text":"A3-B3 not played: it is blue.s turn, and the pawn on A3 is red.s"'
check local-json-has-periods says '"periods":{"blue":3,"red":3}'
at_home computer --setup 1/1 --level 1 --seed 3 --json -c 'a3b3; hint; draw; resign'
check computer-json judged "$dir/out"
check computer-moves-in-json says '"t":"move",.*"by":"blue"'
at_home local --setup 1/1 -c "$script"
check plain-is-no-json sh -c "! python3 '$judge' lines '$dir/out' >/dev/null"

at_home local --setup 1/1 --speech --time 10m -c "b0c2; a6b6; $script; scan E; scan 3; opponent; describe; last"
check speech-of-a-move says '^Red knight B0 to C2. Your move. Blue 10 minutes.$'
check speech-without-boards lacks '+--+'
check speech-without-marks lacks '^-- '
check speech-of-where says '^Red knights H0 and C2. Blue knights B9 and H9.$'
check speech-of-a-file says '^File E: E1 red king, E3 red pawn, E6 blue pawn, E8 blue king.$'
check speech-of-a-row says '^Row 3: A3 red pawn, '
check speech-of-the-opponent says 'Has taken nothing.$'
check speech-of-the-whole says '^Red: king E1; guards D0 and F0; rooks '

# --- At a terminal ------------------------------------------------------------------------------

HOME=$dir/home-hong python3 "$judge" terminal "$build/janggi" || failed=1

# --- In a replay --------------------------------------------------------------------------------

printf 'next\nwhere king\nscan 3\ndescribe\nlast\nback\ntry a3a9\ngoto 99\nboard\nnext\nnext\nnext\nnext\n' >"$dir/typed"
(as hong replay --json "$dir/record") <"$dir/typed" >"$dir/out" 2>&1
check replay-json judged "$dir/out"
check replay-json-moves says '"t":"move","game":[0-9]*,"event":3,"ply":1,"by":"red","move":"B0-C2"'
(as hong replay --speech "$dir/record") <"$dir/typed" >"$dir/out" 2>&1
check replay-speech says '^Red knight B0 to C2. Blue to move.'
check replay-where says '^Red king E1. Blue king E8.$'
check replay-scan says '^Row 3: A3 red pawn, '
check replay-without-boards lacks '+--+'
(as hong replay --pieces hangul "$dir/record") <"$dir/typed" >"$dir/out" 2>&1
check replay-with-hangul says '(한)'

# --- Settings -----------------------------------------------------------------------------------

at_home local --setup 1/1 -c 'set pieces hanja; board; set speech on; board'
check set-pieces says '(漢)'
check set-speech says '^Red: king E1'
at_home local --setup 1/1 -c 'set pieces runes'
check no-such-pieces says 'choose one of letters hanja hangul'
mkdir -p "$dir/home-hong/.config/janggi"
printf 'speech = on\npieces = hangul\n' >"$dir/home-hong/.config/janggi/config"
at_home local --setup 1/1 -c 'board'
check speech-in-the-config-file says '^Red: king E1'
at_home --pieces runes 127.0.0.1:1
check wrong-pieces-are-2 test $? -eq 2
finish
