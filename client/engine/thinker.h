/* Runs a search on a thread of its own, so that the loop does not wait. One task at a
 * time; results arrive by callbacks on the loop. */
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
/* Whatever it thinks about is dropped. Takes NULL. */
void thinker_free(struct thinker *thinker);

/* Only while it is idle. The task is copied; its limits' spent_ms is the thinker's own
 * clock, which begins now. */
void thinker_start(struct thinker *thinker, const struct search_task *task);
bool thinker_is_busy(const struct thinker *thinker);

/* What has been found till now is the answer: on_done follows within milliseconds. */
void thinker_stop(struct thinker *thinker);
/* Nothing is wanted any more: idle at once, and nothing is called. */
void thinker_cancel(struct thinker *thinker);

/* Only while it is idle: another game, another size of the table. */
void thinker_forget(struct thinker *thinker);
void thinker_set_table(struct thinker *thinker, size_t table_mb);

#endif
