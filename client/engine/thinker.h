/* Runs a search in its own thread, so that the event loop does not wait. Handles one
 * task at a time; results arrive by callbacks on the loop. */
#ifndef CLIENT_ENGINE_THINKER_H
#define CLIENT_ENGINE_THINKER_H

#include <stdbool.h>
#include <stddef.h>

#include "client/engine/search.h"
#include "common/base/base.h"

struct event_base;
struct thinker;

struct thinker_calls {
    /* An iteration is complete. May be NULL. */
    void (*on_report)(void *owner, const struct search_report *report);
    /* The task is done, and the thinker can take another. */
    void (*on_done)(void *owner, const struct search_report *report);
};

/* Borrows calls and owner. NULL after logging why. */
struct thinker *thinker_new(struct event_base *base, size_t table_mb,
                            const struct thinker_calls *calls, void *owner) MUST_USE;
/* Drops the running task. Accepts NULL. */
void thinker_free(struct thinker *thinker);

/* Starts a task; call it only while the thinker is idle. Copies the task; the clock of
 * its limits, spent_ms, is the thinker's own and begins now. */
void thinker_start(struct thinker *thinker, const struct search_task *task);
bool thinker_is_busy(const struct thinker *thinker);

/* Ends the search with the best result so far: on_done follows within milliseconds. */
void thinker_stop(struct thinker *thinker);
/* Cancels the task: the thinker is idle at once and calls nothing. */
void thinker_cancel(struct thinker *thinker);

/* From the next task on, the thread gives way to everything else on this machine. */
void thinker_be_nice(struct thinker *thinker);

/* Prepares for another game, or another size of the table. Call it only while the
 * thinker is idle. */
void thinker_forget(struct thinker *thinker);
void thinker_set_table(struct thinker *thinker, size_t table_mb);

#endif
