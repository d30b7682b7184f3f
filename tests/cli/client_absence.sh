#!/bin/sh
# One is left alone: presence with its countdown, what may be claimed, an adjournment, games by
# correspondence, one's own games at login, and a game kept in a file.
#
#   sh tests/cli/client_absence.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
. "$(dirname "$0")/../lib/screen.sh"

# leave WHO: by quit, back at the shell
leave() {
    enter "$1" quit
    wait_for 20 ends_with "$1" '^shell>'
}
# come WHO: the same player starts janggi again
come() {
    clears "$1"
    enter "$1" "$build/janggi $here"
}
# begin_game RED BLUE TIME: by a seek of RED; both set up
begin_game() {
    enter "$1" "seek $3 red"
    wait_for 20 shows "$1" 'seek [0-9]* (.*) is open'
    seek=$(screen "$1" | sed -n 's/.*seek \([0-9]*\) (.*) is open.*/\1/p' | tail -1)
    enter "$2" "accept $seek"
    wait_for 20 shows "$1" 'setup 1   NBBN'
    enter "$1" 'setup 1'
    wait_for 20 shows "$2" 'setup 1   NBBN'
    enter "$2" 'setup 1'
    wait_for 20 shows "$1" 'YOUR MOVE'
}

stop_clock
start_server --limits absence-s=300
here=127.0.0.1:$port
for who in hong kim; do
    sit $who --pin "$key" -n $who "$here"
    line_is "$who-is-in-the-lobby" $who '^janggi>'
done
begin_game hong kim '10 5'

# 1. One player leaves, the other one waits and claims.
leave kim
sees who-goes-is-told hong 'kim (blue) is away; the clock goes on; you may "claim" in 5:00'
line_is and-counted-down hong '^(kim away, claim in [45]:[0-9][0-9]) \[.*\] 1 red>'
enter hong 'claim win'
sees too-early-is-said hong 'not done: .* (5:00'
step 300000
sees then-it-is-open hong 'kim has been away too long: wait longer, or type "claim win"'
line_is and-stands-in-the-prompt hong '^(kim away, claim now) '
enter hong board
sees and-beside-the-board hong 'claim win, claim draw, adjourn'
come kim
sees who-comes-back-sees-the-game kim 'Game 1   red hong  vs  blue kim'
sees and-is-told-of hong 'kim (blue) is here'
line_is the-countdown-is-gone hong '^\[[0-9:]*, blue [0-9:]*\] 1 red>'
wipe hong
leave kim
sees the-absence-is-added-up hong 'kim has been away too long'
enter hong 'claim win'
sees a-claim-asks-once hong 'Claim the win of game 1, because your opponent is away? (yes or no)'
enter hong y
sees and-ends-the-game hong 'You win!'
wipe hong

# 2. The absent player learns of the end at the next login; the record is kept.
come kim
sees an-end-meanwhile-is-told kim 'game 1 against hong ended while you were away: '
enter hong 'save 1'
sees a-game-is-saved hong 'game 1 is saved (signed by the server); view: janggi replay game-1.record'
check the-record-can-be-verified sh -c "\"$build/janggi\" verify --server $key \"$dir/home-hong/game-1.record\" >\"$dir/said\""
enter hong 'save 1'
sees no-file-is-written-over hong 'game-1.record exists'
enter hong 'record 1'
sees a-record-is-shown hong 'signature='

# 3. Both were there when a game ended, and the server restarts before they say a word.
wipe hong
wipe kim
begin_game hong kim '10 5'
enter hong 'abort!'
sees an-abort-is-told kim 'aborted'
sees and-shown hong 'aborted'
kill_server
start_server --limits absence-s=6
for who in hong kim; do
    sees back-comes-$who $who 'back after'
    # The answer comes from the disk, after the answers to what the client asks at login.
    enter $who history
    sees and-$who-is-answered $who '^ *1 .*10m+5s'
    if shows $who 'while you were away'; then
        screen $who | sed 's/^/# /'
        not_ok $who-is-not-told-of-what-was-seen
    else
        ok $who-is-not-told-of-what-was-seen
    fi
done

# 4. An adjournment.
wipe hong
wipe kim
begin_game hong kim '10 5'
enter hong a3b3
wait_for 20 shows kim 'Last: red A3-B3'
enter kim adjourn
sees an-adjournment-is-asked-for hong 'kim asks to adjourn (clocks stand still until both'
enter hong adjourn
sees and-agreed hong 'the game is adjourned: clocks stand still'
line_is adjourned-stands-in-the-prompt kim '^\[adjourned\] 1 blue>'
enter kim e6d6
sees nobody-moves kim 'Game 3 is adjourned. "continue" asks to go on.'
enter kim 'save 3 so-far.record'
sees a-game-so-far-is-saved kim 'game 3 is saved up to now; view: janggi replay so-far.record'
check and-can-be-read grep -q '^3 move 1 red A3-B3' "$dir/home-kim/so-far.record"
enter kim continue
sees to-go-on-is-asked hong 'kim asks to go on with the game: "continue" or "decline"'
enter hong continue
sees and-it-goes-on kim 'the game goes on'
enter kim e6d6
sees with-moves hong 'Last: blue E6-D6'
enter hong adjourn
enter kim adjourn
sees adjourned-again hong 'the game is adjourned'

# 5. By correspondence; several games at login.
wipe hong
wipe kim
begin_game hong kim 3d
line_is days-stand-on-the-clock hong '^\[[23] d [0-9]* h, blue 3 d 0 h\] 1 red>'
sees and-in-the-terms hong '3 days a move'
enter hong a3b3
wait_for 20 shows kim 'Last: red A3-B3'
leave kim
come kim
sees own-games-are-a-table kim '-- your games ("game NUMBER" goes to one):'
sees with-whose-move-it-is kim 'game 4: blue against hong (here), 3d, ply 1, YOUR MOVE, [23] d'
sees and-the-others kim 'game 3: blue against hong (here), 10m+5s, ply 2, adjourned'
sees in-short kim '-- it is your move in 4'
line_is and-none-is-jumped-into kim '^janggi>'
enter kim 'game 4'
sees one-goes-there kim 'Last: red A3-B3'
enter kim e6d6
sees and-moves kim 'Last: blue E6-D6'
enter kim 'games mine'
sees the-table-again kim 'game 4: blue against hong (here), 3d, ply 2, hong to move'

leave hong
leave kim
finish
