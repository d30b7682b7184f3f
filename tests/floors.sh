#!/bin/sh
# The plan of the house and its check: folders are floors, and includes and calls point down.
#
#   sh tests/floors.sh [--self-test | --tap | --circles] [BUILD_DIR]
#
# A row of the plan is a folder and the folders that its files may include and call. A row names only
# rows above it, so the plan has no circle. The includes are read from the sources, the calls
# from the symbols of the objects in BUILD_DIR ("build"), which must be built.
# --circles lists the files of one folder that call each other in a circle.
set -u

plan() {
    cat <<'END'
common/base:
common/system:    common/base
common/game:      common/base
common/words:     common/base common/game
common/evening:   common/base common/game
common/net:       common/base common/system
common/record:    common/base common/game common/net common/words

server/base:      common/base common/game common/system
server/store:     common/base common/game common/system server/base
server/postgres:  common/base common/game server/store
server/account:   common/base common/game server/base server/store
server/admission: common/base server/base
server/net:       common/base common/net common/record common/system common/words server/admission server/base
server/room:      common/base common/game common/net common/words server/account server/base server/net server/store
server/lobby:     common/base common/game common/net common/system server/account server/base server/net server/room server/store
server/evening:   common/base common/evening common/game common/net server/account server/base server/lobby server/net server/room server/store
server/command:   common/base common/game common/net common/record common/words server/account server/admission server/base server/lobby server/net server/room server/store
server/verb:      common/base common/evening common/game common/net common/record common/words server/account server/admission server/base server/command server/evening server/lobby server/net server/room server/store
server/web:       common/base common/game common/net common/record common/words server/admission server/base server/command server/net server/room
server/admin:     common/base common/evening common/game common/net common/system common/words server/account server/admission server/base server/command server/evening server/lobby server/net server/room server/store server/verb
server:           common/base common/game common/net common/system server/account server/admin server/admission server/base server/command server/evening server/lobby server/net server/room server/store server/verb server/web

client/base:      common/base common/net common/system
client/net:       common/base common/net common/system client/base
client/formats:   common/base common/game common/record common/words
client/engine:    common/base common/game common/system
client/uci:       common/base common/game common/words client/base client/engine client/formats
client/analyse:   common/base common/game common/record common/words client/base client/engine client/formats
client/view:      common/base common/game common/net common/record common/words client/base
client/console:   common/base client/base client/view
client/verb:      common/base common/game common/net common/words client/base client/formats client/view
client/session:   common/base common/game common/words client/analyse client/base client/console client/verb client/view
client/online:    common/base common/game common/net common/record common/system client/base client/console client/net client/session client/verb client/view
client/replay:    common/base common/game common/record common/words client/analyse client/base client/console client/formats client/online client/session client/verb client/view
client/learn:     common/base common/game common/words client/analyse client/base client/console client/session client/verb client/view
client/local:     common/base common/game common/record common/system common/words client/base client/console client/engine client/formats client/session client/verb client/view
client/wasm:      common/base common/game common/net common/record common/words client/analyse client/engine client/formats
client/bot:       common/base common/game common/net common/system client/base client/engine client/formats client/net client/uci client/view
client/tools:     common/base common/game common/net common/record common/system common/words client/analyse client/base client/formats client/online client/replay client/view
client:           common/base common/system client/base client/bot client/learn client/local client/net client/online client/replay client/tools client/uci
END
}

# The calls of the system that the game and its words may use: no clock, no socket, no thread, no log.
pure_system="assert.h ctype.h limits.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h"

# The most source files of a folder.
files_max=25

# Prints what is in the tree at $1: the plan, the files, the includes.
sources() {
    plan | grep . | sed 's/^/plan /'
    (cd "$1" && find common server client -name '*.[ch]' | sort) | sed 's/^/file /'
    (cd "$1" && find tests -name '*.[ch]' 2>/dev/null) | sed 's/^/test /'
    (cd "$1" && find common server client -name '*.[ch]' -exec grep -H '^ *# *include' {} +) |
        sed 's/^\([^:]*\): *# *include *["<]\([^">]*\)\([">]\).*/use \1 \2 \3/'
}

