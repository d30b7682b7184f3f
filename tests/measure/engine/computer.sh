#!/bin/sh
# Matches of the computer: against a random mover, against its own lowest level, and against
# Fairy-Stockfish. Each opening is played twice, with sides changed.
#
#   sh tests/measure/engine/computer.sh BUILD_DIR [--short]     --short: few games, of few positions each
#
# GAMES=200 plays so many against each strength of Fairy-Stockfish.
set -u
PATH=$PATH:/usr/games # where Debian keeps fairy-stockfish
build=${1:?usage: computer.sh BUILD_DIR [--short]}
match=$build/tests/measure/engine/match
ours="$build/janggi uci"
failed=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/janggi-match-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# play WORDS...: a match, with its games
play() { "$match" "$@" || failed=1; }
# sees NAME WORDS...: a match that must fail
sees() {
    name=$1
    shift
    if "$match" "$@" >"$dir/out" 2>&1 || ! grep -q '^not ok match' "$dir/out"; then
        echo "not ok match: sees $name"
        sed 's/^/# /' "$dir/out"
        failed=1
    else
        echo "ok match: sees $name"
    fi
}

if [ "${2:-}" = --short ]; then
    play --games 4 --need 4 --go 'nodes 1500' "$ours" random
    play --games 4 --need 4 --go 'nodes 1500' --rules martin "$ours" random
    play --games 2 --need 2 --go 'nodes 3000' "$ours" "$ours|Skill Level=1|Seed=5"
    play --games 2 --go 'nodes 500' "$ours" 'fairy-stockfish|Skill Level=-20'
    play --games 2 --go 'nodes 500' --rules courier "$ours|Skill Level=3|Seed=5" "$ours"
    # Controls: a player that does not win, and one that breaks the rules, must be noticed.
    sees "who does not win" --games 6 --need 6 random random
    cat >"$dir/cheat" <<'END'
#!/bin/sh
while read -r word rest; do
    case $word in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go) echo 'bestmove a4a9' ;;
    quit) exit ;;
    esac
done
END
    chmod +x "$dir/cheat"
    sees "a move that is none" --games 2 "$ours" "$dir/cheat"
    sees "a player that is none" --games 2 random "$dir/none"
    exit $failed
fi

play --games 10 --need 10 --go 'movetime 100' "$ours" random
for rules in martin courier vchess; do
    play --games 10 --need 10 --go 'movetime 50' --rules $rules "$ours" random
done
play --games 10 --need 10 --go 'movetime 100' "$ours" "$ours|Skill Level=1|Seed=5"
play --games 10 --need 8 --cpu 100 "$ours" 'fairy-stockfish|Skill Level=-20'
# For the record: nothing is asked for here. 200 games give an interval of about 6 percent.
for level in 0 10 20; do
    play --games ${GAMES:-10} --cpu 100 "$ours" "fairy-stockfish|Skill Level=$level"
done
exit $failed
