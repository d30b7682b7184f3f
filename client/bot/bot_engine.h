/* Who thinks for a bot: our own search, or a program that speaks UCI. One position at a
 * time; answers come by callback on the loop. */
#ifndef CLIENT_BOT_BOT_ENGINE_H
#define CLIENT_BOT_BOT_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/search.h"
#include "common/base/base.h"
#include "common/game/game.h"

struct event_base;
struct bot_engine;

enum { BOT_OPTIONS_MAX = 16 };
struct bot_engine_wish {
    const char *command; /* NULL: our own search */
    const char *variant; /* for command: its name for the rules; NULL: the usual one */
    const char *option[BOT_OPTIONS_MAX]; /* for command: "NAME=VALUE" */
    int options;
    int level;           /* of our own search */
    int64_t movetime_ms; /* for each move; 0: by the clock */
    uint64_t seed;
};

struct bot_engine_calls {
    /* It is idle: at the beginning, and after a thought was dropped. */
    void (*on_idle)(void *owner);
    /* What it would play; of the report only move, has_move and score are given. */
    void (*on_move)(void *owner, const struct search_report *report);
    /* It will never answer again; words say why. */
    void (*on_gone)(void *owner, const char *words);
};

/* wish, its texts, calls and owner are borrowed. NULL after logging why. on_idle
 * follows from the loop. */
struct bot_engine *bot_engine_new(struct event_base *base,
                                  const struct bot_engine_wish *wish,
                                  const struct bot_engine_calls *calls,
                                  void *owner) MUST_USE;
/* Ends it. Takes NULL. */
void bot_engine_free(struct bot_engine *engine);

/* Whether it plays by these rules; asked once it was idle. */
bool bot_engine_knows(const struct bot_engine *engine, const struct ruleset *rules);

/* Busy until the next call of calls. */
bool bot_engine_is_busy(const struct bot_engine *engine);

/* Only while it is not busy. is_new: another game than the last one. */
void bot_engine_think(struct bot_engine *engine, const struct game *game, bool is_new,
                      int64_t now_ms);
/* What it thinks about is of no use any more: no on_move, but on_idle. */
void bot_engine_drop(struct bot_engine *engine);

#endif
