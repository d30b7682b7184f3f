/* The basic terms of the game: sides, kinds of pieces, points and line-ups. Pure. A
 * header that needs no position includes this file instead of position.h. */
#ifndef COMMON_GAME_SIDE_H
#define COMMON_GAME_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

enum { BOARD_FILES = 9, BOARD_ROWS = 10, BOARD_POINTS = 90 };

enum side { SIDE_RED, SIDE_BLUE, SIDE_NONE };
enum { SIDES = 2 };

enum kind {
    KIND_NONE,
    KIND_ROOK,
    KIND_KNIGHT,
    KIND_BISHOP,
    KIND_GUARD,
    KIND_KING,
    KIND_CANNON,
    KIND_PAWN
};
enum { KINDS = KIND_PAWN + 1 };

/* A set of points as bits; points.h has the operations. The bits of low are the rows
 * 0-4, and the bits of high are the rows 5-9. Each row takes nine bits; file A is the
 * lowest of them. */
struct points {
    uint64_t low;
    uint64_t high;
};

/* A point is row * 9 + file, 0 (A0) to 89 (I9), or POINT_NONE. */
enum { POINT_NONE = -1 };

static inline int point_at(int file, int row)
{
    return row * BOARD_FILES + file;
}

static inline int point_file(int point)
{
    return point % BOARD_FILES;
}

static inline int point_row(int point)
{
    return point / BOARD_FILES;
}

static inline enum side side_other(enum side side)
{
    return side == SIDE_RED ? SIDE_BLUE : SIDE_RED;
}

/* side_home_row(): the row where a side's pieces start. side_forward(): +1 if its pawns
 * move to higher rows, -1 otherwise (RULES.md G2). */
static inline int side_home_row(enum side side)
{
    return side == SIDE_RED ? 0 : BOARD_ROWS - 1;
}

static inline int side_forward(enum side side)
{
    return side == SIDE_RED ? 1 : -1;
}

/* Returns how many rows the point is in front of side's home row: 0 on the home row, 9
 * on the last row. */
static inline int side_rows_ahead(enum side side, int point)
{
    return (point_row(point) - side_home_row(side)) * side_forward(side);
}

/* True if the point is in side's own fortress: D0-F2 for Red, D7-F9 for Blue (G3). */
static inline bool side_owns_fortress_at(enum side side, int point)
{
    return point_file(point) >= 3 && point_file(point) <= 5 &&
           side_rows_ahead(side, point) <= 2;
}

/* Returns "red", "blue" or "none". */
const char *side_name(enum side side);
/* Returns the side whose name is "red" or "blue"; SIDE_NONE for any other word. */
enum side side_parse(const char *word);
/* Returns "rook" ... "pawn"; "" for KIND_NONE. */
const char *kind_name(enum kind kind);

/* Returns the point whose name is the two characters of `text`, for example "B0" or
 * "b0". Returns POINT_NONE if no point has that name. */
int side_parse_point(const char text[2]);
/* Writes the name of point, for example "B0", and a NUL. */
enum { POINT_BYTES = 3 };
void side_format_point(char out[POINT_BYTES], int point);

/* The four line-ups of RULES.md G6, named by the pieces on files B, C, G, H. */
enum lineup { LINEUP_NBBN, LINEUP_BNBN, LINEUP_NBNB, LINEUP_BNNB };
enum { LINEUPS = 4 };
const char *lineup_name(enum lineup lineup);
/* Parses the name of a line-up, such as "NBBN", in capital or small letters, or its
 * number from 1 to 4 in the order of the enum. False: word is something else. */
bool lineup_parse(const char *word, enum lineup *out) MUST_USE;

#endif
