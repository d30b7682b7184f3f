/* The lease: the only row of the table lease. The row names the leader, which is the
 * node that runs the games. Each renewal changes its stamp, which is a time of the
 * database; nobody compares it with a clock. A node takes the lease when it has seen the
 * same stamp for three seconds of its own monotonic clock: the clocks of two primaries
 * can differ. The row also has the key of the leader. The lease only decides how soon another node takes over; the table
 * batch protects the log (pg_fence.h). A change of the lease does not wait for a
 * standby. So if a standby is missing, the leader can still renew the lease and stays
 * the leader.
 *
 * The functions are those of struct store_engine. */
#ifndef SERVER_POSTGRES_PG_LEASE_H
#define SERVER_POSTGRES_PG_LEASE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_engine.h"

void *pg_lease_open(const struct store_place *place);
void pg_lease_close(void *lease); /* takes NULL */
bool pg_lease_look(void *lease, enum store_lease_wish wish, struct store_lease *out);

#endif
