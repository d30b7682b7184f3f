/* One ply ahead: what judging and folding share, so that they cannot disagree. It plays
 * a move on a copy and asks how the game would stand. Of game.c and game_judge.c only.
 */
#ifndef COMMON_GAME_GAME_STEP_H
#define COMMON_GAME_GAME_STEP_H

#include <stdbool.h>

#include "common/game/game.h"

struct game_step {
    struct position after;
    struct undo undo;
    bool gave_check;
    enum reason reason; /* of the end that the move causes, or REASON_NONE */
    enum outcome outcome;
};

/* move must be legal in game. */
void game_look_ahead(const struct game *game, struct move move, struct game_step *step);

/* The rules have ended the game, and the event that says so is still to come. */
bool game_is_due(const struct game *game);

#endif
