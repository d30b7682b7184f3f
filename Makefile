# janggi: `make play` and `make test` are all a newcomer needs; `make help` lists the rest.

VERSION := 0.1.0
.DEFAULT_GOAL := all
comma   := ,
BUILD   ?= build
CC      ?= cc
PKG     ?= pkg-config
prefix  ?= /usr/local
# No rule of make's own is of use here; to look through them for every header takes most of the time of an idle `make`.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# Standard flags: ours after the packager's, so that CFLAGS from outside is respected.
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wvla -Wformat=2 -Wno-format-nonliteral
WERROR  ?=

# --- What this system has ---

# The page's rules core needs a compiler for WebAssembly. The -m options are in browsers since 2021, and make
# the core smaller.
WASM_CC     ?= clang --target=wasm32-wasi
WASM_TARGET := -Oz -flto -mbulk-memory -msign-ext -mnontrapping-fptoint -mexec-model=reactor -Wl,--gc-sections,--strip-all

# tests/config.sh looks for compilers and libraries once; again after packages were installed, when one of the words
# of ASKED is another, and for `make config`.
CONFIG   := $(BUILD)/config.mk
ASKED    := $(strip $(CC) $(CPPFLAGS) $(LDFLAGS) $(PKG) $(PKG_CONFIG_PATH) $(WASM_CC))
PACKAGES := $(wildcard /var/lib/dpkg/status /var/lib/rpm/rpmdb.sqlite /usr/lib/sysimage/rpm/rpmdb.sqlite \
            /var/lib/pacman/local /lib/apk/db/installed /var/db/pkg/local.sqlite /opt/homebrew/Cellar /usr/local/Cellar)
ifneq ($(filter-out clean help help-all,$(or $(MAKECMDGOALS),all)),)
include $(CONFIG)
endif
.PHONY: config config-again
config: $(CONFIG)
ifeq ($(MAKE_RESTARTS),)
$(CONFIG): $(if $(filter config,$(MAKECMDGOALS))$(subst |$(ASKED)|,,|$(CONFIG_FOR)|),config-again)
endif
$(CONFIG): Makefile tests/config.sh tests/deps.sh $(PACKAGES)
	@mkdir -p $(@D)
	@ASKED='$(ASKED)' CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' PKG='$(PKG)' WASM_CC='$(WASM_CC)' \
	  WASM_TARGET='$(WASM_TARGET)' sh tests/config.sh >$@.new && mv $@.new $@

OURS    := -std=c11 -D_GNU_SOURCE -DJANGGI_VERSION='"$(VERSION)"' -I. $(PLACES_C) $(WARN) $(WERROR) $(HARDEN)

