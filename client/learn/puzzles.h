/* "janggi puzzles": shows the puzzles that the user has kept from earlier games
 * (puzzle_book.h), and asks for the best move in each. Opens no connection. */
#ifndef CLIENT_LEARN_PUZZLES_H
#define CLIENT_LEARN_PUZZLES_H

#include "client/base/prefs.h"

/* Runs "janggi puzzles". argv[0] is "puzzles"; the options follow. prefs is borrowed.
 * Returns the exit status: 0, 1 (write error), 2 (usage error), 6 (a wrong answer in a
 * script) or 130 (interrupted). */
int puzzles_run(int argc, char **argv, const struct prefs *prefs);

#endif
