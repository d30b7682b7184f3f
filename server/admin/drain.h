/* Shuts the server down: at once, at an announced time, or when the running games have
 * ended. The last two can be cancelled until the shutdown begins. A shutdown answers
 * the commands that wait for the disk, sends "! bye" to all sessions and closes them,
 * and then stops the loop. */
#ifndef SERVER_ADMIN_DRAIN_H
#define SERVER_ADMIN_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

struct drain;
struct event_base;
struct listener;
struct session;
struct world;

enum drain_state {
    DRAIN_NONE,
    DRAIN_GAMES,  /* no new game starts; the shutdown begins when the running ones have
                   * ended */
    DRAIN_TIMED,  /* the shutdown begins at an announced time; until then play goes
                   * on */
    DRAIN_ENDING, /* sessions are being closed */
};
enum { DRAIN_MAX_S = DAY_S };

/* Borrows its arguments. Only this module writes world->closing. */
struct drain *drain_new(struct event_base *base, struct world *world,
                        struct listener *listener) MUST_USE;
/* `drain` may be NULL. */
void drain_free(struct drain *drain);

/* Prevents new games, and shuts the server down when no game is in play. If a game has
 * a clock, it is in play while at least one player is present. If a game has no clock,
 * it is in play while both players are present. Some games never delay the shutdown:
 * games by correspondence, adjourned games, games that have waited for a player since a
 * restart, and games whose log is damaged. */
void drain_for_games(struct drain *drain);
/* Shuts down in in_s seconds, 0 to DRAIN_MAX_S, with announcements. No new game starts
 * in the last minute. */
void drain_in(struct drain *drain, int64_t in_s, int64_t now_ms);
/* Cancels a drain or an announced shutdown. False: neither was requested, or the
 * shutdown has begun. */
bool drain_stay(struct drain *drain) MUST_USE;
/* Shuts down now. If a shutdown has begun already, stops the loop at once, without
 * waiting until the sessions are closed. */
void drain_now(struct drain *drain);

enum drain_state drain_state(const struct drain *drain);
/* In the state DRAIN_TIMED: returns the seconds until the shutdown. */
int64_t drain_left_s(const struct drain *drain, int64_t now_ms);
/* In the state DRAIN_GAMES: returns the number of games that delay the shutdown. */
int drain_games_left(const struct drain *drain);

/* Tells a session that has just logged in about an announced shutdown. */
void drain_greet(struct drain *drain, struct session *session);

#endif
