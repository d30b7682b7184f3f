#!/bin/sh
# make portable-check: judges and tries a build that does without what only Linux has.
#
#   sh tests/portable/check.sh BUILD_DIR
#
# BUILD_DIR was built with poison.h, and has the unit tests.
set -u

build=${1:?usage: check.sh BUILD_DIR}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
failed=0

# report NAME STATUS
report() {
    if [ "$2" -eq 0 ]; then
        echo "ok portable: $1"
    else
        echo "not ok portable: $1"
        failed=$((failed + 1))
    fi
}

# True if poison.h refuses the lines given.
is_refused() {
    printf '%s\n' "$@" >"$build/direct.c"
    ! ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -include tests/portable/poison.h -fsyntax-only \
        "$build/direct.c" >/dev/null 2>&1
}

# The poison works: the first file is good, each of the others must not compile.
! is_refused 'int main(void) { return getpid(); }'
report "a file without such calls compiles" $?
is_refused 'int f(int fd[2]) { return pipe2(fd, 0); }'
report "pipe2 is refused" $?
is_refused '#include <sys/eventfd.h>' 'int f(void) { return eventfd(0, 0); }'
report "eventfd is refused" $?
is_refused 'int f(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }'
report "SOCK_CLOEXEC is refused" $?
is_refused '#ifdef __linux__' '#endif'
report "asking for Linux is refused" $?

# uses_outside FILES PATTERN: a call that only these files may make, found elsewhere.
uses_outside() {
    grep -rlE --include='*.[ch]' "$2" common server client | grep -vE "^($1)\$"
}
! uses_outside 'common/system/disk\.c' '(^|[^_a-z])f(data)?sync\('
report "files are synced by common/system/disk.c alone" $?
! uses_outside 'common/system/fd\.c' '(^|[^_a-zA-Z])(pipe|socket)\('
report "pipes and sockets are made by common/system/fd.c alone" $?
! uses_outside 'common/system/program\.[ch]' '"/proc/'
report "/proc is known to common/system/program.c alone" $?

# None of these calls is left in the linked programs. (libevent has its own, which are not examined.)
only_here='pipe2|eventfd|accept4|prctl|fallocate|posix_fallocate|fallocate64|posix_fallocate64'
left=$(nm -u "$build"/libjanggi.a "$build"/libserver.a "$build"/libclient.a | awk '{ print $2 }' |
    grep -xE "$only_here")
[ -z "$left" ]
report "the libraries call none of them ${left:+but $left}" $?

# The program finds its own file if only its name is given, and beside that file the Korean translation.
programs=$(cd "$build" && pwd)
(PATH=$programs:$PATH && cd / && janggi --lang ko --help 2>&1) | grep -q '사용법'
report "the client finds its translations by PATH" $?

# The other ways at work: every unit test, whole servers and clients, and the client's processes. They
# mostly wait, so they run beside each other.
started=0
start() {
    started=$((started + 1))
    echo "$*" >"$build/portable.$started.command"
    {
        "$@" >"$build/portable.$started.log" 2>&1
        echo $? >"$build/portable.$started.status"
    } &
}
judge() {
    log=$build/portable.$1.log
    status=$(cat "$build/portable.$1.status")
    grep -E '^not ok|^    ' "$log"
    counted=$(grep -E '^[0-9]+ passed, ' "$log")
    echo "${counted:-$(grep -c '^ok ' "$log") passed}, status $status: $(cat "$build/portable.$1.command")"
    [ "$status" -eq 0 ] || failed=$((failed + 1))
}
export BUILD="$build"
start sh tests/run.sh "$build" unit/
start python3 tests/play/run.py first_minute kill_9 a_key_is_a_proof come_and_go \
    an_undelivered_token_is_revoked a_full_disk slow_watcher a_browser_watches_and_plays
start python3 tests/host/host.py "$build"
start python3 tests/host/web.py "$build"
for suite in interop/bot host/play_computer cli/client_game; do
    start sh "tests/$suite.sh" "$build"
done
wait
for number in $(seq "$started"); do
    judge "$number"
done
[ "$failed" -eq 0 ] || exit 1
echo "portable: all passed"
