/* Move ordering: the move of the transposition table first, then captures that win by
 * exchange, killers, quiet moves by their history, and last the captures that lose. */
#ifndef CLIENT_ENGINE_MOVEPICK_H
#define CLIENT_ENGINE_MOVEPICK_H

#include "common/game/legal.h"

/* How often a piece (by its code) did well by going to a point. */
struct movepick_history {
    int value[2 * KINDS][BOARD_POINTS];
};

struct movepick {
    int count;
    int at; /* of the next one */
    struct move move[MOVES_MAX];
    int rank[MOVES_MAX];
};

struct movepick_hints {
    struct move first;     /* before all others, or tt_no_move() */
    struct move killer[2]; /* quiet moves that refuted a sibling */
    const struct movepick_history *history;
    bool has_no_pass; /* the last ply was a null move */
};

/* All legal moves of view. */
void movepick_all(struct movepick *pick, const struct legal_view *view,
                  const struct movepick_hints *hints);
/* Captures that do not lose by exchange. */
void movepick_captures(struct movepick *pick, const struct legal_view *view);

/* The next by rank. False: there are no more. */
bool movepick_next(struct movepick *pick, struct move *out) MUST_USE;
/* The move that was given out last is not a capture, or is one that loses. */
bool movepick_is_quiet(const struct movepick *pick);

/* move, quiet, refuted position; the quiet moves that pick gave out before it did not.
 */
void movepick_reward(struct movepick_history *history, const struct movepick *pick,
                     const struct position *position, struct move move, int depth);

#endif
