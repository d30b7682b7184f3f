/* The syntax that GIB and PGN share: lines of [Key "value"], comments in braces with
 * clocks in them, and several games in one file. Pure. */
#ifndef CLIENT_FORMATS_RECORD_TAG_H
#define CLIENT_FORMATS_RECORD_TAG_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/record/record_text.h"

enum { TAG_KEY_BYTES = 32, TAG_VALUE_BYTES = 256 };
enum { RECORD_NOTE_BYTES = 160, RECORD_EVAL_BYTES = 16 };

struct record_tag {
    char key[TAG_KEY_BYTES];
    char value[TAG_VALUE_BYTES];
};

/* Parses [Key "value"] at *text and advances *text past it; a key or value that is too
 * long is cut. Returns false if there is no such tag. */
bool record_tag_take(const char **text, struct record_tag *out) MUST_USE;

/* Appends the tag as a line, with quotes and backslashes in value escaped. */
void record_tag_add(struct record_text *text, const char *key, const char *value);

/* Appends our own tags: Rules, Time, Position, Reason, EndedBy, Server, Game, Ended;
 * those without a value are left out. game must be the fold of record. */
void record_tag_add_own(struct record_text *text, const struct record *record,
                        const struct game *game);

/* Appends " {[%clk 0:09:58.123] [%periods 3]}" for the side that made move number ply
 * (from 1); nothing in an untimed game. */
void record_tag_add_clock(struct record_text *text, const struct game *game, int ply);

/* Remarks on the moves of a game, for GIB and PGN, which have comments. */
struct record_note {
    char comment[RECORD_NOTE_BYTES]; /* without braces; "": none */
    char eval[RECORD_EVAL_BYTES];    /* for PGN, from White's side: "-3.20"; "": none */
    int glyph;                       /* for PGN: 2 a mistake, 4 a blunder, 6 doubtful */
};
/* Appends " {COMMENT}" for note; nothing if it is NULL or has no comment. */
void record_tag_add_note(struct record_text *text, const struct record_note *note);
/* The same with the glyph and the evaluation of PGN. */
void record_tag_add_glyph(struct record_text *text, const struct record_note *note);
void record_tag_add_evaluation(struct record_text *text,
                               const struct record_note *note);

/* Stores the clock found in the first len bytes of comment in move, if there is one. */
void record_tag_take_clock(struct draft_move *move, const char *comment, size_t len);

#endif
