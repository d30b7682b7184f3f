/* The game as its watchers see it when they see it some plies late (the term delay=): a
 * second fold of its events, which stays that many moves behind until the end. A move
 * that is taken back counts too, so that no event is shown and then hidden. */
#ifndef SERVER_FEED_DELAY_H
#define SERVER_FEED_DELAY_H

#include "common/game/game.h"

struct delay;
struct feed;

struct delay *delay_new(int plies);
/* Accepts NULL. */
void delay_free(struct delay *delay);
/* Folds the events of the feed that watchers may see now. Returns how many there are,
 * from the first one on. */
int delay_advance(struct delay *delay, const struct feed *feed);
/* The game as watchers see it; its clock does not run. */
const struct game *delay_game(const struct delay *delay);

#endif
