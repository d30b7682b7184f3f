/* A janggid-postgres.so that does not send the first START_COMMITS commits to
 * PostgreSQL, but reports them as successful. The server needs these commits at its
 * start, before it trusts the data of the database: a successful commit shows that a
 * standby has this data. So this server trusts data that perhaps no standby has. A
 * negative control of tests/cluster/cluster_faults.py. Linked with
 * -Wl,--wrap=pg_link_commit. */
#include "server/postgres/pg_link.h"

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link, struct pg_calls *calls);
enum pg_outcome __real_pg_link_commit(struct pg_link *link, struct pg_calls *calls);

enum {
    START_COMMITS = 2
}; /* the commits of the first epoch row and of the database's
                             * age */
static int commits;

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link, struct pg_calls *calls)
{
    return commits++ < START_COMMITS ? PG_DONE : __real_pg_link_commit(link, calls);
}
