/* See pairs.h. */
#include "server/seek/pairs.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/utf8.h"

enum { PAIR_BYTES = 2 * NAME_BYTES };

/* The table keeps the order in which pairs were added: the first pair expires first. */
struct pair {
    char names[PAIR_BYTES]; /* "ONE OTHER" */
    int64_t until_ms;
    UT_hash_handle hh;
};

struct pairs {
    struct pair *first;
    int64_t keep_ms;
};

struct pairs *pairs_new(int64_t keep_ms)
{
    struct pairs *pairs = mem_new(sizeof *pairs);

    pairs->keep_ms = keep_ms;
    return pairs;
}

static void forget(struct pairs *pairs, struct pair *pair)
{
    HASH_DEL(pairs->first, pair);
    free(pair);
}

void pairs_free(struct pairs *pairs)
{
    if (pairs == NULL)
        return;
    while (pairs->first != NULL)
        forget(pairs, pairs->first);
    free(pairs);
}

static struct pair *find(const struct pairs *pairs, const char *one, const char *other)
{
    char names[PAIR_BYTES];
    struct pair *pair;

    snprintf(names, sizeof names, "%s %s", one, other);
    HASH_FIND_STR(pairs->first, names, pair);
    return pair;
}

void pairs_drop(struct pairs *pairs, const char *one, const char *other)
{
    struct pair *pair = find(pairs, one, other);

    if (pair != NULL)
        forget(pairs, pair);
}

void pairs_add(struct pairs *pairs, const char *one, const char *other, int64_t now_ms)
{
    struct pair *pair;

    pairs_drop(pairs, one, other);
    while (pairs->first != NULL &&
           (pairs->first->until_ms <= now_ms || HASH_COUNT(pairs->first) >= PAIRS_MAX))
        forget(pairs, pairs->first);
    pair = mem_new(sizeof *pair);
    snprintf(pair->names, sizeof pair->names, "%s %s", one, other);
    pair->until_ms = now_ms + pairs->keep_ms;
    HASH_ADD_STR(pairs->first, names, pair);
}

int64_t pairs_left_ms(const struct pairs *pairs, const char *one, const char *other,
                      int64_t now_ms)
{
    const struct pair *pair = find(pairs, one, other);

    return pair != NULL && pair->until_ms > now_ms ? pair->until_ms - now_ms : 0;
}
