/* A position as Martin's figure, byte for byte (seed 001, FIG 1 and FIG 2): plain
 * ASCII, 20 lines, at most 34 columns. Red's pieces in ( ), his king in [ ] as printed,
 * Blue's in [ ]. */
#ifndef COMMON_WORDS_DIAGRAM_H
#define COMMON_WORDS_DIAGRAM_H

#include <stdbool.h>

#include "common/game/side.h"

struct position;

enum { DIAGRAM_LINES = 20, DIAGRAM_COLUMNS = 34, DIAGRAM_BYTES = 20 * 36 + 1 };

/* Writes the whole figure, a LF after each line, and a NUL; is_flipped: from Blue's
 * side. */
void diagram_format(char out[DIAGRAM_BYTES], const struct position *position,
                    bool is_flipped);

/* The same with the points of marks[90] marked: "*" on an empty point, "<P>" round a
 * piece. */
void diagram_format_marked(char out[DIAGRAM_BYTES], const struct position *position,
                           bool is_flipped, const bool marks[BOARD_POINTS]);

/* Writes one line of the figure, 0 at the top, without its LF, for a screen with a
 * panel beside it. marks may be NULL. */
void diagram_line(char out[DIAGRAM_COLUMNS + 2], const struct position *position,
                  bool is_flipped, const bool marks[BOARD_POINTS], int line);

#endif
