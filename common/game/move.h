/* Declares a move, and converts it to text and back: B0-C2, or pass (RULES.md G10).
 * rules.h decides whether a move is legal. Pure. */
#ifndef COMMON_GAME_MOVE_H
#define COMMON_GAME_MOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

/* A pass has POINT_NONE as `from` and `to`. */
struct move {
    int8_t from;
    int8_t to;
};

static inline struct move move_pass(void)
{
    return (struct move){POINT_NONE, POINT_NONE};
}

static inline bool move_is_pass(struct move move)
{
    return move.from == POINT_NONE;
}

static inline bool move_is_same(struct move a, struct move b)
{
    return a.from == b.from && a.to == b.to;
}

/* Parses a move leniently: "b0c2", "B0-C2", "b0 c2", "B0xC2", with or without a piece
 * letter in front ("nB0-C2", "Nb0-c2"), and "pass". Ignores case, and spaces before and
 * after the move. *kind (may be NULL) gets the kind of the piece letter, or KIND_NONE.
 * The caller knows the position and must compare this kind with the piece. False: text
 * is not a move. */
bool move_parse(const char *text, struct move *out, enum kind *kind) MUST_USE;

/* Writes "B0-C2" or "pass" and a NUL. */
enum { MOVE_BYTES = 8 };
void move_format(char out[MOVE_BYTES], struct move move);

#endif
