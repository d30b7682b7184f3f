/* The puzzles that this user keeps: a file with one line for each puzzle, which
 * contains the day on which the puzzle is asked again. Each call reads the file again,
 * because several clients may use it. */
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
    int solved;                         /* how many times in a row it was solved, each
                                         * time on another day */
    char due[PUZZLE_DATE_BYTES];        /* "2026-11-25", by the local calendar */
    char players[PUZZLE_PLAYERS_BYTES]; /* "hong-kim" */
};

/* Keeps a puzzle of a game; it is due today. Returns false if it was kept before, the
 * book is full, or the file cannot be written, which is logged. */
bool puzzle_book_add(const char *path, const struct analysis *analysis,
                     const struct puzzle *puzzle, const char *players);

/* Writes the puzzles to *out, sorted by due day, and returns their number. Leaves out
 * damaged lines. The caller frees *out. */
int puzzle_book_read(const char *path, struct puzzle_kept **out) MUST_USE;

/* Returns true if the puzzle is due today or earlier. */
bool puzzle_is_due(const struct puzzle_kept *kept);

/* Stores the answer and the day on which the puzzle is asked again: 1, 3 and 8 days
 * after the first, second and third solution in a row, tomorrow after a failure. The
 * fourth solution in a row removes the puzzle. If the file cannot be written, logs the
 * reason, returns false and leaves *kept unchanged. */
bool puzzle_book_answer(const char *path, struct puzzle_kept *kept, bool is_solved);

#endif
