/* The columns of the table in ruleset.c: all that the rulesets differ in. For the files
 * that stand behind rules.h; everybody else asks there. */
#ifndef COMMON_GAME_RULESET_H
#define COMMON_GAME_RULESET_H

#include <stdbool.h>

#include "common/game/board.h"
#include "common/game/rules.h"

/* What it means for the side to move that the kings are bare (C4). */
enum bare_rule {
    BARE_IS_NOTHING, /* no move is affected (K3) */
    BARE_IS_CHECK,   /* it must be answered, and there is no pass (M3) */
    BARE_IS_OFFER    /* answer it, or accept it by a pass, even in check (J4) */
};

struct ruleset {
    const char *name;
    enum side first_mover;     /* G7 */
    enum side first_to_set_up; /* M1, V1, J9 */
    int setup_s; /* to choose a line-up in a timed game; then it is NBBN */
    enum bare_rule bare;
    bool baring_forfeits;    /* who bares the kings cannot win any more (M2) */
    bool has_rule_7b;        /* no king takes a checking piece if that bares it (M7) */
    bool pass_needs_no_move; /* M9; else any side not in check may pass (K2, V2, J3) */
    bool counts_points;      /* what would be a draw is decided by points (J1, J2) */
    bool has_values;         /* pieces have values that decide nothing (V7) */
    bool pass_is_king_on_king; /* the king on the enemy king's point is a pass (V1) */
    bool swaps_before_first_move; /* where it comes from: see K1 and guide.c */
    /* The tests after each ply in their order (M13, K9, V8, J9), up to REASON_NONE. A
     * game of this ruleset cannot end for a reason that is not in the list. */
    const enum reason *endings;
};

#endif