# What the libraries are made of. A folder is a floor: tests/floors.sh has the plan.
folder   = $(wildcard $(1)/*.c $(1)/*/*.c)
COMMON  := $(call folder,common)
POSTGRES := $(wildcard server/postgres/*.c)
SERVER  := $(filter-out server/main.c $(POSTGRES),$(call folder,server))
CLIENT  := $(filter-out client/main.c,$(call folder,client))
# The game alone: no socket, no log, no clock. Another program may link just this.
PURE    := $(call folder,common/game) $(call folder,common/words) \
           $(addprefix common/base/,mem.c text.c translate.c) common/net/proto.c \
           $(addprefix common/record/,record.c record_text.c) \
           $(filter-out client/formats/records.c,$(call folder,client/formats))

obj      = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB     := $(BUILD)/libjanggi.a
SERVERLIB := $(BUILD)/libserver.a
CLIENTLIB := $(BUILD)/libclient.a

.PHONY: all build help help-all play test debug lint lint-web format format-check compdb install dist clean list
all: build
build: $(BUILD)/janggid $(BUILD)/janggi

# The page for browsers is packed into the server, with the rules core in WebAssembly. Where no compiler
# makes that, the server has text pages only.
WASM_FLAGS    := -std=c11 -D_GNU_SOURCE -DNDEBUG -DJANGGI_VERSION='"$(VERSION)"' -I. $(WASM_TARGET) $(WARN) $(WERROR)
WEB_SCRIPTS   := $(patsubst %,client/web/%.js,dom lines connection tabs core clock board record talk terms game seat table sound alert entry page)
# Fetched when they are needed, with their words.
WEB_MODULES   := after computer evening learn list people trial
WEB_LANGUAGES := $(foreach l,$(patsubst client/po/%.po,%,$(wildcard client/po/*.po)),$(BUILD)/web/$(l).json $(patsubst %,$(BUILD)/web/$(l)-%.json,$(WEB_MODULES)))
ifeq ($(HAVE_WASM),yes)
WEB_FILES     := $(patsubst %,client/web/%,page.html page.css) $(patsubst %,$(BUILD)/web/%,page.js core.wasm save.wasm analyse.js analyse.wasm $(patsubst %,%.js,$(WEB_MODULES))) $(WEB_LANGUAGES)
else
build: text-pages-only
endif
text-pages-only:
	@echo 'clang for wasm32-wasi (with lld and wasi-libc) is missing: janggid will have text pages only'
.PHONY: text-pages-only
$(BUILD)/web/page.js: client/web/pack.sh $(BUILD)/web/core.wasm $(WEB_SCRIPTS)
	@sh $(filter-out %.awk,$^) >$@
define WEB_WORDS
$(BUILD)/web/%-$(1).json: client/po/%.po client/web/catalogue.awk
	@mkdir -p $$(@D)
	@awk -v modules="$(WEB_MODULES)" -v module=$(1) -f client/web/catalogue.awk $$< >$$@
endef
$(foreach m,$(WEB_MODULES),$(eval $(call WEB_WORDS,$(m))))
$(BUILD)/web/%.json: client/po/%.po client/web/catalogue.awk
	@mkdir -p $(@D)
	@awk -v modules="$(WEB_MODULES)" -f client/web/catalogue.awk $< >$@
$(BUILD)/web/core.wasm: client/wasm/wasm.c $(PURE) $(wildcard client/wasm/*.h client/formats/*.h common/*/*.h)
	@mkdir -p $(@D)
	$(WASM_CC) $(WASM_FLAGS) -o $@ $(filter %.c,$^)
# The core with what a page needs only to save a game, or to show the rules; fetched then.
$(BUILD)/web/save.wasm: client/wasm/wasm_save.c $(BUILD)/web/core.wasm
	$(WASM_CC) $(WASM_FLAGS) -DGUIDE_COLUMNS=2000 -o $@ $< client/wasm/wasm.c $(PURE)
# The engine in a worker: it analyses a game, or plays one.
ANALYSE := client/analyse/analysis.c \
           $(addprefix client/engine/,computer.c eval.c movepick.c nnue.c search.c see.c stack.c timeman.c tt.c)
