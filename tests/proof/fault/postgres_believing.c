/* A janggid-postgres.so that believes what it reads at its start: the commits of the
 * start succeed without being sent. A negative control of tests/cluster/cluster.py.
 * Linked with -Wl,--wrap=pg_link_commit. */
#include "server/postgres/pg_link.h"

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls);
enum pg_outcome __real_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls);

enum { START_COMMITS = 2 }; /* the first epoch row, and the age */
static int commits;

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link,
                                      const struct pg_calls *calls)
{
    return commits++ < START_COMMITS ? PG_DONE : __real_pg_link_commit(link, calls);
}
