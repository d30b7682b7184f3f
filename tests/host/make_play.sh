#!/bin/sh
# make play before the game: the package manager and the build show their progress and nothing else; their
# output is in a log, which is shown after a failure.
#
#   sh tests/host/make_play.sh [BUILD]
. "$(dirname "$0")/../lib/client.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
fakes=$dir/fakes
mkdir -p "$fakes" "$dir/build"

# --- A machine without libevent, and its package manager ---

cat >"$fakes/cc" <<END
#!/bin/sh
[ -e "$dir/has-libevent" ] || ! grep -q event2 || exit 1
END
cat >"$fakes/clang" <<END
#!/bin/sh
[ -e "$dir/has-wasi" ]
END
printf '#!/bin/sh\n' >"$fakes/wasm-ld"
cat >"$fakes/apt-cache" <<'END'
#!/bin/sh
exit 0
END
cat >"$fakes/apt-get" <<END
#!/bin/sh
for i in \$(seq 260); do echo "Unpacking libevent-dev (\$i) ..."; done
echo "\$*" >"$dir/asked"
case \$* in *wasi-libc*) touch "$dir/has-wasi"; exit 0 ;; esac
[ -e "$dir/is-broken" ] || { touch "$dir/has-libevent"; exit 0; }
echo 'E: Unable to fetch some archives'
exit 100
END
cat >"$fakes/id" <<'END'
#!/bin/sh
echo 0
END
chmod +x "$fakes"/*
deps() {
    (cd "$root" && CC=cc BUILD="$dir/build" PATH="$fakes:$PATH" sh tests/deps.sh "${1:-build}") >"$dir/said" 2>&1
}
says() { grep -q -- "$1" "$dir/said"; }

touch "$dir/is-broken"
deps
check a-failure-ends-it test $? -ne 0
check its-last-words-are-shown says 'E: Unable to fetch some archives'
check and-where-the-rest-is says "all that was said is in $dir/build/install.log"
check and-what-to-do says 'run it by hand, then make again: apt-get install'
check not-all-of-it test "$(wc -l <"$dir/said")" -le 30
rm "$dir/is-broken"
deps
check packages-are-installed test $? -eq 0
check it-says-which says 'Installing what `make play` needs: libevent-dev'
check in-a-few-lines test "$(wc -l <"$dir/said")" -le 4
check all-is-in-the-log test "$(grep -c Unpacking "$dir/build/install.log")" -ge 260
check the-manager-was-asked grep -q 'install .* libevent-dev' "$dir/asked"
deps
check nothing-is-said-when-nothing-is-missing test ! -s "$dir/said"

# --- What the page for browsers needs, and no browser ---

rm -f "$dir/asked"
deps page
check the-page-needs-wasi-libc says 'Installing what `make play WEB=...` needs: .*wasi-libc'
check it-is-asked-for grep -q 'install .* wasi-libc' "$dir/asked"
check and-nothing-to-test-it sh -c '! grep -q -e chromium -e npm -e node "$1"' sh "$dir/asked"
rm "$dir/asked"
deps page
check nothing-is-said-about-a-page-that-can-be-built test ! -s "$dir/said"
rm "$dir/has-wasi"
JANGGI_NO_INSTALL=1 deps page
check without-the-page-the-game-goes-on test $? -eq 0
check and-it-says-what-is-missing says 'missing: .*wasi-libc'

# --- Progress on a terminal ---

cat >"$dir/compiles" <<'END'
for file in board move rules; do
    echo "cc -O2 -c -o build/$file.o common/$file.c"
done
echo 'cc -o build/janggi build/board.o'
[ "$1" = good ] || { echo 'rules.c:1: error: no rules'; exit 2; }
END
on_terminal() {
    python3 - "$root" "$dir" "$1" >"$dir/said" 2>&1 <<'END'
import os, sys
root, directory, how = sys.argv[1:]
sys.path.insert(0, f"{root}/tests/lib")
from client_pty import Terminal
screen = Terminal(["sh", f"{root}/tests/progress.sh", f"{directory}/build/build.log", "Building janggi",
                   "3", "sh", f"{directory}/compiles", how], dict(os.environ))
status = screen.end(20)
sys.stdout.write(bytes(screen.seen).decode())
sys.exit(status)
END
}
on_terminal good
check a-build-that-works-ends-well test $? -eq 0
check it-counts-the-files says 'Building janggi: 1 of 3 files'
check up-to-the-last says 'Building janggi: 3 of 3 files'
check on-one-line test "$(wc -l <"$dir/said")" -eq 0
check all-commands-are-in-the-log test "$(wc -l <"$dir/build/build.log")" -eq 4
on_terminal bad
check a-build-that-fails-fails-with-its-status test $? -eq 2
check and-shows-why says 'error: no rules'

# --- The build itself ---

# The value of LINK is used as a link and not by the build.
commands() { (cd "$root" && make --no-print-directory -n BUILD="$dir/build" "$@" build 2>/dev/null); }
commands >"$dir/plain"
commands LINK=janggi://127.0.0.1/watch PUBLIC=board.example >"$dir/linked"
check programs-are-linked grep -q -- "-o $dir/build/janggid " "$dir/plain"
check also-with-a-link cmp -s "$dir/plain" "$dir/linked"
# The packages of the page are for those who start a server that lets browsers in.
asks_for_page() {
    (cd "$root" && make --no-print-directory -n BUILD="$dir/build" "$@" play 2>/dev/null) | grep -c 'deps.sh page'
}
check web-asks-for-the-page test "$(asks_for_page WEB=play)" -eq 1
check without-it-nothing-does test "$(asks_for_page)" -eq 0
check nor-does-a-visitor test "$(asks_for_page WEB=play LINK=janggi://127.0.0.1/watch)" -eq 0
finish
