/* The log of one evening on disk. Each event is a mark (struct store_mark) that belongs
 * to the server. Its subject has the numbers of the evening and of the event. Each
 * event has a link, which is a seal over the event and the link of the event before. A
 * link does not match if an event was changed, moved, or removed from the middle. */
#ifndef SERVER_EVENING_EVENING_LOG_H
#define SERVER_EVENING_EVENING_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/evening/evening.h"
#include "server/store/store.h"
#include "server/store/store_row.h"

/* One event as it was written. */
struct evening_line {
    int64_t wall_s;
    char *text;
};

/* All zero except `id`: a log without events. */
struct evening_log {
    int64_t id;
    struct evening evening;    /* the state after all events */
    struct evening_line *line; /* array of all events as they were written;
                                * evening.events is their number */
    struct store_seal link;    /* the link of the last event */
};
/* Frees what the log has allocated. */
void evening_log_clear(struct evening_log *log);

/* Returns the number of the evening to which the mark belongs, or 0 if the mark is of
 * another kind. */
int64_t evening_log_of(const struct store_mark *mark);
/* Applies the next event, which was read from disk, to the log. Returns NULL, or what
 * is wrong with the event, in words. */
const char *evening_log_take(struct evening_log *log, struct store_sealer *sealer,
                             const struct store_mark *mark);

/* Applies an event and queues it for the store. Returns false if the event does not fit
 * the evening; then nothing is written. */
bool evening_log_append(struct evening_log *log, struct store_sealer *sealer,
                        struct store *store, int64_t wall_s, const char *text) MUST_USE;
/* Removes a log from the disk. */
void evening_log_drop(const struct evening_log *log, struct store *store);

/* The state of a check of all evenings in a database file. At first all members are
 * zero except `sealer`. Call evening_log_audit() for each mark in order, and at the end
 * with `mark` NULL. It returns NULL, or what is wrong with the evening whose number is
 * log.id. */
struct evening_audit {
    struct store_sealer *sealer;
    struct evening_log log;
    bool is_damaged; /* `log` is damaged, and the rest of it is skipped */
    int evenings, events;
};
const char *evening_log_audit(struct evening_audit *audit,
                              const struct store_mark *mark);

#endif
