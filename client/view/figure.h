/* Draws the board for a terminal: with letters as in diagram.h, or with hanja or
 * hangul; with or without colours; the whole board or some rows. Writes text into a
 * buffer, prints nothing. */
#ifndef CLIENT_VIEW_FIGURE_H
#define CLIENT_VIEW_FIGURE_H

#include <stdbool.h>

#include "client/base/look.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "common/words/diagram.h"

struct position;

struct figure {
    const struct position *position;
    const bool *marks; /* BOARD_POINTS elements: points drawn as "*" or "<P>"; may be
                        * NULL */
    struct move last;  /* the last move: with colours, its two points are shown in
                        * reverse video; a pass has no points */
    enum look_pieces pieces;
    bool is_flipped;
    bool has_color;
};

/* Returns the width of the whole figure in columns. */
int figure_columns(enum look_pieces pieces);

/* Adds one of the DIAGRAM_LINES lines of the figure, 0 at the top, without an LF.
 * Returns the width of this line in columns. */
int figure_line(struct text *out, const struct figure *figure, int line);

/* Adds the rows `lowest` to `highest` of the board, with the file letters below, and an
 * LF after each line. */
void figure_rows(struct text *out, const struct figure *figure, int lowest,
                 int highest);

#endif
