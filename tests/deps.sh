#!/bin/sh
# Makes sure that what a make target needs is installed; says nothing when it is.
#
#   sh tests/deps.sh build|page|test|bench|lint|host|web|cert|cluster|promotion
#
# page: what the build needs for the page in a browser; web: the same, and what tests it.
#
# Otherwise names the packages and the command, and runs it: apt-get, dnf, pacman, apk, zypper, brew
# or FreeBSD's pkg, with sudo where we are not root. JANGGI_NO_INSTALL=1 only tells what is missing.
# apt-get is tested; the names for the others are mapped here by hand. What the package manager says
# goes into install.log in BUILD (./build).
#
#   sh tests/deps.sh places
#
# prints the directories where this system's packages have their include/ and lib/, if the compiler
# does not look there by itself.
set -u
PATH=$PATH:/usr/games # where Debian keeps fairy-stockfish

# Homebrew on Apple's own processors and on Intel's; FreeBSD and OpenBSD; NetBSD; MacPorts. Homebrew
# keeps some libraries apart, because macOS has others of the same name.
places() {
    case $(uname -s) in Linux) return ;; esac
    for place in /opt/homebrew /usr/local /usr/pkg /opt/local; do
        [ -d "$place/include" ] || continue
        echo "$place"
        for keg in openssl@3 readline sqlite; do
            [ ! -d "$place/opt/$keg/include" ] || echo "$place/opt/$keg"
        done
    done
}

wanted=${1:-}
case $wanted in
build | page | test | bench | lint | host | web | cert | cluster | promotion) ;;
places)
    places
    exit 0
    ;;
*)
    echo "usage: sh tests/deps.sh build|page|test|bench|lint|host|web|cert|cluster|promotion|places" >&2
    exit 2
    ;;
esac

