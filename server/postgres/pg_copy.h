/* Copies all rows of the tables of server/store/store_data.h out of the database, or
 * into an empty one: copy_out() and copy_in() of server/store/store_engine.h. */
#ifndef SERVER_POSTGRES_PG_COPY_H
#define SERVER_POSTGRES_PG_COPY_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_engine.h"

/* Reads one snapshot of all tables. Succeeds only if a later commit on the same
 * connection has returned, because that commit shows that all rows of the snapshot are
 * durable. */
bool pg_copy_out(const struct store_place *place, struct store_tally *tally,
                 store_copy_fn *row, store_end_fn *end, void *arg) MUST_USE;
/* Writes everything in one transaction. The transaction locks the table batch, and
 * inserts the first row of this table. So a server cannot start on this database before
 * the copy has ended. A server that starts after the copy finds the copied log. */
bool pg_copy_in(const struct store_place *place, const struct store_tally *tally,
                store_next_fn *next, void *arg) MUST_USE;

#endif
