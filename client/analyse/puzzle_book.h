/* The puzzles that this user keeps, in a file with one line for each puzzle. The line
 * contains the day on which the user is asked the puzzle again. Each function reads the
 * file again, because another client may have changed it. */
#ifndef CLIENT_ANALYSE_PUZZLE_BOOK_H
#define CLIENT_ANALYSE_PUZZLE_BOOK_H

#include "client/analyse/puzzle.h"
#include "common/game/position.h"

enum {
    PUZZLE_BOOK_MAX = 500, /* puzzles */
    PUZZLE_DATE_BYTES = 16,
    PUZZLE_PLAYERS_BYTES = 64
};

struct puzzle_kept {
    const struct ruleset *rules;
    struct position position; /* the solver is to move */
    struct move solution, played;
    int solved;                         /* number of solutions in a row, each on a
                                         * different day */
    char due[PUZZLE_DATE_BYTES];        /* the day on which it is asked again, in local
                                         * time: "2026-11-25" */
    char players[PUZZLE_PLAYERS_BYTES]; /* the players of the game in which the puzzle
                                         * was found, such as "hong-kim" */
};

/* Adds a puzzle to the file, due today. Returns false if the file already has a puzzle
 * with the same position, or has PUZZLE_BOOK_MAX puzzles. If the file cannot be
 * written, logs the reason and returns false. */
bool puzzle_book_add(const char *path, const struct analysis *analysis,
                     const struct puzzle *puzzle, const char *players);

/* Writes the puzzles to *out, sorted by due day, and returns their number. Leaves out
 * damaged lines. The caller frees *out. */
int puzzle_book_read(const char *path, struct puzzle_kept **out) MUST_USE;

/* Returns true if the puzzle is due today or earlier. */
bool puzzle_is_due(const struct puzzle_kept *kept);

/* Stores the answer and the day on which the puzzle is asked again. After a failure,
 * the puzzle is asked again tomorrow. After the first solution in a row, the puzzle is
 * asked again in 1 day, after the second solution in 3 days, and after the third
 * solution in 8 days. The fourth solution in a row removes the puzzle. If the file
 * cannot be written, logs the reason, returns false and leaves *kept unchanged. */
bool puzzle_book_answer(const char *path, struct puzzle_kept *kept, bool is_solved);

#endif
