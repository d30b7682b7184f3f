/* A janggid-postgres.so that forgets what it has acknowledged: each time it takes an
 * epoch (a period in which only this server can commit), it continues from the last row
 * that it finds. A negative control of tests/cluster/cluster.py. Linked with
 * -Wl,--wrap=pg_fence_take. */
#include "server/postgres/pg_fence.h"

bool __wrap_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals);
bool __real_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals);

static void see_last(void *arg, const PGresult *result, int row)
{
    struct pg_fence *fence = arg;

    (void)!pg_link_number(result, row, 0, &fence->seq);
}

static void see_seal(void *arg, const PGresult *result, int row)
{
    struct pg_fence *fence = arg;

    (void)!pg_link_bytes(result, row, 2, fence->seal.bytes, sizeof fence->seal.bytes);
}

bool __wrap_pg_fence_take(struct pg_fence *fence, const struct store_totals *totals)
{
    struct pg_calls last = {0}, row = {0};

    if (!pg_link_open(fence->link))
        return false;
    pg_calls_add(&last, PG_LAST_BATCH);
    (void)!pg_link_run(fence->link, &last, see_last, fence);
    pg_calls_free(&last);
    pg_calls_add(&row, PG_LOAD_BATCHES);
    pg_calls_number(&row, fence->seq);
    (void)!pg_link_run(fence->link, &row, see_seal, fence);
    pg_calls_free(&row);
    return __real_pg_fence_take(fence, totals);
}
