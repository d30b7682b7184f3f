/* What a search remembers of positions it has seen: how good they were, how deep it
 * looked, and which move was best. Old and shallow entries give way. */
#ifndef CLIENT_ENGINE_SEARCH_TABLE_H
#define CLIENT_ENGINE_SEARCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/move.h"

struct search_table;

/* What a remembered score says of the true one. */
enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct memory {
    struct move move; /* search_no_move() when none was best */
    int score;        /* ends are counted in plies from this position */
    int depth;
    enum bound bound;
};

/* A move that is none, and no pass either. */
static inline struct move search_no_move(void)
{
    return (struct move){0, 0};
}

struct search_table *search_table_new(size_t mb) MUST_USE;
/* Takes NULL. */
void search_table_free(struct search_table *table);
void search_table_clear(struct search_table *table);
/* A new search begins: what the ones before it left counts less. */
void search_table_age(struct search_table *table);

/* False: nothing is known of key. */
bool search_table_find(const struct search_table *table, uint64_t key,
                       struct memory *out) MUST_USE;
void search_table_keep(struct search_table *table, uint64_t key,
                       const struct memory *memory);

#endif
