/* The log of one evening on disk: a mark of the server for each event, with the number of
 * the evening and of the event as its subject. Each event has a link that continues the
 * one before it, so that no event can be changed, moved, or removed from the middle
 * without a mismatch. */
#ifndef SERVER_EVENING_EVENING_LOG_H
#define SERVER_EVENING_EVENING_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/evening/evening.h"
#include "server/database/store_seal.h"
#include "server/store/store.h"

/* One event as it was written. */
struct evening_line {
    int64_t wall_s;
    char *text;
};

/* All zero except `id`: a log without events. */
struct evening_log {
    int64_t id;
    struct evening evening;    /* after all events: decides what may happen next */
    struct evening shown;      /* after the events on disk: what people see */
    struct evening_line *line; /* one for each of evening.events */
    struct store_seal link;    /* of the last event */
};
/* Frees what the log has allocated. */
void evening_log_clear(struct evening_log *log);

/* The number of the evening to which a mark belongs; 0: the mark is of another kind. */
int64_t evening_log_of(const struct store_mark *mark);
/* Folds the next event, which is on disk. NULL: good; else what is wrong, in words. */
const char *evening_log_take(struct evening_log *log, struct store_sealer *sealer,
                             const struct store_mark *mark);

/* Applies an event and queues it for the store; `done` is called as in store.h. False:
 * the event does not fit the evening, and nothing is written. */
bool evening_log_append(struct evening_log *log, struct store_sealer *sealer,
                        struct store *store, int64_t wall_s, const char *text,
                        store_done_fn *done, void *arg) MUST_USE;
/* Call it when an appended event is on disk, in the order of the events: shows it. */
void evening_log_show(struct evening_log *log);

/* Removes a log from the disk. */
void evening_log_drop(const struct evening_log *log, struct store *store);

/* Checks the evenings of a database file: call evening_log_audit() for each mark in
 * order, and with `mark` NULL at the end. NULL: good; else what is wrong with the
 * evening whose number is log.id. At first all members are zero except `sealer`. */
struct evening_audit {
    struct store_sealer *sealer;
    struct evening_log log;
    bool is_damaged; /* the rest of this log is not read */
    int evenings, events;
};
const char *evening_log_audit(struct evening_audit *audit,
                              const struct store_mark *mark);

#endif
