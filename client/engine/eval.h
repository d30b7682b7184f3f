/* Static evaluation of a quiet position: the points of the rules text (J1), with
 * corrections found by experience. Does not look at moves; rules.h decides when a game
 * ends. Pure. */
#ifndef CLIENT_ENGINE_EVAL_H
#define CLIENT_ENGINE_EVAL_H

#include "common/game/rules.h"

struct position;

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

/* Returns the score for the side to move: larger is better. Never near EVAL_WINS. */
int eval_position(const struct ruleset *rules, const struct position *position);

#endif
