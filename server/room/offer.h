/* What one side proposes and the other may take up: draw, takeback, abort, adjourn,
 * continue, rematch. An offer is a notice: it is not in the log, and a restart drops
 * it. */
#ifndef SERVER_ROOM_OFFER_H
#define SERVER_ROOM_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/rules.h"

struct asker;
struct room;
struct session;

enum offer_kind {
    OFFER_NONE,
    OFFER_DRAW,
    OFFER_TAKEBACK,
    OFFER_ABORT,
    OFFER_ADJOURN,
    OFFER_CONTINUE,
    OFFER_REMATCH
};

/* At most one of each kind stands in a room. */
struct offer {
    int64_t id;
    enum offer_kind kind;
    enum side by;
    int to;               /* takeback: plies that remain */
    bool is_taken;        /* agreed to; what follows is on its way to the disk */
    uint64_t told[SIDES]; /* the session of each player that was told of it; 0: none */
};
enum { ROOM_OFFERS_MAX = OFFER_REMATCH };

/* Offers. An offer that meets the same one of the opponent, or an abort before both
 * have moved, is done at once: *offer_id is 0 and the OK follows from the disk.
 * Otherwise *offer_id is its number (next_id) and the caller answers. */
struct fault offer_make(struct room *room, enum side side, enum offer_kind kind, int to,
                        int64_t next_id, int64_t now_ms, const struct asker *asker,
                        int64_t *offer_id);
/* Would the other be told of that offer? Not of one that stands already, of one that is
 * done at once, and of one that is refused. */
bool offer_is_new(const struct room *room, enum side side, enum offer_kind kind, int to,
                  int64_t now_ms);
struct offer *offer_find(struct room *room, int64_t offer_id);
/* Takes up an offer, but no rematch. */
struct fault offer_accept(struct room *room, struct offer *offer, int64_t now_ms,
                          const struct asker *asker);
/* An offer of side's, not agreed to yet, that has both play at once: a rematch, or to
 * continue, unless by correspondence. NULL: there is none. */
struct offer *offer_find_call_to_play(struct room *room, enum side side);
/* "! offer 14 game=3 kind=draw by=hong" */
enum { OFFER_WORDS_BYTES = 160 };
void offer_words(const struct room *room, const struct offer *offer,
                 char out[OFFER_WORDS_BYTES]);
/* Tells session, if it plays here and can take that now, of the offers it was not told
 * of: when it comes, and when a slow reader has read. */
void offer_tell(struct room *room, struct session *session);
/* Removes an offer and tells both players that were told of it. */
void offer_drop(struct room *room, struct offer *offer, const char *why);
const char *offer_kind_name(enum offer_kind kind);

/* The position has changed, or the game is over: what was offered about it is gone. */
void offer_void_all(struct room *room);

/* Who has gone cannot be played at once: its rematch, and its offer to continue. */
void offer_drop_of(struct room *room, enum side side);

#endif
