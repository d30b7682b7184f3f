/* A position on the board of Korean chess, as a value, and its text. Knows where pieces
 * stand; what they may do is rules.h. Pure: no allocation, no clock, no log, no state
 * of its own, so any thread may use it.
 *
 * Martin's words and the Korean ones, here once:
 *   Red, han (한 漢), capital letters, rows 0-3       Blue, cho (초 楚), small letters,
 * rows 6-9 R rook cha 차 車   N knight ma 마 馬   B bishop sang 상 象   G guard sa 사
 * 士 K king jang/wang 장/왕 將/王 (the pieces say 漢 and 楚)   C cannon po 포 包 P pawn
 * byeong 병 兵 (Red), jol 졸 卒 (Blue) fortress gung 궁 宮   set-up charim 차림   bare
 * kings bikjang 빅장   check janggun 장군 pass hansu-swim 한수쉼 */
#ifndef COMMON_BOARD_H
#define COMMON_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base.h"

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

/* "red", "blue", "none". */
const char *side_name(enum side side);
/* SIDE_NONE for any other word. */
enum side side_parse(const char *word);
/* "rook" ... "pawn"; "" for KIND_NONE. */
const char *kind_name(enum kind kind);

/* A point from its two characters, "B0" or "b0"; POINT_NONE when they are none. */
int point_parse(const char text[2]);
/* Writes "B0" and a NUL. */
enum { POINT_BYTES = 3 };
void point_format(char out[POINT_BYTES], int point);

/* The four line-ups of RULES.md G6, named by the pieces on files B, C, G, H. */
enum lineup { LINEUP_NBBN, LINEUP_BNBN, LINEUP_NBNB, LINEUP_BNNB };
enum { LINEUPS = 4 };
const char *lineup_name(enum lineup lineup);
/* "NBBN" in either case, or 1-4 in the order of the enum. */
bool lineup_parse(const char *word, enum lineup *out) MUST_USE;

/* One position: where every piece stands, who moves, and the counters that rules need.
 * A value: copy it freely. Only board.c and rules.c write into it. */
struct position {
    uint8_t at[BOARD_POINTS];
    int8_t king[SIDES];   /* point of each king */
    uint8_t side;         /* enum side to move */
    uint8_t forfeits;     /* bit per side: has bared the kings (martin, RULES.md M2) */
    uint8_t passes;       /* consecutive passes just made */
    uint16_t quiet;       /* plies since the last capture */
    uint16_t move_number; /* from 1; +1 after each ply of the side that moves second */
    uint64_t key; /* hash of board, side and forfeits: equal positions, equal keys */
};

/* The array of RULES.md G5 with the two line-ups; side moves first. */
void position_set_up(struct position *position, enum lineup red, enum lineup blue,
                     enum side first);

/* What stands on a point. */
enum kind position_kind(const struct position *position, int point);
enum side position_side(const struct position *position,
                        int point); /* SIDE_NONE: empty */
/* The letter of the text forms: R N B G K C P, small for Blue, '.' for an empty point.
 */
char position_letter(const struct position *position, int point);

/* Position text, RULES.md G8: "BOARD SIDE FORFEITS PASSES QUIET MOVE". Parsing checks
 * the part of G9 that needs no rules (rules.h has the rest); on failure *why (may be
 * NULL) says in plain words what is wrong and where, and *out is untouched. */
enum { POSITION_BYTES = 128, POSITION_WHY_BYTES = 120 };
bool position_parse(const char *text, struct position *out,
                    char why[POSITION_WHY_BYTES]) MUST_USE;
void position_format(char out[POSITION_BYTES], const struct position *position);

#endif
