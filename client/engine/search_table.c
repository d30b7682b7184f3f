/* See search_table.h. Four entries share a cache line; a key may lie in any of them. */
#include "client/engine/search_table.h"

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

struct search_table {
    struct bucket *bucket;
    uint64_t mask; /* of a key, to its bucket */
    uint16_t age;
};

struct search_table *search_table_new(size_t mb)
{
    struct search_table *table = mem_new(sizeof *table);
    size_t buckets = 1;

    while (buckets * 2 * sizeof(struct bucket) <= mb * MEGABYTE)
        buckets *= 2;
    table->bucket = mem_new(buckets * sizeof *table->bucket);
    table->mask = buckets - 1;
    return table;
}

void search_table_free(struct search_table *table)
{
    if (table == NULL)
        return;
    free(table->bucket);
    free(table);
}

void search_table_clear(struct search_table *table)
{
    memset(table->bucket, 0, (table->mask + 1) * sizeof *table->bucket);
    table->age = 0;
}

void search_table_age(struct search_table *table)
{
    table->age++;
}

static struct entry *find(const struct search_table *table, uint64_t key)
{
    struct bucket *bucket = &table->bucket[key & table->mask];

    for (int i = 0; i < ENTRIES; i++)
        if (bucket->entry[i].key == key && bucket->entry[i].bound != BOUND_NONE)
            return &bucket->entry[i];
    return NULL;
}

bool search_table_find(const struct search_table *table, uint64_t key,
                       struct memory *out)
{
    const struct entry *entry = find(table, key);

    if (entry == NULL)
        return false;
    out->move = (struct move){entry->from, entry->to};
    out->score = entry->score;
    out->depth = entry->depth;
    out->bound = (enum bound)entry->bound;
    return true;
}

/* What the entry is worth keeping for; each search that has passed costs it. */
static int value_of(const struct search_table *table, const struct entry *entry)
{
    int searches = (uint16_t)(table->age - entry->age);

    return entry->bound == BOUND_NONE ? -1000 : entry->depth - 4 * searches;
}

static struct entry *find_least(const struct search_table *table, uint64_t key)
{
    struct bucket *bucket = &table->bucket[key & table->mask];
    struct entry *least = &bucket->entry[0];

    for (int i = 1; i < ENTRIES; i++)
        if (value_of(table, &bucket->entry[i]) < value_of(table, least))
            least = &bucket->entry[i];
    return least;
}

void search_table_keep(struct search_table *table, uint64_t key,
                       const struct memory *memory)
{
    struct entry *entry = find(table, key);
    struct move move = memory->move;

    if (entry == NULL) {
        entry = find_least(table, key);
    } else {
        if (entry->depth > memory->depth + 3 && memory->bound != BOUND_EXACT &&
            entry->age == table->age)
            return; /* what is there says more */
        if (move_is_same(move, search_no_move()))
            move = (struct move){entry->from, entry->to};
    }
    *entry = (struct entry){.key = key,
                            .score = (int16_t)memory->score,
                            .from = move.from,
                            .to = move.to,
                            .depth = (uint8_t)memory->depth,
                            .bound = (uint8_t)memory->bound,
                            .age = table->age};
}
