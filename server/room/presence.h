/* Tells who is in a room: its players and its spectators. While a player is absent,
 * counts down to the time at which the opponent can claim a win or a draw. Absence is
 * not in the log; a restart resets it. This file only counts; readers.c sends the
 * notices. */
#ifndef SERVER_ROOM_PRESENCE_H
#define SERVER_ROOM_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/clock.h"

struct event;
struct room;
struct session;

/* --- Absence --- */

bool presence_is_here(const struct room *room, enum side side);
/* Finds a session in the room by its id. Looks among the players first, because nearly
 * all calls ask for a player. NULL: the session has left. */
struct session *presence_find(const struct room *room, uint64_t session);
/* Returns the lag (session.h) of the player of `side`; 0 when the side has no player,
 * or the player is away. */
int presence_lag_ms(const struct room *room, enum side side, int64_t now_ms);
/* True when the absence of a player counts, because it makes the opponent wait. False
 * in a game by correspondence, in a game whose terms allow no claim, while a game is
 * adjourned or frozen, and while an event is not on disk. */
bool presence_is_waited_for(const struct room *room);

/* Whether a side may claim a win or a draw, because the opponent has been absent too
 * long. Ask only for a game in play or an adjourned one. */
enum claim {
    CLAIM_OPEN,
    CLAIM_EARLY,   /* the claim opens in *left_ms */
    CLAIM_PRESENT, /* the other player is present */
    CLAIM_NEVER,   /* correspondence games have no claim */
    CLAIM_BARRED   /* the terms of the game allow no claim */
};
enum claim presence_judge_claim(const struct room *room, enum side side, int64_t now_ms,
                                int64_t *left_ms);
/* Sets how long a player may be absent before the opponent can claim a win or a draw.
 * The terms of the new game and the settings of the server decide this. */
void presence_init(struct room *room, const struct event *start);
/* Updates the absence after a change of presence or of the game's state. */
void presence_count(struct room *room, int64_t now_ms);
/* Returns the time at which a player has been absent so long that the opponent can
 * claim a win or a draw; INT64_MAX: never, or the players were told of that claim
 * already. */
int64_t presence_claim_due_ms(const struct room *room);

/* --- Readers --- */

/* Returns the side of the session's account, or SIDE_NONE. */
enum side presence_side_of(const struct room *room, const struct session *session);

/* Returns the number of games that the session follows as a spectator. */
int presence_count_watched(const struct session *session);

/* True when a session of the player of `side` follows the room, and so receives offers.
 * After the end a player may be connected without following the room. */
bool presence_is_attended(const struct room *room, enum side side);

#endif
