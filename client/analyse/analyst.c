/* See analyst.h. */
#include "client/analyse/analyst.h"

#include <stdlib.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/engine/computer.h"
#include "client/engine/thinker.h"
#include "common/base/mem.h"
#include "common/base/mono.h"

struct analyst {
    const struct analyst_calls *calls;
    void *owner;
    struct analysis analysis;
    struct thinker *thinker;
    struct event *timer; /* fires when the time is over or the analysis is stopped */
    int64_t ends_at_ms;  /* 0: no limit */
    int place;           /* the position being searched */
    uint64_t nodes;      /* the node limit of that search */
    bool is_stopped;
};

/* Starts the next search. Returns false if no position needs a search, or the analysis
 * was stopped. */
static bool search_next(struct analyst *analyst)
{
    struct search_task task;

    if (analyst->is_stopped)
        return false;
    analyst->place = analysis_next(&analyst->analysis, &task);
    if (analyst->place < 0)
        return false;
    analyst->nodes = task.limits.nodes;
    thinker_start(analyst->thinker, &task);
    return true;
}

/* Stores the result of a search, unless the search was stopped before its node limit.
 * Then starts the next search or ends the analysis. */
static void on_thought(void *owner, const struct search_report *report)
{
    struct analyst *analyst = owner;

    if (!analyst->is_stopped) {
        analysis_take(&analyst->analysis, analyst->place, report, analyst->nodes);
        if (analyst->calls->on_progress != NULL)
            analyst->calls->on_progress(analyst->owner);
    }
    if (!search_next(analyst))
        analyst->calls->on_done(analyst->owner);
}

/* Ends the analysis. The event loop calls this function when the time is over, after
 * analyst_stop(), or if no position needs a search. */
static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct analyst *analyst = arg;

    (void)fd;
    (void)what;
    analyst->is_stopped = true;
    if (thinker_is_busy(analyst->thinker))
        thinker_stop(analyst->thinker);
    else
        analyst->calls->on_done(analyst->owner);
}

/* The part of the time limit that is reserved for the start of the program, the end of
 * the last search and the report, so that the limit holds for the whole command. */
enum { REST_MS = 200 };

struct analyst *analyst_new(struct event_base *base, const struct game *game,
                            const struct analyst_wish *wish,
                            const struct analyst_calls *calls, void *owner)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_thought};
    struct analyst *analyst = mem_new(sizeof *analyst);

    analyst->calls = calls;
    analyst->owner = owner;
    analyst->thinker = thinker_new(base, COMPUTER_TABLE_MB, &thinker_calls, analyst);
    if (analyst->thinker == NULL) {
        free(analyst);
        return NULL;
    }
    thinker_be_nice(analyst->thinker);
    analysis_init(&analyst->analysis, game, wish->nodes);
    analyst->timer = loop_event(base, -1, 0, on_timer, analyst);
    if (wish->nodes == 0) {
        int64_t limit_ms = (int64_t)wish->seconds * 1000 - REST_MS;

        analyst->ends_at_ms = mono_now_ms() + limit_ms;
        loop_add(analyst->timer, limit_ms);
    }
    if (!search_next(analyst))
        loop_add(analyst->timer, 0);
    return analyst;
}

void analyst_free(struct analyst *analyst)
{
    if (analyst == NULL)
        return;
    thinker_free(analyst->thinker);
    event_free(analyst->timer);
    analysis_clear(&analyst->analysis);
    free(analyst);
}

void analyst_stop(struct analyst *analyst)
{
    analyst->is_stopped = true;
    loop_add(analyst->timer, 0);
}

const struct analysis *analyst_analysis(const struct analyst *analyst)
{
    return &analyst->analysis;
}

int analyst_left_s(const struct analyst *analyst)
{
    if (analyst->ends_at_ms == 0)
        return -1;
    return (int)mono_whole_s(analyst->ends_at_ms - mono_now_ms());
}
