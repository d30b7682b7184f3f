/* A small neural network that evaluates the places of the pieces. Chess engines call
 * this kind of network NNUE. The network sees the board twice: once from Red's side and
 * once from Blue's side. The first layer is a sum over the pieces (the accumulator). A
 * move changes two or three terms of the sum, so a search keeps one accumulator for
 * each position of its line. The weights come from games that the engine played against
 * itself (`make train`, tests/measure/engine). All numbers are integers, so the scores are the
 * same on every machine. Pure. */
#ifndef CLIENT_ENGINE_NNUE_H
#define CLIENT_ENGINE_NNUE_H

#include <stdint.h>

#include "common/game/move.h"
#include "common/game/position.h"

enum {
    NNUE_HIDDEN = 32, /* outputs of the first layer for each side's view */
    NNUE_BUCKETS = 4, /* sets of weights of the second layer, by stage of the game */
    NNUE_INPUTS = SIDES * (KINDS - 1) * BOARD_POINTS,
    NNUE_ONE = 64, /* the integer that represents 1.0, the largest output of the first
                    * layer */
    NNUE_FINE = 16 /* the integer that represents 0.01 point in the weights of the
                    * second layer */
};

/* The sums of the first layer, before they are limited to 0 .. 1. */
struct nnue_accumulator {
    int16_t of[SIDES][NNUE_HIDDEN]; /* the sums for the board as this side sees it */
};

/* Fills *out for the position `position`. */
void nnue_look(struct nnue_accumulator *out, const struct position *position);
/* Fills *after for the position that `move` makes from `position`. *before is the
 * accumulator of `position`. The move is legal, and may be a pass. */
void nnue_follow(struct nnue_accumulator *after, const struct nnue_accumulator *before,
                 const struct position *position, struct move move);

/* Returns the score for `side`, in hundredths of a point. officers: number of rooks,
 * cannons, knights and bishops on the board. */
int nnue_score(const struct nnue_accumulator *accumulator, enum side side,
               int officers);

/* Returns the number of the input for a piece on a point, as `side` sees it: 0 ..
 * NNUE_INPUTS - 1. */
int nnue_input(enum side side, uint8_t code, int point);
/* Returns the set of weights for that number of officers: 0 .. NNUE_BUCKETS - 1. */
int nnue_bucket(int officers);

#endif
