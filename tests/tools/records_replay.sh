#!/bin/sh
# "janggi replay" at a real terminal: boards, the prompt, Enter, moves that come by themselves while
# something is typed, and leaving.
#
#   sh tests/tools/records_replay.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"

cat >"$dir/game" <<'END'
janggi-record 1
game=17
0 start red=hong blue=kim rules=martin time=10m+5s
1 setup red NBNB
2 setup blue NBBN
3 move 1 red A3-B3 red_ms=600000 blue_ms=600000
4 move 2 blue A6-B6 red_ms=600000 blue_ms=602000
5 move 3 red A0-A9 red_ms=601000 blue_ms=602000
6 end blue resignation
END

sit hong replay "$dir/game"
line_is the-prompt-tells-where-one-is hong '^0/3>'
sees the-board-is-there hong 'Move 1, red to play'
clears_by_moving() { press hong Enter && wait_for 20 shows hong 'Last: red A3-B3'; }
check enter-is-the-next-move clears_by_moving
line_is and-the-prompt-follows hong '^1/3>'
enter hong 'try a6b6'
line_is a-private-board-has-its-own-prompt hong '^try 1>'
enter hong back
line_is and-back-leads-to-the-record hong '^1/3>'
type_in hong 'fl'
press hong Tab
wait_for 20 ends_with hong 'flip *$'
press hong Enter
sees a-word-can-be-completed hong ' I  H  G  F  E  D  C  B  A'
enter hong 'goto 0'
line_is goto-goes-there hong '^0/3>'
enter hong 'play 3'
type_in hong 'moves'
line_is what-is-typed-stays-while-moves-come hong '^3/3> moves$'
sees the-end-is-told hong 'Blue wins by resignation'
press hong Enter
sees and-what-was-typed-is-done hong '  2. A0xA9'
sed -e 's/A3-B3/I3-H3/' -e '7,$d' "$dir/game" >"$dir/other"
enter hong "load $dir/other"
line_is another-game-is-loaded hong '^0/1>'
press hong Enter
sees and-shown hong 'Last: red I3-H3'
enter hong "load $dir/none"
sees a-file-that-is-not-there-is-said hong 'cannot be read'
press hong Enter
line_is and-the-game-stays hong '^1/1>'
enter hong "load $dir/game"
enter hong 'play 0.01'
line_is moves-come-by-themselves hong '^0/3 playing>'
press hong C-c
line_is ctrl-c-pauses hong '^0/3>'
sees and-says-how-to-leave hong 'Ctrl-C once more'
check another-ctrl-c-leaves wait_for 20 interrupts_and_leaves hong
enter hong 'echo status=$?'
sees and-says-so hong 'status=130'
enter hong 'stty -a'
sees the-terminal-is-given-back hong ' echo '
finish
