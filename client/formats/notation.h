/* The same moves and positions as other programs write them. Only what is written: what
 * is legal is rules.h. Pure: no allocation, no state.
 *
 *   martin   B0-C2                pass             our own (move.h)
 *   courier  N b1-c3, b1-c3       pass             Game Courier; letters R N E F G C P
 *   uci      h10g8                e9e9             Fairy-Stockfish, its janggi variants
 *   korean   18마37, 1837         한수쉼           row and file digits, as in .gib
 * files
 *
 * Game Courier counts rows from 1. An engine and Korean records have Blue, who is their
 * first mover, at the bottom and in capitals: to them our board is turned by 180
 * degrees. An engine's pass is the king on its own point. Korean digits are the row
 * from the top of that turned board, 0 for the tenth, and the file from its left.
 *
 * Nothing is guessed: where a text alone does not say it all (whose king passes, which
 * piece moves), the position says it, and a text that contradicts it is refused. */
#ifndef CLIENT_FORMATS_NOTATION_H
#define CLIENT_FORMATS_NOTATION_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/move.h"
#include "common/words/sentence.h"

enum notation { NOTATION_MARTIN, NOTATION_COURIER, NOTATION_UCI, NOTATION_KOREAN };
enum { NOTATIONS = NOTATION_KOREAN + 1 };

/* False when no notation has that name. */
bool notation_find(const char *name, enum notation *out) MUST_USE;
const char *notation_name(enum notation notation);

/* Reads one move, the whole of text. position is the one in which it is made, or NULL:
 * then letters of pieces are not compared, and an engine's pass may be either king's.
 * On failure *why (may be NULL) says what is wrong, without text's own bytes. */
enum { NOTATION_WHY_BYTES = 200 };
bool notation_parse_move(enum notation notation, const char *text,
                         const struct position *position, struct move *out,
                         char why[NOTATION_WHY_BYTES]) MUST_USE;

/* Writes move and a NUL: with the piece, where the notation has a sign for it and
 * position is known (it may be NULL). False: that cannot be written without position
 * (an engine's pass), or nothing stands where the move begins. */
enum { NOTATION_BYTES = 24 };
bool notation_format_move(char out[NOTATION_BYTES], enum notation notation,
                          struct move move, const struct position *position,
                          char why[NOTATION_WHY_BYTES]) MUST_USE;

/* Game Courier's set-up: "swap b1 c1", either order of the points, exchanges knight and
 * bishop on one wing before a side's first move. A line-up is a set of swapped wings.
 */
enum wing { WING_LEFT = 1, WING_RIGHT = 2 }; /* files B-C, files G-H (G6) */
bool notation_parse_swap(const char *text, enum side *side, enum wing *wing) MUST_USE;
/* "swap b1 c1; swap g1 h1", "" for LINEUP_NBBN, and a NUL. */
enum { NOTATION_SWAPS_BYTES = 32 };
void notation_format_swaps(char out[NOTATION_SWAPS_BYTES], enum side side,
                           enum lineup lineup);

/* An engine's FEN, "rnba1abnr/... w - - 0 1": w is Blue. It has no forfeits and no
 * passes: they are left out, and read as none. On failure *why speaks of the rows of
 * our board. */
enum { NOTATION_FEN_BYTES = POSITION_BYTES };
bool notation_parse_fen(const char *text, struct position *out,
                        char why[SENTENCE_BYTES]) MUST_USE;
void notation_format_fen(char out[NOTATION_FEN_BYTES], const struct position *position);

#endif
