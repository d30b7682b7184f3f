/* Move ordering: the move of the transposition table first, then captures that win by
 * exchange, killers, quiet moves by their history, and last the captures that lose. */
#ifndef CLIENT_ENGINE_MOVEPICK_H
#define CLIENT_ENGINE_MOVEPICK_H

#include "common/game/legal.h"

/* History: how often moving a piece (by its code) to a point was good. */
struct movepick_history {
    int value[2 * KINDS][BOARD_POINTS];
};

struct movepick_hints {
    struct move first;     /* before all others, or tt_no_move() */
    struct move killer[2]; /* quiet moves that refuted a sibling */
    const struct movepick_history *history;
    bool has_no_pass; /* the last ply was a null move */
};

enum { MOVEPICK_MEN = 16 }; /* most pieces of a side */

/* Which moves have been generated so far: after a cutoff the rest is not needed. */
enum movepick_stage { MOVEPICK_FIRST, MOVEPICK_CAPTURES, MOVEPICK_ALL };

struct movepick {
    enum movepick_stage stage;
    const struct legal_view *view;
    struct movepick_hints hints;
    struct points targets[MOVEPICK_MEN]; /* of each own piece, in the order of points */
    int count;
    int at; /* index of the next move */
    struct move move[MOVES_MAX];
    int rank[MOVES_MAX];
};

/* Picks from all legal moves of view, which is borrowed until the last one is returned. */
void movepick_all(struct movepick *pick, const struct legal_view *view,
                  const struct movepick_hints *hints);
/* Captures that do not lose by exchange. */
void movepick_captures(struct movepick *pick, const struct legal_view *view);

/* Returns the next move by rank; false if there are no more. */
bool movepick_next(struct movepick *pick, struct move *out) MUST_USE;
/* Returns true if the last move that was returned is not a capture, or is a losing
 * capture. */
bool movepick_is_quiet(const struct movepick *pick);

/* Updates the history: the quiet move refuted the position, and the quiet moves that
 * pick returned before it did not. */
void movepick_reward(struct movepick_history *history, const struct movepick *pick,
                     const struct position *position, struct move move, int depth);

#endif
