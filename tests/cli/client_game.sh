#!/bin/sh
# A whole game to checkmate between two janggi processes, watched from the start and by one who
# comes late, through a kill -9 of the server in the middle; all logs are equal at the end.
#
#   sh tests/cli/client_game.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"
moves=$(dirname "$0")/../data/mate_game.txt

# expect NAME PATTERN COUNT
expect() {
    wait_for 30 lines "$1" "$2" "$3" && return
    echo "# $1 does not see /$2/ $3 times:"
    tail -3 "$dir/$1.out" "$dir/$1.err" | sed 's/^/# /'
    not_ok game-goes-on
    finish
}

play() {
    ply=0
    while read -r kind a side move rest; do
        case $side in red) who=hong fd=3 ;; *) who=kim fd=4 ;; esac
        case $kind in
        setup)
            [ "$a" = red ] && expect hong 'you choose a set-up' 1 && echo "setup $side" >&3
            [ "$a" = blue ] && expect kim 'you choose a set-up' 1 && echo "setup $side" >&4
            ;;
        move)
            # the mover's view: all plies before this one, and both set-ups
            expect "$who" ' sets up ' 2
            expect "$who" '^-- \(game 1: \)*[0-9]*\. ' "$ply"
            ply=$((ply + 1))
            echo "$move" >&$fd
            [ $ply -eq 20 ] && kill_server && start_server
            [ $ply -eq 30 ] && join late "janggi://127.0.0.1:$port/watch/$key" &&
                exec 6>"$dir/late.in" && expect late '^Game [0-9]*: ' 1
            ;;
        esac
    done <"$moves"
}

start_server
join hong --pin "$key" -n hong "127.0.0.1:$port"
exec 3>"$dir/hong.in"
echo "invite 30 red" >&3
expect hong 'janggi://' 1
link=$(sed -n 's/^ *janggi \(janggi:.*\)/\1/p' "$dir/hong.out")
# the player who invites takes the other seat of the same invitation
echo "join $(echo "$link" | sed 's|.*/join/||; s|/.*||')" >&3
join watch "janggi://127.0.0.1:$port/watch/$key"
exec 5>"$dir/watch.in"
expect watch 'waiting for one to begin' 1
join kim -n kim "$link"
exec 4>"$dir/kim.in"
play

for who in hong kim watch late; do expect "$who" 'Red wins by checkmate' 1; done
ok game-is-played-to-checkmate
check one-line-a-ply lines watch '^-- \(game 1: \)*[0-9]*\. ' 41
for who in kim watch late; do
    check "log-of-$who-is-that-of-hong" cmp "$dir/hong.log" "$dir/$who.log"
done
tail -n +2 "$moves" >"$dir/wanted"
cut -d' ' -f3- "$dir/hong.log" | sed '1d; s/ red_ms.*//' >"$dir/played"
check the-game-is-the-one-of-the-file cmp "$dir/wanted" "$dir/played"
check back-and-nothing-missed grep -q 'back after' "$dir/hong.out"
check no-escape-codes sh -c "! grep -q '$(printf '\033')' '$dir'/*.out"
echo quit >&3
exec 4>&-
wait "$pid_hong"
check quit-exits-with-0 test $? -eq 0
wait "$pid_kim"
check end-of-input-exits-with-0 test $? -eq 0
finish
