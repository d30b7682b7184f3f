/* The witness of a node: the newest row of batch that it knows to be acknowledged, in the
 * file `witness` of its data directory. A log that lacks this row has lost data. The file
 * may be some seconds old. One thread writes it: that of the lease while the node is a
 * standby, and that of the store while it leads. */
#ifndef SERVER_POSTGRES_PG_WITNESS_H
#define SERVER_POSTGRES_PG_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/postgres/pg_link.h"
#include "server/store/store_data.h"
#include "server/store/store_row.h"

enum { PG_NODE_BYTES = 16 };

struct pg_witness;

/* Reads the file, or makes it. NULL after logging; errno is EINVAL. */
struct pg_witness *pg_witness_open(const struct store_place *place);
void pg_witness_close(struct pg_witness *witness); /* takes NULL */

/* Notes an acknowledged row of batch. is_now: it is written at once; otherwise at most once
 * in a second. */
void pg_witness_note(struct pg_witness *witness, int64_t seq,
                     const unsigned char node[PG_NODE_BYTES],
                     const struct store_seal *seal, bool is_now);

/* Adds the row that was noted last in this process as parameters of PG_LEASE_RENEW. */
void pg_witness_tell(struct pg_calls *calls);

/* Compares the log with the witness, and sets *is_behind if the log lacks that row, which is
 * logged, and noted for `ctl health`; never with --accept-loss. A witness that the log has
 * advances to the row that the leader tells with the lease. False:
 * the connection is lost. */
bool pg_witness_compare(struct pg_witness *witness, struct pg_link *link,
                        bool *is_behind) MUST_USE;

#endif
