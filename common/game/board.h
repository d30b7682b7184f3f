/* A position on the board of Korean chess, and its text. Knows where pieces stand;
 * rules.h knows how they may move. Pure: no allocation, no clock, no log, no state of
 * its own, so any thread may use it.
 *
 * These are the terms of Martin, who wrote the main source of RULES.md, and the Korean
 * terms:
 *   Red          han 한 漢       capital letters, rows 0-3, forward is upwards
 *   Blue         cho 초 楚       small letters, rows 6-9
 *   R rook       cha 차 車       N knight   ma 마 馬        B bishop   sang 상 象
 *   G guard      sa 사 士        C cannon   po 포 包        K king     jang, wang 장 왕 將
 *                                                          (the piece says 漢 or 楚)
 *   P pawn       byeong 병 兵 (Red), jol 졸 卒 (Blue)
 *   fortress     gung 궁 宮      set-up     charim 차림     bare kings bikjang 빅장
 *   check        janggun 장군    pass       hansu-swim 한수쉼 */
#ifndef COMMON_GAME_BOARD_H
#define COMMON_GAME_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

struct position; /* position.h */

/* position_put() adds a piece to an empty point. position_take_off() removes the piece
 * on a point. Both update position->key, the hash of the position. Adding a king also
 * sets position->king. */
void position_put(struct position *position, int point, uint8_t code);
void position_take_off(struct position *position, int point);

/* Returns the part of position->key for the side to move and the forfeits. The pieces
 * make up the rest of the key. */
uint64_t position_key_of_turn(enum side side, unsigned forfeits);
/* Computes the key from the pieces, the side to move and the forfeits. position->key
 * must always be equal to the result. */
uint64_t position_key(const struct position *position);

/* Gives the turn to the other side without a move: changes only position->side and
 * position->key. */
void position_turn_over(struct position *position);

/* Sets up all pieces as at the start of a game (RULES.md G5), with the two line-ups.
 * `first` becomes the side to move. */
void position_set_up(struct position *position, enum lineup red, enum lineup blue,
                     enum side first);

/* Return the kind of the piece on a point (KIND_NONE if the point is empty), and its
 * side (SIDE_NONE if the point is empty). */
enum kind position_kind(const struct position *position, int point);
enum side position_side(const struct position *position, int point);
/* Returns the letter of the piece on a point, as in the text of a position: R N B G K C
 * P for Red, small letters for Blue, '.' for an empty point. */
char position_letter(const struct position *position, int point);

/* Why a text is not a position (RULES.md G8, G9). rules_position_ok() finds the last
 * three faults, which depend on how pieces move or on the ruleset. position_parse()
 * finds all others. sentence_position() makes a sentence of a fault. */
enum position_fault_code {
    POSITION_SOUND,
    POSITION_BYTE,           /* `byte` in `row` is neither a piece nor a number */
    POSITION_ROW_LONG,       /* `row` has more than 9 points */
    POSITION_ROW_SHORT,      /* `row` has `count` points */
    POSITION_ROW_MISSING,    /* the board ends after `row` */
    POSITION_ROWS,           /* the board has more than 10 rows */
    POSITION_FORTRESS,       /* the piece on `at`, a king or a guard, is not in its own
                              * fortress */
    POSITION_PAWN_BEHIND,    /* the pawn on `at` is behind the row where pawns start */
    POSITION_KINGS,          /* `side` has `count` kings */
    POSITION_TOO_MANY,       /* `side` has `count` of `kind`; `most` are allowed */
    POSITION_SIDE,           /* the side to move is neither r nor b */
    POSITION_FORFEITS,       /* the forfeits are not -, r, b or rb */
    POSITION_PASSES,         /* passes: not a number from `least` to `most` */
    POSITION_QUIET,          /* quiet plies: not a number from `least` to `most` */
    POSITION_NUMBER,         /* move number: not a number from `least` to `most` */
    POSITION_TRAILING,       /* there is text after the move number */
    POSITION_IN_CHECK,       /* the piece of `kind` on `at` gives check to `side`, but
                              * `side` is not the side to move */
    POSITION_NO_FORFEITS,    /* the text has forfeits, but this ruleset has none */
    POSITION_FORFEIT_MISSING /* the kings are bare, and `side` has not forfeited */
};
enum { POSITION_FAULTS = POSITION_FORFEIT_MISSING + 1 };

struct ruleset;

/* A fault. Each code uses only some of these members. The comment of the code, in enum
 * position_fault_code, names the members. */
struct position_fault {
    enum position_fault_code code;
    enum side side;
    enum kind kind;
    int at;  /* a point */
    int row; /* 0 to 9 */
    int count, least, most;
    char byte;
    const struct ruleset *rules;
};

/* Stores fault in *out, which may be NULL. Always returns false, so that a caller can
 * refuse in one line. */
static inline bool position_refuse(struct position_fault *out,
                                   struct position_fault fault)
{
    if (out != NULL)
        *out = fault;
    return false;
}

/* Reads a position from text in the form of RULES.md G8: "BOARD SIDE FORFEITS PASSES
 * QUIET MOVE". Checks the conditions of G9 that do not depend on how pieces move or on
 * the ruleset; rules_position_ok() checks the others. False: *why (may be NULL) says
 * what is wrong and where, and *out is unchanged. */
enum { POSITION_BYTES = 128 };
bool position_parse(const char *text, struct position *out,
                    struct position_fault *why) MUST_USE;
/* Like position_parse(), but also reads a diagram, which is a position that is only
 * shown. The text may end after the board; then Red is to move. A side may lack its
 * king: king[side] is then POINT_NONE, and the pieces are not counted. Use a diagram
 * only for display and for rules_free_moves(). */
bool position_parse_diagram(const char *text, struct position *out,
                            struct position_fault *why) MUST_USE;
/* True when a side lacks its king. */
bool position_is_diagram(const struct position *position);
void position_format(char out[POSITION_BYTES], const struct position *position);

#endif
