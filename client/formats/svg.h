/* A position as a picture in SVG 1.1: octagonal pieces of three sizes with their hanja
 * and, for screens without such a font, their letter; the palaces' diagonals, and the
 * coordinates of the figure. No script, no font and no file from elsewhere. */
#ifndef CLIENT_FORMATS_SVG_H
#define CLIENT_FORMATS_SVG_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"

/* The picture, the caller's to free; is_flipped: from Blue's side. marks: points to be
 * marked, a dot on an empty one and a ring round a piece; NULL for none. */
char *svg_write(const struct position *position, bool is_flipped,
                const bool marks[BOARD_POINTS]) MUST_USE;

#endif
