/* Runs a search in its own thread, so that the event loop does not wait. Handles one
 * task at a time. The event loop calls back with the results. */
#ifndef CLIENT_ENGINE_THINKER_H
#define CLIENT_ENGINE_THINKER_H

#include <stdbool.h>
#include <stddef.h>

#include "client/engine/search.h"
#include "common/base/base.h"

struct event_base;
struct thinker;

struct thinker_calls {
    /* Called when an iteration of the search is complete. May be NULL. */
    void (*on_report)(void *owner, const struct search_report *report);
    /* Called when the task is done. The thinker is then idle. */
    void (*on_done)(void *owner, const struct search_report *report);
};

/* Creates an idle thinker, which the caller owns. table_mb: size of the transposition
 * table in megabytes. Borrows `calls` and `owner`. Returns NULL after logging the
 * reason. */
struct thinker *thinker_new(struct event_base *base, size_t table_mb,
                            const struct thinker_calls *calls, void *owner) MUST_USE;
/* Cancels the running task and frees the thinker. Accepts NULL. */
void thinker_free(struct thinker *thinker);

/* Starts a task; call it only while the thinker is idle. Copies the task, but replaces
 * limits.spent_ms with the thinker's own clock, which starts now. */
void thinker_start(struct thinker *thinker, const struct search_task *task);
bool thinker_is_busy(const struct thinker *thinker);

/* Ends the search with the best result so far: on_done follows within milliseconds. */
void thinker_stop(struct thinker *thinker);
/* Cancels the task: neither callback is called for it, and the thinker is idle at
 * once. */
void thinker_cancel(struct thinker *thinker);

/* Runs later tasks at low priority, so that all other programs on this machine come
 * first. */
void thinker_be_nice(struct thinker *thinker);

/* thinker_forget() prepares for another game; thinker_set_table() replaces the
 * transposition table with one of another size. Call them only while the thinker is
 * idle. */
void thinker_forget(struct thinker *thinker);
void thinker_set_table(struct thinker *thinker, size_t table_mb);

#endif
