#!/bin/sh
# Trains the engine's network anew: train.sh BUILD GAMES. Each processor plays so many games
# of the engine against itself; positions are kept in BUILD/lessons and add up from run to
# run, because more of them teach more.
set -eu
build=$1 games=$2
weights=client/engine/nnue_weights.h

mkdir -p "$build/lessons"
at=$(find "$build/lessons" -type f | wc -l)
end=$((at + $(getconf _NPROCESSORS_ONLN)))
echo "plays $games games on each processor; 10,000 take about a quarter of an hour"
while [ "$at" -lt "$end" ]; do
    "$build/tests/measure/engine/selfplay" --seed "$((at + 1))" --games "$games" "$build/lessons/$at" &
    at=$((at + 1))
done
wait
"$build/tests/measure/engine/train" "$build"/lessons/* >"$build/nnue_weights.h"
mv "$build/nnue_weights.h" "$weights"
echo "wrote $weights; make bench-computer says how the engine plays now"
