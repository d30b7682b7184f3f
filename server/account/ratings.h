/* The ratings of all players, computed from the rows that the store keeps (struct
 * store_rating). A row is added for each rated game that ends; an annulment is a row as
 * well. Knows accounts by their numbers only, so the erasure of a name changes nothing
 * here. Keeps all rows in memory, about 130 bytes each, and finds the rating of an
 * account in constant time. */
#ifndef SERVER_ACCOUNT_RATINGS_H
#define SERVER_ACCOUNT_RATINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "server/account/glicko.h"
#include "server/store/store_data.h"

struct ratings;
struct ruleset;

/* Each pool has its own ratings. All games by correspondence are in POOL_DAYS, whatever
 * their ruleset is. */
enum rating_pool { POOL_KJA, POOL_MARTIN, POOL_CLASSIC, POOL_DAYS };
enum { RATING_POOLS = POOL_DAYS + 1 };
/* "kja", "martin", "classic", "days" */
const char *ratings_pool_name(enum rating_pool pool);
bool ratings_pool_parse(const char *word, enum rating_pool *out) MUST_USE;
enum rating_pool ratings_pool_of(const struct ruleset *rules,
                                 const struct time_terms *time);

struct ratings *ratings_new(void) MUST_USE;
/* Accepts NULL. */
void ratings_free(struct ratings *ratings);

/* --- Rows --- */

/* Adds a row that was read from the store, with its stored values. Returns NULL, or why
 * the row does not follow from the rows before it. is_checked false: does not check the
 * values of a game, because the start must be quick and the seal of the row protects
 * them; they are computed again only if an annulment changes them. */
const char *ratings_take(struct ratings *ratings, const struct store_rating *row,
                         bool is_checked) MUST_USE;

/* Returns why the game of the row does not count. "pair": the two players have three
 * counted games in the pool on that day already. "series": the game is by
 * correspondence, and the loser lost it on time. Less than 24 h earlier, the same
 * player lost another such game on time, and that game counts. "": the game counts.
 * Uses only the row's wall_s, pool, account, score and is_timeout. */
const char *ratings_judge(const struct ratings *ratings,
                          const struct store_rating *row);
/* Adds the row of a game that has ended. The caller sets all members but `seq` and
 * `after`, which are computed. */
void ratings_add(struct ratings *ratings, struct store_rating *row);

/* The effect of a game's end on the ratings. */
struct ratings_result {
    int64_t seq;
    enum rating_pool pool;
    int64_t account[SIDES];
    const char *why;              /* why the game does not count; "" if it counts */
    int points[SIDES], by[SIDES]; /* points: whole points after the game; by: how much
                                   * the game changed them */
};
/* Returns false if the game has no row. Searches backwards from the last row. */
bool ratings_result(const struct ratings *ratings, int64_t game,
                    struct ratings_result *out);
/* Annuls the game, which must count. If the annulment changes the values of later games
 * in the pool, computes these values again. Adds a row for the annulment and writes the
 * row to *row. Scans all rows from the annulled game on. */
void ratings_annul(struct ratings *ratings, int64_t game, int64_t now_wall_s,
                   struct store_rating *row);

typedef void ratings_row_fn(void *arg, const struct store_rating *row);
/* Calls `see` for each game of the account in that pool, newest first, with the values
 * that hold now. */
void ratings_each(const struct ratings *ratings, int64_t account, enum rating_pool pool,
                  ratings_row_fn *see, void *arg);

/* --- Players --- */

/* The rating of a player in one pool, as of some time. */
struct ratings_view {
    int points, rd;               /* rating and deviation, as whole numbers */
    bool is_firm;                 /* the deviation is below 110 */
    char rank[GLICKO_RANK_BYTES]; /* "" unless it is firm */
    int won, drawn, lost;
    int best; /* the highest firm rating so far; 0: it was never firm */
};
/* Returns false if no game of the account counts; *out is then a new player's
 * rating. */
bool ratings_view(const struct ratings *ratings, int64_t account, enum rating_pool pool,
                  int64_t now_wall_s, struct ratings_view *out);
/* Writes " rating=1512 rank=4k"; " rating=1512?" for a rating that is not firm; "" for
 * an account without games. */
enum { RATINGS_WORDS_BYTES = 32 };
void ratings_words(char out[RATINGS_WORDS_BYTES], const struct ratings *ratings,
                   int64_t account, enum rating_pool pool, int64_t now_wall_s);
/* Finds the pool in which the account has the most games. Returns false if it has no
 * games. */
bool ratings_main_pool(const struct ratings *ratings, int64_t account,
                       enum rating_pool *out);
/* Returns the side that moves first in the games of the pool. The pool "days" has games
 * of several rulesets, in which different sides move first. For this pool, returns Red:
 * rated_side() only needs one fixed side to share out the sides evenly. */
enum side ratings_first_side(enum rating_pool pool);
/* Returns how often the account had the side ratings_first_side(pool) in its last 20
 * rated games in the pool. */
int ratings_first_moves(const struct ratings *ratings, int64_t account,
                        enum rating_pool pool);

/* Calls `see` for the best players of a pool, the best player first, and for at most
 * RATINGS_TOP_MAX players. A listed player has a deviation below 75, games with 5
 * different opponents, and a game in the last 30 days. `see` returns false if the
 * account does not exist any more. Such an account is not counted. Returns the
 * count. */
enum { RATINGS_TOP_MAX = 50 };
typedef bool ratings_top_fn(void *arg, int place, int64_t account,
                            const struct ratings_view *view);
int ratings_top(struct ratings *ratings, enum rating_pool pool, int64_t now_wall_s,
                ratings_top_fn *see, void *arg);

#endif
