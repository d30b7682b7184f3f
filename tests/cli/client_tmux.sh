#!/bin/sh
# Two players and a watcher at real terminals: what is typed survives what arrives, no key stops
# the game, and stopping, resizing and pasting do no harm.
#
#   sh tests/cli/client_tmux.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"

start_server --limits chat-burst=100 --limits setup-s=600
here=127.0.0.1:$port
sit hong "$here"
sees unknown-key-is-asked-about hong "Is it the same (yes, no, or the key)?"
enter hong maybe
sees an-answer-is-asked-for-again hong 'Please type yes, no, or the key:'
enter hong "$key"
sees name-is-asked-for hong 'Your name \[hong\]:'
check no-connection-waits-for-it wait_for 20 grep -q 'closing why=quit name=$' "$dir/server.err"
press hong Enter
line_is lobby-has-a-prompt hong '^janggi>'
said_once() { [ "$(screen "$1" | grep -c "$2")" -eq 1 ]; }
check and-the-way-back-is-not-told said_once hong 'Connected to'
enter hong 'invite 10 5 red'
sees invitation-is-shown hong 'janggi janggi://'
link=$(screen hong | sed -n 's/^ *janggi \(janggi:.*\)/\1/p' | tail -1)
code=$(echo "$link" | sed 's|.*/join/||; s|/.*||')
enter hong "jo $code"
sees waiting-is-said hong 'the game begins when your opponent comes'
sit park "janggi://$here/watch/$key"
sees watcher-waits park 'waiting for one to begin'
sit kim "$link"
sees link-needs-no-question kim 'key matches the invitation'
press kim Enter

sees set-up-is-explained hong 'setup 1   NBBN   R N B G - G B N R   knights outside'
sit lee "janggi://$here/watch/$key"
sees who-comes-in-the-set-up-reads-who-chooses lee 'hong (red) chooses a set-up'
enter lee quit
enter hong 3
sees it-is-the-other-one-then kim 'setup 4   BNNB   r b n g - g n b r   bishops outside'
line_is set-up-has-its-time kim '^\[.*\] 1 blue>'
enter kim 'setup 1'
sees own-side-is-below hong ' 0 (R)(N)(B)(G)-+-(G)(N)(B)(R)'
sees and-for-blue-as-well kim ' 9 \[r\]\[n\]\[b\]\[g\]-+-\[g\]\[b\]\[n\]\[r\]$'
sees watcher-sees-the-board park 'Game 1   red hong  vs  blue kim'
line_is watcher-has-a-prompt park '^1 watch>'

types kim 'say half a li'
type_in hong a3
press hong Tab
press hong Tab
sees tab-lists-legal-moves hong '^a3a4  *a3b3'
type_in hong b
press hong Tab
line_is and-completes-one hong '1 red> a3b3 *$'
press hong Enter
sees your-move kim 'YOUR MOVE'
type_in hong 'mat'
press hong Tab
type_in hong 'ki'
press hong Tab
line_is verbs-and-names-as-well hong "1 red (blue's turn)> match kim *$"
press hong C-c
line_is typed-text-survives-a-board kim '\] 1 blue> say half a li$'
clock=$(last_line kim)
has_other_clock() { [ "$(last_line kim)" != "$clock" ]; }
check the-clock-ticks wait_for 20 has_other_clock
line_is typed-text-survives-the-clock kim '^\[[0-9:]*, red [0-9:]*\] 1 blue> say half a li$'
enter kim 'ne'
sees the-whole-line-arrives hong 'kim says: half a line'

enter kim 'b9b5'
sees a-bad-move-is-explained kim 'B9-B5 not played: '
types kim resign
press kim C-c
line_is ctrl-c-drops-the-line kim '\] 1 blue>$'
enter kim 'say hi'
sees and-only-the-new-line-is-sent hong 'kim says: hi'
press kim C-c
sees ctrl-c-on-nothing-says-how-to-leave kim 'Type "quit" to leave, or Ctrl-C once more'

# keys after which the line editor waits for another one
for name in Escape C-r C-v C-x M-1 C-q; do
    press kim "$name"
    enter hong "say after $name"
    sees "news-arrives-after-$name" kim "hong says: after $name"
    press kim C-g
    type_in kim x # on a line with text, Ctrl-C only drops the line, however soon it comes again
    line_is "keys-are-letters-again-after-$name" kim 'x$'
    press kim C-c
    line_is "the-line-is-dropped-after-$name" kim '1 blue>$'
done

types kim 'say stop'
press kim C-z
sees ctrl-z-stops kim 'Stopped\|suspended'
enter hong 'say meanwhile'
enter kim fg
sees news-is-shown-after-fg kim 'hong says: meanwhile'
line_is the-line-is-there-after-fg kim '^\[[0-9:]*, red [0-9:]*\] 1 blue> say stop$'
enter kim 'ped'
sees and-can-be-edited hong 'kim says: stopped'

