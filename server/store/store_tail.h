/* Keeps in memory what the next transaction continues: the ends of the logs of running
 * games, and some totals. Each of them has a committed and a tentative version. Both
 * engines use it. */
#ifndef SERVER_STORE_STORE_TAIL_H
#define SERVER_STORE_STORE_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/store/store_row.h"

struct store_end {
    int64_t game;
    int events;             /* the number of the next event */
    struct store_seal link; /* the link of the last event: a digest of it and of the
                             * link before it */
    int64_t first_seq;      /* SQLite: no row of the game in the journal is before it */
    int kept_events;        /* `events` as of the last commit; 0: the game is new */
    struct store_seal kept_link;
    bool is_over, is_touched;
    struct store_end *touched; /* next in the list of changed games */
    UT_hash_handle hh;
};

struct store_totals {
    int64_t last_game; /* the highest number of a game, existing or deleted */
    int64_t age_ms;    /* the age of the database at the last event, in ms */
    int64_t last_seq;  /* SQLite: of the last row of the journal */
    int64_t live;      /* SQLite: number of events of running games */
    int64_t games;     /* SQLite: number of ended games */
    struct {
        int64_t id; /* PostgreSQL: of the act that was put last; 0: none */
        struct store_seal link;
    } act;
};

struct store_tail {
    struct store_end *by_game, *touched;
    struct store_totals now, kept;
};

/* Returns the entry of a running game, or NULL. */
struct store_end *store_tail_find(const struct store_tail *tail, int64_t game);
/* Returns the entry of a game, and marks it as changed. The caller then adds the event
 * `number` to the entry. number: the number of the game's next event. For a new game,
 * this number is 0, and the game gets a new entry. If the log of the game is damaged,
 * pass STORE_AFTER_DAMAGE: the event then gets the next number that is known to be
 * free, but never 0. Any other number is a bug of ours, and the function calls
 * log_die(). */
struct store_end *store_tail_change(struct store_tail *tail, int64_t game, int number);
/* Adds a running game that was found on disk when the server started. */
struct store_end *store_tail_add(struct store_tail *tail, int64_t game, int events,
                                 const struct store_seal *link);
/* SQLite: returns how many rows of ended games an idle store leaves in the journal,
 * besides as many as running games have. Proofs replace it. */
int store_tail_kept_rows(void);
void store_tail_commit(struct store_tail *tail);
void store_tail_rollback(struct store_tail *tail);
void store_tail_clear(struct store_tail *tail);

#endif
