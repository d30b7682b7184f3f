/* The fence: the table batch, which has a row for each commit, without gaps in its key.
 * Each commit inserts the next row, so two servers cannot both continue the log: the
 * second one finds the key taken, and nothing of its commit is stored.
 *
 * Taking an epoch means to insert a row of our own at the next key. It is done at the
 * start and after each commit of unknown outcome. If a connection of another writer
 * holds the key, and has sent only half of its commit, we end this connection. As soon
 * as the epoch is ours:
 *   - a commit that is still on its way from an older connection cannot succeed,
 *     because its key is taken;
 *   - the rows before our row tell whether the batch of unknown outcome is stored;
 *   - all rows that can be read are durable. Before that, a row may be visible but not
 *     durable: after a crash PostgreSQL shows commits that no standby has. */
#ifndef SERVER_POSTGRES_PG_FENCE_H
#define SERVER_POSTGRES_PG_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/postgres/pg_link.h"
#include "server/postgres/pg_witness.h"
#include "server/store/store_row.h"
#include "server/store/store_tail.h"

/* Games, and for each the number of the last event that it must have. */
struct pg_listed {
    struct pg_array games, numbers;
};

struct pg_fence {
    struct pg_link *link;
    struct pg_witness *witness;        /* NULL: the rows are not noted */
    unsigned char node[PG_NODE_BYTES]; /* random; identifies this run of this server */
    int64_t seq;                       /* key of our last row that is known to be
                                        * stored; 0: we have not started */
    struct store_seal seal;            /* seal of the row with key `seq` */
    int64_t epoch;                     /* seq of our last epoch row */
    bool is_open;                      /* rows may be appended */
    bool is_lost;            /* another server has taken an epoch; we must not append
                              * any more rows */
    bool has_doubt;          /* a row was sent, but its outcome is unknown */
    struct store_seal doubt; /* seal of the row of unknown outcome */
    bool is_stored;          /* that row turned out to be stored, and the engine
                              * has not yet accepted its transaction */
};

/* Chooses a random `node`. */
void pg_fence_init(struct pg_fence *fence, struct pg_link *link);

/* Takes the first epoch. Sets *tally to the totals in the last row of the table batch.
 * False after logging; errno is EBUSY when another server is starting, EAGAIN when the
 * primary cannot be used now, EINVAL when another version made the tables, and ESTALE when
 * the log is behind the witness. */
bool pg_fence_start(struct pg_fence *fence, struct store_tally *tally) MUST_USE;
/* Takes a further epoch. False and is_lost: another server has taken over. If we notice
 * this early enough, we do not write a row, because our row would end the epoch of that
 * server. False and not is_lost: the primary cannot be reached, or is not safe; try
 * again. If the primary is not safe, we do not write a row either. Ends the process
 * with status 74 if the log lacks what we acknowledged. */
bool pg_fence_take(struct pg_fence *fence, const struct store_totals *totals) MUST_USE;

/* Appends the call that inserts the next row. listed may be NULL. */
void pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                  const struct store_totals *totals, const struct pg_listed *listed,
                  const struct store_seal *seal);
/* Call it when the row with that seal was inserted and committed. */
void pg_fence_advance(struct pg_fence *fence, const struct store_seal *seal);
/* Call it when it is unknown whether the row with that seal was committed. */
void pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal);

#endif