# What each set needs, how to see whether it is there (a program, or a header), and the packages:
# sets | probe | apt-get | dnf | pacman | apk | zypper | brew | pkg. "-": part of another package, or
# there is none.
table() {
    cat <<'END'
build test | program cc                 | gcc libc6-dev   | gcc                | gcc         | gcc musl-dev      | gcc              | gcc          | -
build test | program make               | make            | make               | make        | make              | make             | make         | gmake
build test | program pkg-config         | pkg-config      | pkgconf-pkg-config | pkgconf     | pkgconf           | pkg-config       | pkgconf      | pkgconf
build test | header event2/event.h      | libevent-dev    | libevent-devel     | libevent    | libevent-dev      | libevent-devel   | libevent     | libevent
build test | header openssl/ssl.h       | libssl-dev      | openssl-devel      | openssl     | openssl-dev       | libopenssl-devel | openssl@3    | openssl
build test | header sqlite3.h           | libsqlite3-dev  | sqlite-devel       | sqlite      | sqlite-dev        | sqlite3-devel    | sqlite       | sqlite3
build test | header utf8proc.h          | libutf8proc-dev | utf8proc-devel     | libutf8proc | utf8proc-dev      | utf8proc-devel   | utf8proc     | utf8proc
build test | header ini.h               | libinih-dev     | inih-devel         | libinih     | inih-dev          | inih-devel       | inih         | inih
build test | header uthash.h            | uthash-dev      | uthash-devel       | uthash      | uthash-dev        | uthash-devel     | uthash       | uthash
build test | header readline/readline.h | libreadline-dev | readline-devel     | readline    | readline-dev      | readline-devel   | readline     | readline
build test | header seccomp.h           | libseccomp-dev  | -                  | -           | -                 | -                | -            | -
build test | header miniupnpc/miniupnpc.h | libminiupnpc-dev | -               | -           | -                 | -                | -            | -
build test | header natpmp.h            | libnatpmp-dev   | -                  | -           | -                 | -                | -            | -
build test | program msgfmt             | gettext         | gettext            | gettext     | gettext           | gettext-tools    | gettext      | gettext-tools
test       | header cmocka.h            | libcmocka-dev   | libcmocka-devel    | cmocka      | cmocka-dev        | libcmocka-devel  | cmocka       | cmocka
test       | header jansson.h           | libjansson-dev  | jansson-devel      | jansson     | jansson-dev       | libjansson-devel | jansson      | jansson
test       | program python3            | python3         | python3            | python      | python3           | python3          | python       | python3
test       | program tmux               | tmux            | tmux               | tmux        | tmux              | tmux             | tmux         | tmux
test       | program zsh                | zsh             | zsh                | zsh         | zsh               | zsh              | zsh          | zsh
test       | program fish               | fish            | fish               | fish        | fish              | fish             | fish         | fish
test promotion | program faketime       | faketime        | libfaketime        | libfaketime | libfaketime       | libfaketime      | libfaketime  | libfaketime
test       | program fairy-stockfish    | fairy-stockfish | -                  | -           | -                 | -                | -            | -
test bench | program openssl            | openssl         | openssl            | openssl     | openssl           | openssl          | openssl@3    | openssl
test       | program gnutls-cli         | gnutls-bin      | gnutls-utils       | gnutls      | gnutls-utils      | gnutls           | gnutls       | gnutls
bench      | program redis-server       | redis-server    | redis              | valkey      | redis             | redis            | redis        | redis
lint       | program clang              | clang           | clang              | clang       | clang             | clang            | llvm         | llvm
lint       | program clang-tidy         | clang-tidy      | clang-tools-extra  | -           | clang-extra-tools | clang-tools      | -            | llvm
lint       | program clang-format       | clang-format    | -                  | -           | -                 | -                | clang-format | llvm
lint       | program cppcheck           | cppcheck        | cppcheck           | cppcheck    | cppcheck          | cppcheck         | cppcheck     | cppcheck
lint       | program node               | nodejs          | nodejs             | nodejs      | nodejs            | nodejs           | node         | node
host       | program promtool           | prometheus      | -                  | -           | -                 | -                | -            | -
host       | program miniupnpd          | miniupnpd       | -                  | -           | -                 | -                | -            | -
host       | program nft                | nftables        | nftables           | nftables    | nftables          | nftables         | -            | -
host       | program ip                 | iproute2        | iproute            | iproute2    | iproute2          | iproute2         | -            | -
host       | program microsocks         | microsocks      | -                  | -           | -                 | -                | -            | -
host       | program lintian            | lintian         | -                  | -           | -                 | -                | -            | -
host       | program debootstrap        | debootstrap     | -                  | -           | -                 | -                | -            | -
host       | program mandoc             | mandoc          | -                  | -           | -                 | -                | -            | -
bench host | program valgrind           | valgrind        | valgrind           | valgrind    | valgrind          | valgrind         | -            | valgrind
host       | program ncat               | ncat            | nmap-ncat          | nmap        | nmap-ncat         | ncat             | nmap         | nmap
host       | program socat              | socat           | socat              | socat       | socat             | socat            | socat        | socat
host       | program sslscan            | sslscan         | sslscan            | sslscan     | -                 | -                | sslscan      | sslscan
web page   | program clang              | clang           | clang              | clang       | clang             | clang            | llvm         | llvm
web page   | program wasm-ld            | lld             | lld                | lld         | lld               | lld              | lld          | -
web page   | wasm stdio.h               | wasi-libc libclang-rt-dev-wasm32 | wasi-libc-static compiler-rt | wasi-libc wasi-compiler-rt | wasi-sdk | - | wasi-runtimes | wasi-libc wasi-compiler-rt
web        | program chromium           | chromium fonts-noto-cjk | chromium   | chromium    | chromium          | chromium         | -            | chromium
web        | program node               | nodejs          | nodejs             | nodejs      | nodejs            | nodejs           | node         | node
web        | program curl               | curl            | curl               | curl        | curl              | curl             | curl         | curl
web        | program wget               | wget            | wget               | wget        | wget              | wget             | wget         | wget
web        | program npm                | npm             | npm                | npm         | npm               | npm              | -            | npm
cert       | program nginx              | nginx-light     | nginx              | nginx       | nginx             | nginx            | nginx        | nginx
cert       | program caddy              | caddy           | caddy              | caddy       | caddy             | caddy            | caddy        | caddy
cert       | program certbot            | certbot         | certbot            | certbot     | certbot           | python3-certbot  | certbot      | py311-certbot
cert       | program uacme              | uacme           | uacme              | -           | uacme             | -                | uacme        | uacme
cert       | program pebble             | pebble          | -                  | -           | -                 | -                | pebble       | -
cluster promotion | header postgresql/libpq-fe.h | libpq-dev     | libpq-devel        | postgresql-libs | libpq-dev       | postgresql-devel | libpq        | postgresql15-client
cluster promotion | postgres initdb            | postgresql      | postgresql-server  | postgresql  | postgresql        | postgresql-server | postgresql  | postgresql15-server
cluster    | program haproxy            | haproxy         | haproxy            | haproxy     | haproxy           | haproxy          | haproxy      | haproxy
promotion  | program patroni            | patroni         | patroni            | -           | -                 | -                | -            | -
promotion  | program etcd               | etcd-server     | etcd               | etcd        | etcd              | etcd             | etcd         | -
lint       | program npm                | npm             | npm                | npm         | npm               | npm              | -            | npm
END
}

# True if the compiler finds the headers given.
compiles() {
    # shellcheck disable=SC2086
    printf '#include <%s>\n' stdarg.h stddef.h stdint.h stdio.h setjmp.h "$@" |
        ${CC:-cc} ${CPPFLAGS:-} $(places | sed 's,.*,-I&/include,') -E -x c - >/dev/null 2>&1
}

# True if clang makes WebAssembly that uses the header given.
makes_wasm() {
    printf '#include <%s>\nint f(void) { return printf("%%ld", 1L); }\n' "$1" |
        clang --target=wasm32-wasi -mexec-model=reactor -x c - -o /dev/null >/dev/null 2>&1
}

