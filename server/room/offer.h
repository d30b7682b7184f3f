/* Proposals of one side that the other may accept: draw, takeback, abort, adjourn,
 * continue, rematch. An offer is a notice: it is not in the log, and a restart drops
 * it. */
#ifndef SERVER_ROOM_OFFER_H
#define SERVER_ROOM_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/rules.h"

struct game_news;
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

/* A room holds at most one offer of each kind. */
struct offer {
    int64_t id;
    enum offer_kind kind;
    enum side by;
    int to;               /* takeback: number of plies that remain */
    bool is_taken;        /* accepted: the act that follows does not withdraw it */
    uint64_t told[SIDES]; /* session of each player that was notified; 0: none */
};
enum { ROOM_OFFERS_MAX = OFFER_REMATCH };

/* Judges the act that an offer proposes, as if both sides had agreed. by: the side that
 * acts alone, if the act needs no agreement; SIDE_NONE: both sides act. Sets *news to
 * the events of the act. */
struct fault offer_judge(const struct room *room, enum offer_kind kind, int to,
                         enum side by, int64_t now_ms, struct game_news *news);
/* True for acts that need no agreement: to abort before both have moved, and to adjourn
 * when the opponent has been absent too long. */
bool offer_is_at_once(const struct room *room, enum side side, enum offer_kind kind,
                      int64_t now_ms);
/* True when room_offer() would announce a new offer to the other player. False for an
 * offer that repeats an open one, is refused, or takes effect at once. */
bool offer_is_new(const struct room *room, enum side side, enum offer_kind kind, int to,
                  int64_t now_ms);
/* Returns the milliseconds until `side` may make a new offer; 0: now. A side may make
 * OFFERS_AT_ONCE offers that are not answered, and one more every OFFER_EVERY_S
 * seconds. */
enum { OFFERS_AT_ONCE = 3, OFFER_EVERY_S = 40 };
int64_t offer_wait_ms(const struct room *room, enum side side, int64_t now_ms);
/* Return the open offer with that number, or of that kind; NULL: none. */
struct offer *offer_find(const struct room *room, int64_t offer_id);
struct offer *offer_find_kind(const struct room *room, enum offer_kind kind);
/* Opens an offer and tells the players. Drops an open offer of the same kind before
 * that. Returns the offer's number, next_id. If an equal offer of the same side is open
 * already, only returns its number. */
int64_t offer_make(struct room *room, enum side by, enum offer_kind kind, int to,
                   int64_t next_id);
/* Returns the open offer that follows `before`, or the first one if `before` is NULL.
 * NULL: there are no more. */
struct offer *offer_next(const struct room *room, const struct offer *before);
/* Writes the line that announces an offer: "! offer 14 game=3 kind=draw by=hong". */
enum { OFFER_WORDS_BYTES = 160 };
void offer_words(const struct room *room, const struct offer *offer,
                 char out[OFFER_WORDS_BYTES]);
/* Sends the session the open offers that it has not received, if it plays in this room
 * and can receive them now. Called when a player arrives, and when a slow reader has
 * caught up. */
void offer_tell(struct room *room, struct session *session);
/* Removes an offer and notifies the players that received it. */
void offer_drop(struct room *room, struct offer *offer, const char *why);
const char *offer_kind_name(enum offer_kind kind);

/* Drops all offers about the position, after a move or at the end of the game. */
void offer_void_all(struct room *room);

/* Drops the offers of `side` whose acceptance would start play at once: the offer of a
 * rematch, or an offer to continue a game that is not by correspondence. Call it when
 * the player has left, or begins another game. */
void offer_drop_of(struct room *room, enum side side, const char *why);

#endif
