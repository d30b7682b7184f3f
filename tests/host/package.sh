#!/bin/sh
# The files installed beside the programs: the service and its exposure, the user, completions in real
# shells, manual pages; and the Debian packages. With --root as the second argument also in a clean root of
# Debian's, where the packages are installed, used, upgraded and purged; this needs root and a mirror.
#
#   sh tests/host/package.sh [BUILD [--root]]
. "$(dirname "$0")/../lib/tap.sh"
with_root=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
case $build in /*) ;; *) build=$PWD/$build ;; esac
unset MAKEFLAGS MFLAGS MAKELEVEL
skip() { echo "ok $1 # SKIP $2"; }
have() { command -v "$1" >/dev/null 2>&1; }
make_it() { make -s -C "$root" BUILD="$build" "$@" >"$dir/out" 2>&1; }

check make-install make_it DESTDIR="$dir/tree" prefix=/usr install
unit=$dir/tree/usr/lib/systemd/system/janggid.service
share=$dir/tree/usr/share

# --- The service
check the-unit-names-what-is-installed sh -c "grep -q '^ExecStart=/usr/bin/janggid ' '$unit' && ! grep -q '^[^#]*@[A-Z]' '$unit'"
if have systemd-analyze && systemd-analyze security --offline=true "$unit" >"$dir/out" 2>&1; then
    exposure=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' "$dir/out")
    check "the-unit-is-little-exposed ($exposure)" awk -v e="$exposure" 'BEGIN { exit !(e != "" && e + 0 <= 1.5) }'
    sed 's/^RestrictNamespaces=.*//; s/^ProtectSystem=.*//; s/^SystemCallFilter=.*//' "$unit" >"$dir/janggid.service"
    systemd-analyze security --offline=true "$dir/janggid.service" >"$dir/out" 2>&1
    worse=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' "$dir/out")
    check "and-a-weaker-one-is-seen ($worse)" awk -v e="$worse" 'BEGIN { exit !(e + 0 > 1.5) }'
    # The only fault that may be found is that programs named by the unit are not on this machine.
    systemd-analyze verify "$unit" 2>&1 | grep -v -e 'is not executable' -e "Command 'man " >"$dir/out"
    check the-unit-has-no-mistakes test ! -s "$dir/out"
else
    skip the-unit-is-little-exposed "systemd-analyze security --offline is not here"
fi
if have systemd-sysusers && [ "$(id -u)" -eq 0 ]; then
    mkdir -p "$dir/users/etc"
    check the-user-is-made sh -c "systemd-sysusers --root='$dir/users' '$dir/tree/usr/lib/sysusers.d/janggid.conf' &&
        grep -q '^janggid:.*:/var/lib/janggid:' '$dir/users/etc/passwd'"
else
    skip the-user-is-made "systemd-sysusers is not here, or this is not root"
fi
check the-settings-are-there sh -c "grep -q '^data = /var/lib/janggid ' '$dir/tree/etc/janggid.conf'"
echo 'limits = seeks=2' >"$dir/tree/etc/janggid.conf"
check make-install-again make_it DESTDIR="$dir/tree" prefix=/usr install
check make-install-elsewhere make_it DESTDIR="$dir/other" prefix=/opt/janggi install
check the-manuals-name-the-file-of-the-unit sh -c "cd '$dir/other/opt/janggi' && grep -q ' --config /opt/janggi/etc/janggid.conf' \
    lib/systemd/system/janggid.service && test \"\$(grep -ho '[^ ]*/etc/janggid.conf' share/man/man5/* share/man/man8/* | sort -u)\" = \
    /opt/janggi/etc/janggid.conf"
check the-hosts-settings-stay grep -qx 'limits = seeks=2' "$dir/tree/etc/janggid.conf"

# --- Completions: asked for in the shells themselves
options_of() { "$build/$1" --help | sed -n 's/^  *\(-[a-zA-Z], \)\{0,1\}\(--[a-z][a-z-]*\).*/\2/p' | sort -u; }
# in_bash PROGRAM WORD...: what bash offers for the last word
in_bash() {
    bash --norc -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_$1"; printf "%s\n" "${COMPREPLY[@]}"' \
        "$share/bash-completion/completions/$1" "$@"
}
for program in janggi janggid; do
    options_of $program >"$dir/options"
    check "bash-knows-the-options-of-$program" sh -c "[ -s '$dir/options' ]"
    in_bash $program -- | sort -u >"$dir/said"
    check "all-of-them ($program)" cmp "$dir/options" "$dir/said"
    for option in $(cat "$dir/options"); do
        for file in zsh/site-functions/_$program; do
            grep -q -e "'$option\\[" "$share/$file" || echo "$option"
        done
        grep -q -e "-l ${option#--} " "$share/fish/vendor_completions.d/$program.fish" || echo "$option"
    done >"$dir/out"
    check "zsh-and-fish-know-them-too ($program)" test ! -s "$dir/out"
    if have zsh; then check "zsh-reads-it ($program)" zsh -n "$share/zsh/site-functions/_$program"; fi
