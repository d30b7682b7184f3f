/* Writes the moves of a game as text to enter in the Korean Chess preset of Game
 * Courier:
 *
 *   1. swap b1 c1; P a4-a5
 *   1... n b10-c8
 *   2. pass
 *
 * If the line-up of a side requires it, the side swaps knights and bishops (horses and
 * elephants) before its own first move. The numbers count the moves of the side that
 * moves first. Names, clocks and the result are not written. This format can only be
 * written, not read. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_COURIER_H
#define CLIENT_FORMATS_RECORD_COURIER_H

#include "common/base/base.h"
#include "common/game/game.h"

/* Returns the text; the caller frees it. Returns NULL if the game does not begin from a
 * set-up, because Game Courier cannot start such a game. Both sides must have chosen
 * their line-ups. */
char *record_courier_write(const struct game *game) MUST_USE;

#endif