# Prints the probes of our set that fail, one a line. All headers in one go first: that is the
# usual case, and it takes a tenth of a second.
missing_probes() {
    probes=$(table | awk -F'|' -v set="$wanted" '(" " $1 " ") ~ (" " set " ") { print $2 }')
    headers=$(echo "$probes" | awk '$1 == "header" { print $2 }')
    # shellcheck disable=SC2086 # words are wanted
    if [ -n "$headers" ] && compiles $headers; then
        headers=
    fi
    echo "$probes" | while read -r kind what; do
        if [ "$kind" = program ]; then
            [ "$what" = cc ] && what=${CC:-cc}
            command -v "$what" >/dev/null 2>&1 || echo "$kind $what"
        elif [ "$kind" = postgres ]; then
            command -v "$what" >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/"$what" >/dev/null 2>&1 || echo "$kind $what"
        elif [ "$kind" = wasm ]; then
            makes_wasm "$what" || echo "$kind $what"
        elif [ -n "$headers" ]; then
            compiles "$what" || echo "$kind $what"
        fi
    done
}

# The manager here, and its column in the table.
find_manager() {
    column=2
    for manager in apt-get dnf pacman apk zypper brew pkg; do
        column=$((column + 1))
        command -v "$manager" >/dev/null 2>&1 && return 0
    done
    manager=
    return 1
}

# Prints the packages that bring the probes on standard input.
packages_for() {
    while read -r kind what; do
        [ "$what" = "${CC:-cc}" ] && what=cc
        table | awk -F'|' -v kind="$kind" -v what="$what" -v column="$column" '{
            split($2, probe, " ")
            if (probe[1] == kind && probe[2] == what) print $column
        }'
    done | tr -s ' ' '\n' | grep -v '^-*$' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# The command without its packages.
install_command() {
    case $manager in
    apt-get) echo "apt-get install -y -q --no-install-recommends" ;;
    dnf) echo "dnf install -y" ;;
    pacman) echo "pacman -S --needed --noconfirm" ;;
    apk) echo "apk add" ;;
    zypper) echo "zypper --non-interactive install" ;;
    brew) echo "brew install" ;;
    pkg) echo "pkg install -y" ;;
    esac
}

# Debian's images come without package lists; stale ones name files that are gone.
run_apt() {
    # shellcheck disable=SC2086
    if ! apt-cache show $packages >/dev/null 2>&1; then
        $sudo apt-get -q update || return 1
    elif $sudo env DEBIAN_FRONTEND=noninteractive $command $packages; then
        return 0
    else
        $sudo apt-get -q update || return 1
    fi
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive $command $packages
}

run_install() {
    if [ "$manager" = apt-get ]; then
        run_apt
    else
        # shellcheck disable=SC2086
        $sudo $command $packages
    fi
}

# One line, and the end. readline is a comfort, msgfmt is for those who read Korean, seccomp and the
# router's libraries for hosts: the programs build without them, and without "page" browsers see text; the sets
# "host", "cert", "cluster" and "promotion" only make some tests run that skip otherwise; and without
# fairy-stockfish, which few systems have as a package, one
# test fails and the others run.
give_up() {
    echo "$1" >&2
    needed=$(echo "$missing" | grep -v -x -e 'header readline/readline.h' -e 'program msgfmt' \
        -e 'program fairy-stockfish' -e 'header seccomp.h' -e 'header miniupnpc/miniupnpc.h' -e 'header natpmp.h')
    if [ -z "$needed" ]; then exit 0; fi
    case $wanted in page | host | cert | cluster | promotion) exit 0 ;; esac
    exit 1
}

missing=$(missing_probes)
[ -n "$missing" ] || exit 0
find_manager ||
    give_up "missing, and no package manager known here: $(echo "$missing" | tr '\n' ',' | sed 's/,$//; s/,/, /g')"
# The programs work without these packages where the table has no name for them.
[ "$manager" = apt-get ] ||
    missing=$(echo "$missing" | grep -v -x -e 'header seccomp.h' -e 'header miniupnpc/miniupnpc.h' -e 'header natpmp.h')
[ -n "$missing" ] || exit 0
packages=$(echo "$missing" | packages_for)
command=$(install_command)

sudo=
if [ "$manager" != brew ] && [ "$(id -u)" -ne 0 ]; then
    sudo=$(command -v sudo || command -v doas) ||
        give_up "missing: run this as root, then make again: $command $packages"
fi
[ -z "${JANGGI_NO_INSTALL:-}" ] || give_up "missing: ${sudo:+sudo }$command $packages"

case $wanted in build) goal=play ;; page) goal="play WEB=..." ;; *) goal=$wanted ;; esac
echo "Installing what \`make $goal\` needs: $packages"
echo "  ${sudo:+sudo }$command $packages"
case $sudo in */sudo) $sudo -v ;; esac # asks for a password now, and not below the progress
. "$(dirname "$0")/progress.sh"
with_progress "${BUILD:-build}/install.log" "Installing" 0 run_install ||
    give_up "run it by hand, then make again: ${sudo:+sudo }$command $packages"

missing=$(missing_probes)
[ -z "$missing" ] && exit 0
if [ "$manager" = brew ]; then
    give_up "installed, but not found: export CPPFLAGS=-I$(brew --prefix)/include LDFLAGS=-L$(brew --prefix)/lib"
fi
give_up "still missing after that: $(echo "$missing" | tr '\n' ',' | sed 's/,$//; s/,/, /g')"