done
in_bash janggid ctl st >"$dir/said"
check bash-knows-the-requests sh -c "grep -qx status '$dir/said' && grep -qx stay '$dir/said' && ! grep -qx who '$dir/said'"
in_bash janggid --sandbox o >"$dir/said"
check and-the-values sh -c "grep -qx on '$dir/said' && grep -qx off '$dir/said'"
if have fish; then
    fish -c "source '$share/fish/vendor_completions.d/janggid.fish'; complete -C 'janggid ctl he'" >"$dir/said" 2>&1
    check fish-offers-a-request grep -q '^health' "$dir/said"
    fish -c "source '$share/fish/vendor_completions.d/janggi.fish'; complete -C 'janggi --js'" >"$dir/said" 2>&1
    check fish-offers-an-option grep -q '^--json' "$dir/said"
else
    skip fish-offers-a-request "fish is not here"
fi

# --- Manual pages
missing=$("$build/janggid" --print-config | sed -n 's/^#\{0,1\}\([a-z-]*\) =.*/\1/p' | while read -r name; do
    sed 's/\\-/-/g' "$share/man/man5/janggid.conf.5" | grep -q "^\\.It \"\\\\&$name[ \"]" || echo "$name"
done)
check every-option-is-in-janggid.conf test -z "$missing"
if have mandoc; then
    for page in man5/janggid.conf.5 man7/janggi-protocol.7 man6/janggi.6 man8/janggid.8; do
        mandoc -Tlint -Wwarning "$share/man/$page" >"$dir/out" 2>&1
        check "mandoc-accepts-$page" test ! -s "$dir/out"
    done
    mandoc -Tutf8 "$share/man/man7/janggi-protocol.7" | col -b >"$dir/page"
    headings=$(grep -c '^## ' "$root/common/PROTOCOL.md")
    check the-protocol-has-all-its-parts test "$(grep -c '^[0-9][0-9]*\. [A-Z]' "$dir/page")" -eq "$headings"
    check and-no-markdown-is-left sh -c "! grep -q -e '\`' -e '[*][*]' '$dir/page'"
else
    skip mandoc-accepts-the-pages "mandoc is not here"
fi
if have desktop-file-validate; then
    check the-link-handler-is-valid desktop-file-validate "$share/applications/janggi.desktop"
fi

# --- The packages
if ! have dpkg-deb || ! have dpkg-shlibdeps; then
    skip debian-packages "dpkg-deb and dpkg-shlibdeps are not here"
    finish
fi
check make-deb make_it deb
version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
arch=$(dpkg --print-architecture)
for package in janggi janggid; do
    check "$package-is-made" test -s "$build/deb/${package}_$version-1_$arch.deb"
    mkdir -p "$dir/x/$package"
    dpkg-deb -x "$build/deb/${package}_$version-1_$arch.deb" "$dir/x/$package"
    check "$package-runs" "$dir/x/$package/usr/bin/$package" --version
done
check nothing-is-in-both-packages sh -c "[ -z \"\$(cd '$dir/x' && { cd janggi && find . -type f; cd ../janggid && find . -type f; } | sort | uniq -d)\" ]"
dpkg-deb -I "$build/deb/janggid_$version-1_$arch.deb" >"$dir/said"
check the-server-needs-its-libraries grep -q 'Depends:.*adduser.*libsqlite3' "$dir/said"
if have lintian; then
    lintian --fail-on error "$build"/deb/*"$version"-1_*.deb >"$dir/out" 2>&1
    check "lintian-finds-no-error" test $? -eq 0
else
    skip lintian-finds-no-error "lintian is not here"
fi
if [ "$with_root" != --root ]; then
    echo "# NOT TESTED here: the packages, and the evening of the manual, in a clean root"
    skip packages-in-a-clean-root "make deb-check does it, with root and a Debian mirror"
    finish
fi

# --- A clean root
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$dir/root" "$@"; }
leave_root() {
    [ -z "$inside_pid" ] || kill "$inside_pid" 2>/dev/null
    umount "$dir/root/proc" 2>/dev/null
    rm -rf --one-file-system "$dir/root"
}
inside_pid=
if [ "$(id -u)" -ne 0 ] || ! have debootstrap; then
    skip packages-in-a-clean-root "this needs root and debootstrap"
    finish
fi
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
mirror=$(sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\(http[^ ]*\) .*/\2/p; s/^URIs: *//p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
if ! debootstrap --variant=minbase "$suite" "$dir/root" "${mirror:-http://deb.debian.org/debian}" >"$dir/debootstrap" 2>&1; then
    tail -n 3 "$dir/debootstrap" | sed 's/^/# /'
    echo "# NOT TESTED: the packages, and the evening of the manual, in a clean root; debootstrap $suite from ${mirror:-deb.debian.org} failed"
    skip packages-in-a-clean-root "debootstrap failed: no mirror in reach"
    rm -rf --one-file-system "$dir/root"
    finish
