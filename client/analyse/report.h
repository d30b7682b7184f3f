/* Writes an analysis in several forms: text for a terminal, sentences for a screen
 * reader, an SVG picture, JSON for programs, and notes for a GIB or PGN record. Pure,
 * except that the results are allocated. */
#ifndef CLIENT_ANALYSE_REPORT_H
#define CLIENT_ANALYSE_REPORT_H

#include "client/analyse/analysis.h"
#include "client/formats/record_scan.h"

/* Each report_write function returns text that the caller frees, and leaves out the
 * positions that were not searched. */

/* Writes Red's winning chances as a graph of 64 by 5 characters, then the marked moves
 * and the accuracy of both players. The text is ASCII unless it is translated. */
char *report_write_text(const struct analysis *analysis) MUST_USE;
/* Writes sentences for a screen reader: Red's winning chances at the start and the end,
 * the marked moves, and the accuracy of both players. */
char *report_write_speech(const struct analysis *analysis) MUST_USE;
/* Draws the graph as an SVG 1.1 picture of at most 4 KB. The marked moves, or the worst
 * 16 if there are more, are dots with titles. */
enum { REPORT_SVG_BYTES = 4096 };
char *report_write_svg(const struct analysis *analysis) MUST_USE;
/* Writes one JSON object. The points and chances in it are from Red's side, except
 * points_lost, which is a player's average loss per move. */
char *report_write_json(const struct analysis *analysis) MUST_USE;

/* Returns an array with one note for each ply, for record_gib_write() and
 * record_pgn_write(). The caller frees the array. */
struct record_note *report_make_notes(const struct analysis *analysis) MUST_USE;

#endif
