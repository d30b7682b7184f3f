/* An analysis as text: for a person at a terminal, for a screen reader, as a picture, for
 * programs, and as comments in a record. Pure, except that the results are allocated. */
#ifndef CLIENT_ANALYSE_REPORT_H
#define CLIENT_ANALYSE_REPORT_H

#include "client/analyse/analysis.h"
#include "client/formats/record_tag.h"

/* Each returns text that the caller frees; a position that was not searched is left
 * out. */

/* Red's chances as a graph of 64 by 5 characters, the moves that are marked, and the
 * figures of both players; ASCII except in a translation. */
char *report_write_text(const struct analysis *analysis) MUST_USE;
/* The same in sentences. */
char *report_write_speech(const struct analysis *analysis) MUST_USE;
/* The graph as a picture in SVG 1.1, of 4 KB at most: marked moves are dots with a
 * title. */
enum { REPORT_SVG_BYTES = 4096 };
char *report_write_svg(const struct analysis *analysis) MUST_USE;
/* One object; the numbers are Red's. */
char *report_write_json(const struct analysis *analysis) MUST_USE;

/* Returns one note for each ply, as record_gib_write() and record_pgn_write() take them.
 * The caller frees the array. */
struct record_note *report_make_notes(const struct analysis *analysis) MUST_USE;

#endif
