/* Remembers pairs of players for a limited time, in memory only. There is one struct
 * pairs for each reason, for example that one player declined a challenge of the
 * other. */
#ifndef SERVER_SEEK_PAIRS_H
#define SERVER_SEEK_PAIRS_H

#include <stdint.h>

#include "common/base/base.h"

struct pairs;

enum { PAIRS_MAX = 10000 };

/* A pair is remembered for keep_ms. */
struct pairs *pairs_new(int64_t keep_ms) MUST_USE;
/* Accepts NULL. */
void pairs_free(struct pairs *pairs);

/* Remembers the pair for keep_ms from now on. `one` and `other` are folded names; the
 * pair is not the same in the other order. Evicts the oldest pair when there are
 * PAIRS_MAX. */
void pairs_add(struct pairs *pairs, const char *one, const char *other, int64_t now_ms);
/* Forgets the pair. */
void pairs_drop(struct pairs *pairs, const char *one, const char *other);
/* Returns the milliseconds for which the pair is still remembered; 0: it is not. */
int64_t pairs_left_ms(const struct pairs *pairs, const char *one, const char *other,
                      int64_t now_ms);

#endif
