/* Readers of a room come and go: what an arriving player is told, and what the others
 * learn of it. */
#ifndef SERVER_ROOM_READERS_H
#define SERVER_ROOM_READERS_H

#include <stdint.h>

#include "common/game/side.h"

struct room;
struct rooms;
struct session;

/* readers_arrive(): a player's session arrives, and will read the events that are still
 * to come. readers_leave(): the session of a player or spectator leaves. */
void readers_arrive(struct room *room, enum side side, struct session *session);
void readers_leave(struct room *room, struct session *session);
/* A session becomes a spectator, and reads from event `number` on. */
void readers_watch(struct room *room, struct session *session, int number);
/* A session that read the game through a mirror lacks the events from `number` on: it
 * now reads them itself. If the game is over and has left the memory (it may, once the
 * mirror has read to the end), tells the session. */
void readers_fall_behind(struct rooms *rooms, struct session *session, int64_t game,
                         int number);

#endif
