/* Declares the columns of the table in ruleset.c, which has all differences between
 * rulesets. Most files need only the functions of rules.h. */
#ifndef COMMON_GAME_RULESET_H
#define COMMON_GAME_RULESET_H

#include <stdbool.h>

#include "common/game/rules.h"
#include "common/game/side.h"

/* The kings are bare when they face each other on a file with no piece between them
 * (C4). For this case, enum bare_rule says what the side to move must do or may do. */
enum bare_rule {
    BARE_IS_NOTHING, /* bare kings restrict no move (K3) */
    BARE_IS_CHECK,   /* the side must move so that the kings are not bare any more; it
                      * may not pass (M3) */
    BARE_IS_OFFER    /* the side must move so that the kings are not bare any more, or
                      * pass. A pass accepts the bare kings, and is allowed even in
                      * check (J4) */
};

struct ruleset {
    const char *name;
    const char *rating_pool;
    enum side first_mover; /* G7 */
    enum bare_rule bare;
    bool baring_forfeits;    /* the side that bares the kings can no longer win (M2) */
    bool has_rule_7b;        /* a king may not take a checking piece if that bares the
                              * kings (M7) */
    bool pass_needs_no_move; /* true: a side may pass only when it has no legal move
                              * (M9); false: any side that is not in check may pass (K2,
                              * V2, J3) */
    bool counts_points;      /* points decide what would otherwise be a draw (J1, J2) */
    struct ruleset_chance chance;
    bool has_values;           /* pieces have values, but they decide nothing (V7) */
    bool pass_is_king_on_king; /* moving the king onto the enemy king is a pass (V1) */
    bool swaps_before_first_move; /* in the original rules, a side chooses its line-up
                                   * by swaps as part of its first move (K1); only
                                   * guide.c uses this member */
    /* The endings that are tested after each ply, in this order (M13, K9, V8, J9);
     * REASON_NONE ends the list. The rules end a game for no other reason; players can
     * end it by resignation, time and so on. */
    const enum reason *endings;
};

#endif
