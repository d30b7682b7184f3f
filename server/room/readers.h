/* Handles readers of a room who come and go: tells an arriving player how the game
 * stands, and tells the others who has come or gone. */
#ifndef SERVER_ROOM_READERS_H
#define SERVER_ROOM_READERS_H

#include <stdint.h>

#include "common/game/side.h"

struct room;
struct rooms;
struct session;

/* Call readers_arrive() when a player's session arrives: it will read the events that
 * are still to come. Call readers_leave() when the session of a player or spectator
 * leaves. */
void readers_arrive(struct room *room, enum side side, struct session *session);
void readers_leave(struct room *room, struct session *session);
/* Makes the session a spectator, which reads from event `number` on. */
void readers_watch(struct room *room, struct session *session, int number);

#endif