fi
mount -t proc proc "$dir/root/proc"
cp /etc/resolv.conf "$dir/root/etc/resolv.conf"
[ ! -d /etc/apt/apt.conf.d ] || cp /etc/apt/apt.conf.d/*proxy* "$dir/root/etc/apt/apt.conf.d/" 2>/dev/null
printf '#!/bin/sh\nexit 101\n' >"$dir/root/usr/sbin/policy-rc.d" && chmod 755 "$dir/root/usr/sbin/policy-rc.d"
cp "$build"/deb/*"$version"-1_*.deb "$dir/root/tmp/"
install_them() { # REVISION
    inside sh -c "apt-get -q -y --no-install-recommends install /tmp/janggi_$version-$1_$arch.deb /tmp/janggid_$version-$1_$arch.deb" \
        >"$dir/out" 2>&1
}
check the-packages-are-installed install_them 1
check three-lines-to-type test "$(grep -c '^  \(systemctl\|janggid\) ' "$dir/out")" -eq 3
check nothing-was-started test ! -e "$dir/root/var/lib/janggid/janggid.db"
check the-user-is-there inside getent passwd janggid
check its-directory-is-its-own sh -c "[ \"\$(chroot '$dir/root' stat -c '%U %a' /var/lib/janggid)\" = 'janggid 700' ]"

start_inside() {
    : >"$dir/server.out" # not what the last server said
    inside setpriv --reuid janggid --regid janggid --clear-groups janggid --config /etc/janggid.conf \
        --listen 127.0.0.1:0 --access open >"$dir/server.out" 2>>"$dir/server.err" &
    inside_pid=$!
    wait_for 20 grep -q '^key ' "$dir/server.out"
}
stop_inside() {
    inside janggid drain 0 --config /etc/janggid.conf >"$dir/out" 2>"$dir/err"
    wait "$inside_pid"
    inside_pid=
}
check the-server-starts start_inside
port=$(sed -n 's/^listening on .*:\([0-9]*\) .*/\1/p' "$dir/server.out")
key=$(sed -n 's/^key //p' "$dir/server.out")
check root-asks-it inside janggid ctl health --config /etc/janggid.conf
play() { inside env HOME=/root janggi --plain --pin "$key" -n hong -c "$1" "127.0.0.1:$port" >"$dir/out" 2>"$dir/err"; }
check a-client-logs-in-and-asks play 'seek 10m; seeks; quit'
check its-seek-is-there grep -q 'hong' "$dir/out"
check the-server-ends stop_inside

# The host's evening of the manual, with the programs that apt has installed.
if inside sh -c 'command -v janggid && command -v janggi' >"$dir/out"; then
    python3 "$root/tests/host/evening.py" --root "$dir/root" >"$dir/evening" 2>&1
    check the-evening-of-the-manual-with-these-packages test $? -eq 0
    sed 's/^/# evening: /; s/^# evening: not ok/# evening: it is not so that/' "$dir/evening" | head -n 30
else
    echo "# NOT TESTED: the evening of the manual in a clean root; the packages have not brought janggid and janggi"
    not_ok the-evening-of-the-manual-with-these-packages
fi

check a-newer-version-is-made make_it REVISION=2 deb
cp "$build"/deb/*"$version"-2_*.deb "$dir/root/tmp/"
echo 'limits = seeks=2' >>"$dir/root/etc/janggid.conf"
check the-packages-are-upgraded install_them 2
check the-new-version-is-there sh -c "chroot '$dir/root' dpkg-query -W -f '\${Version}' janggid | grep -qx '$version-2'"
check the-settings-of-the-host-stay grep -qx 'limits = seeks=2' "$dir/root/etc/janggid.conf"
check the-server-starts-again start_inside
port=$(sed -n 's/^listening on .*:\([0-9]*\) .*/\1/p' "$dir/server.out")
check with-the-same-key grep -qx "key $key" "$dir/server.out"
check the-name-is-known play 'who; quit'
check the-server-ends-again stop_inside
check the-packages-are-purged sh -c "env -i PATH=\$PATH chroot '$dir/root' dpkg --purge janggi janggid >'$dir/out' 2>&1"
left=$(cd "$dir/root" && find etc usr var/lib -name '*janggi*' ! -path 'var/lib/dpkg/*' | sort | head)
check nothing-is-left test -z "$left"
check the-user-stays inside getent passwd janggid
leave_root
finish
