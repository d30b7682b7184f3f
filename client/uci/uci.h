/* "janggi uci" runs our engine for another program, such as a graphical board. The two
 * programs exchange UCI commands on standard input and output. Positions and moves have
 * the format of Fairy-Stockfish (notation.h). */
#ifndef CLIENT_UCI_UCI_H
#define CLIENT_UCI_UCI_H

#include <stdbool.h>

#include "client/engine/search.h"
#include "common/base/base.h"
#include "common/game/rules.h"

/* Runs until "quit" or the end of the input. Returns the exit code. */
int uci_run(void);

/* The position that the other program has sent: a start and the moves from it. Unlike a game it
 * accepts moves after the end of the game, because the graphical board decides when it ends. */
struct uci_board {
    const struct ruleset *rules;
    struct position position;
    struct search_past past;
};

/* Sets up the usual start position of the ruleset `rules`. */
void uci_board_start(struct uci_board *board, const struct ruleset *rules);

/* Parses "startpos [moves ...]" or "fen ... [moves ...]", and changes `text` while
 * doing so. Returns false with the error in `why`; the board then has the position
 * before the error. */
enum { UCI_WHY_BYTES = 300 };
bool uci_board_read(struct uci_board *board, char *text,
                    char why[UCI_WHY_BYTES]) MUST_USE;

#endif
