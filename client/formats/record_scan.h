/* Reads GIB and PGN files: lines of [Key "value"], comments in braces with clocks in
 * them, and moves; several games in one file. A description of the format says what
 * differs. Writes what both formats share. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_SCAN_H
#define CLIENT_FORMATS_RECORD_SCAN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* Longer words and values are cut: no valid one is as long. */
enum { SCAN_WORD_BYTES = 64, SCAN_KEY_BYTES = 32, SCAN_VALUE_BYTES = 256 };

/* Borrows import and the text; owns the draft. */
struct record_scan {
    struct record_import *import;
    struct record_draft draft; /* the requested game */
    const char *at;
    int line;
    int count;       /* games begun so far */
    bool is_in_tags; /* the previous token was a tag */
    bool is_wanted;  /* the current game is the requested one */

    bool has_reason; /* PGN: our own tag gives the reason of the end */
    int64_t told;    /* GIB: number of moves according to 총수; -1 if absent */
    /* GIB: value of 판, unless our own tag gives the position. */
    char board[SCAN_VALUE_BYTES];
};

struct scan_format {
    const char *name;    /* "GIB" */
    const char *example; /* of a tag, for errors */
    const char *ends;    /* a word is at least one byte, up to one of these */
    bool is_pgn;         /* with comments up to the end of the line, and variations in
                  * parentheses; the first game needs no tags */
    /* A tag of the requested game. Returns false with the reason in import->why. */
    bool (*take_tag)(struct record_scan *scan, const char *key, const char *value);
    /* A move or another word, also of other games. Returns false as take_tag() does. */
    bool (*take_word)(struct record_scan *scan, const char *word);
    /* Makes the record of the draft. Returns false as take_tag() does. */
    bool (*build)(struct record_scan *scan, struct record *out);
};

/* Reads the game with index import->number. If the file contains several games, adds a
 * note with their number. Returns false with the reason in import->why. */
bool record_scan_read(const struct scan_format *format, struct record *out,
                      const char *text, struct record_import *import) MUST_USE;

/* --- Writing --- */

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
