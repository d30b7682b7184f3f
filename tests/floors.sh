#!/bin/sh
# The house plan, and a check that the house is built so: every #include "..." points down.
#
#   sh tests/floors.sh [--self-test | --tap] [ROOT]
#
# A row is a file (or a .c and its .h, without an ending) and what it may include; the words after
# its floor are allowed to the whole floor. A row may name only what stands above it, so the plan
# has no loops. A name without a directory is in the row's own; @FLOOR is all files of that floor.
set -u

plan() {
    cat <<'END'
floor ground
  common/base
  common/mem: base
  common/mono: base
  common/text: base
  common/translate: base
  common/utf8: base text
floor log: @ground
  common/log
floor game: common/base common/text common/translate
  common/points.h
  common/board: points.h
  common/diagram: board
  common/clock: board
  common/move: board
  common/rules.h: board move
  common/ruleset: board rules.h
  common/reach: board points.h
  common/legal: reach ruleset rules.h
  common/ending: rules.h legal ruleset
  common/fault.c: rules.h
  common/notation: board move rules.h
  common/notation_fen.c: notation board
  common/guide: ruleset rules.h board
  common/judge.c: rules.h legal reach
  common/rules.c: rules.h ruleset reach legal ending
  common/event: board move clock rules.h
  common/game.h: board move clock rules.h event
  common/game_step: game.h rules.h
  common/game_judge.c: game.h game_step
  common/game.c: game.h game_step common/mem
  common/record_text: common/mem
  common/record: game.h board move rules.h event record_text common/mem
  common/record_draft: record record_text game.h common/mem
  common/record_tag: record record_text record_draft game.h
  common/record_scan: record_draft record_tag
  common/record_gib_board: board record_text
  common/record_gib: record record_text record_draft record_tag record_scan record_gib_board notation
  common/record_san: record_draft rules.h notation
  common/record_pgn: record record_text record_draft record_tag record_scan record_san notation
  common/record_json: record record_text notation game.h
  common/record_figures: record record_text diagram
  common/eval: board rules.h ruleset reach
  common/search_table: move common/mem
  common/search.h: board move rules.h game.h
  common/search_parts.h: search.h search_table legal
  common/search_line.c: search_parts.h rules.h
  common/search_order.c: search_parts.h eval reach
  common/search_tree.c: search_parts.h eval
  common/search.c: search.h search_parts.h common/mem
  common/search_time: search.h clock
  common/search_variant: rules.h ruleset
floor wire: @ground @log
  common/proto
  common/tls_speed
  common/tls.h
  common/tls_identity: tls.h
  common/tls.c: tls.h tls_identity tls_speed proto
  common/record_sign: record tls.h
  common/wire_buffer
  common/wire.h: tls.h
  common/wire_parts.h: wire.h wire_buffer
  common/wire_hub.c: wire_parts.h
  common/wire_in.c: wire_parts.h
  common/wire_out.c: wire_parts.h
  common/wire.c: wire.h wire_parts.h proto
floor doors: @ground @log @wire @game
  server/config
  server/identity: config
  server/bell
  server/store.h
  server/store_seal: store.h
  server/store_wal
  server/store_file: store_wal
  server/store_schema: store_file store_seal store.h
  server/store_db.h: store.h store_seal
  server/store_db_parts.h: store_db.h store_seal
  server/store_db.c: store_db.h store_db_parts.h store_file store_schema
  server/store_read.c: store_db.h store_db_parts.h store_file
  server/store_load.c: store_db.h store_db_parts.h store_file
  server/store_backup: store_db_parts.h
  server/store_reserve
  server/store_audit: store.h store_db_parts.h store_file store_schema store_wal store_backup store_seal
  server/store_job: store.h store_db.h store_backup
  server/store_parts.h: store.h store_job store_db.h store_backup store_reserve bell
  server/store_thread.c: store_parts.h
  server/store.c: store.h store_parts.h
  server/code
  server/accounts.h: store.h code
  server/accounts_parts.h: accounts.h
  server/accounts_device.c: accounts_parts.h
  server/accounts.c: accounts.h accounts_parts.h
  server/listener
  server/session
  server/control
  server/terms
  server/absence
floor rooms: @ground @log @wire @game
  server/feed: server/session
  server/notice.h
  server/room.h: server/accounts.h server/store.h server/absence feed
  server/room_parts.h: room.h
  server/room_wait.c: room_parts.h server/session
  server/room_offer.c: room_parts.h notice.h server/session
  server/room_restore.c: room_parts.h
  server/room_presence.c: room_parts.h notice.h server/session
  server/room.c: server/session room.h room_parts.h notice.h
  server/notice.c: notice.h room.h server/session
  server/lobby.h: server/session server/accounts.h server/store.h server/terms server/code room.h notice.h
  server/lobby_parts.h: lobby.h
  server/lobby_seek.c: server/session lobby_parts.h
  server/lobby_invite.c: lobby_parts.h server/code
  server/lobby_unseen.c: server/session lobby_parts.h
  server/lobby.c: server/session room.h notice.h lobby.h lobby_parts.h
floor verbs: @ground @log @wire @game
  server/world.h
  server/command: server/config server/session server/accounts.h server/store.h server/feed server/room.h world.h
  server/verbs: command
  server/cmd_login: @doors @rooms command verbs world.h
  server/cmd_list: @doors @rooms command verbs world.h
  server/act: @doors @rooms command world.h
  server/cmd_device: @doors @rooms command verbs world.h
  server/cmd_lobby: @doors @rooms act command verbs world.h
  server/cmd_invite: @doors @rooms act command verbs world.h
  server/cmd_play: @doors @rooms act command verbs world.h
  server/cmd_offer: @doors @rooms act command verbs world.h
  server/cmd_absence: @doors @rooms act command verbs world.h
  server/cmd_watch: @doors @rooms command verbs world.h
  server/cmd_record: @doors @rooms command verbs world.h
floor top: @ground @log @wire @game
  server/announce: @doors
  server/drain: @doors @rooms world.h
  server/host: @doors @rooms world.h announce drain
  server/server: @doors @rooms @verbs announce drain host
  server/ctl: @doors
  server/verify: @doors
  server/main: @doors verify server ctl
floor client_doors: @ground @log @wire
  client/loop
  client/keep
  client/link
  client/trust: keep link
  client/catalogue
  client/language: catalogue
  client/look.h
  client/prefs: keep link look.h language
  client/verify: keep link common/record common/record_sign common/game.h common/event
  client/resolve
  client/net: trust resolve
  client/secret
  client/title
  client/edit: keep title
floor client_rules: @ground @game
  client/rules_words
  client/rules_task.h: rules_words
  client/svg
  client/rules_answer: rules_task.h rules_words svg
  client/rules_play: rules_task.h rules_words
  client/rules_convert: rules_task.h rules_words
  client/offline: rules_task.h rules_words
  client/records
  client/convert: records
floor client_rooms: @ground @log common/proto @game
  client/model
  client/known
  client/render.h: model look.h
  client/figure: look.h
  client/primer: figure
  client/words: model render.h
  client/words_list.c: model render.h words
  client/words_notice.c: model render.h words
  client/words_refusal.c: model render.h words
  client/speech: model render.h words
  client/json: model
  client/render.c: model render.h words figure
floor client_verbs: @ground @log @wire @game @client_rooms
  client/verb.h
  client/verb_find: verb.h
  client/verb_device.c: verb.h
  client/verb_computer.c: verb.h
  client/verb_try.c: verb.h
  client/verb_play: verb.h
  client/verb_see: verb.h
  client/verb_wait.c: verb.h
  client/verb_aloud: verb.h
  client/verbs: verb.h
floor client_engine: @ground @log @game client/loop
  client/thinker
  client/uci_board
  client/uci: loop thinker uci_board
  client/computer
floor client: @ground @log @wire @game @client_doors @client_rooms
  client/client.h
  client/trial: model common/game.h common/event common/rules.h
  client/complete: known model verb.h verbs prefs
  client/inside.h: client.h verb.h trial complete
  client/device: link
  client/id: client.h keep prefs secret
  client/entry.c: inside.h device
  client/partner.h
  client/partner.c: partner.h inside.h
  client/heard.c: inside.h device partner.h
  client/lost.c: inside.h
  client/mine.c: inside.h
  client/attention.c: inside.h title
  client/save.c: inside.h
  client/screen.c: inside.h
  client/typed.c: inside.h verbs partner.h
  client/client.c: client.h inside.h partner.h
  client/replay.h: prefs
  client/fetch: link net trust prefs loop words
  client/replay_show: model records
  client/replay_parts.h: replay.h replay_show edit prefs render.h
  client/replay_typed.c: replay_parts.h render.h
  client/replay.c: replay.h replay_parts.h loop fetch
  client/bot.h: prefs
  client/bot_terms
  client/bot_engine.h: @game
  client/bot_uci: bot_engine.h loop
  client/bot_engine.c: bot_engine.h bot_uci computer thinker
  client/bot_parts.h: bot_engine.h bot_terms client.h model net prefs trust
  client/bot_play.c: bot_parts.h computer words
  client/bot_visit.c: bot_parts.h keep loop words
  client/bot.c: bot.h bot_parts.h computer
  client/learn_lessons
  client/learn_course: learn_lessons
  client/learn.h: prefs
  client/learn_parts.h: edit learn_course prefs
  client/learn_show.c: learn_parts.h client.h
  client/learn_typed.c: learn_parts.h client.h
  client/learn.c: learn.h learn_parts.h client.h loop
  client/local.h: prefs
  client/local_parts.h: client.h edit prefs model thinker verb.h
  client/local_table.c: local_parts.h computer records
  client/local_show.c: local_parts.h render.h words
  client/local_typed.c: local_parts.h computer verbs words
  client/local_own.c: local_parts.h
  client/local_loop.c: local_parts.h computer loop
  client/local.c: local.h local_parts.h computer
  client/main: client.h client/id client/offline client/convert client/learn.h client/replay.h client/uci client/local.h client/bot.h client/language
END
}

