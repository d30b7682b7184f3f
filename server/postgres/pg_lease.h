/* The lease: the only row of the table lease. It says which node is the house, that is,
 * runs the games, and until when, by the clock of the database. It only decides how
 * soon another node takes over; the log is protected by the table batch (pg_fence.h). A
 * change of the lease does not wait for a standby, so a missing standby does not make
 * another node the house.
 *
 * The functions are those of struct store_engine. */
#ifndef SERVER_POSTGRES_PG_LEASE_H
#define SERVER_POSTGRES_PG_LEASE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"

void *pg_lease_open(const struct store_place *place);
void pg_lease_close(void *lease); /* takes NULL */
bool pg_lease_look(void *lease, enum store_lease_wish wish, struct store_lease *out);

#endif
