/* The verb "analyse": analyses a game while the terminal remains usable, and then shows
 * the result. Analyses one game at a time. Afterwards it searches the game for puzzles,
 * in steps of a few milliseconds. */
#ifndef CLIENT_SESSION_EXPLAIN_H
#define CLIENT_SESSION_EXPLAIN_H

#include <stdbool.h>

#include "client/analyse/analysis.h"
#include "client/analyse/puzzle.h"
#include "common/game/event.h"

struct analyst;
struct console;
struct event;
struct game;

enum { EXPLAIN_PUZZLES_MAX = 32, EXPLAIN_PLAYERS_BYTES = 2 * EVENT_NAME_BYTES };

/* A zeroed struct is idle. Owns what it points to, except `console` and book_path. */
struct explain {
    struct analyst *analyst; /* NULL: idle */
    struct analysis result;  /* result of the last analysis; if result.rules is NULL, no
                              * analysis was made */
    struct console *console;
    char players[EXPLAIN_PLAYERS_BYTES]; /* the players' names, as "hong-kim" */
    struct puzzle_hunt *hunt;            /* the search for puzzles in `result`; NULL:
                                          * none is running */
    struct event *hunt_timer;            /* timer for the next step of the hunt */
    struct puzzle puzzle[EXPLAIN_PUZZLES_MAX];
    int puzzles;
    enum side keeps; /* only puzzles in which this side moves are added to the user's
                      * book of puzzles; SIDE_NONE: none is added */
    const char *book_path;
};

/* Begins an analysis, or tells the player why the analysis does not begin. Copies the
 * data that it needs from `game`. After the analysis, adds puzzles to the user's book
 * at book_path, but only puzzles in which `side` is to move. SIDE_NONE: adds nothing to
 * the book. */
void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game, enum side side, const char *book_path);
/* Returns true while the game is being analysed or searched for puzzles. */
bool explain_is_busy(const struct explain *explain);
/* To be called for Ctrl-C: ends the analysis and shows its results so far. Returns
 * false if no analysis is running. */
bool explain_stop(struct explain *explain);
/* Returns true after an analysis, until the next one begins. */
bool explain_has_result(const struct explain *explain);
/* Returns the first puzzle at a ply greater than after_ply (plies are counted from 1),
 * or NULL. If no such puzzle is known yet, searches the rest of the game for one before
 * it returns. The puzzle is borrowed until explain_begin() or explain_clear(). */
const struct puzzle *explain_next_puzzle(struct explain *explain, int after_ply);
/* Adds the puzzle to the user's book. Returns false if the book already has it, is full
 * or cannot be written. */
bool explain_keep_puzzle(const struct explain *explain, const struct puzzle *puzzle);
/* Ends the analysis without showing anything, and drops the last result. */
void explain_clear(struct explain *explain);

#endif
