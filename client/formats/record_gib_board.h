/* A position as GIB files write it, in the tag 판: ten rows from the left of Blue's
 * view, digits for empty points, Blue's pieces in hangul and Red's in hanja. For
 * record_gib.c. Pure. */
#ifndef CLIENT_FORMATS_RECORD_GIB_BOARD_H
#define CLIENT_FORMATS_RECORD_GIB_BOARD_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/record/record_text.h"

enum { GIB_WORD_BYTES = 3 }; /* of the word for a piece or a side, each of them */

/* The word for a piece; "" for KIND_NONE. */
const char *record_gib_word(enum kind kind, enum side side);

/* Reads the value of the tag, whatever stands behind its rows; side is to move, which
 * it does not say. False: it is none. */
bool record_gib_read_board(const char *value, enum side side,
                           struct position *out) MUST_USE;

/* Adds the tag as a line. */
void record_gib_write_board(struct record_text *text, const struct position *position);

#endif
