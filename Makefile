# janggi: `make play` and `make test` are all a newcomer needs; `make help` lists the rest.

VERSION := 0.1.0
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

HAVE_READLINE ?= $(shell printf '\#include <stdio.h>\n\#include <readline/readline.h>\nint main(void){return 0;}' | \
	$(CC) -x c - -fsyntax-only 2>/dev/null && echo yes)

LIBS_NET    = $(shell $(PKG) --libs libevent_core libevent_pthreads openssl 2>/dev/null || echo -levent_core -levent_pthreads -lssl -lcrypto) -lutf8proc
LIBS_SERVER = $(LIBS_NET) -lsqlite3 -linih -lpthread
LIBS_CLIENT = $(LIBS_NET) -lpthread
ifeq ($(HAVE_READLINE),yes)
LIBS_CLIENT += -lreadline
CLIENT_DEFS := -DHAVE_READLINE
endif

# The game alone: no socket, no log, no clock. Another program may link just this.
PURE    := board move rules clock event game diagram
COMMON  := $(wildcard common/*.c)
SERVER  := $(wildcard server/*.c)
CLIENT  := $(wildcard client/*.c)
UNIT    := $(wildcard tests/unit/test_*.c)
TOOLS   := $(wildcard tests/bench/*.c) $(wildcard tests/e2e/*.c)

obj      = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB     := $(BUILD)/libjanggi.a
SERVERLIB := $(call obj,$(filter-out server/main.c,$(SERVER)))
CLIENTLIB := $(call obj,$(filter-out client/main.c,$(CLIENT)))

.PHONY: all build help
all: build
build: $(BUILD)/janggid $(BUILD)/janggi

$(LIB): $(call obj,$(COMMON))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/janggid: $(call obj,$(SERVER)) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

$(BUILD)/janggi: $(call obj,$(CLIENT)) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_CLIENT)

$(BUILD)/client/%.o: OURS += $(CLIENT_DEFS)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(OURS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Unit tests: one program per pure file, linked with everything that has no main().
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(SERVERLIB) $(LIB)
	$(CC) $(CFLAGS) $(LDHARD) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER) -lcmocka -ljansson
.PRECIOUS: $(BUILD)/tests/%.o

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
