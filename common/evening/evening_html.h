/* Writes the results of an evening as one HTML page without scripts: the table, with a
 * cross table of all rounds. Pure. */
#ifndef COMMON_EVENING_EVENING_HTML_H
#define COMMON_EVENING_EVENING_HTML_H

#include "common/evening/evening.h"

/* Room for the largest evening. */
enum { EVENING_HTML_BYTES = 400000 };

/* Writes the page; each line ends with an LF. A cell of the cross table has the place
 * of the opponent, the side, and the result: 1, 0, = for a draw, + and - for a game
 * that one of the two missed. */
void evening_html_format(char *out, size_t size, const struct evening *evening);

#endif
