/* See nnue.h. */
#include "client/engine/nnue.h"

#include <string.h>

/* The weights and biases of both layers. The array `first` has NNUE_HIDDEN weights for
 * each input. The array `second` has NNUE_HIDDEN weights for each side in each bucket.
 * In a bucket, the weights for the side to move come before the weights for the other
 * side. */
#include "client/engine/nnue_weights.h"

int nnue_input(enum side side, uint8_t code, int point)
{
    bool is_own = piece_side(code) == side;
    int plane = (is_own ? 0 : KINDS - 1) + (int)piece_kind(code) - 1;

    return plane * BOARD_POINTS + (side == SIDE_RED ? point : BOARD_POINTS - 1 - point);
}

int nnue_bucket(int officers)
{
    int bucket = officers * NNUE_BUCKETS / 16;

    return bucket < NNUE_BUCKETS ? bucket : NNUE_BUCKETS - 1;
}

/* --- The first layer --- */

static const int8_t *weights_of(enum side side, uint8_t code, int point)
{
    return first + nnue_input(side, code, point) * NNUE_HIDDEN;
}

void nnue_look(struct nnue_accumulator *out, const struct position *position)
{
    for (int side = 0; side < SIDES; side++) {
        int16_t *sum = out->of[side];

        memcpy(sum, first_bias, sizeof first_bias);
        for (int point = 0; point < BOARD_POINTS; point++) {
            const int8_t *weight;

            if (position->at[point] == 0)
                continue;
            weight = weights_of((enum side)side, position->at[point], point);
            for (int i = 0; i < NNUE_HIDDEN; i++)
                sum[i] = (int16_t)(sum[i] + weight[i]);
        }
    }
}

/* Computes the sum after a piece has moved. Subtracts the piece's weights on the old
 * point (`from`), and adds the piece's weights on the new point (`to`). */
static void shift(int16_t *restrict after, const int16_t *restrict before,
                  const int8_t *restrict from, const int8_t *restrict to)
{
    for (int i = 0; i < NNUE_HIDDEN; i++)
        after[i] = (int16_t)(before[i] - from[i] + to[i]);
}

static void take_off(int16_t *restrict sum, const int8_t *restrict taken)
{
    for (int i = 0; i < NNUE_HIDDEN; i++)
        sum[i] = (int16_t)(sum[i] - taken[i]);
}

void nnue_follow(struct nnue_accumulator *after, const struct nnue_accumulator *before,
                 const struct position *position, struct move move)
{
    uint8_t mover, taken;

    if (move_is_pass(move)) {
        *after = *before;
        return;
    }
    mover = position->at[move.from];
    taken = position->at[move.to];
    for (int side = 0; side < SIDES; side++) {
        shift(after->of[side], before->of[side],
              weights_of((enum side)side, mover, move.from),
              weights_of((enum side)side, mover, move.to));
        if (taken != 0)
            take_off(after->of[side], weights_of((enum side)side, taken, move.to));
    }
}

/* --- The second layer --- */

/* Returns the weighted sum of the outputs of the first layer, each limited to 0 .. 1
 * (NNUE_ONE). */
static int weigh(const int16_t *restrict sum, const int16_t *restrict weight)
{
    int total = 0;

    for (int i = 0; i < NNUE_HIDDEN; i++) {
        int16_t output = sum[i];

        output = output > 0 ? output : 0;
        output = output < NNUE_ONE ? output : NNUE_ONE;
        total += output * weight[i];
    }
    return total;
}

static const int16_t *second_of(int bucket, int eyes)
{
    return second + (bucket * SIDES + eyes) * NNUE_HIDDEN;
}

int nnue_score(const struct nnue_accumulator *accumulator, enum side side, int officers)
{
    int bucket = nnue_bucket(officers);
    int total = second_bias[bucket] +
                weigh(accumulator->of[side], second_of(bucket, 0)) +
                weigh(accumulator->of[side_other(side)], second_of(bucket, 1));

    return total / (NNUE_ONE * NNUE_FINE);
}