# Prints the symbols that the objects below $2 define and need; the sources are below $1. An object
# whose source is gone is left out, and so is a source that was not built.
symbols() {
    (cd "$1" && find common server client -name '*.c' | sed 's/c$/o/' | sort) |
        (cd "$2" && xargs ls -d 2>/dev/null | xargs nm -A -g) | awk '
        { split($1, at, ":"); sub(/\.o$/, ".c", at[1]) }
        NF == 3 && $2 != "U" { print "def", at[1], $3 }
        NF == 2 || $2 == "U" { print "need", at[1], $NF }'
}

# Prints the symbols that the program shows to a library that it loads, if there is one.
shown() {
    [ ! -f "$build/janggid-postgres.so" ] ||
        nm -D --defined-only "$build/janggid" | awk '{ print "shown", $NF }'
}

# Reads facts; prints the faults and, last, a line of totals.
judge() {
    awk -v pure_system="$pure_system" -v files_max="$files_max" '
        function fault(words) { print words; faults++ }
        function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
        $1 == "plan" {
            row = $2; sub(/:$/, "", row)
            if (row in rows) fault("plan: " row " is there twice")
            for (i = 3; i <= NF; i++) {
                if (!($i in rows)) fault("plan: " row " names " $i ", not above it")
                may[row, $i] = 1
            }
            rows[row] = 1
        }
        $1 == "file" {
            files++; is_file[$2] = 1; lived[folder($2)]++
        }
        $1 == "test" { tests[folder($2)]++ }
        $1 == "file" {
            if (!(folder($2) in rows)) fault($2 ": its folder is not in the plan of tests/floors.sh")
        }
        $1 == "use" && $4 == ">" && folder($2) ~ /^common\/(evening|game|words)$/ {
            if (index(" " pure_system " ", " " $3 " ") == 0) fault($2 ": <" $3 "> is not for the pure game")
        }
        $1 == "use" && $3 == "uthash.h" && $2 != "common/base/table.h" {
            fault($2 ": include common/base/table.h in place of uthash.h, whose hash has no secret")
        }
        $1 == "use" && $3 == "sqlite3.h" && folder($2) != "server/store" {
            fault($2 ": only server/store knows SQLite")
        }
        $1 == "use" && $3 == "libpq-fe.h" && folder($2) != "server/postgres" {
            fault($2 ": only server/postgres knows libpq")
        }
        $1 == "use" && $4 == "\"" {
            if (!($3 in is_file)) fault($2 ": includes " $3 ", which does not exist")
            else if (folder($2) != folder($3) && !((folder($2), folder($3)) in may))
                fault($2 ": may not include " $3)
        }
        $1 == "def" { home[$3] = $2; objects[$2] = 1 }
        $1 == "need" { needs++; from[needs] = $2; name[needs] = $3 }
        $1 == "shown" { is_shown[$2] = 1; has_library = 1 }
        END {
            for (row in rows) if (!(row in lived)) fault("plan: there is no folder " row)
            for (row in lived) tests[row] = lived[row]
            for (row in tests) if (tests[row] > files_max) fault(row ": has " tests[row] " files, more than " files_max)
            for (i = 1; i <= needs; i++) {
                if (!(name[i] in home)) continue
                a = folder(from[i]); b = folder(home[name[i]])
                if (a != b) calls++
                if (a != b && a == "server/postgres" && has_library && !(name[i] in is_shown))
                    fault(from[i] ": server/postgres/symbols.txt lacks " name[i])
                if (a != b && !((a, b) in may)) fault(from[i] ": may not call " name[i] " of " home[name[i]])
            }
            for (o in objects) count++
            printf "floors: %d files, %d objects, %d calls between folders, %d faults\n", files, count, calls, faults
            exit faults > 0
        }'
}

# Reads facts; prints for each folder the files that call each other in a circle.
circles() {
    awk '
        function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
        $1 == "def" { home[$3] = $2 }
        $1 == "need" { needs++; from[needs] = $2; name[needs] = $3 }
        END {
            for (i = 1; i <= needs; i++) {
                a = from[i]; b = home[name[i]]
                if (!(name[i] in home) || a == b || folder(a) != folder(b)) continue
                reach[a, b] = 1; file[a] = 1; file[b] = 1
            }
            for (k in file) for (i in file) if ((i, k) in reach)
                for (j in file) if ((k, j) in reach) reach[i, j] = 1
            for (i in file) {
                if (!((i, i) in reach) || i in done) continue
                said = i; count++
                for (j in file) if (j != i && (i, j) in reach && (j, i) in reach) { said = said " " j; done[j] = 1 }
                print "circle: " said
            }
            print "circles inside folders: " count + 0
        }'
}

