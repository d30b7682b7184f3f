/* See refusals.h. */
#include "server/lobby/refusals.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/utf8.h"

enum { PAIR_BYTES = 2 * NAME_BYTES };

/* The table keeps the order in which they were added: the first expires first. */
struct refusal {
    char pair[PAIR_BYTES]; /* "MAKER TARGET" */
    int64_t until_ms;
    UT_hash_handle hh;
};

struct refusals {
    struct refusal *first;
};

struct refusals *refusals_new(void)
{
    return mem_new(sizeof(struct refusals));
}

static void forget(struct refusals *refusals, struct refusal *refusal)
{
    HASH_DEL(refusals->first, refusal);
    free(refusal);
}

void refusals_free(struct refusals *refusals)
{
    if (refusals == NULL)
        return;
    while (refusals->first != NULL)
        forget(refusals, refusals->first);
    free(refusals);
}

static struct refusal *find(const struct refusals *refusals, const char *maker,
                            const char *target)
{
    char pair[PAIR_BYTES];
    struct refusal *refusal;

    snprintf(pair, sizeof pair, "%s %s", maker, target);
    HASH_FIND_STR(refusals->first, pair, refusal);
    return refusal;
}

void refusals_drop(struct refusals *refusals, const char *maker, const char *target)
{
    struct refusal *refusal = find(refusals, maker, target);

    if (refusal != NULL)
        forget(refusals, refusal);
}

void refusals_add(struct refusals *refusals, const char *maker, const char *target,
                  int64_t now_ms)
{
    struct refusal *refusal;

    refusals_drop(refusals, maker, target);
    while (refusals->first != NULL && (refusals->first->until_ms <= now_ms ||
                                       HASH_COUNT(refusals->first) >= REFUSALS_MAX))
        forget(refusals, refusals->first);
    refusal = mem_new(sizeof *refusal);
    snprintf(refusal->pair, sizeof refusal->pair, "%s %s", maker, target);
    refusal->until_ms = now_ms + REFUSAL_MS;
    HASH_ADD_STR(refusals->first, pair, refusal);
}

int64_t refusals_left_ms(const struct refusals *refusals, const char *maker,
                         const char *target, int64_t now_ms)
{
    const struct refusal *refusal = find(refusals, maker, target);

    return refusal != NULL && refusal->until_ms > now_ms ? refusal->until_ms - now_ms
                                                         : 0;
}
