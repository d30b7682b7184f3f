/* Sessions that watch the best game: the running public game with the highest sum of
 * firm ratings. A session stays with a game until the game ends. 10 s later the session
 * gets the game that is best then. While there is no game, the server looks for one
 * every 10 s. */
#ifndef SERVER_LOBBY_TV_H
#define SERVER_LOBBY_TV_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/account/ratings.h"

struct room;
struct session;
struct tv;
struct world;

/* Borrows the modules of `world`. */
struct tv *tv_new(const struct world *world) MUST_USE;
/* Accepts NULL. */
void tv_free(struct tv *tv);

/* Makes the session watch the best game of the pool (RATING_POOLS: of all pools) from
 * now on. Returns that game, which the caller shows with tv_show(); NULL: there is none
 * yet. */
struct room *tv_start(struct tv *tv, struct session *session, int pool);
/* Makes the session watch the best game when `game`, which it reads already, has ended.
 * Returns false if the session does not read `game` or `game` is over; in this case the
 * server looks for the best game 10 s after the call. */
bool tv_start_after(struct tv *tv, struct session *session, int pool, int64_t game);
/* Formats the words that describe a game to a new watcher: "next=0 events=57 red_ms=...
 * running=red". */
enum { TV_WORDS_BYTES = 256 };
void tv_words(char out[TV_WORDS_BYTES], const struct room *room,
              const struct session *session, int64_t now_ms);
/* Makes the session read the game from its first event, unless it reads the game
 * already. Call it after sending the line with tv_words(). */
void tv_show(struct room *room, struct session *session);
/* Ends the watching of the best game. Call it before the session is freed. Returns
 * false if the session did not watch. */
bool tv_stop(struct tv *tv, struct session *session);
/* Call it when the session has stopped watching `room` by a command. If the session
 * watched this game as the best game, it stops watching best games: it does not get a
 * next one. */
void tv_leave_game(struct tv *tv, struct session *session, const struct room *room);

/* Call it when the game is over: its watchers get the next one. */
void tv_note_over(struct tv *tv, const struct room *room);

#endif
