# How the tests and proofs are built and run. The Makefile includes this file.

# --- Programs ---

UNIT_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*/test_*.c))
PROOF_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(filter-out tests/measure/bench_append.c,$(wildcard tests/proof/*.c tests/measure/bench_*.c)))

# A unit test links our three libraries, of which the linker takes only what it calls, and a clock
# that it may stop. Those of a folder are one program with many names (tests/unit/main.c), apart from those that replace
# functions of ours or of the system, and one that has arguments.
FAULT := $(BUILD)/tests/proof/fault
STEPPED_CLOCK := $(BUILD)/tests/clock/stepped_clock
UNIT_ALONE := $(addprefix $(BUILD)/tests/unit/,engine/test_bot_play client/test_client client/test_visit common/test_system server/test_announce server/test_node store/test_store_care)
UNIT_LIBS := $(STEPPED_CLOCK).o $(SERVERLIB) $(CLIENTLIB) $(LIB)
$(BUILD)/tests/unit/%: LIBS = $(LIBS_SERVER) $(LIBS_CLIENT) -lcmocka -ljansson
# A test of cmocka gets a state, and a callback what its caller has; few of them use it.
$(BUILD)/tests/unit/%.o: OURS += -Wno-unused-parameter
$(UNIT_ALONE): %: %.o $(UNIT_LIBS)
	$(LINK_PROGRAM)
$(BUILD)/tests/unit/store/test_store_care: WRAP := store_backup_step
$(BUILD)/tests/unit/server/test_announce: WRAP := getifaddrs freeifaddrs listener_name listener_port
$(BUILD)/tests/unit/server/test_node: WRAP := store_load_postgres

# $(1): the folder, $(2): its programs
define UNIT_FOLDER
$(2:%=%.o): tests/unit/main.c
$(2:%=%.o): OURS += -Dmain='main_$$(patsubst test_%,%,$$(basename $$(@F)))(void); int main_$$(patsubst test_%,%,$$(basename $$(@F)))'
$(1)main.o: tests/unit/main.c $(1:$(BUILD)/%=%)
	@mkdir -p $$(@D)
	$$(CC) $$(OURS) -DTESTS='$(patsubst test_%,T(%),$(notdir $(2)))' $$(CPPFLAGS) $$(CFLAGS) -c -o $$@ $$<
$(1)all: $(1)main.o $(2:%=%.o) $(UNIT_LIBS)
	$$(LINK_PROGRAM)
$(2): $(1)all
	@ln -f $$< $$@
endef
$(foreach d,$(sort $(dir $(UNIT_PROGRAMS))),$(eval $(call UNIT_FOLDER,$(d),$(filter-out $(UNIT_ALONE),$(filter $(d)%,$(UNIT_PROGRAMS))))))

# The tables that PROTOCOL.md must have as well.
$(BUILD)/tests/docs/tables: LIBS = $(LIBS_SERVER)
$(BUILD)/tests/docs/tables: $(BUILD)/tests/docs/tables.o $(SERVERLIB) $(LIB)
	$(LINK_PROGRAM)

# The code that tests share: scripted players, checkers, the frame of a proof.
TESTLIB := $(BUILD)/libtests.a
$(TESTLIB): $(call obj,$(filter-out %/stepped_clock.c,$(wildcard $(patsubst %,tests/%/*.c,lib clock bot checker))))
	$(ARCHIVE)

$(PROOF_PROGRAMS): LIBS = $(LIBS_SERVER)
$(PROOF_PROGRAMS): $(BUILD)/%: $(BUILD)/%.o $(TESTLIB) $(LIB)
	$(LINK_PROGRAM)

# The real server, whole, with a disk whose power can go; and servers that must be caught.
POWER := $(FAULT)/power_vfs.o $(FAULT)/power_disk.o $(FAULT)/small_journal.o
FAULT_PROGRAMS := $(addprefix $(FAULT)/janggid-,early small overflow power power-early power-shown power-normal)
$(FAULT)/janggid-small: $(FAULT)/small_journal.o
$(FAULT)/janggid-early: $(FAULT)/early_ack.o
$(FAULT)/janggid-overflow: $(FAULT)/overflow.o
$(FAULT)/janggid-power: $(POWER)
$(FAULT)/janggid-power-early: $(POWER) $(FAULT)/early_ack.o
$(FAULT)/janggid-power-shown: $(POWER) $(FAULT)/early_show.o
$(FAULT)/janggid-power-normal: $(POWER) $(FAULT)/power_normal.o
SMALL := store_tail_kept_rows
$(FAULT)/janggid-small $(FAULT)/janggid-power: WRAP := $(SMALL)
$(FAULT)/janggid-early: WRAP := wire_hub_set_gate store_db_commit
$(FAULT)/janggid-overflow: WRAP := proto_parse_command
$(FAULT)/janggid-power-early: WRAP := wire_hub_set_gate store_db_commit $(SMALL)
$(FAULT)/janggid-power-shown: WRAP := session_send_after $(SMALL)
$(FAULT)/janggid-power-normal: WRAP := sqlite3_exec sqlite3_prepare_v2 $(SMALL)
$(FAULT_PROGRAMS): LIBS = $(LIBS_SERVER) $(PLUGIN_LD)
$(FAULT_PROGRAMS): $(BUILD)/server/main.o $(SERVERLIB) $(LIB) server/postgres/symbols.txt
	$(LINK_PROGRAM)

# The engine for PostgreSQL with a broken rule, each beside a copy of the server that loads it.
FAULT_PLUGINS := $(if $(PLUGIN),$(patsubst %,$(FAULT)/postgres_%/janggid-postgres.so,believing cancelling changing \
	forgetting queueing standby trusting unchecked unfenced))
$(FAULT)/postgres_believing/%: WRAP := pg_link_commit
$(FAULT)/postgres_cancelling/%: WRAP := PQfinish
$(FAULT)/postgres_changing/%: WRAP := pg_fence_doubt
$(FAULT)/postgres_forgetting/%: WRAP := pg_fence_take
$(FAULT)/postgres_queueing/%: WRAP := pg_link_open pg_link_run pg_link_commit
$(FAULT)/postgres_standby/%: WRAP := PQconnectStartParams PQsendPrepare pg_link_commit_own
$(FAULT)/postgres_trusting/%: WRAP := PQsetNoticeReceiver
$(FAULT)/postgres_unchecked/%: WRAP := PQgetvalue PQgetlength
$(FAULT)/postgres_unfenced/%: WRAP := pg_fence_add
$(FAULT)/postgres_%.o: OURS += $(PQ_C) -fPIC
$(FAULT_PLUGINS): $(FAULT)/%/janggid-postgres.so: $(FAULT)/%.o $(call obj,$(POSTGRES)) $(BUILD)/janggid
	@mkdir -p $(@D) && cp $(BUILD)/janggid $(@D)/janggid
	$(LINK_PLUGIN)

# Servers that show events too early and that do not hold the clocks, with the real engine beside them.
FAULT_NODES := $(if $(PLUGIN),$(FAULT)/postgres_shown/janggid $(FAULT)/postgres_charging/janggid)
$(FAULT)/postgres_shown/janggid: WRAP := session_send_after
$(FAULT)/postgres_shown/janggid: $(FAULT)/early_show.o
$(FAULT)/postgres_charging/janggid: WRAP := rooms_hold
$(FAULT)/postgres_charging/janggid: $(FAULT)/charging.o
$(FAULT_NODES): LIBS = $(LIBS_SERVER) $(PLUGIN_LD)
$(FAULT_NODES): $(BUILD)/server/main.o $(SERVERLIB) $(LIB) $(PLUGIN) server/postgres/symbols.txt
	$(LINK_PROGRAM)
	@cp $(PLUGIN) $(@D)/

# Negative controls: a client that accepts every line, and one that does not clear the typed line.
FAULT_CLIENTS := $(FAULT)/janggi-blind $(FAULT)/janggi-smudge
$(FAULT)/janggi-blind: $(FAULT)/blind.o
$(FAULT)/janggi-blind: WRAP := utf8_is_showable
$(FAULT)/janggi-smudge: $(FAULT)/smudge.o
$(FAULT)/janggi-smudge: WRAP := rl_clear_visible_line
$(FAULT_CLIENTS): LIBS = $(LIBS_CLIENT)
$(FAULT_CLIENTS): $(BUILD)/client/main.o $(CLIENTLIB) $(LIB)
	$(LINK_PROGRAM)

# A system whose calls fail, and one whose clock stands still, for any build: no part of what is
# measured or sanitized.
PRELOADS := $(FAULT)/preload.so $(STEPPED_CLOCK).so
$(PRELOADS): $(BUILD)/%.so: %.c %.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -I. $(WARN) $(WERROR) -U_FORTIFY_SOURCE -O2 -g -fPIC -shared -o $@ $< -ldl

BENCH_OBJS := $(call obj,$(filter-out %/bench_append.c %/bench_lobby.c %/bench_log.c %/bench_restart.c,$(wildcard tests/measure/*.c)))
$(BUILD)/tests/measure/bench: LIBS = $(LIBS_SERVER)
$(BUILD)/tests/measure/bench: $(BENCH_OBJS) $(TESTLIB) $(LIB)
	$(LINK_PROGRAM)

# --- Targets ---

# Everything that the tests run.
check-build: build $(UNIT_PROGRAMS) $(PROOF_PROGRAMS) $(FAULT_PROGRAMS) $(FAULT_CLIENTS) $(PRELOADS) \
             $(FAULT_PLUGINS) $(FAULT_NODES) $(BUILD)/tests/docs/tables
unit-programs: $(UNIT_PROGRAMS)
check: check-build
	@TIER=$(or $(TIER),check) sh tests/run.sh $(BUILD)
proof: check-build
	@TIER=proof sh tests/run.sh $(BUILD)
# The same RUNS times beside a LOAD of other processes.
check-busy: check-build
	@sh tests/busy.sh $(BUILD) $(or $(RUNS),3) $(or $(LOAD),8)
.PHONY: check-build unit-programs check proof check-busy

floors: build
	@sh tests/floors.sh $(BUILD)

# How large files and functions are, and which public names lack their file's name.
figures: build
	@python3 tests/figures.py . $(BUILD)
# Comments, messages and commit subjects at random, for readers who judge their English.
sample:
	@python3 tests/sample.py . $(or $(SEED),1)
.PHONY: figures sample

transcript: build
	python3 tests/transcripts.py $(BUILD) --write client/FIRST_GAME.md
# The terminal and the page in the README.
pictures: build
	@sh tests/deps.sh web
	@$(MAKE) --no-print-directory -s $(BUILD)/web-node/node_modules
	python3 tests/transcripts.py $(BUILD) --draw client/pictures/terminal.svg
	BUILD=$(BUILD) node tests/web/pictures.mjs
.PHONY: transcript pictures

crash crash-kill9: $(BUILD)/janggid $(BUILD)/tests/proof/crash_kill9 $(FAULT)/janggid-small
	$(BUILD)/tests/proof/crash_kill9 --build $(BUILD) --kills $(or $(N),20) --think 30 --gap 2400
	$(BUILD)/tests/proof/crash_kill9 --build $(BUILD) --kills $(or $(N),20) --think 30 --gap 2400 \
	    --server $(FAULT)/janggid-small
.PHONY: crash-kill9

crash-power: $(BUILD)/janggid $(BUILD)/tests/proof/crash_power $(FAULT_PROGRAMS)
	sh tests/proof/crash_power.sh $(BUILD) --cuts $(or $(N),200)
bitflip: build
	sh tests/proof/bitflip.sh $(BUILD) --seeds $(or $(N),1000)
.PHONY: crash-power bitflip

net-impair: build $(BUILD)/tests/proof/net_impair
	$(BUILD)/tests/proof/net_impair --build $(BUILD) --games $(or $(N),1000)
reconnect-storm: build $(BUILD)/tests/proof/reconnect_storm
	$(BUILD)/tests/proof/reconnect_storm --build $(BUILD) --clients $(or $(N),1000)
	$(BUILD)/tests/proof/reconnect_storm --build $(BUILD) --clients $(or $(N),1000) --wide
fault-clock: build $(BUILD)/tests/proof/fault_clock
	sh tests/proof/fault_clock.sh $(BUILD)
# It fills a database through the server's store.
$(BUILD)/tests/measure/bench_restart: $(SERVERLIB)
bench-restart: build $(BUILD)/tests/measure/bench_restart
	$(BUILD)/tests/measure/bench_restart --build $(BUILD) --games $(or $(N),10000) --many $(or $(MANY),1000000) $(if $(RATED),--rated)
$(BUILD)/tests/measure/bench_lobby $(BUILD)/tests/measure/bench_log: $(SERVERLIB)
bench-lobby: $(BUILD)/tests/measure/bench_lobby
	$(BUILD)/tests/measure/bench_lobby $(or $(N),21)
.PHONY: net-impair reconnect-storm fault-clock bench-restart bench-lobby

# The page for browsers, in a real Chromium; pictures of it are in $(BUILD)/web-pictures. NAME=watch: one file.
# Without NAME also a thousand scripted watchers, and the certificates and proxies of the manual.
$(BUILD)/web-node/node_modules: tests/web/package.json
	@mkdir -p $(@D) && cp tests/web/package.json $(@D)/ && cd $(@D) && npm install --no-audit --no-fund --silent && touch node_modules
test-web:
	@sh tests/deps.sh web
	@$(MAKE) --no-print-directory -s build $(BUILD)/web-node/node_modules
	BUILD=$(BUILD) node --test --test-concurrency=1 $(patsubst %,tests/web/%.test.mjs,$(or $(NAME),build core clock line watch feel tabs play korean entry analysis computer trial everybody club readme clients))
	$(if $(NAME),,python3 tests/web/thousand.py $(BUILD))
	$(if $(NAME),,@sh tests/deps.sh cert; python3 tests/web/certificates.py $(BUILD))
	$(if $(NAME),,BUILD=$(BUILD) node --test tests/web/whole.test.mjs)
.PHONY: test-web

fault-sweep: $(BUILD)/janggid $(BUILD)/tests/proof/fault_sweep $(FAULT)/janggid-early $(FAULT)/janggid-small $(FAULT)/preload.so
	sh tests/proof/fault_sweep.sh $(BUILD) --stride $(or $(STRIDE),1) --memory-stride $(or $(MEMORY_STRIDE),59)
fault-full: $(BUILD)/janggid $(BUILD)/tests/proof/fault_full $(FAULT)/preload.so
	sh tests/proof/fault_full.sh $(BUILD) --full-s $(or $(SECONDS),60)
.PHONY: fault-sweep fault-full

# The log in PostgreSQL. cluster: three nodes on loopback, to try them out.
cluster: build
	@sh tests/deps.sh cluster
	@python3 tests/cluster/nodes.py $(BUILD) --trial
proof-cluster: build $(FAULT_PLUGINS) $(FAULT_NODES)
	@sh tests/deps.sh promotion
	python3 tests/cluster/cluster_faults.py $(BUILD)
	python3 tests/cluster/transfer.py $(BUILD)
	python3 tests/cluster/guide.py $(BUILD)
	STORM_S=$(or $(SECONDS),600) python3 tests/cluster/cluster.py $(BUILD)
	python3 tests/cluster/nodes.py $(BUILD) --bars
	STORM_S=$(or $(SECONDS),600) python3 tests/cluster/cluster_storm.py $(BUILD) --bars
	python3 tests/cluster/promotion.py $(BUILD) $(or $(ROUNDS),5)
# The primary is lost ROUNDS times, and Patroni promotes a standby.
promotion: build
	@sh tests/deps.sh promotion
	python3 tests/cluster/promotion.py $(BUILD) $(or $(ROUNDS),5)
# Before a release, as root: a storm of faults under Patroni for HOURS. OLD=PATH: the janggid of the last release, with
# which the nodes begin.
cluster-long: build
	@sh tests/deps.sh promotion
	STORM_S=$$(awk 'BEGIN { print $(or $(HOURS),12) * 3600 }') python3 tests/cluster/cluster_storm.py $(BUILD) --patroni --bars
.PHONY: cluster proof-cluster promotion cluster-long

# A minute for each attack, and one for its control. ONLY="names codes": these attacks; FORM= : the short form.
attack: build $(BUILD)/tests/proof/bare_accept attack-asan
	python3 tests/proof/attack.py $(BUILD) $(if $(filter undefined,$(origin FORM)),--long,$(FORM)) \
	    $(if $(SECONDS),--seconds $(SECONDS)) $(ONLY)
attack-asan:
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/asan $(call SANITIZED,$(ASAN_FLAGS)) \
	    $(BUILD)/asan/janggid $(BUILD)/asan/tests/proof/fault/janggid-overflow
.PHONY: attack attack-asan

# MINUTES=60 with 5,000 clients; soak kills the server every 10 minutes, at half of the load: HOURS=24.
HOLD = python3 tests/proof/load_hold.py $(BUILD) --long --attack-every 60
load-hold: build
	$(HOLD) --clients $(or $(N),5000) --games 2000 --moves-per-s 1000 --seconds $$(($(or $(MINUTES),60) * 60))
soak: build
	$(HOLD) --clients $(or $(N),2500) --games 1000 --moves-per-s 500 --kill-every 600 --seconds $$(($(or $(HOURS),24) * 3600))
.PHONY: load-hold soak

bench: build $(BUILD)/tests/measure/bench
	@sh tests/deps.sh bench
	@sh tests/measure/bench.sh $(BUILD) $(if $(N),--rounds $(N)) $(addprefix --part ,$(PART))
	@$(if $(PART),,python3 tests/measure/admission.py $(BUILD))
	@$(if $(PART),,$(MAKE) --no-print-directory -s bench-web)
# The page for browsers: what it costs the server, and how long a visitor waits.
bench-web: build
	@sh tests/deps.sh web
	@$(MAKE) --no-print-directory -s $(BUILD)/web-node/node_modules
	@python3 tests/measure/web.py $(BUILD)
	@BUILD=$(BUILD) node tests/measure/page.mjs
# What Lighthouse says of the page, as of a phone on Slow 4G.
$(BUILD)/lighthouse-node/node_modules:
	@mkdir -p $(@D) && npm install --silent --no-save --no-audit --no-fund --prefix $(@D) lighthouse@12.2.3 && touch $@
lighthouse: build
	@sh tests/deps.sh web
	@$(MAKE) --no-print-directory -s $(BUILD)/web-node/node_modules $(BUILD)/lighthouse-node/node_modules
	@BUILD=$(BUILD) node tests/measure/lighthouse.mjs
.PHONY: lighthouse
# Events a second at 64 a commit. The program loads the engine for PostgreSQL from its own folder.
$(BUILD)/bench_append: LIBS = -Wl,--whole-archive $(SERVERLIB) $(LIB) -Wl,--no-whole-archive $(LIBS_SERVER) $(PLUGIN_LD)
$(BUILD)/bench_append: $(BUILD)/tests/measure/bench_append.o | $(SERVERLIB) $(LIB) server/postgres/symbols.txt
	$(LINK_PROGRAM)
bench-appends: build $(BUILD)/bench_append
	@sh tests/deps.sh cluster
	@python3 tests/measure/appends.py $(BUILD)
.PHONY: bench-appends
# A log of our own in place of SQLite, in a directory of its own below BUILD, on the same disk.
bench-log: $(BUILD)/tests/measure/bench_log
	@mkdir -p $(BUILD)/bench-log && $(BUILD)/tests/measure/bench_log $(BUILD)/bench-log $(or $(SECONDS),2)
.PHONY: bench-log
.PHONY: bench bench-web
# How many of our functions one move enters. -O0: a small one is counted too.
walk-of-a-move:
	@sh tests/deps.sh bench
	@$(MAKE) -s BUILD=$(BUILD)/walk CFLAGS="-O0 -g" HARDEN= $(BUILD)/walk/janggid
	@python3 tests/measure/walk.py $(BUILD)/walk $(if $(LIST),--list)
.PHONY: walk-of-a-move

debug:
	@$(MAKE) BUILD=build/debug CFLAGS='-O0 -g3' HARDEN= LDHARD= build

# These read texts or install files; a sanitizer finds nothing there, and nothing in the negative controls
# of the proofs, whose faults are planted.
TEXT_SUITES := floors docs po certs host/package host/install
ASAN_FLAGS = -fsanitize=address,undefined -fno-sanitize-recover=undefined
SANITIZED = CFLAGS='-O1 -g -fno-omit-frame-pointer $(1)' HARDEN= LDHARD= WERROR='$(WERROR)'
asan:
	@ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 SKIP='$(TEXT_SUITES)' CONTROLS=no LIMIT_TIMES=2 \
	$(MAKE) --no-print-directory BUILD=build/asan \
	$(call SANITIZED,$(ASAN_FLAGS)) check
tsan:
	@LIMIT_TIMES=4 SKIP='$(TEXT_SUITES)' CONTROLS=no $(MAKE) --no-print-directory BUILD=build/tsan $(call SANITIZED,-fsanitize=thread) check

memcheck: build $(UNIT_PROGRAMS)
	@python3 tests/proof/memcheck.py $(BUILD) --long
.PHONY: memcheck

# The programs without what only Linux has: see tests/portable/poison.h.
PORTABLE := build/portable
$(BUILD)/common/%.o: OURS += $(POISON)
$(BUILD)/server/%.o: OURS += $(POISON)
$(BUILD)/client/%.o: OURS += $(POISON)
.PHONY: portable-check portable-programs
portable-check:
	@mkdir -p $(PORTABLE)
	@$(CC) -c tests/portable/bsd.c -o $(PORTABLE)/bsd.o
	@$(MAKE) --no-print-directory -s BUILD=$(PORTABLE) CFLAGS=-O0 HARDEN= LDHARD= WERROR='$(WERROR)' \
	  POISON='-include tests/portable/poison.h' LDFLAGS='$(LDFLAGS) $(PORTABLE)/bsd.o' portable-programs
	@CC='$(CC)' sh tests/portable/check.sh $(PORTABLE)
portable-programs: build $(UNIT_PROGRAMS) $(PRELOADS)

# --- Proof of the rules ---

RULES_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/rules/*.c tests/measure/engine/*.c tests/interop/*.c))
FUZZ_PROGRAMS  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
# What a target plays gets what the real one gets, and few use it.
$(BUILD)/tests/fuzz/%.o: OURS += -Wno-unused-parameter

$(RULES_PROGRAMS): $(BUILD)/%: $(BUILD)/%.o $(TESTLIB) $(CLIENTLIB) $(LIB)
	$(LINK_PROGRAM)
$(BUILD)/tests/measure/engine/match $(BUILD)/tests/measure/engine/train: LIBS += -lm
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(CLIENTLIB) $(LIB)
	$(LINK_PROGRAM)
$(BUILD)/tests/fuzz/fuzz_frame: LIBS = $(LIBS_NET)
$(BUILD)/tests/fuzz/fuzz_http: $(SERVERLIB)
# The client's target plays the keyboard and the network itself: its net_ and edit_ functions stand
# before the client's.
FUZZ_CLIENT := $(BUILD)/tests/fuzz/fuzz_client.o $(CLIENTLIB) $(LIB)
$(BUILD)/tests/fuzz/fuzz_client: LIBS = $(LIBS_CLIENT)
$(BUILD)/tests/fuzz/fuzz_client: $(FUZZ_CLIENT) $(BUILD)/tests/fuzz/replay.o
	$(LINK_PROGRAM)
# The targets under libFuzzer: tests/fuzz/fuzz.sh.
$(BUILD)/tests/fuzz/libfuzzer_%: $(BUILD)/tests/fuzz/fuzz_%.o $(CLIENTLIB) $(LIB)
	$(LINK_PROGRAM)
$(patsubst $(BUILD)/tests/fuzz/fuzz_%,$(BUILD)/tests/fuzz/libfuzzer_%,$(FUZZ_PROGRAMS)): LIBS = $(LIBS_CLIENT) -fsanitize=fuzzer

check-build: $(RULES_PROGRAMS) $(FUZZ_PROGRAMS)

test-rules-long: $(RULES_PROGRAMS)
	sh tests/rules/differential.sh $(BUILD) $(or $(N),3000000)
	sh tests/interop/ffish.sh $(BUILD) 20000
	sh tests/interop/record_ffish.sh $(BUILD) 5000
bench-computer: build $(RULES_PROGRAMS)
	@sh tests/measure/engine/computer.sh $(BUILD)
# The network of client/engine/nnue.h, trained by games of the engine against itself.
train: $(RULES_PROGRAMS)
	@sh tests/measure/engine/train.sh $(BUILD) $(or $(GAMES),10000)
# The chance of winning by the score, for common/game/ruleset.c. Run it after train.
chance: $(RULES_PROGRAMS)
	@mkdir -p $(BUILD)/chance && rm -f $(BUILD)/chance/*
	@seq 1 `getconf _NPROCESSORS_ONLN` | xargs -P 64 -I SEED $(BUILD)/tests/measure/engine/selfplay \
		--seed SEED --games $(or $(GAMES),1000) --nodes 3000 $(BUILD)/chance/SEED
	@python3 tests/measure/engine/chance.py $(BUILD)/chance/*
.PHONY: train chance
bench-rules: $(RULES_PROGRAMS)
	@sh tests/measure/engine/bench_rules.sh $(BUILD)
fuzz:
	@sh tests/fuzz/fuzz.sh $(BUILD) $(or $(SECONDS),60)
coverage:
	@sh tests/rules/coverage.sh $(BUILD)
# HALF=rules, network or client; N of the faults, chosen at random.
mutants: $(if $(HALF),mutants-$(HALF),mutants-rules mutants-network mutants-client)
mutants-rules:
	@python3 tests/mutants/run.py --build $(BUILD) $(if $(N),--sample $(N))
# Of the client half the first hundred have been tried as a whole.
mutants-network mutants-client:
	@python3 tests/mutants/network.py --build $(BUILD) --half $(@:mutants-%=%) $(if $(filter %-client,$@),--faults 100) \
		$(if $(N),--sample $(N)) $(if $(SEED),--seed $(SEED))
.PHONY: mutants-rules mutants-network mutants-client
.PHONY: test-rules-long bench-rules bench-computer fuzz coverage mutants

