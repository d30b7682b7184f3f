#!/bin/sh
# Prints what the Makefile must know about this system: the lines of build/config.mk. The Makefile gives it
# ASKED, CC, CPPFLAGS, LDFLAGS, PKG, WASM_CC and WASM_TARGET.
set -u
probe=$(mktemp -d) || exit 1
trap 'rm -rf "$probe"' EXIT

# Where Homebrew and the BSDs keep libraries, unless the compiler looks there by itself.
places=$(sh tests/deps.sh places)
for place in $places; do
    PKG_CONFIG_PATH=${PKG_CONFIG_PATH:-}${PKG_CONFIG_PATH:+:}$place/lib/pkgconfig
done
export PKG_CONFIG_PATH="${PKG_CONFIG_PATH:-}"
include=$(for place in $places; do printf '%s ' "-I$place/include"; done)$($PKG --cflags libevent_core openssl 2>/dev/null)
link=$(for place in $places; do printf '%s ' "-L$place/lib -Wl,-rpath,$place/lib"; done)

# makes LINES FLAG...: true if the lines are a program that the compiler makes with these flags.
makes() {
    lines=$1
    shift
    # shellcheck disable=SC2086 # a word for each flag
    printf '%b\n' "$lines" | $CC $CPPFLAGS $include $LDFLAGS $link -x c - "$@" -o "$probe/program" 2>/dev/null
}

# Hardening: those flags that this compiler knows and takes without a warning. A branch goes only to
# where one may land (CET, BTI), the stack does not jump over its guard, bounds are checked.
hardens() {
    makes '#include <string.h>\nint main(int n, char **v) { char b[9]; return !strcpy(b, v[n - 1]); }' -O2 -Werror "$@"
}
stack='-fstack-protector-strong -fstack-clash-protection -fcf-protection'
harden="-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 $stack -fPIE"
# shellcheck disable=SC2086
hardens $harden || {
    harden='-D_FORTIFY_SOURCE=2 -fPIE'
    for flag in $stack -mbranch-protection=standard; do
        hardens "$flag" && harden="$harden $flag"
    done
}

# Some systems have iconv() in a library of its own, and some linkers do not know -z.
uses_iconv='#include <iconv.h>\nint main(void) { return iconv_open("", "") == 0; }'
iconv='' ldhard='-pie -Wl,-z,relro,-z,now,-z,noexecstack'
# shellcheck disable=SC2086
makes "$uses_iconv" $ldhard || {
    makes 'int main(void) { return 0; }' $ldhard || ldhard=
    makes "$uses_iconv" || iconv=-liconv
}

# has NAME LIBRARY LINES: adds the library and -DHAVE_NAME, if it is there.
has() {
    makes "$3" "$2" && libs="$libs $2" defs="$defs -DHAVE_$1"
}
libs='' defs=''
# The server gives up system calls. Other systems do without.
has SECCOMP -lseccomp '#include <seccomp.h>\nint main(void) { return seccomp_init(SCMP_ACT_ALLOW) == 0; }'
# The router at home: each alone is of use.
has NATPMP -lnatpmp '#include <natpmp.h>\nint main(void) { natpmp_t n; return initnatpmp(&n, 0, 0); }'
has MINIUPNPC -lminiupnpc '#include <miniupnpc/miniupnpc.h>\nint main(void) { freeUPNPDevlist(0); return 0; }'
server_libs=$libs server_defs=$defs libs='' defs=''
makes '#include <dlfcn.h>\nint main(void) { return dlopen("", RTLD_NOW) == 0; }' || server_libs="$server_libs -ldl"
# GNU readline. libedit, which macOS has under the same name, lacks functions that we use.
has READLINE -lreadline '#include <stdio.h>\n#include <readline/readline.h>\nint main(void) { rl_clear_visible_line(); rl_callback_sigcleanup(); return 0; }'

# PostgreSQL: the log of several machines. A library that janggid loads when it is asked to, so that
# the program itself does not need libpq.
pq_c=$($PKG --cflags libpq 2>/dev/null)
pq_ld=$($PKG --libs libpq 2>/dev/null || echo -lpq)
# shellcheck disable=SC2086
makes '#include <libpq-fe.h>\nint main(void) { return PQenterPipelineMode(0); }' \
    -Wl,--dynamic-list=server/postgres/symbols.txt $pq_c $pq_ld || pq_ld=

# shellcheck disable=SC2086
wasm=$(printf '#include <stdio.h>\nint f(void) { return printf("%%ld", 1L); }\n' |
    $WASM_CC $WASM_TARGET -x c - -o "$probe/wasm" 2>/dev/null && echo yes)

cat <<END
CONFIG_FOR  := $ASKED
SYSTEM      := $(uname -s)
PLACES_C    := $include
HARDEN      ?= $harden
LDHARD      ?= $ldhard
LIBS_NET    := $link $($PKG --libs libevent_core openssl 2>/dev/null || echo -levent_core -lssl -lcrypto) -lutf8proc
LIBS_SERVER := \$(LIBS_NET) -lsqlite3 -lm -lpthread $server_libs
SERVER_DEFS := $server_defs
LIBS_CLIENT := \$(LIBS_NET) -linih $iconv -lm -lpthread $libs
CLIENT_DEFS := $defs
PQ_C        := $pq_c
PQ_LD       := $pq_ld
HAVE_WASM   := $wasm
HAVE_MSGFMT := $(command -v msgfmt)
END
