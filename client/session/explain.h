/* The verb "analyse": analyses a game while the terminal remains usable, and then shows
 * the result. Analyses one game at a time. */
#ifndef CLIENT_SESSION_EXPLAIN_H
#define CLIENT_SESSION_EXPLAIN_H

#include <stdbool.h>

struct analyst;
struct console;
struct game;

/* A zeroed struct is idle. Owns what it points to, except `console`. */
struct explain {
    struct analyst *analyst; /* NULL: idle */
    struct console *console;
};

/* Begins an analysis, or tells the player why the analysis does not begin. Copies the
 * data that it needs from `game`. */
void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game);
/* Returns true while the game is being analysed. */
bool explain_is_busy(const struct explain *explain);
/* To be called for Ctrl-C: ends the analysis and shows its results so far. Returns
 * false if no analysis is running. */
bool explain_stop(struct explain *explain);
/* Ends the analysis without showing anything. */
void explain_clear(struct explain *explain);

#endif
