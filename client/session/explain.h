/* The verb "analyse": analyses a game while the terminal remains usable, and then shows
 * the result. One game at a time. Afterwards it looks for the puzzles in the game, a few
 * milliseconds at a time. */
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

/* A zeroed struct is idle. Owns what it points to, except the console and the path. */
struct explain {
    struct analyst *analyst; /* NULL: idle */
    struct analysis result;  /* of the last one; rules NULL: none */
    struct console *console;
    char players[EXPLAIN_PLAYERS_BYTES]; /* "hong-kim" */
    struct puzzle_hunt *hunt;            /* in the result; NULL: it has ended */
    struct event *hunt_timer;            /* for its next step */
    struct puzzle puzzle[EXPLAIN_PUZZLES_MAX];
    int puzzles;
    enum side keeps; /* the puzzles of this side are kept; SIDE_NONE: of none */
    const char *book_path;
};

/* Begins, or refuses with words. Copies what it needs of game. The puzzles in which side
 * was to move are kept in the user's book; SIDE_NONE: none are. */
void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game, enum side side, const char *book_path);
/* True while the game is analysed or puzzles are looked for. */
bool explain_is_busy(const struct explain *explain);
/* Ctrl-C: ends the analysis, whose results so far are shown. Returns false if there is
 * none. */
bool explain_stop(struct explain *explain);
/* True after an analysis, until the next one begins. */
bool explain_has_result(const struct explain *explain);
/* Returns the first puzzle behind ply after_ply, NULL if there is none. If necessary,
 * finishes the hunt first. */
const struct puzzle *explain_next_puzzle(struct explain *explain, int after_ply);
/* Keeps the puzzle in the user's book. Returns false if it is there already. */
bool explain_keep_puzzle(const struct explain *explain, const struct puzzle *puzzle);
/* Ends the analysis without showing anything, and drops the last result. */
void explain_clear(struct explain *explain);

#endif
