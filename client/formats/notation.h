/* Converts moves and positions from and to the notations of other programs. Handles the
 * syntax only; rules.h decides what is legal. Pure: no allocation, no state.
 *
 *   martin   B0-C2                pass             our own (move.h)
 *   courier  N b1-c3, b1-c3       pass             Game Courier; letters R N E F G C P;
 *                                                  only read
 *   uci      h10g8                e9e9             Fairy-Stockfish, its janggi variants
 *   korean   18마37, 1837         한수쉼           digits of row and file, .gib files
 *
 * Game Courier numbers the rows from 1. Engines and Korean records place Blue, who
 * moves first there, at the bottom, so their board is ours rotated by 180 degrees.
 * Engines also write Blue in capitals, and a pass as a king move to its own point. The
 * Korean digits are the row from the top of the rotated board (0 is the tenth) and the
 * file from its left.
 *
 * Missing information (whose king passes, which piece moves) is taken from the
 * position. Text that contradicts the position is refused. */
#ifndef CLIENT_FORMATS_NOTATION_H
#define CLIENT_FORMATS_NOTATION_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/move.h"
#include "common/words/sentence.h"

enum notation { NOTATION_MARTIN, NOTATION_COURIER, NOTATION_UCI, NOTATION_KOREAN };
enum { NOTATIONS = NOTATION_KOREAN + 1 };

/* Parses one move; `text` must contain nothing else. position: the position before the
 * move. If it is NULL, piece letters are not checked, and a pass in uci may name any
 * point where a king can stand. Returns false on failure and writes the reason to *why
 * (may be NULL). The reason does not quote `text`. */
enum { NOTATION_WHY_BYTES = 200 };
bool notation_parse_move(enum notation notation, const char *text,
                         const struct position *position, struct move *out,
                         char why[NOTATION_WHY_BYTES]) MUST_USE;

/* Writes `move` and a NUL to `out`, in another notation than courier. position: the
 * position before the move; it may be NULL. If it is not NULL, also writes the piece in
 * a notation that names pieces.
 * Returns false and writes the reason to *why (may be NULL) in two cases: `position` is
 * NULL and `move` is a pass in uci, or `position` has no piece on the point where the
 * move starts. */
enum { NOTATION_BYTES = 24 };
bool notation_format_move(char out[NOTATION_BYTES], enum notation notation,
                          struct move move, const struct position *position,
                          char why[NOTATION_WHY_BYTES]) MUST_USE;

/* Parses one command of Game Courier's set-up: "swap b1 c1" exchanges the knight and
 * the bishop on one wing before a side's first move. The points may come in either
 * order. The wings that a side swaps determine its line-up. Returns false for other
 * text. */
enum wing { WING_LEFT = 1, WING_RIGHT = 2 }; /* files B-C, files G-H (RULES.md G6) */
bool notation_parse_swap(const char *text, enum side *side, enum wing *wing) MUST_USE;

/* Convert between a position and an engine's FEN, "rnba1abnr/... w - - 0 1", where w
 * means Blue. A FEN does not contain `forfeits` and `passes` of struct position:
 * writing leaves both out, and reading sets both to 0. If reading fails, the reason in
 * *why uses the row numbers of our board. */
enum { NOTATION_FEN_BYTES = POSITION_BYTES };
bool notation_fen_parse(const char *text, struct position *out,
                        char why[SENTENCE_BYTES]) MUST_USE;
void notation_fen_format(char out[NOTATION_FEN_BYTES], const struct position *position);

#endif
