/* The ends of the logs of running games, of the audit log, and other values that the next
 * transaction continues. Memory only. Each has a committed and a tentative version, as in
 * server/database/store_tail.h; here every event is in one table, so nothing is
 * parked. */
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
    struct store_seal link; /* of the last event */
    int kept_events;        /* as of the last commit; 0: the game is new */
    struct store_seal kept_link;
    bool is_over, is_touched;
    struct pg_end *touched; /* the next one that was changed */
    UT_hash_handle hh;
};

struct pg_totals {
    int64_t last_game; /* the highest number of a game, existing or deleted */
    int64_t age_ms;    /* of the last event */
    struct {
        int64_t id; /* of the last act; 0: none */
        struct store_seal link;
    } act;
};

struct pg_tail {
    struct pg_end *by_game, *touched;
    struct pg_totals now, kept;
};

/* The entry of a game whose next event has that number; a new entry for number 0.
 * STORE_AFTER_DAMAGE stands for any number except 0. The entry counts as changed. Any
 * other number is a bug of ours. */
struct pg_end *pg_tail_change(struct pg_tail *tail, int64_t game, int number);
/* Adds a running game on disk, at start. */
void pg_tail_add(struct pg_tail *tail, int64_t game, int events,
                 const struct store_seal *link);
void pg_tail_commit(struct pg_tail *tail);
void pg_tail_rollback(struct pg_tail *tail);
void pg_tail_clear(struct pg_tail *tail);

#endif
