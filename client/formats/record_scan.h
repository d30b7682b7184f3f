/* Going through a file of games in tags and moves, GIB or PGN: which game one is in,
 * which line, and whether it is the one that is wanted. Pure. */
#ifndef CLIENT_FORMATS_RECORD_SCAN_H
#define CLIENT_FORMATS_RECORD_SCAN_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "client/formats/record_tag.h"
#include "common/base/base.h"

/* Borrows import and the text; owns the draft. */
struct record_scan {
    struct record_import *import;
    struct record_draft draft; /* of the game that is wanted */
    const char *at;
    int line;
    int count;       /* games begun so far */
    bool is_in_tags; /* the last thing was a tag */
    bool is_wanted;  /* this is the game to read */
};

void record_scan_init(struct record_scan *scan, const char *text,
                      struct record_import *import);
void record_scan_clear(struct record_scan *scan);

/* Goes on to end, counting lines. */
void record_scan_skip(struct record_scan *scan, const char *end);

void record_scan_begin_game(struct record_scan *scan);

/* Takes the tag here; the first one behind a move begins a game. False: import->why,
 * with a tag that would do as an example. */
bool record_scan_take_tag(struct record_scan *scan, const char *example,
                          struct record_tag *out) MUST_USE;

/* Takes a comment up to close, '}' or the end of the line, and the clock of the last
 * move in it. */
void record_scan_take_comment(struct record_scan *scan, char close);

/* The game that is wanted was there. False: import->why; format is named in it. */
bool record_scan_has_wanted(struct record_scan *scan, const char *format) MUST_USE;
/* Notes that the file holds other games, if it does. */
void record_scan_note_others(struct record_scan *scan);

/* Copies the next word, up to one of the bytes in ends, cut if it is long. */
enum { SCAN_WORD_BYTES = 64 };
void record_scan_take_word(struct record_scan *scan, const char *ends,
                           char out[SCAN_WORD_BYTES]);

#endif
