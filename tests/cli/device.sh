#!/bin/sh
# One name on several devices: a code from one lets the other in, once; at the command line and
# at the question for a name.
#
#   sh tests/cli/device.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

# run HOME ARGUMENTS...: runs janggi with that home, with its output in $dir/said
run() { (as "$@") >"$dir/said" 2>&1 </dev/null; }
says() { grep -q -- "$1" "$dir/said"; }
code() { sed -n 's/^  janggi -n hong device [^ ]* \([0-9A-Z-]*\)$/\1/p' "$dir/said"; }
ends() {
    ends_want=$1
    shift
    run "$@"
    ends_got=$?
    [ $ends_got -eq "$ends_want" ] && return
    echo "# ended with $ends_got:"
    sed 's/^/#   /' "$dir/said"
    return 1
}

start_server
here=127.0.0.1:$port
check laptop-takes-the-name ends 0 laptop --pin "$key" -n hong -c device "$here"
check the-line-for-the-other-device-is-said says "^  janggi -n hong device janggi://$here/watch/"
line=$(sed -n 's/^  janggi //p' "$dir/said")
check without-the-code-the-name-is-taken ends 5 phone --pin "$key" -n hong "$here"
check a-wrong-code-is-refused ends 5 phone -n hong device "janggi://$here/watch/$key" AAAA-AAAA
# The very line that was said, as a shell takes it apart.
# shellcheck disable=SC2086 # words of the line are arguments
check the-line-lets-the-phone-in ends 0 phone -c devices $line
check the-phone-is-greeted says '^Hello hong'
check both-are-listed says '^[^ ]* *key *since .*, this device'
check from-then-on-the-phone-needs-no-code ends 0 phone -n hong -c device --pin "$key" "$here"
check the-laptop-still-plays ends 0 laptop -n hong -c devices "$here"
id=$(sed -n 's/^\([^ ]*\) *key *since [^,]*$/\1/p' "$dir/said")
# shellcheck disable=SC2086
check a-code-is-used-up ends 5 tablet -c devices $line

kill_server
start_server
check after-kill-9-the-phone-plays ends 0 phone -n hong -c devices "$here"
check removed ends 0 laptop -n hong -c "device remove $id" "$here"
kill_server
start_server
check and-it-stays-removed ends 5 phone -n hong "$here"
check usage-exits-with-2 ends 2 phone device "$here"
check no-link-exits-with-2 ends 2 phone device 'a b' K7Q2-9F3M

run laptop -n hong -c device "$here"
check at-the-question-for-a-name python3 "$(dirname "$0")/device_pty.py" "$build" \
    "janggi://$here" "$key" "$(code)" "$dir/home-tablet"
finish
