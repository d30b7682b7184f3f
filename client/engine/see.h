/* Static exchange evaluation: the value of a capture and all recaptures on its
 * point. */
#ifndef CLIENT_ENGINE_SEE_H
#define CLIENT_ENGINE_SEE_H

#include "common/game/move.h"

struct position;

/* Returns what the side to move gains, in hundredths of a point, if it plays `move` and
 * both sides then go on capturing on move.to as long as that pays. A loss is
 * negative. */
int see(const struct position *position, struct move move);

#endif
