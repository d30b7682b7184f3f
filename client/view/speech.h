/* A game in sentences, for players who have the terminal read aloud to them: no board
 * art, every point by its name. Text only: writes into a buffer, prints nothing. */
#ifndef CLIENT_VIEW_SPEECH_H
#define CLIENT_VIEW_SPEECH_H

#include <stdint.h>

#include "client/view/facts.h"
#include "common/base/text.h"

struct manner;

/* Sentences for all that is shown; at a terminal, also the choice of a line-up. */
extern const struct manner speech_manner;

/* An event that was just folded in: "Red knight H0 to G2. Your move. Blue 9 minutes
 * 41." */
void speech_event(struct text *out, const struct facts *facts);

/* The four line-ups in words, how long there is to choose, and what is proposed. */
void speech_setup_choice(struct text *out, const struct model *model,
                         const struct model_game *game, int64_t now_ms);

/* The last move as a sentence, "Red pawn A3 takes pawn A4."; words if there is none. */
void speech_last(struct text *out, const struct model_game *game);

/* Whose turn it is, check, both clocks, and where every piece stands: in place of the
 * board. */
void speech_describe(struct text *out, const struct facts *facts);

/* "Red: king E1, rooks A0 and I0.", then the same for Blue. */
void speech_pieces(struct text *out, const struct position *position);
/* "Red knights B0 and G0. Blue knight C7." */
void speech_where(struct text *out, const struct position *position, enum kind kind);
/* All of a file or a row, from its low end: "File E: E1 red king, E6 blue pawn." */
void speech_file(struct text *out, const struct position *position, int file);
void speech_row(struct text *out, const struct position *position, int row);
/* A line of the board by its name, "E" or "3". False: word is none. */
bool speech_line(struct text *out, const struct position *position, const char *word);

/* Who that is, whether there, the clock, and what was taken; of both if we watch. */
void speech_opponent(struct text *out, const struct facts *facts);

/* "9 minutes 41", "1 hour 2 minutes", "40 seconds". */
void speech_span(struct text *out, int64_t ms);

#endif
