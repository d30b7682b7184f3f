/* What GIB and PGN have in common as texts: [Key "value"] lines, comments in braces
 * with clocks in them, and several games in one file. Pure. */
#ifndef CLIENT_FORMATS_RECORD_TAG_H
#define CLIENT_FORMATS_RECORD_TAG_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/record/record_text.h"

enum { TAG_KEY_BYTES = 32, TAG_VALUE_BYTES = 256 };

struct record_tag {
    char key[TAG_KEY_BYTES];
    char value[TAG_VALUE_BYTES];
};

/* Takes [Key "value"] at *text apart and moves *text behind it; what does not fit is
 * cut. False: it is none. */
bool record_tag_take(const char **text, struct record_tag *out) MUST_USE;

/* Adds the tag as a line; quotes and backslashes in value are escaped. */
void record_tag_add(struct record_text *text, const char *key, const char *value);

/* Adds our own tags of record, which game folds: Rules, Time, Position, Reason,
 * EndedBy, Server, Game, Ended, as far as there is something to say. */
void record_tag_add_own(struct record_text *text, const struct record *record,
                        const struct game *game);

/* Adds " {[%clk 0:09:58.123] [%periods 3]}" for the mover of ply, from 1; nothing in an
 * untimed game. */
void record_tag_add_clock(struct record_text *text, const struct game *game, int ply);

/* The clock in the first len bytes of a comment, if there is one. */
void record_tag_take_clock(struct draft_move *move, const char *comment, size_t len);

#endif
