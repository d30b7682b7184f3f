/* Records as PGN, in the way of pychess: Variant "Janggi", White is Blue, the FEN of
 * the start, moves as in record_pgn.h, clocks as [%clk]. Our own tags (record_tag.h)
 * are beside theirs, so that what we write comes back whole but for take-backs. Pure
 * but for memory. */
#ifndef CLIENT_FORMATS_RECORD_PGN_H
#define CLIENT_FORMATS_RECORD_PGN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/record/record.h"

/* The game as text, the caller's to free. game: record folded, at least set up. */
char *record_pgn_write(const struct record *record, const struct game *game) MUST_USE;

/* Reads game import->number of text. False: import->why; *out is untouched. */
bool record_pgn_read(struct record *out, const char *text,
                     struct record_import *import) MUST_USE;

#endif
