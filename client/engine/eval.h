/* Static evaluation of a quiet position: the points of the rules text (J1), and what a
 * network that has seen many games makes of the places of the pieces (nnue.h). Does not
 * look at moves; rules.h decides when a game ends. Pure. */
#ifndef CLIENT_ENGINE_EVAL_H
#define CLIENT_ENGINE_EVAL_H

#include "client/engine/nnue.h"
#include "common/game/rules.h"

/* Scores are hundredths of a point, so that a pawn is 200. */
enum {
    EVAL_POINT = 100,
    EVAL_WIN = 30000,            /* a won game scores this, less the number of plies
                                  * until the win */
    EVAL_WINS = EVAL_WIN - 1000, /* scores beyond this are of won or lost games */
    EVAL_INFINITE = 31000,       /* beyond all scores */
    EVAL_QUIET = 30              /* up to this many plies since the last capture, their
                                  * number does not matter */
};

/* The value of a piece; 0 for the king, which is never captured. */
int eval_kind(enum kind kind);

/* Returns the score for the side to move: larger is better. Never near EVAL_WINS.
 * accumulator is that of position. */
int eval_position(const struct ruleset *rules, const struct position *position,
                  const struct nnue_accumulator *accumulator);

/* Returns the score without the network: the values of the pieces, the lead in points and
 * the right to move. Training needs it, because the network learns only to correct it. */
int eval_material(const struct ruleset *rules, const struct position *position);
/* Rooks, cannons, knights and bishops on the board: 16 at the start. */
int eval_officers(const struct position *position);

#endif
