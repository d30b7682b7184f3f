/* What we write in GIB as in PGN: lines of [Key "value"], and comments in braces with
 * clocks in them. record_scan.h reads them. Pure. */
#ifndef CLIENT_FORMATS_RECORD_TAG_H
#define CLIENT_FORMATS_RECORD_TAG_H

#include "common/base/base.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

enum { RECORD_NOTE_BYTES = 160, RECORD_EVAL_BYTES = 16 };

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

#endif
