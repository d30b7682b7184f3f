#!/bin/sh
# Measures janggid beside redis-server with TLS on this machine: see bench.c.
#
#   sh tests/bench/bench.sh [BUILD] [--pairs 200] [--seconds 10] [--rounds 3]
#                           [--connections 10000]
build=${1:-build}
[ $# -gt 0 ] && shift
directory=$(mktemp -d "${TMPDIR:-/tmp}/janggi-bench-XXXXXX") || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM
peer=
if redis-server --version >/dev/null 2>&1; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
        -subj /CN=localhost -keyout "$directory/redis-key.pem" \
        -out "$directory/redis-cert.pem" 2>/dev/null || exit 1
    redis-server --version | cut -d' ' -f1-3
else
    echo "redis-server is not here: janggid alone"
    peer=--no-redis
fi
"$build/tests/bench/bench" --build "$build" --directory "$directory" $peer "$@"
