/* The arithmetic of ratings: Glicko-2 (Glickman 2013), game by game, from stored
 * integers, so that anybody can compute a rating again from the games. A rating has a
 * deviation, RD, which says how uncertain it is. A rank is a name for a range of
 * ratings. Pure. */
#ifndef SERVER_ACCOUNT_GLICKO_H
#define SERVER_ACCOUNT_GLICKO_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"
#include "server/store/store_data.h" /* struct glicko */

/* Bounds in the units of struct glicko: ratings and RDs in hundredths, volatility in
 * millionths. */
enum {
    GLICKO_RATING_MIN = 40000,
    GLICKO_RD_MIN = 4500,
    GLICKO_RD_MAX = 35000,
    GLICKO_VOLATILITY_MAX = 100000,
    GLICKO_RD_FIRM = 11000,  /* a rating is firm if its RD is below 110.00 */
    GLICKO_RD_LISTED = 7500, /* the list of the best requires an RD below 75.00 */
};

/* The result of a game for Red. */
enum glicko_score { GLICKO_RED_LOST, GLICKO_DRAWN, GLICKO_RED_WON };

/* Returns the rating of a player without games: 1500, RD 350. */
struct glicko glicko_start(void);
/* Returns the rating after that many seconds without a game. The RD grows, for example
 * from 60 to 110 in a year. A negative time, after the clock was set back, counts as
 * 0. */
struct glicko glicko_age(struct glicko rating, int64_t seconds);
/* Computes both ratings after a game between them, each from the values that both had
 * before. Does not age them. A win never lowers a rating, a loss never raises one. */
void glicko_play(struct glicko rating[SIDES], enum glicko_score score);

/* Returns the rating in whole points, as shown to people. */
int glicko_points(struct glicko rating);
/* Writes the rank: "18k" ... "1k" in steps of 50 points, "1d" from 1700, ... "9d" in
 * steps of 100. */
enum { GLICKO_RANK_BYTES = 12 };
void glicko_rank(char out[GLICKO_RANK_BYTES], int points);

/* --- The same in real numbers --- */

struct glicko_real {
    double rating, rd, volatility;
};
struct glicko_result {
    struct glicko_real opponent;
    double score; /* 1, 0.5 or 0 */
};
/* Returns a player's rating after `count` results. First the RD grows for `periods`
 * rating periods; periods is 0 for a rating that was aged before. */
struct glicko_real glicko_update(struct glicko_real player,
                                 const struct glicko_result *result, size_t count,
                                 double periods);

#endif
