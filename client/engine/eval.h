/* Static evaluation of a quiet position: the values of the pieces, plus a correction by
 * a neural network that evaluates the places of the pieces (nnue.h). Scores are
 * measured in points (J1 in RULES.md). Does not look at moves; rules.h decides when a
 * game ends. Pure. */
#ifndef CLIENT_ENGINE_EVAL_H
#define CLIENT_ENGINE_EVAL_H

#include "client/engine/nnue.h"
#include "common/game/rules.h"

/* Scores are counted in hundredths of a point. A pawn is worth two points by the rules,
 * which is a score of 200. */
enum {
    EVAL_POINT = 100,
    EVAL_WIN = 30000,            /* a won game scores this, less the number of plies
                                  * until the win */
    EVAL_WINS = EVAL_WIN - 1000, /* a score of this or more means a won game, a score
                                  * of -EVAL_WINS or less a lost game */
    EVAL_INFINITE = 31000,       /* beyond all scores */
    EVAL_QUIET = 30              /* the score shrinks if more plies than this have
                                  * passed since the last capture */
};

/* Returns the value of a piece of this kind; 0 for the king, which is never
 * captured. */
int eval_kind(enum kind kind);

/* Returns the score for the side to move: a larger score is better. The score is never
 * near EVAL_WINS or -EVAL_WINS. `accumulator` must be the accumulator of `position`. */
int eval_position(const struct ruleset *rules, const struct position *position,
                  const struct nnue_accumulator *accumulator);

/* Returns the score without the network: the values of the pieces, the lead in points
 * and the right to move. Training needs this score, because the network learns only to
 * correct it. */
int eval_material(const struct ruleset *rules, const struct position *position);
/* Returns the number of rooks, cannons, knights and bishops on the board: 16 at the
 * start. */
int eval_officers(const struct position *position);

#endif
