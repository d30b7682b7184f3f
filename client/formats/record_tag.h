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

/* Appends our own tags that have a value: Rules, Time, Position, Reason, EndedBy,
 * Server, Game, Ended. game: made from the record by record_fold(). */
void record_tag_add_own(struct record_text *text, const struct record *record,
                        const struct game *game);

/* Appends the time that a side has left after its move, as in " {[%clk 0:09:58.123]
 * [%periods 3]}". ply: the number of the move, counted from 1. In an untimed game, does
 * not append anything. */
void record_tag_add_clock(struct record_text *text, const struct game *game, int ply);

/* The remarks on one move, for GIB and PGN, which allow comments. */
struct record_note {
    char comment[RECORD_NOTE_BYTES]; /* without braces; "": no comment */
    char eval[RECORD_EVAL_BYTES];    /* for PGN, from White's side: "-3.20"; "": no
                                      * evaluation */
    int glyph;                       /* for PGN: 2 a mistake, 4 a blunder, 6 a doubtful
                                      * move; 0: no glyph */
};
/* Appends " {COMMENT}" with the comment of `note`; nothing if `note` is NULL or has no
 * comment. */
void record_tag_add_note(struct record_text *text, const struct record_note *note);
/* For PGN: record_tag_add_glyph() appends " $GLYPH"; record_tag_add_evaluation()
 * appends " {[%eval EVAL] COMMENT}". Nothing is appended if `note` is NULL or lacks
 * that value. */
void record_tag_add_glyph(struct record_text *text, const struct record_note *note);
void record_tag_add_evaluation(struct record_text *text,
                               const struct record_note *note);

/* If the first len bytes of `comment` contain a clock time, such as "[%clk 0:09:58]",
 * stores that time in `move`. */
void record_tag_take_clock(struct draft_move *move, const char *comment, size_t len);

#endif
