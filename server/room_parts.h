/* What the files of a room share and nobody else sees.
 *
 *   room.c        the log, the clock, the readers
 *   room_offer.c  draw, takeback, abort, rematch */
#ifndef SERVER_ROOM_PARTS_H
#define SERVER_ROOM_PARTS_H

#include "server/room.h"

/* The one way into the log: what was judged becomes the next events, folded in,
 * formatted once and queued for the disk. The room must be settled. asker may be NULL.
 */
void room_commit(struct room *room, const struct game_news *news,
                 const struct asker *asker, int64_t now_ms);

/* The position has changed, or the game is over: what was offered about it is gone. */
void room_void_offers(struct room *room);

/* What stands, to a player who has just come. */
void room_repeat_offers(const struct room *room, struct session *session);
/* Who has gone cannot be played at once. */
void room_drop_rematch_of(struct room *room, enum side side);

#endif
