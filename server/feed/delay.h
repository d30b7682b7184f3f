/* Computes the game as watchers see it if its terms have delay=N: N moves late. A
 * struct delay applies the game's events a second time, and stays N moves behind until
 * the game is over. A move that is taken back counts too, so that no event is shown and
 * then hidden. */
#ifndef SERVER_FEED_DELAY_H
#define SERVER_FEED_DELAY_H

#include "common/game/game.h"

struct delay;
struct feed;

struct delay *delay_new(int plies);
/* Accepts NULL. */
void delay_free(struct delay *delay);
/* Applies to the late game the events of the feed that watchers may see now. Returns
 * the number of events, from event 0, that they may see. */
int delay_advance(struct delay *delay, const struct feed *feed);
/* Returns the game as watchers see it; its clock does not run. */
const struct game *delay_game(const struct delay *delay);

#endif
