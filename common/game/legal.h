/* Decides which pseudo-legal moves are legal: they do not leave the mover's king in
 * check (C2), and they meet the ruleset's conditions about bare kings. Used by rules.c
 * and by the search of the engine. Pure. */
#ifndef COMMON_GAME_LEGAL_H
#define COMMON_GAME_LEGAL_H

#include <stdbool.h>

#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* The data that all moves of the side to move share. Borrows rules and position. */
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
    struct points watch;    /* only a move from or to one of these points can open a
                             * check to the own king */
    bool is_bare;           /* the kings face each other with no piece between them
                             * (C4) */
    bool is_pressed;        /* every move needs legal_try(): the side is in check, or
                             * the ruleset restricts its moves because the kings are
                             * bare */
};

/* Fills *view for the side to move of position. */
void legal_look(struct legal_view *view, const struct ruleset *rules,
                const struct position *position);

/* Judges the move from - to, which must be pseudo-legal. Returns FAULT_NONE when it is
 * legal, otherwise FAULT_IN_CHECK, FAULT_MUST_ANSWER_BARE or FAULT_MAY_NOT_BARE.
 * *attackers (may be NULL) gets the enemy pieces that would attack the mover's king
 * after the move. */
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
