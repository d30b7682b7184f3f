/* Operations on sets of the 90 points. With these operations, one expression can say
 * "the points that a rook reaches, without the points of its own side's pieces".
 * Pure. */
#ifndef COMMON_GAME_POINTS_H
#define COMMON_GAME_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/side.h"

enum { POINTS_HALF = 45 }; /* number of points in each member of struct points */

static inline struct points points_none(void)
{
    return (struct points){0, 0};
}

static inline struct points points_of(int point)
{
    return point < POINTS_HALF
               ? (struct points){UINT64_C(1) << point, 0}
               : (struct points){0, UINT64_C(1) << (point - POINTS_HALF)};
}

static inline struct points points_or(struct points a, struct points b)
{
    return (struct points){a.low | b.low, a.high | b.high};
}

static inline struct points points_and(struct points a, struct points b)
{
    return (struct points){a.low & b.low, a.high & b.high};
}

/* Returns the points of a that are not in b. */
static inline struct points points_less(struct points a, struct points b)
{
    return (struct points){a.low & ~b.low, a.high & ~b.high};
}

static inline bool points_is_empty(struct points a)
{
    return (a.low | a.high) == 0;
}

/* True if a and b have a point in common. */
static inline bool points_meet(struct points a, struct points b)
{
    return ((a.low & b.low) | (a.high & b.high)) != 0;
}

static inline bool points_has(struct points a, int point)
{
    return points_meet(a, points_of(point));
}

static inline bool points_is_same(struct points a, struct points b)
{
    return a.low == b.low && a.high == b.high;
}

/* Returns the number of points in a. Adds neighbouring bits, then pairs of bits, then
 * groups of four; the last steps are done once for both words together. A compiler
 * builtin can be slower: if the compiler may not use the processor's instruction that
 * counts bits, the builtin calls a function for each word. */
static inline int points_count(struct points a)
{
    const uint64_t pairs = UINT64_C(0x5555555555555555),
                   fours = UINT64_C(0x3333333333333333),
                   bytes = UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t low = a.low - (a.low >> 1 & pairs), high = a.high - (a.high >> 1 & pairs);
    uint64_t sum =
        (low & fours) + (low >> 2 & fours) + (high & fours) + (high >> 2 & fours);

    sum = (sum & bytes) + (sum >> 4 & bytes);
    return (int)(sum * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns the lowest point of a, which must not be empty. */
static inline int points_first(struct points a)
{
    return a.low != 0 ? __builtin_ctzll(a.low) : POINTS_HALF + __builtin_ctzll(a.high);
}

/* Removes the lowest point from *a, which must not be empty, and returns it. */
static inline int points_take(struct points *a)
{
    int point = points_first(*a);

    if (a->low != 0)
        a->low &= a->low - 1;
    else
        a->high &= a->high - 1;
    return point;
}

#endif
