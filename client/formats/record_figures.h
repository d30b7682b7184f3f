/* Writes a record as plain text for reading and printing. The text has a heading, the
 * diagram of the start, a line and a diagram for each move, and the result. The line of
 * a move also shows the clocks, and says if the move gives check. The text is ASCII
 * except for the players' names. This format can only be written, not read. Pure except
 * for allocation. */
#ifndef CLIENT_FORMATS_RECORD_FIGURES_H
#define CLIENT_FORMATS_RECORD_FIGURES_H

#include "common/base/base.h"
#include "common/record/record.h"

/* Returns the text; the caller frees it. game: made from the record by record_fold().
 * Both sides must have chosen their line-ups. */
char *record_figures_write(const struct record *record,
                           const struct game *game) MUST_USE;

#endif
