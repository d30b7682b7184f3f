/* A private board: tries moves on a copy of a game that is played or watched. Sends
 * nothing to the server. */
#ifndef CLIENT_SESSION_TRIAL_H
#define CLIENT_SESSION_TRIAL_H

#include <stdbool.h>

#include "client/view/model.h"
#include "common/base/base.h"
#include "common/game/move.h"
#include "common/game/rules.h"

/* A private board, on which the player tries moves or replays the game. */
struct trial {
    bool is_on;
    int events;              /* number of the game's events when it was copied */
    int at;                  /* number of plies of the game that the board shows; the
                              * tried moves come after them */
    int tried;               /* number of moves tried after those plies */
    struct model_game board; /* the copy */
};

/* Returns true if the board is open and shows a copy of the current state of `game`. */
bool trial_is_of(const struct trial *trial, const struct model_game *game);

/* Closes the board if it is open. Accepts a zeroed struct. */
void trial_end(struct trial *trial);

/* Tries a move on the board; makes a new copy first if `game` is a different game or
 * has changed. If the move is illegal, returns false with the reason in *fault and does
 * not change an open board of the same game. */
bool trial_move(struct trial *trial, const struct model_game *game, struct move move,
                struct fault *fault) MUST_USE;

/* Puts the first `plies` plies of `game` on the board, without tried moves. If `game`
 * is over, also stops the clocks and sets them to the times that were left after those
 * plies. If `game` has fewer plies, closes the board and returns false. */
bool trial_replay(struct trial *trial, const struct model_game *game,
                  int plies) MUST_USE;

#endif
