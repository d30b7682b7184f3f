/* The verb "analyse": analyses a game while the terminal remains usable, and then shows
 * the result. One game at a time. */
#ifndef CLIENT_SESSION_EXPLAIN_H
#define CLIENT_SESSION_EXPLAIN_H

#include <stdbool.h>

#include "client/analyse/analysis.h"

struct analyst;
struct console;
struct game;

/* A zeroed struct is idle. Owns the analyst; borrows the console. */
struct explain {
    struct analyst *analyst; /* NULL: idle */
    struct analysis result;  /* of the last one; rules NULL: none */
    struct console *console;
};

/* Begins, or refuses with words. Copies what it needs of game. */
void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game);
bool explain_is_busy(const struct explain *explain);
/* Ctrl-C: ends the analysis, whose results so far are shown. Returns false if it is
 * idle. */
bool explain_stop(struct explain *explain);
/* The result of the last analysis, until the next one begins; NULL: there is none. */
const struct analysis *explain_analysis(const struct explain *explain);
/* Ends the analysis without showing anything, and drops the last result. */
void explain_clear(struct explain *explain);

#endif
