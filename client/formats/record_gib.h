/* Reads and writes .gib files, the records of Korean programs: tags, then numbered
 * moves like "79졸78". No standard exists; existing files have this in common:
 *
 *   [대회명 "Cup"] [대국일자 "2016-12-06"]     event, day, and similar tags
 *   [초대국자 "hong"] [한대국자 "kim"]         Blue's and Red's player
 *   [초차림 "상마상마"] [한차림 "마상상마"]    set-ups, from left to right as Blue
 *                                              sees them (older: 초포진, 한포진)
 *   [판 "車馬.../... 한 접장기"]               or a position, row by row, Red in hanja
 *   [제한시간 "20분 30초 3회"]                 time; without byoyomi: "5분"
 *   [총수 "57"] [대국결과 "한 시간승"]         number of moves, result
 *
 *   1. 79졸78 2. 12마33 ... 129. 한수쉼        each number is one move; 한수쉼 passes
 *
 * In a move, the piece is written in hanja or hangul; 楚 or 漢 may precede it, and a
 * captured piece or 장군 (check) may follow the move. {comments} may span lines. Words
 * that contain "<" are ignored. A file may contain several games, each beginning with
 * its tags. We add our own tags (record_scan.h), and clocks as comments, so that reading
 * our own output loses nothing except take-backs. Text is UTF-8; the caller converts
 * other encodings. */
#ifndef CLIENT_FORMATS_RECORD_GIB_H
#define CLIENT_FORMATS_RECORD_GIB_H

#include <stdbool.h>

#include "client/formats/record_scan.h"
#include "common/base/base.h"

/* Returns the game as GIB text; the caller frees it. game: made from the record by
 * record_fold(). Both sides must have chosen their line-ups. notes: an array with one
 * entry for each ply, or NULL. Only the comments in the entries are written. */
char *record_gib_write(const struct record *record, const struct game *game,
                       const struct record_note *notes) MUST_USE;

/* Parses the game with index import->number. Returns false with the reason in
 * import->why; *out is then unchanged. */
bool record_gib_read(struct record *out, const char *text,
                     struct record_import *import) MUST_USE;

#endif
