/* A record as plain text for reading and printing: Martin's figure of the start and
 * after each move, with the move, the clocks and the check in words above it, and the
 * result at the end. ASCII but for the players' names. Written only; pure but for
 * memory. */
#ifndef CLIENT_FORMATS_RECORD_FIGURES_H
#define CLIENT_FORMATS_RECORD_FIGURES_H

#include "common/base/base.h"
#include "common/record/record.h"

/* The text, the caller's to free. game: record folded, at least set up. */
char *record_figures_write(const struct record *record,
                           const struct game *game) MUST_USE;

#endif
