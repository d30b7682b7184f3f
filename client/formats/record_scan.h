/* Scanner for GIB and PGN files, which consist of tags and moves: tracks the current
 * game, the current line, and whether this game is the requested one. Pure. */
#ifndef CLIENT_FORMATS_RECORD_SCAN_H
#define CLIENT_FORMATS_RECORD_SCAN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "client/formats/record_tag.h"
#include "common/base/base.h"

/* Borrows import and the text; owns the draft. */
struct record_scan {
    struct record_import *import;
    struct record_draft draft; /* the requested game */
    const char *at;
    int line;
    int count;       /* games begun so far */
    bool is_in_tags; /* the previous token was a tag */
    bool is_wanted;  /* the current game is the requested one */
};

void record_scan_init(struct record_scan *scan, const char *text,
                      struct record_import *import);
/* Frees what the scanner owns. is_read: whether the requested game was read. If it was,
 * and the file contains several games, adds a note with the number of games. Returns
 * is_read. */
bool record_scan_end(struct record_scan *scan, bool is_read);

/* Advances to the place `end` in the text and counts the lines on the way. */
void record_scan_skip(struct record_scan *scan, const char *end);

/* Begins the next game of the file: adds 1 to `count`, and sets is_wanted to true if
 * this game is the requested one, otherwise to false. */
void record_scan_begin_game(struct record_scan *scan);

/* Parses the tag at the current place. A tag after a move begins the next game. If the
 * tag belongs to the requested game, calls `take` with `reading` and the tag. Returns
 * false if `take` returns false, or after a syntax error; import->why then shows
 * `example` as a correct tag. */
typedef bool record_scan_tag_fn(void *reading, const struct record_tag *tag);
bool record_scan_take_tag(struct record_scan *scan, const char *example,
                          record_scan_tag_fn *take, void *reading) MUST_USE;

/* Skips a comment up to the character `close`: '}' or the LF. If the comment contains a
 * clock time, stores that time in the last move. */
void record_scan_take_comment(struct record_scan *scan, char close);

/* Returns true if the requested game was found. Otherwise returns false with the reason
 * in import->why, which contains the name `format`. */
bool record_scan_has_wanted(struct record_scan *scan, const char *format) MUST_USE;

/* Takes the next word: at least one byte, up to the next byte that is in `ends`. Copies
 * it to `out`, where a long word is cut. */
enum { SCAN_WORD_BYTES = 64 };
void record_scan_take_word(struct record_scan *scan, const char *ends,
                           char out[SCAN_WORD_BYTES]);

#endif
