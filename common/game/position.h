/* Declares struct position, for structs that contain one. board.h has the functions of
 * a position and its text; a header that only needs the struct includes this file and
 * not board.h. */
#ifndef COMMON_GAME_POSITION_H
#define COMMON_GAME_POSITION_H

#include <stdint.h>

#include "common/game/side.h"

/* One position: the pieces, the side to move, and the counters that the rules need. The
 * struct has no padding: copy it freely, and compare it with memcmp(). Other files may
 * read every member; only board.c and rules.c change them. Each piece is stored twice:
 * as a code on its point, for fast lookup, and in sets of points, for fast
 * computation. */
struct position {
    struct points of_side[SIDES];
    struct points of_kind[KINDS]; /* the pieces of both sides; of_kind[KIND_NONE] is
                                   * empty */
    uint64_t key; /* hash of the pieces, the side to move and the forfeits */
    uint8_t at[BOARD_POINTS]; /* 0 or a piece_code() */
    int8_t king[SIDES];       /* the point of each king; POINT_NONE for a king that is
                               * missing in a diagram */
    uint8_t side;             /* enum side: the side to move */
    uint8_t forfeits;         /* bit 1 << side: that side has made the kings face each
                               * other, and can no longer win (RULES.md M2) */
    uint16_t passes;          /* number of consecutive passes up to now */
    uint32_t quiet;           /* plies since the last capture */
    uint32_t move_number; /* from 1; +1 after each ply of the side that moves second */
};

/* Returns the code of a piece: a number from 1 to 15. */
static inline uint8_t piece_code(enum kind kind, enum side side)
{
    return (uint8_t)(side << 3 | kind);
}

/* Returns the kind of a piece code; KIND_NONE for the code 0. */
static inline enum kind piece_kind(uint8_t code)
{
    return (enum kind)(code & 7);
}

/* Returns the side of a piece code, which must not be 0. */
static inline enum side piece_side(uint8_t code)
{
    return (enum side)(code >> 3);
}

#endif
