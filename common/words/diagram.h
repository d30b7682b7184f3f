/* Draws a position exactly as figures 1 and 2 in Roleigh Martin's text on Korean chess
 * do: plain ASCII, 20 lines, at most 34 columns. Red's pieces are in ( ), Blue's pieces
 * and both kings in [ ]. */
#ifndef COMMON_WORDS_DIAGRAM_H
#define COMMON_WORDS_DIAGRAM_H

#include <stdbool.h>

#include "common/game/side.h"

struct position;

enum { DIAGRAM_LINES = 20, DIAGRAM_COLUMNS = 34, DIAGRAM_BYTES = 20 * 36 + 1 };

/* Writes the whole figure, with an LF after each line, and a NUL. is_flipped: as seen
 * from Blue's side. Marks the points that are true in marks, which may be NULL: "*" on an
 * empty point, "<P>" round a piece. */
void diagram_format(char out[DIAGRAM_BYTES], const struct position *position,
                    bool is_flipped, const bool marks[BOARD_POINTS]);

/* Writes one line of the figure, without an LF. `line` is the number of the line; the
 * top line has the number 0. Use this function for a screen that shows a panel beside
 * the figure. marks may be NULL. */
void diagram_line(char out[DIAGRAM_COLUMNS + 2], const struct position *position,
                  bool is_flipped, const bool marks[BOARD_POINTS], int line);

#endif
