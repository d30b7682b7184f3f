/* If the terms of a game have delay=N, watchers see the game N moves late. A struct
 * delay computes the game that watchers see. It applies the events of the game a second
 * time, and stays N moves behind until the game is over. A move that is taken back
 * counts too, so an event that watchers have seen is never hidden again. */
#ifndef SERVER_FEED_DELAY_H
#define SERVER_FEED_DELAY_H

#include "common/game/game.h"

struct delay;
struct feed;

struct delay *delay_new(int plies);
/* Accepts NULL. */
void delay_free(struct delay *delay);
/* Applies the events that watchers may see now to the game of `delay`. Returns the
 * number of events, from event 0, that watchers may see. */
int delay_advance(struct delay *delay, const struct feed *feed);
/* Returns the game as watchers see it; its clock does not run. */
const struct game *delay_game(const struct delay *delay);

#endif
