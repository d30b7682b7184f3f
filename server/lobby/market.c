/* See market.h. */
#include "server/lobby/market.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/lobby/lobby.h"

enum { WISHES = SIDE_NONE + 1 }; /* red, blue, either */
static_assert(SIDES == 2 && SIDE_NONE == 2, "a list for each side and for either");

/* The open seeks of the same rules and time. */
struct pool {
    char terms[TERMS_BYTES]; /* with either side */
    struct seek *by_wish[WISHES];
    int count;
    UT_hash_handle hh;
};

struct market {
    struct pool *pools;
    struct seek *open;
    int count;
};

struct market *market_new(void)
{
    return mem_new(sizeof(struct market));
}

void market_free(struct market *market)
{
    if (market == NULL)
        return;
    assert(market->pools == NULL);
    free(market);
}

static struct pool *find_pool(const struct market *market, const struct terms *terms,
                              char key[TERMS_BYTES])
{
    struct terms either = *terms;
    struct pool *pool;

    either.side = SIDE_NONE;
    terms_format(key, &either);
    HASH_FIND_STR(market->pools, key, pool);
    return pool;
}

static struct pool *get_pool(struct market *market, const struct terms *terms)
{
    char key[TERMS_BYTES];
    struct pool *pool = find_pool(market, terms, key);

    if (pool != NULL)
        return pool;
    pool = mem_new(sizeof *pool);
    text_copy(pool->terms, sizeof pool->terms, key);
    HASH_ADD_STR(market->pools, terms, pool);
    return pool;
}

void market_add(struct market *market, struct seek *seek)
{
    struct pool *pool = get_pool(market, &seek->terms);

    DL_APPEND2(pool->by_wish[seek->terms.side], seek, pool_prev, pool_next);
    pool->count++;
    DL_APPEND2(market->open, seek, open_prev, open_next);
    market->count++;
}

void market_remove(struct market *market, struct seek *seek)
{
    struct pool *pool = get_pool(market, &seek->terms);

    DL_DELETE2(pool->by_wish[seek->terms.side], seek, pool_prev, pool_next);
    DL_DELETE2(market->open, seek, open_prev, open_next);
    market->count--;
    if (--pool->count > 0)
        return;
    HASH_DEL(market->pools, pool);
    free(pool);
}

struct seek *market_first(const struct market *market)
{
    return market->open;
}

int market_count(const struct market *market)
{
    return market->count;
}

/* The oldest in the list that another player made. */
static struct seek *first_of_others(struct seek *list, const struct account *me)
{
    while (list != NULL && list->maker == me)
        list = list->pool_next;
    return list;
}

struct seek *market_find_fit(const struct market *market, const struct seek *mine)
{
    char key[TERMS_BYTES];
    struct pool *pool = find_pool(market, &mine->terms, key);
    struct seek *best = NULL;

    for (int wish = 0; pool != NULL && wish < WISHES; wish++) {
        struct seek *seek = first_of_others(pool->by_wish[wish], mine->maker);
        struct terms both;

        if (seek != NULL && terms_meet(&seek->terms, &mine->terms, &both) &&
            (best == NULL || seek->id < best->id))
            best = seek;
    }
    return best;
}
