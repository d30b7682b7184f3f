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

#endif
