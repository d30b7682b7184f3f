/* See tt.h. Four entries share a cache line; a key may be in any of them. */
#include "client/engine/tt.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"

struct entry {
    uint64_t key;
    int16_t score;
    int8_t from, to;
    uint8_t depth;
    uint8_t bound;
    uint16_t age;
};

enum { ENTRIES = 4, MEGABYTE = 1 << 20 };
struct bucket {
    struct entry entry[ENTRIES];
};

struct tt {
    struct bucket *bucket;
    uint64_t mask; /* of a key, to its bucket */
    uint16_t age;
};

struct tt *tt_new(size_t mb)
{
    struct tt *tt = mem_new(sizeof *tt);
    size_t buckets = 1;

    while (buckets * 2 * sizeof(struct bucket) <= mb * MEGABYTE)
        buckets *= 2;
    tt->bucket = mem_new(buckets * sizeof *tt->bucket);
    tt->mask = buckets - 1;
    return tt;
}

void tt_free(struct tt *tt)
{
    if (tt == NULL)
        return;
    free(tt->bucket);
    free(tt);
}

void tt_clear(struct tt *tt)
{
    memset(tt->bucket, 0, (tt->mask + 1) * sizeof *tt->bucket);
    tt->age = 0;
}

void tt_new_search(struct tt *tt)
{
    tt->age++;
}

static struct entry *find(const struct tt *tt, uint64_t key)
{
    struct bucket *bucket = &tt->bucket[key & tt->mask];

    for (int i = 0; i < ENTRIES; i++)
        if (bucket->entry[i].key == key && bucket->entry[i].bound != BOUND_NONE)
            return &bucket->entry[i];
    return NULL;
}

bool tt_probe(const struct tt *tt, uint64_t key, struct tt_data *out)
{
    const struct entry *entry = find(tt, key);

    if (entry == NULL)
        return false;
    out->move = (struct move){entry->from, entry->to};
    out->score = entry->score;
    out->depth = entry->depth;
    out->bound = (enum bound)entry->bound;
    return true;
}

/* Replacement priority: depth, less 4 for each search since the entry was stored. */
static int priority(const struct tt *tt, const struct entry *entry)
{
    int searches = (uint16_t)(tt->age - entry->age);

    return entry->bound == BOUND_NONE ? -1000 : entry->depth - 4 * searches;
}

static struct entry *find_victim(const struct tt *tt, uint64_t key)
{
    struct bucket *bucket = &tt->bucket[key & tt->mask];
    struct entry *victim = &bucket->entry[0];

    for (int i = 1; i < ENTRIES; i++)
        if (priority(tt, &bucket->entry[i]) < priority(tt, victim))
            victim = &bucket->entry[i];
    return victim;
}

void tt_store(struct tt *tt, uint64_t key, const struct tt_data *data)
{
    struct entry *entry = find(tt, key);
    struct move move = data->move;

    if (entry == NULL) {
        entry = find_victim(tt, key);
    } else {
        if (entry->depth > data->depth + 3 && data->bound != BOUND_EXACT &&
            entry->age == tt->age)
            return; /* the stored entry says more */
        if (move_is_same(move, tt_no_move()))
            move = (struct move){entry->from, entry->to};
    }
    *entry = (struct entry){.key = key,
                            .score = (int16_t)data->score,
                            .from = move.from,
                            .to = move.to,
                            .depth = (uint8_t)data->depth,
                            .bound = (uint8_t)data->bound,
                            .age = tt->age};
}
