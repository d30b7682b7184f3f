/* See market.h. */
#include "server/seek/market.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/room/peace.h"
#include "server/seek/seeks.h"
#include "server/seek/wish.h"

enum {
    SEEKERS = SIDE_NONE + 1,
    LISTS
}; /* Each pool has these lists: the seeks that want Red, the seeks that want Blue, the
    * seeks that want either side, and the seeks of waiting players. */
enum { WAITING = SEEKERS };
static_assert(SIDES == 2 && SIDE_NONE == 2, "a list for each side and for either");

/* A seek in one pool. */
struct listing {
    struct seek *seek;
    struct pool *pool;
    struct listing *prev, *next;
};

/* The open seeks of the same rules and time. */
struct pool {
    char *terms; /* as text, with side=any */
    struct listing *list[LISTS];
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
    pool->terms = mem_copy_text(key);
    HASH_ADD_KEYPTR(hh, market->pools, pool->terms, strlen(pool->terms), pool);
    return pool;
}

static int list_of(const struct seek *seek)
{
    return seek->wish != NULL ? WAITING : (int)seek->terms.side;
}

static void list_under(struct market *market, struct seek *seek,
                       const struct terms *terms)
{
    struct listing *listing = &seek->listings[seek->listing_count++];

    *listing = (struct listing){.seek = seek, .pool = get_pool(market, terms)};
    DL_APPEND(listing->pool->list[list_of(seek)], listing);
    listing->pool->count++;
}

void market_add(struct market *market, struct seek *seek)
{
    const struct wish *wish = seek->wish;
    int count = wish != NULL ? wish->times * wish->rulesets : 1;

    seek->listings = mem_resize(NULL, (size_t)count, sizeof *seek->listings);
    seek->listing_count = 0;
    if (wish == NULL)
        list_under(market, seek, &seek->terms);
    for (int i = 0; i < count && wish != NULL; i++) {
        struct terms terms = wish_terms(wish, i / wish->rulesets, i % wish->rulesets);

        list_under(market, seek, &terms);
    }
    DL_APPEND2(market->open, seek, open_prev, open_next);
    market->count++;
}

static void leave_pool(struct market *market, struct listing *listing)
{
    struct pool *pool = listing->pool;

    DL_DELETE(pool->list[list_of(listing->seek)], listing);
    if (--pool->count > 0)
        return;
    HASH_DEL(market->pools, pool);
    free(pool->terms);
    free(pool);
}

void market_remove(struct market *market, struct seek *seek)
{
    for (int i = 0; i < seek->listing_count; i++)
        leave_pool(market, &seek->listings[i]);
    free(seek->listings);
    seek->listings = NULL;
    seek->listing_count = 0;
    DL_DELETE2(market->open, seek, open_prev, open_next);
    market->count--;
}

struct seek *market_first(const struct market *market)
{
    return market->open;
}

struct seek *market_last(const struct market *market)
{
    return market->open != NULL ? market->open->open_prev : NULL;
}

/* Does not follow open_prev of the first seek, which points to the last one. */
struct seek *market_before(const struct market *market, const struct seek *seek)
{
    return seek != market->open ? seek->open_prev : NULL;
}

int market_count(const struct market *market)
{
    return market->count;
}

/* Returns the oldest seek in the list that the player `me` may accept. */
static struct seek *first_for(const struct listing *list, const struct account *me,
                              const struct marks *marks)
{
    for (int i = 0; i < MARKET_LOOKS_MAX && list != NULL; i++, list = list->next)
        if (list->seek->maker != me && !peace_keeps_apart(marks, me, list->seek->maker))
            return list->seek;
    return NULL;
}

struct seek *market_find_fit(const struct market *market, const struct seek *mine,
                             const struct marks *marks)
{
    char key[TERMS_BYTES];
    struct pool *pool = find_pool(market, &mine->terms, key);
    struct seek *best = NULL;

    for (int side = 0; pool != NULL && side < SEEKERS; side++) {
        struct seek *seek = first_for(pool->list[side], mine->maker, marks);
        struct terms both;

        if (seek != NULL && terms_meet(&seek->terms, &mine->terms, &both) &&
            (best == NULL || seek->id < best->id))
            best = seek;
    }
    return best;
}

/* --- Who suits --- */

/* A search for an opponent, and the best seek so far. */
struct look {
    market_judge_fn *judge;
    void *arg;
    int left; /* how many more seeks may be examined */
    struct seek *best;
    enum suit suit; /* how well the maker of `best` suits */
    int distance;   /* the distance that `judge` has set for `best` */
};

static bool is_better(const struct look *look, const struct seek *seek, enum suit suit,
                      int distance)
{
    if (suit != look->suit)
        return suit > look->suit;
    if (suit == SUIT_NOT)
        return false;
    return distance != look->distance ? distance < look->distance
                                      : seek->id < look->best->id;
}

/* Searches a list, in which the oldest seek is first. So the search can stop at the
 * first seek that suits well and has distance 0. */
static void look_in(struct look *look, const struct listing *list)
{
    bool is_best = false;

    for (; list != NULL && look->left > 0 && !is_best; list = list->next) {
        int distance = 0;
        enum suit suit = look->judge(look->arg, list->seek, &distance);

        look->left--;
        is_best = suit == SUIT_WELL && distance == 0;
        if (is_better(look, list->seek, suit, distance)) {
            look->best = list->seek;
            look->suit = suit;
            look->distance = distance;
        }
    }
}

struct seek *market_find_match(const struct market *market, const struct wish *wish,
                               market_judge_fn *judge, void *arg)
{
    struct look look = {.judge = judge, .arg = arg, .left = MARKET_LOOKS_MAX};
    char key[TERMS_BYTES];

    for (int i = 0; i < wish->times * wish->rulesets; i++) {
        struct terms terms = wish_terms(wish, i / wish->rulesets, i % wish->rulesets);
        const struct pool *pool = find_pool(market, &terms, key);

        for (int list = 0; pool != NULL && list < LISTS; list++)
            look_in(&look, pool->list[list]);
    }
    return look.best;
}

struct seek *market_find_waiting(const struct market *market, const struct terms *terms,
                                 market_judge_fn *judge, void *arg)
{
    struct look look = {.judge = judge, .arg = arg, .left = MARKET_LOOKS_MAX};
    char key[TERMS_BYTES];
    const struct pool *pool = find_pool(market, terms, key);

    if (pool != NULL)
        look_in(&look, pool->list[WAITING]);
    return look.best;
}
