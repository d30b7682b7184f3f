/* A private board: what would come of a move, tried on a copy of a game that is played
 * or watched. Nothing of it is ever sent. */
#ifndef CLIENT_PLAY_TRIAL_H
#define CLIENT_PLAY_TRIAL_H

#include <stdbool.h>

#include "client/view/model.h"
#include "common/base/base.h"
#include "common/game/move.h"
#include "common/game/rules.h"

/* With moves of its own, or with some of the game's, which is seen again. */
struct trial {
    bool is_on;
    int events;              /* of the game, when it was copied */
    int at;                  /* plies of the game that stand on it */
    int tried;               /* moves made on the copy, from there */
    struct model_game board; /* the copy */
};

/* It is on, and is a copy of game as it stands now. */
bool trial_is_of(const struct trial *trial, const struct model_game *game);

/* Ends it, if it is on. Takes a zeroed one. */
void trial_end(struct trial *trial);

/* One more move, on a fresh copy if game is another one than before or has gone on.
 * False: *fault says why it cannot be made; the board stays as it was. */
bool trial_move(struct trial *trial, const struct model_game *game, struct move move,
                struct fault *fault) MUST_USE;

/* The first plies of game and no move more. False: it has not so many. */
bool trial_replay(struct trial *trial, const struct model_game *game,
                  int plies) MUST_USE;

#endif
