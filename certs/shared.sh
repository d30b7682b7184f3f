# What the scripts beside this file share; it does nothing by itself. POSIX sh and the
# openssl program. Nothing here ever writes over a file: a key that is lost is lost.

umask 077
set -eu
me=${0##*/}
dir=./private
work=

die() {
    echo "$me: $*" >&2
    exit 1
}

# macOS calls LibreSSL "openssl"; it lacks options that are used here. Homebrew's OpenSSL is
# installed for janggi anyway.
find_openssl() {
    for bin in /opt/homebrew/opt/openssl@3/bin /usr/local/opt/openssl@3/bin; do
        [ ! -x "$bin/openssl" ] || PATH=$bin:$PATH
    done
    case $(openssl version 2>&1) in
    OpenSSL*) ;;
    *) die "OpenSSL is needed; the openssl program found is: $(openssl version 2>&1)" ;;
    esac
}

# The text between the first line of the script and its first empty line.
usage() {
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# Sets dir and days; then the caller shifts by OPTIND - 1.
read_options() {
    while getopts o:d: option; do
        case $option in
        o) dir=$OPTARG ;;
        d) days=$OPTARG ;;
        *) usage ;;
        esac
    done
}

# A directory of our own for what is not finished yet, gone when the script ends.
start_work() {
    mkdir -p "$dir" || die "cannot make $dir"
    work=$(mktemp -d "$dir/.making.XXXXXX") || die "cannot write in $dir"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
}

must_not_exist() {
    for file in "$@"; do
        [ ! -e "$file" ] || die "$file is there already; nothing was done"
    done
}

must_exist() {
    for file in "$@"; do
        [ -r "$file" ] || die "$file is missing"
    done
}

# Gives a finished file its name, and fails if somebody else was faster.
keep() {
    ln "$1" "$2" || die "cannot write $2"
}

quietly() {
    "$@" 2>"$work/why" || {
        cat "$work/why" >&2
        die "$1 failed"
    }
}

make_key() {
    quietly openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# A file name and a subject: nothing that either could take for more than a name.
check_name() {
    case $1 in
    '' | -* | .* | */* | *[\\=+,]* | *"
"*) die "not a name: '$1'" ;;
    esac
    [ "$(printf %s "$1" | wc -m)" -le 64 ] || die "a name has at most 64 characters"
}

serial() {
    echo "0x1$(openssl rand -hex 15)"
}

# extensions USE [NAMES]: what a certificate of ours is for; USE is serverAuth, clientAuth.
extensions() {
    cat <<END
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = $1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
${2:+subjectAltName = $2}
END
}

# sign KEY NAME DAYS OUT [OPTION ...]: a certificate for KEY by the authority in $dir, with
# the extensions in $work/extensions.
sign() {
    key=$1 name=$2 days=$3 out=$4
    shift 4
    quietly openssl req -new -utf8 -key "$key" -subj "/CN=$name" -out "$work/request"
    quietly openssl x509 -req -in "$work/request" -CA "$dir/ca.pem" \
        -CAkey "$dir/ca-key.pem" -set_serial "$(serial)" -days "$days" -sha256 \
        -extfile "$work/extensions" -out "$out" "$@"
}

# The key's name among people: base64url of the SHA-256 of its SubjectPublicKeyInfo.
pin() {
    spki=$(openssl x509 -in "$1" -noout -pubkey 2>/dev/null) || die "$1 is no certificate"
    printf '%s\n' "$spki" |
        openssl pkey -pubin -outform DER |
        openssl dgst -sha256 -binary |
        openssl base64 -A | tr '+/' '-_' | tr -d '='
}

ends() {
    openssl x509 -in "$1" -noout -enddate | sed 's/.*=//'
}

find_openssl
