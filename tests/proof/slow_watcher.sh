#!/bin/sh
# Watchers that do not read: see slow_watcher.c.
build=${1:-build}
exec "$build/tests/proof/slow_watcher" --build "$build"
