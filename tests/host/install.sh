#!/bin/sh
# `make install` on Debian: a user whose PATH has no sbin runs both programs by name, and so does a service
# that still contains the path of earlier versions.
#
#   sh tests/host/install.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL

# installs PREFIX: into a root directory of our own
installs() { make -s -C "$root" BUILD="$build" DESTDIR="$dir/root" prefix="$1" install >"$dir/make.out" 2>&1; }

# as_user WORDS...: runs them with the PATH of a login on Debian, under our root
as_user() {
    env -i HOME="$dir/home" PATH="$dir/root/usr/local/bin:$dir/root/usr/bin:/usr/local/bin:/usr/bin:/bin" \
        sh -c "$*" >"$dir/said" 2>&1
}


case $build in /*) ;; *) build=$PWD/$build ;; esac
mkdir "$dir/home"
check make-install installs /usr/local
as_user 'command -v janggid'
check janggid-is-found-by-name grep -qx "$dir/root/usr/local/bin/janggid" "$dir/said"
as_user 'janggid --version && janggi --version'
check both-run-by-name grep -q '^janggi [0-9]' "$dir/said"
check sbin-is-not-needed test ! -e "$dir/root/usr/local/sbin"
for page in man6/janggi.6 man8/janggid.8; do
    check "the-manual-has-$page" test -r "$dir/root/usr/local/share/man/$page"
done

# The unit reads what the manual names, and the next steps name it too.
says_next() { make -s -C "$root" BUILD="$build" "$@" install-next >"$dir/said" 2>&1; }
check make-install-says-what-is-next says_next prefix=/usr/local
check a-game-is-next grep -q 'janggid --invite' "$dir/said"
if [ "$(uname)" = Linux ]; then
    check a-service-is-next grep -q 'janggid ctl owner --config /etc/janggid.conf' "$dir/said"
    check the-unit-reads-it grep -q -- '--config /etc/janggid.conf' "$dir/root/usr/local/lib/systemd/system/janggid.service"
    check the-manual-names-it grep -q '^.Pa /etc/janggid.conf' "$dir/root/usr/local/share/man/man8/janggid.8"
    check it-is-there test -r "$dir/root/etc/janggid.conf"
fi

# The place of version 0.1.0, as its systemd unit names it: no old program may stay there.
mkdir -p "$dir/root/usr/local/sbin"
echo 'an old program' >"$dir/root/usr/local/sbin/janggid"
check make-install-over-an-earlier-version installs /usr/local
check the-old-path-runs-the-new-program "$dir/root/usr/local/sbin/janggid" --version
# Where sbin is a link to bin, both are the same file.
mkdir -p "$dir/root/usr/bin"
ln -s bin "$dir/root/usr/sbin"
for time in first second; do
    check "make-install-where-sbin-is-bin-$time" installs /usr
    check "the-program-runs-$time" "$dir/root/usr/bin/janggid" --version
done
finish
