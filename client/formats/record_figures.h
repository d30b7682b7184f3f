/* Writes a record as plain text for reading and printing: the diagram of the start and
 * the diagram after each move, with the move, the clocks and any check above it, and
 * the result at the end. The text is ASCII except for the players' names. There is no
 * reader. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_FIGURES_H
#define CLIENT_FORMATS_RECORD_FIGURES_H

#include "common/base/base.h"
#include "common/record/record.h"

/* Returns the text; the caller frees it. game: made from the record by record_fold(),
 * with the set-up done. */
char *record_figures_write(const struct record *record,
                           const struct game *game) MUST_USE;

#endif
