#!/bin/sh
# Watchers that never read: see slow_watcher.c.
build=${1:-build}
exec "$build/tests/proof/slow_watcher" --build "$build"
