/* How good a position looks at rest, for whoever searches: the points of the rules text
 * (J1) and what experience adds to them. Knows nothing of moves to come; what ends a
 * game is rules.h. Pure. */
#ifndef CLIENT_ENGINE_EVAL_H
#define CLIENT_ENGINE_EVAL_H

#include "common/game/board.h"
#include "common/game/rules.h"

/* Scores are hundredths of a point, so that a pawn is 200. */
enum { EVAL_POINT = 100 };

/* What a piece is worth on the board; the king nothing, for it is never taken. */
int eval_kind(enum kind kind);

/* From the side to move, who likes it the better the larger it is. Never near a score
 * of a game that has ended. */
int eval_position(const struct ruleset *rules, const struct position *position);

#endif
