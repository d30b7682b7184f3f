/* Writes the results of an evening as one HTML page without scripts: the table, with a
 * cross table of all rounds. Pure. */
#ifndef COMMON_EVENING_EVENING_HTML_H
#define COMMON_EVENING_EVENING_HTML_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_HTML_BYTES = 400000 };

/* Writes the page to `out`, which has `size` bytes; each line ends with an LF. A cell
 * of the cross table has the line of the opponent in the table, the side that the
 * player had, and the result: 1 for a win, 0 for a loss, = for a draw. If the game was
 * not played to a win or a draw, the result is + for the player who got a point, and -
 * for the other. */
void evening_html_format(char *out, size_t size, const struct evening *evening);

#endif
