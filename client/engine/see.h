/* Static exchange evaluation: the value of a capture and all recaptures on its
 * point. */
#ifndef CLIENT_ENGINE_SEE_H
#define CLIENT_ENGINE_SEE_H

#include "common/game/move.h"

struct position;

/* Returns the value for the side to move in hundredths of a point; negative if it loses
 * material. */
int see(const struct position *position, struct move move);

#endif
