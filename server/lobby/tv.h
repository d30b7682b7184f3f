/* Sessions that watch the best game: the public one that runs and has the highest sum of
 * firm ratings. A session stays with its game to the end, and gets the best one of that
 * moment 10 s later; while there is none, it is looked for every 10 s. */
#ifndef SERVER_LOBBY_TV_H
#define SERVER_LOBBY_TV_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/access.h"
#include "server/rating/ratings.h"

struct deadlines;
struct room;
struct rooms;
struct session;
struct tv;

/* Borrows all of them. */
struct tv *tv_new(struct deadlines *deadlines, struct rooms *rooms,
                  const struct ratings *ratings, const struct access *access) MUST_USE;
/* Accepts NULL. */
void tv_free(struct tv *tv);

/* The session watches the best game of the pool (RATING_POOLS: of all) from now on.
 * Returns that game, which the caller shows with tv_show(); NULL: there is none yet. */
struct room *tv_start(struct tv *tv, struct session *session, int pool,
                      int64_t now_wall_s);
/* The same from the end of that game on, which the session reads already. False: it does
 * not, or the game is over; then the best game is looked for in 10 s. */
bool tv_start_after(struct tv *tv, struct session *session, int pool, int64_t game,
                    int64_t now_wall_s);
/* "next=0 events=57 red_ms=... running=red": what comes with the game. */
enum { TV_WORDS_BYTES = 256 };
void tv_words(char out[TV_WORDS_BYTES], const struct room *room,
              const struct session *session, int64_t now_ms);
/* Makes the session read the game from its first event on, unless it reads it already.
 * The room is settled. The line with tv_words() has been sent. */
void tv_show(struct room *room, struct session *session);
/* The session watches the best game no longer. Call it before the session is freed.
 * Returns false if it did not watch. */
bool tv_stop(struct tv *tv, struct session *session);
/* Call it when the session itself has stopped watching that game: no best game follows
 * it. */
void tv_leave_game(struct tv *tv, struct session *session, const struct room *room);

/* Call it when the game is over: its watchers get the next one. */
void tv_note_over(struct tv *tv, const struct room *room);

#endif
