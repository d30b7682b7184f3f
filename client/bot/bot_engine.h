/* The engine of a bot: our own search, or a program that speaks UCI. It searches one
 * position at a time. The event loop calls back with the result. */
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
    const char *variant; /* the name by which `command` knows janggi; NULL: the
                          * name that variant_name() returns */
    const char *option[BOT_OPTIONS_MAX]; /* UCI options for `command`: "NAME=VALUE" */
    int options;
    int level;           /* of our own search */
    int64_t movetime_ms; /* time for each move; 0: chosen from the clock */
    uint64_t seed;       /* of the random choices of our own search */
};

struct bot_engine_calls {
    /* Called when the engine is ready, after its start or after bot_engine_drop(). */
    void (*on_idle)(void *owner);
    /* Called when the engine has chosen a move. Use only `move`, `has_move` and `score`
     * of the report. */
    void (*on_move)(void *owner, const struct search_report *report);
    /* Called when the engine has failed permanently. words: the reason. */
    void (*on_gone)(void *owner, const char *words);
};

/* Starts the engine. When the engine is ready, the event loop calls on_idle. Borrows
 * `calls`, `owner`, `wish` and the strings in `wish`. On failure, logs the reason and
 * returns NULL. */
struct bot_engine *bot_engine_new(struct event_base *base,
                                  const struct bot_engine_wish *wish,
                                  const struct bot_engine_calls *calls,
                                  void *owner) MUST_USE;
/* Ends the engine. Accepts NULL. */
void bot_engine_free(struct bot_engine *engine);

/* Returns true if the engine can play by the ruleset `rules`. Call it only after the
 * first on_idle, because an external program lists its rulesets during its start. */
bool bot_engine_knows(const struct bot_engine *engine, const struct ruleset *rules);

/* Returns true while the engine cannot start a search. A busy engine stays busy until
 * its next callback. */
bool bot_engine_is_busy(const struct bot_engine *engine);

/* Starts a search; the engine must not be busy. is_new: the last search was not for
 * this game. */
void bot_engine_think(struct bot_engine *engine, const struct game *game, bool is_new,
                      int64_t now_ms);
/* Discards the running search: on_idle follows instead of on_move. */
void bot_engine_drop(struct bot_engine *engine);

#endif
