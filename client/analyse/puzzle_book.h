/* The puzzles that this user keeps: one line of a file for each, with the day on which it
 * is asked again. The file is read anew each time: several clients may use it. */
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
    struct position position; /* of the solver's turn */
    struct move solution, played;
    int solved;                         /* solutions in a row, on different days */
    char due[PUZZLE_DATE_BYTES];        /* "2026-11-25", by the local calendar */
    char players[PUZZLE_PLAYERS_BYTES]; /* "hong-kim" */
};

/* Keeps a puzzle of a game; it is due today. Returns false if it was kept before, the
 * book is full, or the file cannot be written, which is logged. */
bool puzzle_book_add(const char *path, const struct analysis *analysis,
                     const struct puzzle *puzzle, const char *players);

/* Writes the puzzles to *out, in the order of their days, and returns their number. Leaves
 * out damaged lines. The caller frees *out. */
int puzzle_book_read(const char *path, struct puzzle_kept **out) MUST_USE;

bool puzzle_is_due(const struct puzzle_kept *kept);

/* Writes when the puzzle is asked again: 1, 3 and 8 days after the first, second and
 * third solution in a row, never after the fourth; tomorrow after a failure. Returns
 * false after logging that the file cannot be written; *kept is unchanged then. */
bool puzzle_book_answer(const char *path, struct puzzle_kept *kept, bool is_solved);

#endif
