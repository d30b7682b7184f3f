/* Writes an evening for other programs and for readers: as FIDE's tournament report file
 * (TRF), and as one HTML page without scripts. Pure. */
#ifndef COMMON_EVENING_EVENING_EXPORT_H
#define COMMON_EVENING_EVENING_EXPORT_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_TRF_BYTES = 80000, EVENING_HTML_BYTES = 400000 };

/* Writes a TRF, which programs that pair, print or rate tournaments use: all rounds that
 * are decided, and which players will be absent in the next round. White is the player
 * who moves first. Points count wins and draws only, whatever the scoring of the evening
 * is, and without the maker's adjustments, because programs compare the points with the
 * results. rating[n - 1] is the rating of player n, 0 for none; rating may be NULL.
 * Returns the length of the file. */
size_t evening_export_trf(char *out, size_t size, const struct evening *evening,
                          const int *rating);

/* Writes the page to `out`, which has `size` bytes. Each line ends with an LF. A cell
 * of the cross table, such as "4r1", has three parts: the opponent's line in the table
 * (1 is the first line), the player's side, and the result. The result is 1 for a win,
 * 0 for a loss, and = for a draw. If the game was not played to a win or a draw, the
 * result is + for a player who got a point, and - for a player who got nothing. An
 * undecided game has no result yet. */
void evening_export_html(char *out, size_t size, const struct evening *evening);

#endif
