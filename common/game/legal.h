/* Decides which pseudo-legal moves are legal: they do not leave the mover's king in
 * check (C2), and they meet the ruleset's conditions about bare kings. Used by rules.c
 * and by the search of the engine. Pure. */
#ifndef COMMON_GAME_LEGAL_H
#define COMMON_GAME_LEGAL_H

#include <stdbool.h>

#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* Data that is computed once per position and used for all moves of the side to move.
 * Borrows rules and position. */
struct legal_view {
    const struct ruleset *rules;
    const struct position *position;
    enum side side;
    int king; /* point of the king of the side to move */
    int enemy_king;
    struct points own;
    struct points enemy;
    struct crowd crowd;
    struct points checkers; /* enemy pieces that could take the king (C1) */
    struct points watch;    /* only a move from or to one of these points can open an
                             * attack on the point `king` */
    bool is_bare;           /* the kings face each other with no piece between them
                             * (C4) */
    bool is_pressed;        /* every move needs legal_try(): the side is in check, or
                             * the ruleset restricts its moves because the kings are
                             * bare */
};

/* Fills *view for the side to move in `position`. */
void legal_look(struct legal_view *view, const struct ruleset *rules,
                const struct position *position);

/* Judges the move from the point `from` to the point `to`. The move must be
 * pseudo-legal. If the move is legal, returns FAULT_NONE. Otherwise returns
 * FAULT_IN_CHECK, FAULT_MUST_ANSWER_BARE or FAULT_MAY_NOT_BARE. *attackers gets the
 * enemy pieces that would attack the mover's king after the move; attackers may be
 * NULL. */
enum fault_code legal_try(const struct legal_view *view, int from, int to,
                          struct points *attackers);

/* Returns the legal destinations of the piece on `from`, which belongs to the side to
 * move. */
struct points legal_targets(const struct legal_view *view, int from);

/* legal_count() returns the number of legal moves without the pass. legal_has_move()
 * returns true if there is a legal move other than the pass, and writes one such move
 * to *example, which may be NULL. */
int legal_count(const struct legal_view *view);
bool legal_has_move(const struct legal_view *view, struct move *example);

/* Returns whether a pass is legal (M9, K2, V2, J3). has_move: the side to move has a
 * legal move other than the pass. */
bool legal_is_pass(const struct legal_view *view, bool has_move);

#endif
