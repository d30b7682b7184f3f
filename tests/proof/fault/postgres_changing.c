/* A janggid-postgres.so that notes a wrong seal for a batch of unknown outcome. So if
 * the batch was stored after all, its row is not recognised. A negative control of
 * tests/cluster/cluster.py. Linked with -Wl,--wrap=pg_fence_doubt. */
#include "server/postgres/pg_fence.h"

void __wrap_pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal);
void __real_pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal);

void __wrap_pg_fence_doubt(struct pg_fence *fence, const struct store_seal *seal)
{
    struct store_seal other = *seal;

    other.bytes[0] ^= 1;
    __real_pg_fence_doubt(fence, &other);
}
