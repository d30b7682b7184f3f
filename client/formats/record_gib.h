/* Records as Korean programs write them, .gib files: tags, then numbered moves like
 * "79졸78". There is no written standard; this is what the files have in common:
 *
 *   [대회명 "Cup"] [대국일자 "2016-12-06"]     event, day; others like them
 *   [초대국자 "hong"] [한대국자 "kim"]         Blue's and Red's player
 *   [초차림 "상마상마"] [한차림 "마상상마"]    set-ups, both from the left of Blue's
 *                                              view (older: 초포진, 한포진)
 *   [판 "車馬.../... 한 접장기"]               or a position, row by row, Red in hanja
 *   [총수 "57"] [대국결과 "한 시간승"]         number of moves, result
 *
 *   1. 79졸78 2. 12마33 ... 129. 한수쉼        each number is one move; 한수쉼 passes
 *
 * In moves a piece may be hanja or hangul, 楚 or 漢 may stand before it, a captured
 * piece or 장군 (check) behind; {comments} may span lines, words with "<" in them are
 * junk, and a file may hold several games, each beginning with its tags. We add our own
 * tags (record_tag.h) and clocks as comments, so that what we write comes back whole
 * but for take-backs. Text is UTF-8 here; other encodings are the caller's. */
#ifndef CLIENT_FORMATS_RECORD_GIB_H
#define CLIENT_FORMATS_RECORD_GIB_H

#include <stdbool.h>

#include "client/formats/record_draft.h"
#include "common/base/base.h"
#include "common/record/record.h"

/* The game as text, the caller's to free. game: record folded, at least set up. */
char *record_gib_write(const struct record *record, const struct game *game) MUST_USE;

/* Reads game import->number of text. False: import->why; *out is untouched. */
bool record_gib_read(struct record *out, const char *text,
                     struct record_import *import) MUST_USE;

#endif
