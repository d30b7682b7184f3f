/* The transposition table stores the results of the search for positions: the score,
 * the depth and the best move. Old and shallow entries are replaced first. */
#ifndef CLIENT_ENGINE_TT_H
#define CLIENT_ENGINE_TT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/move.h"

struct tt;

/* How the stored score relates to the true one. */
enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct tt_data {
    struct move move; /* tt_no_move() when no move was best */
    int score;        /* a score of a win or a loss counts the plies from this
                       * position */
    int depth;
    enum bound bound;
    int eval; /* the static evaluation, or TT_NO_EVAL */
};
enum { TT_NO_EVAL = INT16_MIN };

/* Returns a value that is neither a move nor a pass. */
static inline struct move tt_no_move(void)
{
    return (struct move){0, 0};
}

/* Creates a table of at most `mb` megabytes, which the caller owns. */
struct tt *tt_new(size_t mb) MUST_USE;
/* Frees the table. `tt` may be NULL. */
void tt_free(struct tt *tt);
void tt_clear(struct tt *tt);
/* Marks the beginning of a new search, so that entries of earlier searches are replaced
 * sooner. */
void tt_new_search(struct tt *tt);

/* Prefetches the memory that tt_probe() will read for `key`. */
void tt_prefetch(const struct tt *tt, uint64_t key);
/* Reads the entry of `key`. Returns false if it is not in the table. */
bool tt_probe(const struct tt *tt, uint64_t key, struct tt_data *out) MUST_USE;
void tt_store(struct tt *tt, uint64_t key, const struct tt_data *data);

#endif
