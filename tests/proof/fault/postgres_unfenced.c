/* A janggid-postgres.so whose commits are not fenced. Each commit inserts a row in the
 * table batch. This library makes the key of its rows so large that another server
 * cannot have a row with the same key. A negative control of tests/cluster/cluster.py.
 * Linked with -Wl,--wrap=pg_fence_add. */
#include "server/postgres/pg_fence.h"

void __wrap_pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                         const struct store_totals *totals, const char *games,
                         const char *numbers, const struct store_seal *seal);
void __real_pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                         const struct store_totals *totals, const char *games,
                         const char *numbers, const struct store_seal *seal);

void __wrap_pg_fence_add(const struct pg_fence *fence, struct pg_calls *calls,
                         const struct store_totals *totals, const char *games,
                         const char *numbers, const struct store_seal *seal)
{
    struct pg_fence far = *fence;

    far.last.seq += INT64_C(1) << 40;
    __real_pg_fence_add(&far, calls, totals, games, numbers, seal);
}
