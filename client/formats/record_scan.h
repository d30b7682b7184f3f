/* Reads GIB and PGN files: lines of [Key "value"], comments in braces with clocks in
 * them, and moves; several games in one file. A description of the format says what
 * differs. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_SCAN_H
#define CLIENT_FORMATS_RECORD_SCAN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"

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

#endif
