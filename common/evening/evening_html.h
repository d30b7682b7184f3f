/* Writes the results of an evening as one HTML page without scripts: the table, with a
 * cross table of all rounds. Pure. */
#ifndef COMMON_EVENING_EVENING_HTML_H
#define COMMON_EVENING_EVENING_HTML_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_HTML_BYTES = 400000 };

/* Writes the page to `out`, which has `size` bytes. Each line ends with an LF. A cell
 * of the cross table, such as "4r1", has three parts: the opponent's line in the table
 * (1 is the first line), the player's side, and the result. The result is 1 for a win,
 * 0 for a loss, and = for a draw. If the game was not played to a win or a draw, the
 * result is + for a player who got a point, and - for a player who got nothing. An
 * undecided game has no result yet. */
void evening_html_format(char *out, size_t size, const struct evening *evening);

#endif
