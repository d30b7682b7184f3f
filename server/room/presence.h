/* Who reads a room and who is away from it: arrivals and departures, the countdown to a
 * claim, and the claim. Absence is not in the log; a restart forgets it. */
#ifndef SERVER_ROOM_PRESENCE_H
#define SERVER_ROOM_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/clock.h"
#include "common/game/rules.h"

struct asker;
struct room;
struct session;

/* --- Absence --- */

bool presence_is_here(const struct room *room, enum side side);
/* Somebody who is away lets the other wait: the absence counts. Not by correspondence,
 * while adjourned, or while an event is on its way to the disk. */
bool presence_is_waited_for(const struct room *room);

/* Whether side may claim because the other has been away too long. Not asked about a
 * game that is over or set up. */
enum claim {
    CLAIM_OPEN,
    CLAIM_EARLY,   /* not yet: *left_ms says how much longer */
    CLAIM_PRESENT, /* the other is here */
    CLAIM_NEVER    /* by correspondence both may be away */
};
enum claim presence_judge_claim(const struct room *room, enum side side, int64_t now_ms,
                                int64_t *left_ms);
/* side claims a win or a draw: the claim is open. */
struct fault presence_claim(struct room *room, enum side side, bool wants_win,
                            int64_t now_ms, const struct asker *asker);

/* From a new game's terms. */
void presence_init(struct room *room, const struct time_terms *terms);
/* Who is here has changed, or whether that matters. */
void presence_count(struct room *room, int64_t now_ms);
/* When a claim opens that has not been told; INT64_MAX for never. */
int64_t presence_claim_due_ms(const struct room *room);
void presence_tell_claim(struct room *room);

/* --- Readers --- */

/* The side that the session's account sits on, or SIDE_NONE. */
enum side presence_side_of(const struct room *room, const struct session *session);

/* Games that the session follows and does not play. */
int presence_count_watched(const struct session *session);

/* Somebody reads from side's seat, and hears what is offered there. After the end a
 * player may be here and have left the room. */
bool presence_is_attended(const struct room *room, enum side side);

/* A player's session has come (it follows from the end) or gone. */
void presence_arrive(struct room *room, enum side side, struct session *session);
void presence_leave(struct room *room, struct session *session);
void presence_watch(struct room *room, struct session *session, int number);

#endif
