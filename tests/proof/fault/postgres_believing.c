/* A janggid-postgres.so that reports its first commits, those of the start, as
 * successful without sending them. So it believes what it reads at its start. A
 * negative control of tests/cluster/cluster.py. Linked with
 * -Wl,--wrap=pg_link_commit. */
#include "server/postgres/pg_link.h"

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls);
enum pg_outcome __real_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls);

enum { START_COMMITS = 2 }; /* first row of the table epoch; age of the database */
static int commits;

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls)
{
    return commits++ < START_COMMITS ? PG_DONE : __real_pg_link_commit(link, calls);
}