$(BUILD)/web/analyse.wasm: client/wasm/wasm_analyse.c client/wasm/wasm_computer.c $(ANALYSE) $(BUILD)/web/core.wasm $(wildcard client/engine/*.h client/analyse/*.h)
	$(WASM_CC) $(WASM_FLAGS) -O2 -Wl,-z,stack-size=1048576 -o $@ $(filter %.c,$^) client/wasm/wasm.c $(PURE) -lm
$(patsubst %,$(BUILD)/web/%.js,$(WEB_MODULES)): $(BUILD)/web/%.js: client/web/%.js client/web/pack.sh
	@mkdir -p $(@D)
	@sh client/web/pack.sh '' $< >$@
$(BUILD)/web/analyse.js: client/web/lines.js client/web/core.js client/web/analyse.js client/web/pack.sh
	@mkdir -p $(@D)
	@sh client/web/pack.sh '' $(filter %.js,$^) >$@
$(BUILD)/web_files.c: server/web/web_files.sh $(WEB_FILES)
	@mkdir -p $(@D)
	@sh server/web/web_files.sh $(WEB_FILES) >$@.new && mv $@.new $@
$(BUILD)/web_words.c: server/web/web_words.awk $(wildcard client/po/*.po)
	@mkdir -p $(@D)
	@awk -f $^ </dev/null >$@.new && mv $@.new $@
$(BUILD)/web_words.o: $(BUILD)/web_words.c server/web/web_files.h
	$(CC) $(OURS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(BUILD)/web_files.o: $(BUILD)/web_files.c server/web/web_files.h
	$(CC) $(OURS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(LIB): $(call obj,$(COMMON))
$(SERVERLIB): $(call obj,$(SERVER)) $(BUILD)/web_files.o $(BUILD)/web_words.o
$(CLIENTLIB): $(call obj,$(CLIENT))
$(LIB) $(SERVERLIB) $(CLIENTLIB):
	$(ARCHIVE)
ARCHIVE = @rm -f $@; $(AR) rcs $@ $(filter %.o,$^)

# The one recipe for linking: objects first, then our libraries from the top down, then LIBS. (The
# name LINK is taken: make play LINK=janggi://...)
LINK_PROGRAM = @mkdir -p $(@D); \
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) $(addprefix -Wl$(comma)--wrap=,$(WRAP)) -o $@ \
	$(filter %.o,$^) $(filter %/libtests.a,$^) $(filter %/libserver.a,$^) $(filter %/libclient.a,$^) $(filter %/libjanggi.a,$^) $(LIBS)

$(BUILD)/janggid: LIBS = $(LIBS_SERVER) $(PLUGIN_LD)
$(BUILD)/janggid: $(BUILD)/server/main.o $(SERVERLIB) $(LIB)
	$(LINK_PROGRAM)

# The engine for PostgreSQL calls what symbols.txt lists in the program that loads it.
ifneq ($(PQ_LD),)
PLUGIN    := $(BUILD)/janggid-postgres.so
PLUGIN_LD := -Wl,--dynamic-list=server/postgres/symbols.txt
build: $(PLUGIN)
$(BUILD)/janggid: server/postgres/symbols.txt
else
build: sqlite-only
endif
sqlite-only:
	@echo 'libpq (libpq-dev) is missing: janggid will keep games in SQLite only, without --store'
.PHONY: sqlite-only
$(BUILD)/server/postgres/%.o: OURS += $(PQ_C) -fPIC
$(BUILD)/janggid-postgres.so: $(call obj,$(POSTGRES))
	$(LINK_PLUGIN)
LINK_PLUGIN = @mkdir -p $(@D); \
	$(CC) $(CFLAGS) $(filter-out -pie,$(LDHARD)) $(LDFLAGS) $(addprefix -Wl$(comma)--wrap=,$(WRAP)) -shared -o $@ \
	$(filter %.o,$^) $(PQ_LD)

$(BUILD)/janggi: LIBS = $(LIBS_CLIENT)
$(BUILD)/janggi: $(BUILD)/client/main.o $(CLIENTLIB) $(LIB)
	$(LINK_PROGRAM)

# For scripts: `make -s list NAME=PURE` prints the sources of one of the lists above, a line each.
list:
	@printf '%s\n' $($(NAME))

# --- Languages ---

LANGUAGES  := $(patsubst client/po/%.po,%,$(wildcard client/po/*.po))
CATALOGUES := $(if $(HAVE_MSGFMT),$(patsubst %,$(BUILD)/locale/%/LC_MESSAGES/janggi.mo,$(LANGUAGES)))
build: $(if $(HAVE_MSGFMT),$(CATALOGUES),english-only)
$(BUILD)/locale/%/LC_MESSAGES/janggi.mo: client/po/%.po
	@mkdir -p $(@D)
	msgfmt --check --output-file=$@ $<
english-only:
	@echo 'msgfmt (of gettext) is missing: janggi will speak English only'
.PHONY: english-only pot po

# Functions whose words are formats as those of printf are; the number says which argument.
PO_FORMATS := text_addf:2 record_text_addf:2 console_sayf:2 console_refusef:2 client_fail:3 verb_refuse:2 panel_add:2
XGETTEXT := xgettext --from-code=UTF-8 --language=C --add-comments=TRANSLATORS: --add-location=file \
            --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=translate_count:1,2 \
            $(patsubst %,--flag=%:c-format,$(PO_FORMATS)) \
            --package-name=janggi --package-version=$(VERSION) --copyright-holder= --width=90
pot:
	@mkdir -p $(BUILD)
	$(XGETTEXT) --output=$(BUILD)/janggi.pot $(sort $(COMMON) $(CLIENT) client/main.c $(wildcard server/verb/*.c) server/web/pages.c server/web/web.c)
	$(XGETTEXT) --language=JavaScript --join-existing --output=$(BUILD)/janggi.pot $(sort $(WEB_SCRIPTS) $(patsubst %,client/web/%.js,$(WEB_MODULES)))
po: pot
	for l in $(LANGUAGES); do \
	  msgmerge --quiet --update --backup=none --no-fuzzy-matching --add-location=file --width=90 \
	    client/po/$$l.po $(BUILD)/janggi.pot || exit 1; done

$(BUILD)/client/%.o: OURS += $(CLIENT_DEFS)
$(BUILD)/server/%.o: OURS += $(SERVER_DEFS)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(OURS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

.PRECIOUS: $(BUILD)/%.o # objects of tests are kept for the next time


# --- For people ---

help:
	@printf '%s\n' \
	'make play            install what is missing, build, start a server, play here' \
	'make play PUBLIC=... the same, with that name of this machine in the links' \
	'make play WEB=play   the same, for friends with a browser as well; or WEB=watch' \
	'make play LINK=...   take the seat, or watch, that a janggi:// link names' \
	'make test            install what is missing, build, and the tests of every day' \
	'make                 build $(BUILD)/janggid and $(BUILD)/janggi' \
	'make check           the same without installing: units, plays, texts, six suites of whole programs' \
	'make proof           all other tests: crash, power, disk, network, load, attack, cluster, interop' \
	'make debug           a build for the debugger in build/debug' \
	'make asan | tsan     the tests under AddressSanitizer+UBSan | ThreadSanitizer' \
	'make test-web        the page for browsers, in Chromium; pictures in $(BUILD)/web-pictures' \
	'make bench           measure janggid beside redis-server on this machine; N=4 rounds, PART="low counts"' \
	'make fuzz            the parsers under libFuzzer; SECONDS=60 for each' \
	'make mutants         faults that tests must notice, in HALF=rules, network or client; N=10 of them' \
	'make lint            clang-tidy, cppcheck, shell syntax, formatting; the types of the page' \
	'make po              what there is to translate, into client/po/*.po' \
	'make format          clang-format all sources' \
	'make install         DESTDIR= and prefix=$(prefix) are respected' \
	'make dist            a source archive' \
	'make clean           remove $(BUILD)' \
	'make help-all        the other targets' '' \
	'One suite: sh tests/run.sh $(BUILD) NAME. One .play: python3 tests/play/run.py NAME. One fuzz target,' \
	'one mutant, a debugger on a test or on the server of a .play: tests/TESTING.md.'
help-all:
	@printf '%s\n' \
	'make figures         how large the sources are, and how public names begin' \
	'make check-busy      the tests three times beside a load of 8: RUNS=3 LOAD=8' \
	'make portable-check  the programs without what only Linux has, and their tests' \
	'make walk-of-a-move  our functions that one move enters on each thread; LIST=1 names them' \
	'make bench-web       what that page costs the server, and how long a visitor waits' \
	'make lighthouse      what Lighthouse says of that page, as of a phone on Slow 4G' \
	'make bench-appends   events a second at 64 a commit, SQLite beside PostgreSQL' \
	'make bench-log       what appending to a log of our own would save, beside SQLite; SECONDS=2' \
	'make bench-rules     the rules beside Fairy-Stockfish' \
	'make bench-computer  matches of the computer, also GAMES=10 against Fairy-Stockfish' \
	'make train           train the engine anew by GAMES=10000 of its own on each processor' \
	'make chance          fit the chance of winning to GAMES=1000 of its own on each processor' \
	'make test-rules-long millions of positions and whole games against other engines' \
	'make coverage        lines of the rules that their tests reach' \
	'make crash-kill9     kill -9 under 200 games, N=20 times; 1000 is the full proof (make crash)' \
	'make crash-power     the power goes, N=200 times, and files are as a disk may show them; 10000 is the full proof' \
	'make bitflip         bits flip in N=1000 copies of a database: damage is noticed, never served' \
	'make net-impair      1,000 games over a bad network that is cut in every state; N=100' \
	'make fault-sweep     each write, sync, open, accept and (in steps) allocation fails; STRIDE=1 MEMORY_STRIDE=59' \
	'make fault-full      the disk is full for SECONDS=60' \
	'make reconnect-storm 1,000 players come back to a server that was killed; N=100' \
	'make fault-clock     game clocks while the wall clock jumps, runs and stands still' \
	'make bench-restart   from start to listening: 10,000 games, then 1,000,000 ended ones; N=1000 MANY=0' \
	'make cluster         three nodes of --store on three servers of PostgreSQL, to try them out: a link for each' \
	'make proof-cluster   --store on a real PostgreSQL, with faults at random for SECONDS=600, and nodes that are lost' \
	'make promotion       the primary is lost ROUNDS=5 times, and Patroni (with etcd) promotes a standby' \
	'make cluster-long    three nodes on Patroni for HOURS=12, with faults of all of them; OLD=PATH is upgraded' \
	'make attack          attacks while people play, SECONDS=60 each; ONLY="names codes"' \
	'make load-hold       5,000 clients, 2,000 games, 1,000 moves/s and an attack a minute, MINUTES=60' \
	'make soak            half of that for HOURS=24, and a kill -9 every 10 minutes' \
	'make memcheck        unit programs and a server under valgrind' \
	'make bench-lobby     seek, play, invite with 100 and with 10,000 others open' \
	'make sample          comments, messages and commit subjects at random, to judge their English; SEED=1' \
	'make transcript      the first game in client/FIRST_GAME.md, played anew' \
	'make pictures        the terminal and the page in the README, drawn anew' \
	'make compdb          compile_commands.json for editors' \
	'make deb             Debian packages janggi and janggid in $(BUILD)/deb; REVISION=1' \
	'make deb-check       install, use, upgrade and purge them in a clean root, with the evening of janggid.8'

JOBS = $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
play:
	@BUILD='$(BUILD)' sh tests/deps.sh build
	@$(if $(LINK),,$(if $(filter-out off,$(WEB)),BUILD='$(BUILD)' sh tests/deps.sh page))
	@files=$$($(MAKE) --no-print-directory -n build 2>/dev/null | grep -c -e ' -c -o '); \
	if [ "$$files" -eq 0 ]; then $(MAKE) --no-print-directory -s build; else \
	sh tests/progress.sh $(BUILD)/build.log 'Building janggi' "$$files" $(MAKE) --no-print-directory -j$(JOBS) build; fi
	@JANGGI_PUBLIC_NAME='$(PUBLIC)' JANGGI_WEB='$(WEB)' sh client/play.sh $(BUILD) $(LINK)

test:
	@sh tests/deps.sh test
	@$(MAKE) --no-print-directory check

include tests/tests.mk

# --- Care ---

PROGRAMS = $(COMMON) $(SERVER) $(if $(PLUGIN),$(POSTGRES)) server/main.c $(CLIENT) client/main.c
SOURCES = $(wildcard $(foreach d,common server client tests,$(d)/*.[ch] $(d)/*/*.[ch] $(d)/*/*/*.[ch]))
SCRIPTS = $(wildcard client/*.sh tests/*.sh tests/*/*.sh certs/*.sh) .ci/run

format:
	clang-format -i $(SOURCES)
format-check:
	@clang-format --dry-run --Werror $(SOURCES)

# cppcheck reads no system header. So it does not know the loops of uthash.h and utlist.h, and takes
# their variables for uninitialized; nor that log_die() ends the program, so it sees NULL after it. The
# compilers, clang's analyzer and valgrind (make memcheck) look for both.
CPPCHECK_OFF = missingIncludeSystem unknownMacro uninitvar ctuuninitvar nullPointerRedundantCheck
lint: format-check compdb lint-web
	@for s in $(SCRIPTS); do sh -n $$s || exit 1; done
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	  $(CPPCHECK_OFF:%=--suppress=%) --error-exitcode=1 -I. -DJANGGI_VERSION='"x"' common server client
	clang-tidy --quiet -p . $(PROGRAMS)

# How the scripts of the page are set, and whether their types fit.
$(BUILD)/web-lint/node_modules:
	@mkdir -p $(@D) && npm install --silent --no-save --no-audit --no-fund --prefix $(@D) prettier@3.10.1 typescript@5.9.3 && touch $@
lint-web: $(BUILD)/web-lint/node_modules
	$</.bin/prettier --log-level warn --check client/web/*.js client/web/*.ts client/web/*.json
	$</.bin/tsc -p client/web
	$</.bin/tsc -p client/web/tsconfig.worker.json

compdb:
	@{ echo '['; sep=; for f in $(PROGRAMS); do \
	  printf '%s{"directory":"%s","file":"%s","command":"cc -std=c11 -D_GNU_SOURCE -DJANGGI_VERSION=\\\\\\"%s\\\\\\" $(CLIENT_DEFS) $(SERVER_DEFS) $(PQ_C) -I. -c %s"}\n' \
	  "$$sep" "$(CURDIR)" "$$f" "$(VERSION)" "$$f"; sep=,; done; echo ']'; } > compile_commands.json

install: build
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/doc/janggi \
	  $(DESTDIR)$(prefix)/share/man/man6
	install -m 755 $(BUILD)/janggi $(DESTDIR)$(prefix)/bin/janggi
	install -m 755 $(BUILD)/janggid $(DESTDIR)$(prefix)/bin/janggid
	[ -z '$(PLUGIN)' ] || { install -d $(DESTDIR)$(prefix)/lib/janggid && \
	  install -m 644 $(PLUGIN) $(DESTDIR)$(prefix)/lib/janggid/; }
	@# Version 0.1.0 was installed in sbin: service units that name it get this version.
	@old=$(DESTDIR)$(prefix)/sbin/janggid; \
	  [ ! -e $$old ] || [ $$old -ef $(DESTDIR)$(prefix)/bin/janggid ] || ln -sf ../bin/janggid $$old
	for l in $(if $(CATALOGUES),$(LANGUAGES)); do \
	  install -d $(DESTDIR)$(prefix)/share/locale/$$l/LC_MESSAGES && \
	  install -m 644 $(BUILD)/locale/$$l/LC_MESSAGES/janggi.mo $(DESTDIR)$(prefix)/share/locale/$$l/LC_MESSAGES/ || exit 1; done
	install -m 644 client/janggi.6 $(DESTDIR)$(prefix)/share/man/man6/
	install -m 644 README.md LICENSE common/PROTOCOL.md common/CHANGES.md client/PLAYING.md client/FIRST_GAME.md server/HOSTING.md server/CLUSTER.md \
	        $(DESTDIR)$(prefix)/share/doc/janggi/
	@[ -n '$(DESTDIR)' ] || $(MAKE) -s install-next

include server/package/package.mk

dist:
	@mkdir -p $(BUILD)
	git archive --prefix=janggi-$(VERSION)/ -o $(BUILD)/janggi-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/janggi-$(VERSION).tar.gz

clean:
	rm -rf build $(BUILD) compile_commands.json

-include $(wildcard $(foreach d,common server client tests,$(BUILD)/$(d)/*.d $(BUILD)/$(d)/*/*.d $(BUILD)/$(d)/*/*/*.d))