check() {
    { sources "$1" && symbols "$1" "$2" && shown; } | judge
}

copy=
cleanup() { [ -z "$copy" ] || rm -rf "$copy"; }
trap cleanup EXIT

# True if the check of a copy of the tree, with the line $2 at the end of file $1, complains of that
# file, or of $4 if it is given. With "call" as $3 the line is a file that is compiled.
sees() {
    copy=$(mktemp -d) || exit 1
    cp -R "$root/common" "$root/server" "$root/client" "$copy/"
    (cd "$build" && find common server client -name '*.o' | tar -cf - -T -) | (cd "$copy" && tar -xf -)
    mkdir -p "$copy/$(dirname "$1")"
    echo "$2" >>"$copy/$1"
    [ "${3:-}" != call ] || ${CC:-cc} -c -o "$copy/${1%.c}.o" "$copy/$1" || exit 1
    found=$(check "$copy" "$copy" 2>/dev/null)
    status=$?
    rm -rf "$copy"
    copy=
    [ $status -ne 0 ] && echo "$found" | grep -q "^${4:-$1}: "
}

# The check can fail: each line is a name, and a fault that must be seen.
self_test() {
    failed=0
    try "an include that points up" common/base/mem.c '#include "common/net/wire.h"'
    try "a log of the system in the pure game" common/game/board.c '#include <syslog.h>'
    try "a clock in the pure game" common/game/rules.c '#include <time.h>'
    try "a room that knows the lobby" server/room/room.c '#include "server/lobby/lobby.h"'
    try "a wire that knows the game" common/net/wire_lines.c '#include "common/game/game.h"'
    try "a view that knows the connection" client/view/model.c '#include "client/net/net.h"'
    try "a client in the server" server/room/room.c '#include "client/view/model.h"'
    try "a folder outside the plan" server/stairs/stairs.c '#include "common/base/base.h"'
    try "SQLite outside the store" server/room/room.c '#include <sqlite3.h>'
    try "libpq in the program" server/store/store.c '#include <libpq-fe.h>'
    try "a hash table without a secret" server/room/room.c '#include <uthash.h>'
    try "a call that points up" common/game/planted.c 'void room_find(void); void up(void); void up(void) { room_find(); }' call
    try "a command that knows the verbs" server/command/planted.c 'extern char commands[]; void up(void); void up(void) { commands[0] = 1; }' call
    [ ! -f "$build/janggid-postgres.so" ] ||
        try "a library that needs what is not shown" server/postgres/planted.c 'void store_db_close(void); void up(void); void up(void) { store_db_close(); }' call
    files_max=1
    try "a folder with too many files" server/verb/planted.c 'extern int planted;' '' server/verb
    files_max=25
    try "a call from the store to a room" server/store/planted.c 'void room_find(void); void up(void); void up(void) { room_find(); }' call
    [ "$failed" -eq 0 ]
}

try() {
    if sees "$2" "$3" "${4:-}" "${5:-}"; then
        echo "ok floors: sees $1"
    else
        echo "not ok floors: sees $1"
        failed=$((failed + 1))
    fi
}

mode=
case ${1:-} in --*) mode=$1 && shift ;; esac
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
case $mode in
--self-test)
    self_test
    ;;
--circles)
    symbols "$root" "$build" | circles
    ;;
--tap)
    if faults=$(check "$root" "$build"); then
        echo "ok $faults"
    else
        echo "$faults" | sed 's/^/not ok floors: /; s/^not ok floors: floors: /# /'
        exit 1
    fi
    self_test
    ;;
'')
    check "$root" "$build"
    ;;
*)
    echo "usage: sh tests/floors.sh [--self-test | --tap | --circles] [BUILD_DIR]" >&2
    exit 2
    ;;
esac
