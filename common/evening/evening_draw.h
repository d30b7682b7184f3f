/* The pairings of the next round: round robin by the circle method, or a simple Swiss
 * system. Pure.
 *
 * Simple Swiss: the players are sorted by points of wins, then by seed, and each meets
 * the first one lower in the list whom they have not met yet, with backtracking; the bye
 * goes to the lowest player who has not had one. It is not the Dutch system of FIDE. */
#ifndef COMMON_EVENING_EVENING_DRAW_H
#define COMMON_EVENING_EVENING_DRAW_H

#include "common/evening/evening.h"

struct evening_draw {
    int pairs;
    struct {
        int first, second; /* who moves first; second 0: a bye, the last pair */
    } pair[EVENING_BOARDS_MAX];
};

/* Pairs those who are here. seed: seed[n - 1] is better when higher; NULL: all equal, and
 * the order of joining counts. Two players meet again only if no other pairing was
 * found. False: fewer than two are here, a round robin has more than EVENING_CIRCLE_MAX
 * players, or it is complete. */
bool evening_draw_round(const struct evening *evening, const int *seed,
                        struct evening_draw *out) MUST_USE;

/* Checks pairings from another program: every player who is here must occur once, and
 * no other player; at most one bye; and no pair that has met before unless may_repeat.
 * Returns NULL, or what is wrong, in words. */
const char *evening_draw_judge(const struct evening *evening,
                               const struct evening_draw *draw, bool may_repeat);

/* Reads pairs as programs print them: their number, then a line "4 7" for each, first
 * mover first, and 0 for a bye. Words may also be "4-7". NULL after success; else why it
 * cannot be read. */
const char *evening_draw_parse(const struct evening *evening, const char *text,
                               struct evening_draw *out);

/* Swaps the two players of a pair if the second one should move first: the one who has
 * moved first less often, or, if that is equal, who did not move first the last time. */
void evening_draw_balance(const struct evening *evening, struct evening_draw *draw);

/* Writes the event "round N ...". */
void evening_draw_format(char out[EVENING_EVENT_BYTES], const struct evening *evening,
                         const struct evening_draw *draw);

#endif
