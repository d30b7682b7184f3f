/* Records as PGN in the style of PyChess: Variant "Janggi", White is Blue, the FEN of
 * the start, moves as described in record_pgn.c, clocks as [%clk]. We add our own tags
 * (record_tag.h), so that reading our own output loses only take-backs. Pure except for
 * allocation. */
#ifndef CLIENT_FORMATS_RECORD_PGN_H
#define CLIENT_FORMATS_RECORD_PGN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "client/formats/record_tag.h"
#include "common/base/base.h"
#include "common/record/record.h"

/* Returns the game as PGN text; the caller frees it. game must be the fold of record,
 * with the set-up done. notes has an entry for each ply, for glyphs, evaluations and
 * comments, or is NULL. */
char *record_pgn_write(const struct record *record, const struct game *game,
                       const struct record_note *notes) MUST_USE;

/* Parses the game with index import->number. Returns false with the reason in
 * import->why; *out is then unchanged. */
bool record_pgn_read(struct record *out, const char *text,
                     struct record_import *import) MUST_USE;

#endif
