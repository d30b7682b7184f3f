/* The board for a terminal: Martin's figure as diagram.h draws it, or the same with
 * hanja or hangul on it; with colours or without, whole or some rows. Text only: writes
 * into a buffer, prints nothing. */
#ifndef CLIENT_VIEW_FIGURE_H
#define CLIENT_VIEW_FIGURE_H

#include <stdbool.h>

#include "client/base/look.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/move.h"
#include "common/words/diagram.h"

struct figure {
    const struct position *position;
    const bool *marks; /* of BOARD_POINTS: "*", "<P>"; may be NULL */
    struct move last;  /* shown in reverse with colours; the pass: none */
    enum look_pieces pieces;
    bool is_flipped;
    bool has_color;
};

/* The width of the whole figure. */
int figure_columns(enum look_pieces pieces);

/* One of its DIAGRAM_LINES lines, 0 at the top, without a LF. Returns how many columns
 * it takes. */
int figure_line(struct text *out, const struct figure *figure, int line);

/* Rows lowest to highest with the letters of the files below, a LF after each line. */
void figure_rows(struct text *out, const struct figure *figure, int lowest,
                 int highest);

#endif
