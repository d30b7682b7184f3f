/* Move ordering: the move of the transposition table first, then captures that win by
 * exchange, killers, quiet moves by their history, and last the captures that lose. */
#ifndef CLIENT_ENGINE_MOVEPICK_H
#define CLIENT_ENGINE_MOVEPICK_H

#include "common/game/legal.h"

/* For each piece code and each point: the larger the value, the more often moves of
 * that piece to that point have caused cutoffs so far. */
struct movepick_history {
    int value[2 * KINDS][BOARD_POINTS];
};

struct movepick_hints {
    struct move first;     /* returned before all others; tt_no_move(): none */
    struct move killer[2]; /* quiet moves that caused a cutoff in another position of
                            * the same ply */
    const struct movepick_history *history;
    bool has_no_pass; /* do not return a pass, because the last ply was a null move (a
                       * skipped turn) */
};

enum { MOVEPICK_MEN = 16 }; /* the most pieces that a side can have */

/* Which moves have been generated so far. Moves are generated in stages, because after
 * a cutoff the moves of later stages are not needed. */
enum movepick_stage { MOVEPICK_FIRST, MOVEPICK_CAPTURES, MOVEPICK_ALL };

struct movepick {
    enum movepick_stage stage;
    const struct legal_view *view;
    struct movepick_hints hints;
    struct points targets[MOVEPICK_MEN]; /* legal targets of each piece of the side to
                                          * move, sorted by the piece's point */
    int count;
    int at; /* index of the next move */
    struct move move[MOVES_MAX];
    int rank[MOVES_MAX];
};

/* Starts to pick from all legal moves of `view`, which must stay valid until the last
 * move has been returned. */
void movepick_all(struct movepick *pick, const struct legal_view *view,
                  const struct movepick_hints *hints);
/* Starts to pick from the captures that do not lose material by exchange. */
void movepick_captures(struct movepick *pick, const struct legal_view *view);

/* Writes the next move, by rank, to *out. Returns false if there are no more moves. */
bool movepick_next(struct movepick *pick, struct move *out) MUST_USE;
/* Returns true if the last move that was returned is not a capture, or is a losing
 * capture. Always false for the hint `first`. */
bool movepick_is_quiet(const struct movepick *pick);

/* Raises the history value of the quiet move `move`, which caused a cutoff, and lowers
 * the values of the other quiet moves that `pick` has returned. */
void movepick_reward(struct movepick_history *history, const struct movepick *pick,
                     const struct position *position, struct move move, int depth);

#endif
