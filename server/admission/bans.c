/* See bans.h. */
#include "server/admission/bans.h"

#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/table.h"

enum { LENGTHS = 129 };

struct ban {
    struct prefix network;
    int64_t until_ms;
    UT_hash_handle hh;
};

struct bans {
    struct ban *by_network;
    int of_length[LENGTHS]; /* how many bans, by the length of their prefix */
};

struct bans *bans_new(void)
{
    return mem_new(sizeof(struct bans));
}

static struct ban *find(const struct bans *bans, const struct prefix *network)
{
    struct ban *ban;

    HASH_FIND(hh, bans->by_network, network, sizeof *network, ban);
    return ban;
}

void bans_set(struct bans *bans, const struct prefix *network, int64_t until_ms)
{
    struct ban *ban = find(bans, network);

    if (ban == NULL) {
        ban = mem_new(sizeof *ban);
        ban->network = *network;
        bans->of_length[network->bits]++;
        HASH_ADD(hh, bans->by_network, network, sizeof ban->network, ban);
    }
    ban->until_ms = until_ms;
}

static void lift(struct bans *bans, struct ban *ban)
{
    bans->of_length[ban->network.bits]--;
    HASH_DEL(bans->by_network, ban);
    free(ban);
}

bool bans_remove(struct bans *bans, const struct prefix *network)
{
    struct ban *ban = find(bans, network);

    if (ban == NULL)
        return false;
    lift(bans, ban);
    return true;
}

void bans_free(struct bans *bans)
{
    if (bans == NULL)
        return;
    while (bans->by_network != NULL)
        lift(bans, bans->by_network);
    free(bans);
}

bool bans_has(struct bans *bans, const struct prefix *from, int64_t now_ms)
{
    for (int bits = 0; bits <= from->bits && bans->by_network != NULL; bits++) {
        struct prefix network = prefix_cut(*from, bits);
        struct ban *ban;

        if (bans->of_length[bits] == 0)
            continue;
        ban = find(bans, &network);
        if (ban != NULL && ban->until_ms > now_ms)
            return true;
        if (ban != NULL)
            lift(bans, ban);
    }
    return false;
}

int bans_count(const struct bans *bans)
{
    return (int)HASH_COUNT(bans->by_network);
}
