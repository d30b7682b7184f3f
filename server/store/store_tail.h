/* Puts writes into the rows of which they consist, for both engines, and keeps in memory
 * what the next transaction continues: the ends of the logs of running games, and some
 * totals. Each of them has a committed and a tentative version. */
#ifndef SERVER_STORE_STORE_TAIL_H
#define SERVER_STORE_STORE_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/store/store_engine.h"
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
        int64_t id; /* of the act that was put or read last; 0: none since the start */
        struct store_seal link;
    } act;
};

struct store_tail {
    struct store_end *by_game, *touched;
    struct store_totals now, kept;
};

/* Returns the entry of a running game, or NULL. */
struct store_end *store_tail_find(const struct store_tail *tail, int64_t game);

/* What an engine does with the rows of a write, in its open transaction. False: an outage. */
struct store_writer {
    bool has_running; /* the table game has a row of each running game, too */
    /* Inserts a row, or replaces the one with the same key. seal NULL: computes it. */
    bool (*put)(void *log, enum store_kind kind, const void *row,
                const struct store_seal *seal);
    bool (*drop)(void *log, enum store_kind kind, const void *row, int keys);
    bool (*prune)(void *log, struct store_pruning *pruning);
    /* Reads the seal of an act. Leaves *out as it is if there is no such act. */
    bool (*find_act)(void *log, int64_t id, struct store_seal *out);
};
/* Puts the rows of a write. Calls log_die() if the write is a bug of ours: an event of a
 * game must have its next number, or be STORE_AFTER_DAMAGE, which gets the next number that
 * is known to be free, but never 0. */
bool store_tail_put(struct store_tail *tail, struct store_sealer *sealer,
                    const struct store_writer *writer, void *log,
                    struct store_write *write) MUST_USE;
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
