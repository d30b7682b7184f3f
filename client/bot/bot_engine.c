/* See bot_engine.h. */
#include "client/bot/bot_engine.h"

#include <stdlib.h>

#include <event2/event.h>

#include "client/bot/bot_uci.h"
#include "client/engine/computer.h"
#include "client/engine/thinker.h"
#include "common/base/mem.h"

struct bot_engine {
    const struct bot_engine_wish *wish;
    const struct bot_engine_calls *calls;
    void *owner;
    struct bot_uci *uci;     /* NULL: our own search is used */
    struct thinker *thinker; /* NULL: an external program is used */
    struct event *idle;
    uint64_t seed;
};

static void on_idle(evutil_socket_t fd, short what, void *arg)
{
    struct bot_engine *engine = arg;

    (void)fd;
    (void)what;
    engine->calls->on_idle(engine->owner);
}

static void on_done(void *owner, const struct search_report *report)
{
    struct bot_engine *engine = owner;

    engine->calls->on_move(engine->owner, report);
}

struct bot_engine *bot_engine_new(struct event_base *base,
                                  const struct bot_engine_wish *wish,
                                  const struct bot_engine_calls *calls, void *owner)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_done};
    struct bot_engine *engine = mem_new(sizeof *engine);

    engine->wish = wish;
    engine->calls = calls;
    engine->owner = owner;
    engine->seed = wish->seed;
    if (wish->command != NULL) {
        engine->uci = bot_uci_new(base, wish, calls, owner);
    } else {
        engine->thinker = thinker_new(base, COMPUTER_TABLE_MB, &thinker_calls, engine);
        engine->idle = event_new(base, -1, 0, on_idle, engine);
    }
    if (engine->uci == NULL && (engine->thinker == NULL || engine->idle == NULL)) {
        bot_engine_free(engine);
        return NULL;
    }
    if (engine->idle != NULL)
        event_active(engine->idle, 0, 0);
    return engine;
}

void bot_engine_free(struct bot_engine *engine)
{
    if (engine == NULL)
        return;
    bot_uci_free(engine->uci);
    thinker_free(engine->thinker);
    if (engine->idle != NULL)
        event_free(engine->idle);
    free(engine);
}

bool bot_engine_knows(const struct bot_engine *engine, const struct ruleset *rules)
{
    return engine->uci == NULL || bot_uci_knows(engine->uci, rules);
}

bool bot_engine_is_busy(const struct bot_engine *engine)
{
    return engine->uci != NULL ? bot_uci_is_busy(engine->uci)
                               : thinker_is_busy(engine->thinker);
}

void bot_engine_think(struct bot_engine *engine, const struct game *game, bool is_new,
                      int64_t now_ms)
{
    struct search_task task;

    if (engine->uci != NULL) {
        bot_uci_think(engine->uci, game, is_new, now_ms);
        return;
    }
    if (is_new)
        thinker_forget(engine->thinker);
    engine->seed = engine->seed * UINT64_C(6364136223846793005) + 1;
    computer_take_game(&task, game, engine->wish->level, engine->seed, now_ms);
    if (engine->wish->movetime_ms > 0) {
        task.limits.soft_ms = 0;
        task.limits.hard_ms = engine->wish->movetime_ms;
    }
    thinker_start(engine->thinker, &task);
}

void bot_engine_drop(struct bot_engine *engine)
{
    if (engine->uci != NULL) {
        bot_uci_drop(engine->uci);
        return;
    }
    thinker_cancel(engine->thinker);
    event_active(engine->idle, 0, 0);
}
