/* Keeps in memory what the next transaction continues: the ends of the logs of running
 * games, the end of the audit log, and some other values. Each of them has a committed
 * and a tentative version, as in server/database/store_tail.h. But here all events are
 * in one table, so an event never moves to another table. */
#ifndef SERVER_POSTGRES_PG_TAIL_H
#define SERVER_POSTGRES_PG_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/database/store_seal.h"

struct pg_end {
    int64_t game;
    int events;             /* the number of the next event */
    struct store_seal link; /* the link of the last event: a digest of it and of the
                             * link before it */
    int kept_events;        /* `events` as of the last commit; 0: the game is new */
    struct store_seal kept_link;
    bool is_over, is_touched;
    struct pg_end *touched; /* next in the list of changed games */
    UT_hash_handle hh;
};

struct pg_totals {
    int64_t last_game; /* the highest number of a game, existing or deleted */
    int64_t age_ms;    /* the age of the database at the last event, in ms */
    struct {
        int64_t id; /* of the last act; 0: none */
        struct store_seal link;
    } act;
};

struct pg_tail {
    struct pg_end *by_game, *touched;
    struct pg_totals now, kept;
};

/* Returns the entry of a game, and marks it as changed. The caller then adds the event
 * `number` to the entry. number: the number of the game's next event. For a new game,
 * this number is 0, and the game gets a new entry. If the log of the game is damaged,
 * pass STORE_AFTER_DAMAGE: the event then gets the next number that is known to be
 * free, but never 0. Any other number is a bug of ours, and the function calls
 * log_die(). */
struct pg_end *pg_tail_change(struct pg_tail *tail, int64_t game, int number);
/* Adds a running game that was found on disk when the server started. */
void pg_tail_add(struct pg_tail *tail, int64_t game, int events,
                 const struct store_seal *link);
void pg_tail_commit(struct pg_tail *tail);
void pg_tail_rollback(struct pg_tail *tail);
void pg_tail_clear(struct pg_tail *tail);

#endif
