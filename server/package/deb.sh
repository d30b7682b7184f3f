#!/bin/sh
# Makes the Debian packages janggi, janggid and, where libpq is, janggid-postgres of what `make install` installs.
#
#   sh server/package/deb.sh BUILD VERSION-REVISION        writes BUILD/deb/*.deb
set -eu
umask 022
build=${1:?usage: deb.sh BUILD VERSION-REVISION}
version=${2:?usage: deb.sh BUILD VERSION-REVISION}
here=$(dirname "$0")
case $build in /*) ;; *) build=$PWD/$build ;; esac
out=$build/deb
arch=$(dpkg --print-architecture)
from='Seed d044821d maintainers <maintainers@users.noreply.a-seed-d044821d.example>'

rm -rf "$out/all" "$out/janggi" "$out/janggid" "$out/janggid-postgres"
mkdir -p "$out"
# Prints nothing: `make deb` reports the packages.
${MAKE:-make} -s --no-print-directory BUILD="$build" DESTDIR="$out/all" prefix=/usr install >"$out/install.log"

# take PACKAGE PATH...: moves what was installed into a package
take() {
    package=$1
    shift
    for path in "$@"; do
        mkdir -p "$out/$package/${path%/*}"
        mv "$out/all/$path" "$out/$package/$path"
    done
}
mv "$out/all/usr/share/zsh/site-functions" "$out/all/usr/share/zsh/vendor-completions"
take janggi usr/bin/janggi usr/share/man/man6/janggi.6 usr/share/man/man7/janggi-protocol.7 usr/share/applications/janggi.desktop \
    usr/share/bash-completion/completions/janggi usr/share/zsh/vendor-completions/_janggi \
    usr/share/fish/vendor_completions.d/janggi.fish usr/share/doc/janggi/README.md usr/share/doc/janggi/PROTOCOL.md \
    usr/share/doc/janggi/PLAYING.md usr/share/doc/janggi/FIRST_GAME.md usr/share/doc/janggi/HOSTING.md usr/share/doc/janggi/CLUSTER.md usr/share/doc/janggi/CHANGES.md
[ ! -d "$out/all/usr/share/locale" ] || take janggi usr/share/locale
take janggid usr/bin/janggid usr/share/man/man5/janggid.conf.5 usr/share/man/man8/janggid.8 \
    usr/lib/systemd/system/janggid.service usr/lib/sysusers.d/janggid.conf usr/lib/tmpfiles.d/janggid.conf etc/janggid.conf \
    usr/share/bash-completion/completions/janggid usr/share/zsh/vendor-completions/_janggid \
    usr/share/fish/vendor_completions.d/janggid.fish usr/share/janggid
packages='janggi janggid'
if [ -e "$out/all/usr/lib/janggid/janggid-postgres.so" ]; then
    packages="$packages janggid-postgres"
    take janggid-postgres usr/lib/janggid/janggid-postgres.so
fi
rm "$out/all/usr/share/doc/janggi/LICENSE"
rest=$(find "$out/all" -type f -o -type l)
[ -z "$rest" ] || {
    echo "deb.sh: installed, and in no package: $rest" >&2
    exit 1
}
rm -r "$out/all"

# needs PROGRAM: the packages of the libraries that it is linked with
needs() {
    mkdir -p "$out/debian"
    printf 'Source: janggi\n\nPackage: janggi\nArchitecture: any\n' >"$out/debian/control"
    (cd "$out" && dpkg-shlibdeps -O -e"$1" 2>/dev/null) | sed 's/^shlibs:Depends=//'
    rm -r "$out/debian"
}

# Installs the documents of a package: licence and list of changes.
papers() {
    doc=$out/$1/usr/share/doc/$1
    mkdir -p "$doc"
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE | head -n 1)"
        sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
    } >"$doc/copyright"
    printf 'janggi (%s) unstable; urgency=medium\n\n  * Made by "make deb".\n\n -- %s  %s\n' \
        "$version" "$from" "$(LC_ALL=C date -u -R)" | gzip -9n >"$doc/changelog.Debian.gz"
}

# control PACKAGE DEPENDS WORDS DESCRIPTION
control() {
    size=$(du -k -s "$out/$1" | cut -f 1)
    mkdir -p "$out/$1/DEBIAN"
    cat >"$out/$1/DEBIAN/control" <<END
Package: $1
Source: janggi
Version: $version
Architecture: $arch
Maintainer: $from
Installed-Size: $size
Depends: $2
$3Section: net
Priority: optional
Description: $4
END
    (cd "$out/$1" && find . -type f ! -path './DEBIAN/*' | sort | sed 's,^\./,,' | xargs md5sum) >"$out/$1/DEBIAN/md5sums"
}

for package in janggi janggid; do
    strip --remove-section=.comment --remove-section=.note "$out/$package/usr/bin/$package"
    gzip -9n "$out/$package"/usr/share/man/man?/*
    papers "$package"
done
case $packages in *postgres)
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$out/janggid-postgres/usr/lib/janggid/janggid-postgres.so"
    papers janggid-postgres
    control janggid-postgres "janggid (= $version), $(needs "$out/janggid-postgres/usr/lib/janggid/janggid-postgres.so")" '' 'the log of a server for Korean chess in PostgreSQL
 janggid loads this when it is started with --store postgres://HOST/DATABASE.
 An acknowledged move is then on two machines. Without --store the games of
 janggid are in SQLite, and this package is not needed.'
    ;;
esac
control janggi "$(needs "$out/janggi/usr/bin/janggi")" 'Suggests: janggid
' 'play Korean chess over the network from a terminal
 janggi plays Korean chess (janggi) against people at a server, against the
 computer, or with two people at one terminal. It shows Roleigh Martin'"'"'s
 board, teaches the game, replays and converts records, and speaks English
 and Korean. Links that begin with janggi:// open in it.'
control janggid "adduser, $(needs "$out/janggid/usr/bin/janggid")" 'Suggests: janggi, prometheus-node-exporter
' 'server for Korean chess over TLS
 janggid brings players together, checks their moves, keeps their clocks and
 shows games to spectators. A move is on disk before anybody sees it. It makes
 its own certificate; one invitation link brings a friend to a game.
 .
 The service is not started when the package is installed.'
echo /etc/janggid.conf >"$out/janggid/DEBIAN/conffiles"
for script in postinst prerm postrm; do
    install -m 755 "$here/debian.$script" "$out/janggid/DEBIAN/$script"
done
for package in $packages; do
    dpkg-deb --root-owner-group -Zxz --build "$out/$package" "$out" | sed 's/^dpkg-deb: building package/made/'
    rm -r "${out:?}/$package"
done