type_in kim 'say a line that is longer than the screen will be after it has become narrow, yes'
wait_for 20 ends_with kim 'yes$'
resize kim 50
enter hong 'say narrow'
sees news-in-a-narrow-window kim 'hong says: narrow'
resize kim 80
press kim Enter
sees a-wrapped-line-is-whole hong 'kim says: a line that is longer than the screen will be after'

printf 'say first\nsay second\nsay third' >"$dir/paste"
tm load-buffer "$dir/paste"
tm paste-buffer -p -t kim
wait_for 20 ends_with kim 'say third$'
press kim Enter
sees each-pasted-line-is-a-line hong 'kim says: third'
sees and-the-one-before hong 'kim says: second'

printf 'resign\nyes\nsay pasted' >"$dir/paste"
tm load-buffer "$dir/paste"
tm paste-buffer -p -t kim
wait_for 20 ends_with kim 'say pasted$'
press kim Enter
line_is no-pasted-line-answers-a-question kim 'Give up game 1? (yes or no)'
enter kim no
sees and-nothing-was-done kim 'Nothing was done.'

enter hong draw
sees an-offer-says-what-to-type kim 'hong offers a draw: "draw" or "decline"'
enter kim decline
sees it-is-declined hong 'your offer (draw) was declined'
kill_server
sees a-loss-is-said kim 'connection lost (connection interrupted; your clock runs)'
sees and-the-way-back kim 'trying again in . s (attempt 1); Enter tries now, Ctrl-C or "stop" gives up'
enter kim i6h6
sees a-move-waits-for-the-connection kim 'when the connection is back, janggi asks you whether'
start_server --limits chat-burst=100 --limits setup-s=600
sees back-is-said kim 'back after'
sees the-move-is-asked-about kim 'you typed I6-H6 (ply 2) without a connection; it was not sent'
line_is and-can-be-sent kim '^Send I6-H6 now? (y/n)$'
enter kim y
wait_for 20 shows kim 'Last: blue I6-H6'
sees the-move-is-made-after-all hong 'Last: blue I6-H6 (pawn)'
sees and-seen park 'Last: blue I6-H6 (pawn)'

press kim C-d
sees ctrl-d-keeps-the-seat kim 'your seat is kept'
line_is and-gives-the-terminal-back kim '^shell>'
clears kim
enter kim "$build/janggi $here"
sees and-one-comes-back-to-it kim 'Last: blue I6-H6 (pawn)'
enter hong resign
sees resign-asks-once hong 'Give up game 1? (yes or no)'
enter hong no
sees no-is-no hong 'Nothing was done'
enter hong 'resign!'
sees the-end-is-said kim 'Blue wins by resignation. You win!'
sees and-what-can-be-done-then kim '^Type "rematch", "analyse", "replay" or "quit"; "save" keeps the game.$'
sees also-to-a-watcher park '^Type "analyse" to learn from it, "replay" to see it again, or "save" to keep it.$'
enter hong quit
line_is quit-leaves hong '^shell>'
sees and-says-how-to-come-back-without-a-game hong 'Come back with:'
# Two Ctrl-C leave if they are close to each other. On a busy machine the first two may not be.
check two-interrupts-leave wait_for 20 interrupts_and_leaves kim
check no-code-in-the-history sh -c "! grep -q '$code' '$dir'/home-*/.local/state/janggi/history"
check but-the-moves-are grep -q '^a3b3' "$dir/home-hong/.local/state/janggi/history"
press park C-d
line_is watcher-leaves park '^shell>'
sit park --plain --pin "$key" -n park "$here"
sees plain-words-on-a-terminal park '^Hello park'
press park C-d
line_is ctrl-d-leaves-there-too park '^shell>'
# The first player of an invitation asks for the seat once.
link=janggi://$here/join/$("$build/janggid" ctl --data "$dir/data" invite | sed -n 's|.*/join/\([^ ]*\).*|\1|p' | head -1)
sit lee -n lee "$link"
sees a-seat-waits lee 'you have a seat'
sit min -n min "$link"
sees the-game-begins lee 'You play'
enter min 'resign!'
sees and-ends lee 'You win!'
sees nothing-to-replay-before-a-move lee '^Type "rematch", or "quit".$'
kill_server
start_server --limits chat-burst=100 --limits setup-s=600
sees the-connection-is-back lee 'back after'
enter lee games
sees and-answers lee 'no public game is being played now'
check for-the-seat-above-all sh -c "! tmux -S '$dir/tmux' capture-pane -p -t lee | grep -q 'not done'"
tm kill-server
finish
