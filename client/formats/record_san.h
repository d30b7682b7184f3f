/* Moves as engines and PGN write them, "Hc3", "Pab4", "Rxa4+", "Ce1#", and a pass as
 * the king on its own point, "Ke2": letters R H E A K C P, points as in an engine's
 * moves (notation.h, uci). What two pieces could do is told apart as Fairy-Stockfish
 * does it, which reads nothing else. Pure. */
#ifndef CLIENT_FORMATS_RECORD_SAN_H
#define CLIENT_FORMATS_RECORD_SAN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/game/rules.h"

/* Writes the legal move and a NUL. */
enum { SAN_BYTES = 16 };
void record_san_format(char out[SAN_BYTES], const struct ruleset *rules,
                       const struct position *position, struct move move);

/* Reads such a move, with or without its + or #, or one like "i4h4"; N, B, G stand for
 * H, E, A as well. A record_read_move. */
bool record_san_parse(const char *text, const struct ruleset *rules,
                      const struct position *position, struct move *out,
                      char why[DRAFT_WHY_BYTES]) MUST_USE;

#endif
