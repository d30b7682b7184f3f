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
/* Call it when a session that reads the game through a mirror (branch.h) lacks the
 * events from `number` on. From then on, the room sends the game to the session
 * directly. If the game is over and is no longer in memory, tells the session so. This
 * can happen because the room may be freed as soon as the mirror has read to the
 * end. */
void readers_fall_behind(struct rooms *rooms, struct session *session, int64_t game,
                         int number);

#endif
