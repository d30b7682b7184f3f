/* Draws a position as a picture in SVG 1.1: octagonal pieces in three sizes with their
 * hanja and their letter (for systems without a font for hanja), the diagonals of the
 * fortresses, and the coordinates. The picture uses no script, no embedded font and no
 * external file. */
#ifndef COMMON_WORDS_SVG_H
#define COMMON_WORDS_SVG_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/move.h"

struct position;

/* Enough bytes for the picture of a full board with all points marked. */
enum { SVG_BYTES = 32768 };

/* Returns the picture; the caller frees it. If `is_flipped` is true, Blue is at the
 * bottom. `marks` says which points get a mark (a dot on an empty point, a ring round a
 * piece) and may be NULL. */
char *svg_write(const struct position *position, bool is_flipped,
                const bool marks[BOARD_POINTS]) MUST_USE;

#endif
