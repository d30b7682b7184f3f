# janggi: `make play` and `make test` are all a newcomer needs; `make help` lists the rest.

VERSION := 0.1.0
comma   := ,
BUILD   ?= build
CC      ?= cc
PKG     ?= pkg-config
prefix  ?= /usr/local

# Standard flags: ours after the packager's, so that CFLAGS from outside is respected.
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wvla -Wformat=2 -Wno-format-nonliteral
HARDEN  ?= -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
WERROR  ?=
OURS    := -std=c11 -D_GNU_SOURCE -DJANGGI_VERSION='"$(VERSION)"' -I. $(WARN) $(WERROR) $(HARDEN)
LDHARD  ?= -pie -Wl,-z,relro,-z,now,-z,noexecstack

hash := \#
HAVE_READLINE := $(shell printf '$(hash)include <stdio.h>\n$(hash)include <readline/readline.h>\n' | \
	$(CC) -x c - -fsyntax-only 2>/dev/null && echo yes)

LIBS_NET    = $(shell $(PKG) --libs libevent_core openssl 2>/dev/null || echo -levent_core -lssl -lcrypto) -lutf8proc
LIBS_SERVER = $(LIBS_NET) -lsqlite3 -linih -lpthread
LIBS_CLIENT = $(LIBS_NET) -linih -lpthread
ifeq ($(HAVE_READLINE),yes)
LIBS_CLIENT += -lreadline
CLIENT_DEFS := -DHAVE_READLINE
endif

# The game alone: no socket, no log, no clock. Another program may link just this.
PURE    := board move reach legal judge fault ending ruleset rules clock event game game_judge \
           game_step diagram \
           notation notation_fen guide record record_draft record_figures record_gib record_gib_board record_json record_pgn record_san record_scan \
           record_tag record_text text translate mem
