/* A small neural network that scores where the pieces stand, of the kind that chess engines
 * call NNUE. It sees each piece on its point twice, with the eyes of either side, which
 * has its own home row before it. Its first layer is a sum over the pieces (the
 * accumulator), of which a move changes two or three terms; so a search keeps one for
 * each position of its line. The weights come from games that the engine played against
 * itself (`make train`, tests/engine). Integers only: equal everywhere. Pure. */
#ifndef CLIENT_ENGINE_NNUE_H
#define CLIENT_ENGINE_NNUE_H

#include <stdint.h>

#include "common/game/move.h"
#include "common/game/position.h"

enum {
    NNUE_HIDDEN = 32, /* outputs of the first layer for each side's eyes */
    NNUE_BUCKETS = 4, /* sets of weights of the second layer, by stage of the game */
    NNUE_INPUTS = SIDES * (KINDS - 1) * BOARD_POINTS,
    NNUE_ONE = 64, /* stands for 1 in the first layer, where outputs end */
    NNUE_FINE = 16 /* stands for a hundredth of a point in the second */
};

/* The sums of the first layer, before they are limited to 0 .. 1. */
struct nnue_accumulator {
    int16_t of[SIDES][NNUE_HIDDEN]; /* with the eyes of this side */
};

/* Fills *out for position. */
void nnue_look(struct nnue_accumulator *out, const struct position *position);
/* Fills *after for the position after move, from *before, which is that of position. The
 * move is legal, and may be a pass. */
void nnue_follow(struct nnue_accumulator *after, const struct nnue_accumulator *before,
                 const struct position *position, struct move move);

/* Returns the score for side, in hundredths of a point. officers: rooks, cannons,
 * knights and bishops on the board. */
int nnue_score(const struct nnue_accumulator *accumulator, enum side side,
               int officers);

/* Returns the number of the input for a piece on a point, as side sees it:
 * 0 .. NNUE_INPUTS - 1. */
int nnue_input(enum side side, uint8_t code, int point);
/* The set of weights for so many officers: 0 .. NNUE_BUCKETS - 1. */
int nnue_bucket(int officers);

#endif
