/* A janggid-postgres.so that forgets what it has acknowledged: each time it takes an
 * epoch (a period in which only this server can commit), it continues from the last row
 * that it finds. A negative control of tests/cluster/cluster.py. Linked with
 * -Wl,--wrap=pg_fence_take. */
#include "server/postgres/pg_fence.h"

bool __wrap_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals);
bool __real_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals);

static void see_row(void *arg, const PGresult *row)
{
    struct pg_fence *fence = arg;

    (void)!pg_link_number(row, 0, &fence->last.seq);
    (void)!pg_link_bytes(row, 1, fence->last.seal.bytes, sizeof fence->last.seal.bytes);
}

bool __wrap_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals)
{
    if (!pg_link_open(fence->link))
        return false;
    (void)!pg_link_ask(fence->link,
                       "SELECT seq, seal FROM batch ORDER BY seq DESC LIMIT 1", NULL,
                       see_row, fence);
    return __real_pg_fence_take(fence, totals);
}
