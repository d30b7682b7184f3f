/* Static exchange evaluation: the value of a capture and all recaptures on its
 * point. */
#ifndef CLIENT_ENGINE_SEE_H
#define CLIENT_ENGINE_SEE_H

#include "common/game/move.h"

struct position;

/* Returns the gain of the side to move if it plays `move`, in hundredths of a point; a
 * loss is negative. Assumes that after `move` both sides capture on move.to in turn,
 * until a capture would not bring a gain. */
int see(const struct position *position, struct move move);

#endif