# What the pure game may take from the system: no clock, no socket, no thread, no log.
pure_system="assert.h ctype.h limits.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h"

# Prints the faults of the tree at $1 and, last, a line of totals.
check() {
    {
        plan | sed 's/^/plan /'
        (cd "$1" && find common server client -name '*.[ch]' | sort) | sed 's/^/file /'
        (cd "$1" && find common server client -name '*.[ch]' -exec grep -H '^ *# *include' {} +) |
            sed 's/^\([^:]*\): *# *include *["<]\([^">]*\)\([">]\).*/use \1 \2 \3/'
    } | awk -v pure_system="$pure_system" '
        function fault(words) { print words; faults++ }
        function stem(file) { sub(/\.[ch]$/, "", file); return file }
        # The row that a file is in: its own, or that of its pair.
        function row_of(file) {
            return file in floor_of ? file : stem(file) in floor_of ? stem(file) : ""
        }
        function allow(row, word, dir,   i) {
            if (word ~ /^@/) {
                word = substr(word, 2)
                if (!(word in members)) fault("plan: " row " names the floor " word ", not above it")
                else for (i = 1; i <= members[word]; i++) may[row, member[word, i]] = 1
                return
            }
            if (word !~ /\//) word = dir word
            if (!(word in floor_of)) fault("plan: " row " names " word ", not above it")
            may[row, word] = 1
        }
        $1 == "plan" && $2 == "floor" {
            floor = $3; sub(/:$/, "", floor)
            defaults = ""; for (i = 4; i <= NF; i++) defaults = defaults " " $i
            next
        }
        $1 == "plan" {
            row = $2; sub(/:$/, "", row); dir = row; sub(/[^\/]*$/, "", dir)
            for (i = 3; i <= NF; i++) allow(row, $i, dir)
            count = split(defaults, word, " ")
            for (i = 1; i <= count; i++) allow(row, word[i], dir)
            if (row in floor_of) fault("plan: " row " is there twice")
            floor_of[row] = floor
            member[floor, ++members[floor]] = row
        }
        $1 == "file" {
            files++; row = row_of($2); exists[row] = 1
            if (row == "") fault($2 ": on no floor; give it a row in tests/floors.sh")
        }
        $1 == "use" && $4 == ">" && floor_of[row_of($2)] == "game" {
            if (index(" " pure_system " ", " " $3 " ") == 0) fault($2 ": <" $3 "> is not for the pure game")
        }
        $1 == "use" && $3 == "sqlite3.h" {
            if ($2 !~ /^server\/store_/) fault($2 ": only the store knows SQLite")
        }
        $1 == "use" && $4 == "\"" {
            row = row_of($2); target = row_of($3)
            if (row == "" || stem($2) == stem($3)) next
            if (target == "") fault($2 ": includes " $3 ", which is on no floor")
            else if (!((row, target) in may)) fault($2 ": may not include " $3)
        }
        END {
            for (row in floor_of) if (!(row in exists)) fault("plan: " row " does not exist")
            printf "floors: %d files, %d faults\n", files, faults
            exit faults > 0
        }'
}

copy=
cleanup() { [ -z "$copy" ] || rm -rf "$copy"; }
trap cleanup EXIT

# True if the check of a copy of the tree, into which $2 is put at the end of file $1, complains
# of that file.
sees() {
    copy=$(mktemp -d) || exit 1
    cp -R "$root/common" "$root/server" "$root/client" "$copy/"
    echo "$2" >>"$copy/$1"
    found=$(check "$copy")
    status=$?
    rm -rf "$copy"
    copy=
    [ $status -ne 0 ] && echo "$found" | grep -q "^$1: "
}

# The check can fail: each line is a name, and a fault that must be seen.
self_test() {
    failed=0
    try "an include that points up" common/mem.c '#include "common/log.h"'
    try "a log in the pure game" common/board.c '#include "common/log.h"'
    try "a clock in the pure game" common/rules.c '#include <time.h>'
    try "a room that knows the lobby" server/room.c '#include "server/lobby.h"'
    try "a wire that knows the game" common/wire_in.c '#include "common/game.h"'
    try "a model that knows the wire" client/model.c '#include "common/wire.h"'
    try "a client in the server" server/room.c '#include "client/model.h"'
    try "a file on no floor" server/stairs.c '#include "common/base.h"'
    try "SQLite outside the store" server/room.c '#include <sqlite3.h>'
    [ "$failed" -eq 0 ]
}

try() {
    if sees "$2" "$3"; then
        echo "ok floors: sees $1"
    else
        echo "not ok floors: sees $1"
        failed=$((failed + 1))
    fi
}

mode=
case ${1:-} in --*) mode=$1 && shift ;; esac
root=${1:-$(dirname "$0")/..}
case $mode in
--self-test)
    self_test
    ;;
--tap)
    if faults=$(check "$root"); then
        echo "ok $faults"
    else
        echo "$faults" | sed 's/^/not ok floors: /; s/^not ok floors: floors: /# /'
        exit 1
    fi
    self_test
    ;;
'')
    check "$root"
    ;;
*)
    echo "usage: sh tests/floors.sh [--self-test | --tap] [ROOT]" >&2
    exit 2
    ;;
esac
