/* Static exchange evaluation: what a capture and the recaptures on its point win. */
#ifndef CLIENT_ENGINE_SEE_H
#define CLIENT_ENGINE_SEE_H

#include "common/game/board.h"
#include "common/game/move.h"

/* For the side to move, in hundredths of a point; negative when it loses. */
int see(const struct position *position, struct move move);

#endif
