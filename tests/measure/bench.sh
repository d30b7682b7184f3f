#!/bin/sh
# Measures janggid beside redis-server with TLS on this machine: see bench.c.
#
#   sh tests/measure/bench.sh [BUILD] [--pairs 200] [--seconds 10] [--rounds 4]
#                           [--connections 10000] [--part saturated|low|counts|logins|
#                           fan-1000|fan-5000|late|storm|idle|games ...]
build=${1:-build}
[ $# -gt 0 ] && shift
directory=$(mktemp -d "${TMPDIR:-/tmp}/janggi-bench-XXXXXX") || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT TERM
certificate() # PREFIX SUBJECT SUFFIX: a key of its own, as a player or a server has one
{
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
        -subj "/CN=$2" -keyout "$directory/$1key$3.pem" \
        -out "$directory/$1cert$3.pem" 2>/dev/null
}
number=0
while [ $number -lt 32 ]; do
    certificate "" "player$number" "-$number" || exit 1
    number=$((number + 1))
done
peer=
if redis-server --version >/dev/null 2>&1; then
    certificate redis- localhost "" || exit 1
    redis-server --version | cut -d' ' -f1-3
else
    echo "redis-server is not here: janggid alone"
    peer=--no-redis
fi
"$build/tests/measure/bench" --build "$build" --directory "$directory" $peer "$@"
