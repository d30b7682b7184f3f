/* Who is in a room: its players and its spectators, who comes and who goes, and who is
 * told of it. While a player is absent, counts down to the time at which the opponent
 * can claim a win or a draw. Absence is not in the log; a restart resets it. */
#ifndef SERVER_ROOM_PRESENCE_H
#define SERVER_ROOM_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/clock.h"

struct account;
struct event;
struct marks;
struct room;
struct rooms;
struct session;

/* --- Absence --- */

/* How long each player has been absent while the other was present and waiting. The
 * time adds up over the whole game; above the limit the waiting player may claim a win
 * or a draw. Arithmetic on now_ms without a timer, like clock.h. */
struct absence {
    int64_t allowed_ms;
    int64_t used_ms[SIDES]; /* total absence of each side up to since_ms */
    enum side away;         /* the side whose absence counts now; SIDE_NONE: neither */
    int64_t since_ms;
};

void absence_init(struct absence *absence, int64_t allowed_ms);
/* Counts the time from now_ms until the next call as absence of the side `away`.
 * SIDE_NONE: counts nothing, because both are present, both are absent, or nobody has
 * to wait. */
void absence_charge(struct absence *absence, enum side away, int64_t now_ms);
/* Returns how much longer `side` may be absent in this game; at least 0. A now_ms
 * before the last charge counts as the time of that charge. */
int64_t absence_left_ms(const struct absence *absence, enum side side, int64_t now_ms);
/* Returns the time at which the total absence of the side `away` will reach allowed_ms.
 * INT64_MAX: no absence is counted now. */
int64_t absence_due_ms(const struct absence *absence);

bool presence_is_here(const struct room *room, enum side side);
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

/* --- Quiet players --- */

/* A quiet player does not get challenges, and gets at most one line about spectators in
 * 30 seconds, which may report several together. The setting is stored with the account
 * (marks.h). QUIET_AUTO, the default: quiet during a game with clocks. */
enum quiet { QUIET_AUTO, QUIET_ON, QUIET_OFF };
extern const char *const quiet_names[QUIET_OFF + 1];
bool quiet_parse(const char *word, enum quiet *out) MUST_USE;
/* Returns what the player has set with the verb `quiet`. */
enum quiet quiet_setting(const struct marks *marks, const struct account *account);

/* True when `account` plays in a running game with clocks. Correspondence games and
 * adjourned games do not count. */
bool quiet_is_playing(struct rooms *rooms, const struct account *account);
/* True when `account` is quiet now. */
bool quiet_is_now(struct rooms *rooms, const struct account *account);

/* --- Readers --- */

/* Returns the side of the session's account, or SIDE_NONE. */
enum side presence_side_of(const struct room *room, const struct session *session);
/* Returns the number of games that the session follows as a spectator. */
int presence_count_watched(const struct session *session);
/* True when a session of the player of `side` follows the room, and so receives offers.
 * After the end a player may be connected without following the room. */
bool presence_is_attended(const struct room *room, enum side side);

/* Call presence_arrive() when a player's session arrives: it will read the events that
 * are still to come. Call presence_leave() when the session of a player or spectator
 * leaves. The opponent and the spectators are told at once. If a player comes and goes
 * all the time, the opponent gets only one line a second, and each spectator one line
 * in 10 seconds, which says whether the player is present at that moment. */
void presence_arrive(struct room *room, enum side side, struct session *session);
void presence_leave(struct room *room, struct session *session);
/* Makes the session a spectator, which reads from event `number` on. */
void presence_watch(struct room *room, struct session *session, int number);
/* Sends the late reports that are due, and sets room->late_ms. */
void presence_report_late(struct room *room, int64_t now_ms);

#endif
