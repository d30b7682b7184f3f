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
 *     durable: after a crash PostgreSQL shows commits that no standby has.
 *
 * The witness of a node: the newest row of batch that it knows to be acknowledged, in the
 * file `witness` of its data directory. A log that lacks this row has lost data. The file
 * may be some seconds old. One thread writes it: that of the lease while the node is a
 * standby, and that of the store while it leads.
 *
 * The lease: the only row of the table lease. It names the leader, which is the node that
 * runs the games, and has its key. Each renewal changes its stamp, which is a time of the
 * database; nobody compares it with a clock. A node takes the lease when it has seen the
 * same stamp for three seconds of its own monotonic clock: the clocks of two primaries
 * can differ. The lease only decides how soon another node takes over; the table batch
 * protects the log. A change of the lease does not wait for a standby. So if a standby is
 * missing, the leader can still renew the lease and stays the leader. */
#ifndef SERVER_POSTGRES_PG_FENCE_H
#define SERVER_POSTGRES_PG_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/postgres/pg_link.h"
#include "server/store/store_engine.h"
#include "server/store/store_row.h"
#include "server/store/store_tail.h"

enum { PG_NODE_BYTES = 16 };

/* Which row of the table batch: its key, the run of a server that wrote it, its seal. */
struct pg_batch {
    int64_t seq; /* 0: none */
    unsigned char node[PG_NODE_BYTES];
    struct store_seal seal;
};

struct witness;

struct pg_fence {
    struct pg_link *link;
    struct witness *witness;
    struct pg_batch last;    /* our last row that is known to be stored; seq 0: we have
                              * not started. Its node is random; it identifies this run
                              * of this server */
    int64_t epoch;           /* seq of our last epoch row */
    bool is_open;            /* rows may be appended */
    bool is_lost;            /* another server has taken an epoch; we must not append
                              * any more rows */
    bool has_doubt;          /* a row was sent, but its outcome is unknown */
    struct store_seal doubt; /* seal of the row of unknown outcome */
    bool is_stored;          /* that row turned out to be stored, and the engine
                              * has not yet accepted its transaction */
};

/* Chooses a random node. */
void pg_fence_init(struct pg_fence *fence, struct pg_link *link);
void pg_fence_close(struct pg_fence *fence); /* closes the witness, not the link */

/* Reads the key of the last row, and its totals. The key is 0 when there is no row. False:
 * the connection is lost. Do not trust it before a commit of our own. */
bool pg_fence_find_last(struct pg_link *link, int64_t *seq,
                        struct store_totals *totals) MUST_USE;

/* Opens the witness, and takes the first epoch. Sets *totals to those in the last row of
 * the table batch. False after logging; errno is EBUSY when another server is starting,
 * EAGAIN when the primary cannot be used now, EINVAL when another version made the tables
 * or the witness cannot be used, and ESTALE when the log is behind the witness. */
bool pg_fence_start(struct pg_fence *fence, const struct store_place *place,
                    struct store_totals *totals) MUST_USE;
/* Takes a further epoch. False and is_lost: another server has taken over. If we notice
 * this early enough, we do not write a row, because our row would end the epoch of that
 * server. False and not is_lost: the primary cannot be reached, or is not safe; try
 * again. If the primary is not safe, we do not write a row either. Ends the process
 * with status 74 if the log lacks what we acknowledged. */
bool pg_fence_take(struct pg_fence *fence, const struct store_totals *totals) MUST_USE;

/* Appends the call that inserts the next row. games and numbers: lists of games, and of the
 * last event that each must have, as PostgreSQL's text of an array; NULL: none. */
void pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                  const struct store_totals *totals, const char *games,
                  const char *numbers, const struct store_seal *seal);
/* Call it when the row with that seal was inserted and committed. */
void pg_fence_advance(struct pg_fence *fence, const struct store_seal *seal);
/* Call it when it is unknown whether the row with that seal was committed. */
void pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal);
/* Checks the settings of the primary, so that an idle server notices when the primary is
 * lost or is no longer safe. False: it is. */
bool pg_fence_check(struct pg_fence *fence) MUST_USE;

/* --- The functions of struct store_engine --- */

struct pg_lease;
void *pg_lease_open(const struct store_place *place);
void pg_lease_close(void *lease); /* takes NULL */
bool pg_lease_look(void *lease, enum store_lease_wish wish, struct store_lease *out);

#endif
