/* Describes a game in sentences, for players who use a screen reader: no drawn boards,
 * every point by its name. Writes text into a buffer, prints nothing. */
#ifndef CLIENT_VIEW_SPEECH_H
#define CLIENT_VIEW_SPEECH_H

#include <stdint.h>

#include "client/view/facts.h"
#include "common/base/text.h"

struct manner;

/* The manner that writes sentences; at a terminal it also shows the choice of a
 * line-up. */
extern const struct manner speech_manner;

/* Adds an event that the model has just applied: "Red knight H0 to G2. Your move. Blue
 * 9 minutes 41." */
void speech_event(struct text *out, const struct facts *facts);

/* Adds the last move, "Red pawn A3 takes pawn A4.", or says that there is none. */
void speech_last(struct text *out, const struct model_game *game);

/* Describes the game in words instead of showing the board: whose turn it is, whether
 * there is a check, the time of both clocks, where each piece stands, and the last
 * move. */
void speech_describe(struct text *out, const struct facts *facts);

/* Adds "Red: king E1, rooks A0 and I0.", then the same for Blue. */
void speech_pieces(struct text *out, const struct position *position);
/* Adds where the pieces of a kind stand: "Red knights B0 and G0. Blue knight C7." */
void speech_where(struct text *out, const struct position *position, enum kind kind);
/* `word` names a file or a row: "E" or "3". Adds the pieces on this file or row: "File
 * E: E1 red king, E6 blue pawn." The pieces on a file begin with the lowest row. The
 * pieces on a row begin with file A. If `word` is another word, returns false. */
bool speech_line(struct text *out, const struct position *position, const char *word);

/* Adds the name, the presence and the clock of the opponent, and the pieces that the
 * opponent has captured; if we watch, the same about both players. */
void speech_opponent(struct text *out, const struct facts *facts);

/* Adds a span of time: "9 minutes 41", "1 hour 2 minutes", "40 seconds". */
void speech_span(struct text *out, int64_t ms);

#endif
