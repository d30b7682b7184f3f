/* Reads and writes records as PGN in the style of PyChess: the tag Variant is "Janggi",
 * White stands for Blue, the start is a FEN, and clocks are [%clk] comments.
 * record_pgn.c describes the moves. We add our own tags (record_scan.h), so that reading
 * our own output loses only take-backs. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_PGN_H
#define CLIENT_FORMATS_RECORD_PGN_H

#include <stdbool.h>

#include "client/formats/record_scan.h"
#include "common/base/base.h"

/* Returns the game as PGN text; the caller frees it. game: made from the record by
 * record_fold(). Both sides must have chosen their line-ups. notes: an array with the
 * glyph, evaluation and comment of each ply, or NULL. */
char *record_pgn_write(const struct record *record, const struct game *game,
                       const struct record_note *notes) MUST_USE;

/* Parses the game with index import->number. Returns false with the reason in
 * import->why; *out is then unchanged. */
bool record_pgn_read(struct record *out, const char *text,
                     struct record_import *import) MUST_USE;

#endif
