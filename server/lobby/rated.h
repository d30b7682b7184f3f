/* Rated games: who may play them and with whom, who begins, and what their end does to
 * the ratings. */
#ifndef SERVER_LOBBY_RATED_H
#define SERVER_LOBBY_RATED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"
#include "server/account/ratings.h"

struct account;
struct room;
struct sessions;
struct terms;
struct world;

/* --- Opponents --- */

/* The opponents that the maker of a seek accepts, by their ratings. All zero: any. */
struct range {
    /* Ratings from `low` to `high`; or, when low is 0, ratings that differ from the
     * maker's by at most `high`; both 0: any. */
    int low, high;
};
/* Reads the value of range=: "1400-1700", "200" or "any". Sets *why to a text that
 * tells the user which values are valid. Returns false if the value is invalid. */
bool rated_parse_range(struct range *range, const char *value,
                       const char **why) MUST_USE;
/* Writes " range=1400-1700"; "" for a range that accepts all. */
enum { RATED_RANGE_BYTES = 40 };
void rated_format_range(char out[RATED_RANGE_BYTES], const struct range *range);
/* True if the maker of the range accepts that opponent. A rating that is not firm fits
 * any range. */
bool rated_fits_range(const struct range *range, const struct ratings_view *maker,
                      const struct ratings_view *other);

/* --- Games --- */

/* True if the account may play rated games. The account must not be a program. It must
 * also be a member, or at least a day old. */
bool rated_may_play(const struct account *account, int64_t now_wall_s);
/* Chooses the side of `maker`. One side of the pool counts: ratings_first_side(). The
 * player who had this side in fewer of the last rated games gets this side now.
 * SIDE_NONE: both players had this side in the same number of games. */
enum side rated_side(const struct ratings *ratings, const struct terms *terms,
                     const struct account *maker, const struct account *taker);
/* Chooses the side of `maker`: the player of the higher rank has Red; a rating that is
 * not firm is below all ranks. SIDE_NONE when the ranks are equal, or neither rating is
 * firm. */
enum side rated_side_by_rank(const struct ratings *ratings, const struct terms *terms,
                             const struct account *maker, const struct account *taker,
                             int64_t now_wall_s);
/* Writes " rating=1512 rank=4k" of the account for games on those terms; see
 * ratings_words(). */
void rated_words(char out[RATINGS_WORDS_BYTES], const struct ratings *ratings,
                 const struct account *account, const struct terms *terms);
/* True if both accounts are connected, or were last connected, from one IPv4 address or
 * one IPv6 /64. *is_known: both have logged in since the server started; if not, an
 * address is unknown, and the function returns false. */
bool rated_is_near(struct sessions *sessions, const struct account *one,
                   const struct account *other, bool *is_known);

/* If a rated game has ended with a result and both players have moved, queues its
 * rating row. may_be_near: it counts even if both players are at one address.
 * is_excluded: the host has decided that it does not count. Call it in the batch that
 * stores the end of the game. */
void rated_write(const struct world *world, const struct room *room, bool may_be_near,
                 bool is_excluded);
/* Tells the readers of the room how its end has changed the ratings. */
void rated_tell(struct ratings *ratings, struct room *room, int64_t now_wall_s);

#endif
