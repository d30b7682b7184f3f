/* What the files of a room share and nobody else sees.
 *
 *   room.c           the log, the clock, setting up, moving, resigning
 *   room_offer.c     draw, takeback, abort, adjourn, continue, rematch
 *   room_presence.c  readers, absence, claims
 *   room_restore.c   games that are read back
 *   room_wait.c      commands that wait */
#ifndef SERVER_ROOM_ROOM_PARTS_H
#define SERVER_ROOM_ROOM_PARTS_H

#include "server/room/room.h"

struct rooms {
    struct event_base *base;
    struct store *store;
    struct sessions *sessions;
    struct room_settings settings;
    const struct room_calls *calls;
    void *arg;
    struct room *by_id;
    struct room *read_back; /* after their end */
    int read_back_count;
    bool is_held;    /* the disk is full: no clock runs, nothing falls due */
    int64_t held_ms; /* since then */
};

/* --- room.c --- */

/* Without an event, and settled. */
struct room *room_new(struct rooms *rooms, int64_t id);
void room_free(struct room *room);

/* The one way into the log: what was judged becomes the next events, folded in,
 * formatted once and queued for the disk. The room must be settled. asker may be NULL.
 */
void room_commit(struct room *room, const struct game_news *news,
                 const struct asker *asker, int64_t now_ms);

/* What is in the log is on disk, and everybody may see it. */
void room_show(struct room *room);
/* Looks again when something is due. */
void room_arm_timer(struct room *room, int64_t now_ms);
/* A move or a return shows that the side for which the clock waits is back. */
void room_end_pause(struct room *room, enum side side, int64_t now_ms);
/* What a side has to choose its line-up: the ruleset's time, unless the host says
 * otherwise; by correspondence a whole period. */
int64_t room_setup_ms(const struct room *room);
/* It has ended, or what is left of it cannot go on: it is here for readers only. */
bool room_is_past(const struct room *room);

/* Somebody has not read to the end yet. */
bool room_has_unread(const struct room *room);

/* --- room_restore.c --- */

/* One that was read back after its end is freed. */
void room_forget_past(struct room *room);

/* --- room_presence.c --- */

/* From a new game's terms. */
void room_allow_absence(struct room *room, const struct time_terms *terms);
/* Who is here has changed, or whether that matters. */
void room_count_absence(struct room *room, int64_t now_ms);
/* When a claim opens that has not been told; INT64_MAX for never. */
int64_t room_claim_due_ms(const struct room *room);
void room_tell_claim(struct room *room);

/* --- room_wait.c --- */

/* Commands that waited are tried again, in the order in which they came. */
void room_retry_waiters(struct room *room, int64_t now_ms);
void room_forget_waiters(struct room *room);

/* --- room_offer.c --- */

/* The position has changed, or the game is over: what was offered about it is gone. */
void room_void_offers(struct room *room);

/* Who has gone cannot be played at once: its rematch, and its offer to continue. */
void room_drop_offers_of(struct room *room, enum side side);

#endif
