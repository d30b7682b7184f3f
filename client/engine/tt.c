/* See tt.h. Four entries form a bucket, which fills a cache line; a key may be in any
 * entry of its bucket. */
#include "client/engine/tt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasm__
#include <sys/mman.h>
#endif

#include "common/base/mem.h"

struct entry {
    uint64_t key;
    int16_t score;
    int8_t from, to;
    int16_t eval;
    uint8_t depth;
    uint8_t bound : 2, age : 6;
};
static_assert(sizeof(struct entry) == 16, "four entries share a cache line");

enum { ENTRIES = 4, MEGABYTE = 1 << 20 };
struct bucket {
    struct entry entry[ENTRIES];
};

struct tt {
    struct bucket *bucket;
    uint64_t mask; /* key & mask is the index of its bucket */
    uint8_t age;   /* modulo AGES */
};
enum { AGES = 64 };

enum { HUGE_PAGE = 2 * MEGABYTE };

/* Allocates cleared buckets, in huge pages where the system has them: a probe then
 * needs no walk through the page tables. */
static struct bucket *new_buckets(size_t count)
{
    size_t bytes = count * sizeof(struct bucket);
    void *buckets = NULL;

    if (bytes < HUGE_PAGE)
        return mem_new(bytes);
    if (posix_memalign(&buckets, HUGE_PAGE, bytes) != 0)
        return mem_new(bytes); /* ends the program if there is no memory */
#ifdef MADV_HUGEPAGE
    (void)madvise(buckets, bytes, MADV_HUGEPAGE);
#endif
    memset(buckets, 0, bytes);
    return buckets;
}

struct tt *tt_new(size_t mb)
{
    struct tt *tt = mem_new(sizeof *tt);
    size_t buckets = 1;

    while (buckets * 2 * sizeof(struct bucket) <= mb * MEGABYTE)
        buckets *= 2;
    tt->bucket = new_buckets(buckets);
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
    memset(tt->bucket, 0, (size_t)(tt->mask + 1) * sizeof *tt->bucket);
    tt->age = 0;
}

void tt_new_search(struct tt *tt)
{
    tt->age = (uint8_t)((tt->age + 1) % AGES);
}

void tt_prefetch(const struct tt *tt, uint64_t key)
{
    __builtin_prefetch(&tt->bucket[key & tt->mask]);
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
    out->eval = entry->eval;
    return true;
}

/* Returns the priority of an entry: its depth, less 4 for each search since it was
 * stored. In a full bucket the entry with the lowest priority is replaced. */
static int priority(const struct tt *tt, const struct entry *entry)
{
    int searches = (tt->age - entry->age + AGES) % AGES;

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
            return; /* keep the stored entry, which is deeper */
        if (move_is_same(move, tt_no_move()))
            move = (struct move){entry->from, entry->to};
    }
    *entry = (struct entry){.key = key,
                            .score = (int16_t)data->score,
                            .from = move.from,
                            .to = move.to,
                            .depth = (uint8_t)data->depth,
                            .bound = data->bound & 3,
                            .age = tt->age & 63U,
                            .eval = (int16_t)data->eval};
}