COMMON  := $(wildcard common/*.c)
SERVER  := $(wildcard server/*.c)
CLIENT  := $(wildcard client/*.c)
UNIT    := $(wildcard tests/unit/test_*.c)
TOOLS   := $(wildcard tests/bench/*.c) $(wildcard tests/e2e/*.c)

obj      = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB     := $(BUILD)/libjanggi.a
SERVERLIB := $(call obj,$(filter-out server/main.c,$(SERVER)))
CLIENTLIB := $(call obj,$(filter-out client/main.c,$(CLIENT)))

.PHONY: all build help play test check debug asan tsan lint format format-check compdb install dist clean \
        bench crash floors docs deps-build deps-test
all: build
build: $(BUILD)/janggid $(BUILD)/janggi

$(LIB): $(call obj,$(COMMON))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/janggid: $(call obj,$(SERVER)) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

$(BUILD)/janggi: $(call obj,$(CLIENT)) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_CLIENT)

# --- Languages -------------------------------------------------------------

LANGUAGES  := $(patsubst client/po/%.po,%,$(wildcard client/po/*.po))
HAVE_MSGFMT := $(shell command -v msgfmt)
CATALOGUES := $(if $(HAVE_MSGFMT),$(patsubst %,$(BUILD)/locale/%/LC_MESSAGES/janggi.mo,$(LANGUAGES)))
build: $(if $(HAVE_MSGFMT),$(CATALOGUES),english-only)
$(BUILD)/locale/%/LC_MESSAGES/janggi.mo: client/po/%.po
	@mkdir -p $(@D)
	msgfmt --check --output-file=$@ $<
english-only:
	@echo 'msgfmt (of gettext) is missing: janggi will speak English only'
.PHONY: english-only pot po

# Functions whose words are formats as those of printf are; the number says which argument.
PO_FORMATS := text_addf:2 screen_sayf:2 show_say:2 client_fail:3 verb_refuse:2 panel_add:2
XGETTEXT := xgettext --from-code=UTF-8 --language=C --add-comments=TRANSLATORS: --add-location=file \
            --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=translate_count:1,2 \
            $(patsubst %,--flag=%:c-format,$(PO_FORMATS)) \
            --package-name=janggi --package-version=$(VERSION) --copyright-holder= --width=90
pot:
	@mkdir -p $(BUILD)
	$(XGETTEXT) --output=$(BUILD)/janggi.pot $(sort $(COMMON) $(CLIENT))
po: pot
	for l in $(LANGUAGES); do \
	  msgmerge --quiet --update --backup=none --no-fuzzy-matching --add-location=file --width=90 \
	    client/po/$$l.po $(BUILD)/janggi.pot || exit 1; done

$(BUILD)/client/%.o: OURS += $(CLIENT_DEFS)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(OURS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Unit tests: one program per pure file, linked with everything that has no main().
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(SERVERLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER) -lcmocka -ljansson
# What Tab offers comes from all over the client.
$(BUILD)/tests/unit/test_complete: $(BUILD)/tests/unit/test_complete.o $(CLIENTLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_CLIENT) -lcmocka
.SECONDARY: # objects of tests are kept for the next time


# --- For people ------------------------------------------------------------

help:
	@printf '%s\n' \
	'make play            install what is missing, build, start a server, play here' \
	'make play LINK=...   take the seat, or watch, that a janggi:// link names' \
	'make test            install what is missing, build, run all tests' \
	'make                 build $(BUILD)/janggid and $(BUILD)/janggi' \
	'make check           the tests, without installing anything' \
	'make debug           a build for the debugger in build/debug' \
	'make asan | tsan     the tests under AddressSanitizer+UBSan | ThreadSanitizer' \
	'make bench           measure janggid beside redis-server (TLS) on this machine' \
	'make bench-rules     the rules beside Fairy-Stockfish' \
	'make bench-computer  matches of the computer, also against Fairy-Stockfish' \
	'make test-rules-long millions of positions and whole games against other engines' \
	'make fuzz            the parsers under libFuzzer; SECONDS=60 for each' \
	'make coverage        lines of the rules that their tests reach' \
	'make mutants         faults put into the rules, that tests must notice; N=10 of them' \
	'make crash-kill9     kill -9 under 200 games, N=20 times; 1000 is the full proof (make crash)' \
	'make crash-power     the power goes, N=200 times, and files are as a disk may show them; 10000 is the full proof' \
	'make bitflip         bits flip in N=1000 copies of a database: damage is noticed, never served' \
	'make net-impair      1,000 games over a bad network that is cut in every state; N=100' \
	'make fault-sweep     each write, sync, open, accept and (in steps) allocation fails; STRIDE=1 MEMORY_STRIDE=59' \
	'make fault-full      the disk is full for SECONDS=60' \
	'make reconnect-storm 1,000 players come back to a server that was killed; N=100' \
	'make fault-clock     game clocks while the wall clock jumps, runs and stands still' \
	'make bench-restart   from start to listening, with 10,000 games on disk; N=1000' \
	'make lint            clang-tidy, cppcheck, shell syntax, formatting' \
	'make transcript      the first game in README.md, played anew' \
	'make po              what there is to translate, into client/po/*.po' \
	'make format          clang-format all sources' \
	'make compdb          compile_commands.json for editors' \
	'make install         DESTDIR= and prefix=$(prefix) are respected' \
	'make dist            a source archive' \
	'make clean           remove build/'

play:
	@sh tests/deps.sh build
	@$(MAKE) --no-print-directory -s build
	@sh client/play.sh $(BUILD) $(LINK)

test:
	@sh tests/deps.sh test
	@$(MAKE) --no-print-directory check

# --- Tests -----------------------------------------------------------------

UNIT_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(UNIT))
E2E_PROGRAMS  := $(patsubst %.c,$(BUILD)/%,$(filter-out tests/e2e/lib%,$(wildcard tests/e2e/*.c)))

# Scripted players, and what judges them.
TESTLIB := $(call obj,$(wildcard tests/*.c tests/e2e/lib*.c))

$(BUILD)/tests/e2e/%: $(BUILD)/tests/e2e/%.o $(TESTLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

# The real server, whole, with a disk whose power can go; and servers that must be caught.
FAULT := $(BUILD)/tests/fault
POWER := $(FAULT)/power_vfs.o $(FAULT)/power_disk.o
FAULT_PROGRAMS := $(addprefix $(FAULT)/janggid-,early power power-early power-shown power-normal)
$(FAULT)/janggid-early: $(FAULT)/early_ack.o
$(FAULT)/janggid-power: $(POWER)
$(FAULT)/janggid-power-early: $(POWER) $(FAULT)/early_ack.o
$(FAULT)/janggid-power-shown: $(POWER) $(FAULT)/early_show.o
$(FAULT)/janggid-power-normal: $(POWER) $(FAULT)/power_normal.o
$(FAULT)/janggid-early $(FAULT)/janggid-power-early: WRAP := store_open store_append
$(FAULT)/janggid-power-shown: WRAP := store_append
$(FAULT)/janggid-power-normal: WRAP := sqlite3_exec sqlite3_prepare_v2
$(FAULT_PROGRAMS): $(call obj,$(SERVER)) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) $(addprefix -Wl$(comma)--wrap=,$(WRAP)) -o $@ $(filter %.o,$^) $(LIB) $(LIBS_SERVER)

# A client that believes all it is told: the judge of terminals must catch it.
$(FAULT)/janggi-blind: $(call obj,$(CLIENT)) $(FAULT)/blind.o $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -Wl,--wrap=utf8_is_showable -o $@ $^ $(LIBS_CLIENT)
check: $(FAULT)/janggi-blind
# One that does not clear the typed line: whoever looks at screens must see it.
$(FAULT)/janggi-smudge: $(call obj,$(CLIENT)) $(FAULT)/smudge.o $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -Wl,--wrap=rl_clear_visible_line -o $@ $^ $(LIBS_CLIENT)
check: $(FAULT)/janggi-smudge

# A system whose calls fail, for any build: no part of what is measured or sanitized.
$(FAULT)/preload.so: tests/fault/preload.c tests/fault/preload.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -I. $(WARN) $(WERROR) -U_FORTIFY_SOURCE -O2 -g -fPIC -shared -o $@ $< -ldl

BENCH_OBJS := $(call obj,$(wildcard tests/bench/*.c))
$(BUILD)/tests/bench/bench: $(BENCH_OBJS) $(TESTLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

check: build $(UNIT_PROGRAMS) $(E2E_PROGRAMS) $(FAULT_PROGRAMS) $(FAULT)/preload.so
	@sh tests/run.sh $(BUILD)

floors:
	@sh tests/floors.sh

transcript: build
	python3 tests/transcripts.py $(BUILD) --write README.md
.PHONY: transcript

crash crash-kill9: $(BUILD)/janggid $(BUILD)/tests/e2e/storm
	$(BUILD)/tests/e2e/storm --build $(BUILD) --kills $(or $(N),20) --think 30 --gap 2400
.PHONY: crash-kill9

crash-power: $(BUILD)/janggid $(BUILD)/tests/e2e/crash_power $(FAULT_PROGRAMS)
	sh tests/e2e/crash_power.sh $(BUILD) --cuts $(or $(N),200)
bitflip: build
	sh tests/e2e/bitflip.sh $(BUILD) --seeds $(or $(N),1000)
.PHONY: crash-power bitflip

net-impair: build $(BUILD)/tests/e2e/net_impair
	$(BUILD)/tests/e2e/net_impair --build $(BUILD) --games $(or $(N),1000)
reconnect-storm: build $(BUILD)/tests/e2e/reconnect_storm
	$(BUILD)/tests/e2e/reconnect_storm --build $(BUILD) --clients $(or $(N),1000)
	$(BUILD)/tests/e2e/reconnect_storm --build $(BUILD) --clients $(or $(N),1000) --wide
fault-clock: build $(BUILD)/tests/e2e/fault_clock
	sh tests/e2e/fault_clock.sh $(BUILD)
# It fills a database through the server's store.
$(BUILD)/tests/e2e/bench_restart: $(BUILD)/tests/e2e/bench_restart.o $(TESTLIB) $(SERVERLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)
bench-restart: build $(BUILD)/tests/e2e/bench_restart
	$(BUILD)/tests/e2e/bench_restart --build $(BUILD) --games $(or $(N),10000)
.PHONY: net-impair reconnect-storm fault-clock bench-restart

fault-sweep: $(BUILD)/janggid $(BUILD)/tests/e2e/fault_sweep $(FAULT)/janggid-early $(FAULT)/preload.so
	sh tests/e2e/fault_sweep.sh $(BUILD) --stride $(or $(STRIDE),1) --memory-stride $(or $(MEMORY_STRIDE),59)
fault-full: $(BUILD)/janggid $(BUILD)/tests/e2e/fault_full $(FAULT)/preload.so
	sh tests/e2e/fault_full.sh $(BUILD) --full-s $(or $(SECONDS),60)
.PHONY: fault-sweep fault-full

bench: build $(BUILD)/tests/bench/bench
	@sh tests/deps.sh bench
	@sh tests/bench/bench.sh $(BUILD)

debug:
	@$(MAKE) BUILD=build/debug CFLAGS='-O0 -g3' HARDEN= LDHARD= build

SANITIZED = CFLAGS='-O1 -g -fno-omit-frame-pointer $(1)' HARDEN= LDHARD= WERROR='$(WERROR)'
asan:
	@ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=build/asan \
	$(call SANITIZED,-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined) check
tsan:
	@$(MAKE) --no-print-directory BUILD=build/tsan $(call SANITIZED,-fsanitize=thread) check

# --- Proof of the rules ----------------------------------------------------

RULES_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(filter-out %/fairy.c,$(wildcard tests/rules/*.c)))
FUZZ_PROGRAMS  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))

$(BUILD)/tests/rules/%: $(BUILD)/tests/rules/%.o $(BUILD)/tests/rules/fairy.o $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^
# The client's target plays the keyboard and the network itself.
FUZZ_CLIENT := $(call obj,tests/fuzz/fuzz_client.c $(filter-out %/main.c %/net.c %/edit.c,$(CLIENT)))
$(BUILD)/tests/fuzz/fuzz_client: $(FUZZ_CLIENT) $(BUILD)/tests/fuzz/replay.o $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_CLIENT)
$(BUILD)/tests/fuzz/libfuzzer_client: $(FUZZ_CLIENT) $(LIB)
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS_CLIENT)

check: $(RULES_PROGRAMS) $(FUZZ_PROGRAMS)

test-rules-long: $(RULES_PROGRAMS)
	sh tests/rules/differential.sh $(BUILD) $(or $(N),3000000)
	sh tests/rules/ffish.sh $(BUILD) 20000
	sh tests/rules/record_ffish.sh $(BUILD) 5000
bench-computer: build $(RULES_PROGRAMS)
	@sh tests/rules/computer.sh $(BUILD)
bench-rules: $(RULES_PROGRAMS)
	@sh tests/rules/bench.sh $(BUILD)
fuzz:
	@sh tests/fuzz/fuzz.sh $(BUILD) $(or $(SECONDS),60)
coverage:
	@sh tests/rules/coverage.sh $(BUILD)
mutants:
	@python3 tests/mutants/run.py --build $(BUILD) $(if $(N),--sample $(N))
.PHONY: test-rules-long bench-rules bench-computer fuzz coverage mutants

# --- Care ------------------------------------------------------------------

SOURCES = $(wildcard common/*.[ch] server/*.[ch] client/*.[ch] tests/*.[ch] tests/*/*.[ch])
SCRIPTS = $(wildcard client/*.sh tests/*.sh tests/*/*.sh certs/*.sh) .ci/run

format:
	clang-format -i $(SOURCES)
format-check:
	@clang-format --dry-run --Werror $(SOURCES)

lint: format-check compdb
	@for s in $(SCRIPTS); do sh -n $$s || exit 1; done
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	  --suppress=missingIncludeSystem --suppress=unknownMacro --error-exitcode=1 -I. -DJANGGI_VERSION='"x"' common server client
	clang-tidy --quiet -p . $(COMMON) $(SERVER) $(CLIENT)

compdb:
	@{ echo '['; sep=; for f in $(COMMON) $(SERVER) $(CLIENT); do \
	  printf '%s{"directory":"%s","file":"%s","command":"cc -std=c11 -D_GNU_SOURCE -DJANGGI_VERSION=\\\\\\"%s\\\\\\" $(CLIENT_DEFS) -I. -c %s"}\n' \
	  "$$sep" "$(CURDIR)" "$$f" "$(VERSION)" "$$f"; sep=,; done; echo ']'; } > compile_commands.json

install: build
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/sbin $(DESTDIR)$(prefix)/share/doc/janggi \
	  $(DESTDIR)$(prefix)/share/man/man6 $(DESTDIR)$(prefix)/share/man/man8
	install -m 755 $(BUILD)/janggi $(DESTDIR)$(prefix)/bin/janggi
	install -m 755 $(BUILD)/janggid $(DESTDIR)$(prefix)/sbin/janggid
	for l in $(if $(CATALOGUES),$(LANGUAGES)); do \
	  install -d $(DESTDIR)$(prefix)/share/locale/$$l/LC_MESSAGES && \
	  install -m 644 $(BUILD)/locale/$$l/LC_MESSAGES/janggi.mo $(DESTDIR)$(prefix)/share/locale/$$l/LC_MESSAGES/ || exit 1; done
	install -m 644 client/janggi.6 $(DESTDIR)$(prefix)/share/man/man6/
	install -m 644 server/janggid.8 $(DESTDIR)$(prefix)/share/man/man8/
	install -m 644 README.md LICENSE common/PROTOCOL.md $(DESTDIR)$(prefix)/share/doc/janggi/

dist:
	@mkdir -p $(BUILD)
	git archive --prefix=janggi-$(VERSION)/ -o $(BUILD)/janggi-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/janggi-$(VERSION).tar.gz

clean:
	rm -rf build compile_commands.json

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
