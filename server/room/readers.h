/* Readers of a room come and go: what an arriving player is told, and what the others
 * learn of it. */
#ifndef SERVER_ROOM_READERS_H
#define SERVER_ROOM_READERS_H

#include <stdint.h>

#include "common/game/side.h"

struct room;
struct session;

/* A player's session arrives (it follows from the end) or leaves. */
void readers_arrive(struct room *room, enum side side, struct session *session);
void readers_leave(struct room *room, struct session *session);
/* A session reads from event number on. */
void readers_watch(struct room *room, struct session *session, int number);
/* Sends the sums of spectators who came and went to the quiet players for whom the time
 * has come, and sets room->sum_up_ms. */
void readers_sum_up(struct room *room, int64_t now_ms);
/* Returns the newest running game of the same two players that began after room, which
 * has ended, if the session may read it; otherwise NULL. */
const struct room *readers_find_rematch(const struct room *room,
                                        const struct session *session);

#endif
