/* A position as a UCI program is told it: a start, and the moves from there. Unlike a
 * game it goes on where the rules would end it, for that is the board's business. */
#ifndef CLIENT_ENGINE_UCI_BOARD_H
#define CLIENT_ENGINE_UCI_BOARD_H

#include <stdbool.h>

#include "client/engine/search.h"
#include "common/base/base.h"
#include "common/game/rules.h"

struct uci_board {
    const struct ruleset *rules;
    struct position position;
    struct search_past past;
};

/* The usual array of the rules. */
void uci_board_start(struct uci_board *board, const struct ruleset *rules);

/* Reads "startpos [moves ...]" or "fen ... [moves ...]"; text is changed. False: *why
 * says what is wrong, and board stands as far as it was right. */
enum { UCI_WHY_BYTES = 300 };
bool uci_board_read(struct uci_board *board, char *text,
                    char why[UCI_WHY_BYTES]) MUST_USE;

#endif
