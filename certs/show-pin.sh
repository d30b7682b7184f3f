#!/bin/sh
# Prints the pin of each certificate: 43 characters that stay when it is renewed.
#
#   show-pin.sh CERT ...
#
# It is what `janggi --pin` takes and, its first 22 characters, what links carry.

. "$(dirname "$0")/shared.sh"

[ $# -ge 1 ] || usage
must_exist "$@"
for cert in "$@"; do
    text=$(pin "$cert")
    if [ $# -eq 1 ]; then
        echo "$text"
    else
        echo "$text  $cert"
    fi
done
