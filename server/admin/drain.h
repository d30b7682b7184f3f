/* How a server ends: at once, after a time that everybody is told, or when the games
 * that are being played are over. Each of these can be called off until the end has
 * begun, and each ends in order: what is on its way to the disk is answered, everybody
 * hears goodbye, then the loop ends. */
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
    DRAIN_GAMES,  /* no new game begins; the end comes when those that run are over */
    DRAIN_TIMED,  /* the end comes at a time that was told; play goes on until then */
    DRAIN_ENDING, /* goodbyes are being said */
};
enum { DRAIN_MAX_S = 86400 };

/* Everything is borrowed; world->is_draining and ends_ms are written here and nowhere
 * else. */
struct drain *drain_new(struct event_base *base, struct world *world,
                        struct listener *listener) MUST_USE;
/* Takes NULL. */
void drain_free(struct drain *drain);

/* No new game from now on; the end comes when no game is being played any more. Such a
 * game has a clock and a player who is here, or has no clock and two of them. A game by
 * correspondence, adjourned, or waiting for a player since a restart does not delay the
 * end: it goes on after the restart. */
void drain_for_games(struct drain *drain);
/* The end in so many seconds, 0 to DRAIN_MAX_S: told now and again as it comes near. In
 * the last minute no new game begins. */
void drain_in(struct drain *drain, int64_t in_s, int64_t now_ms);
/* Calls either off. False when there is nothing to call off, or it is too late. */
bool drain_stay(struct drain *drain) MUST_USE;
/* The end begins now; asked again, it does not even wait for goodbyes. */
void drain_now(struct drain *drain);

enum drain_state drain_state(const struct drain *drain);
/* Of DRAIN_TIMED: how long until then. */
int64_t drain_left_s(const struct drain *drain, int64_t now_ms);
/* Of DRAIN_GAMES: how many games hold the end up. */
int drain_games_left(const struct drain *drain);

/* Tells one who has just logged in what everybody else has heard. */
void drain_greet(struct drain *drain, struct session *session);

#endif
