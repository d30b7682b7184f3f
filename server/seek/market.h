/* The open seeks. They are in one list in the order of their ids. They are also in
 * lists by rules and time, so that a matching seek is found without a search through
 * all seeks. The seek of a waiting player (lobby_wait()) is in one such list for each
 * combination of a time and a ruleset that the player accepts. */
#ifndef SERVER_SEEK_MARKET_H
#define SERVER_SEEK_MARKET_H

#include "common/base/base.h"

struct market;
struct marks;
struct seek;
struct terms;
struct wish;

struct market *market_new(void) MUST_USE;
/* All seeks must have been removed. Accepts NULL. */
void market_free(struct market *market);

/* Borrows the seek until market_remove(). Seeks are added in the order of their ids. */
void market_add(struct market *market, struct seek *seek);
void market_remove(struct market *market, struct seek *seek);

/* Returns the oldest open seek, or NULL; seek->open_next is the next newer one. */
struct seek *market_first(const struct market *market);
int market_count(const struct market *market);
/* market_last() returns the newest open seek, market_before() the next older one. Both
 * return NULL if there is none. */
struct seek *market_last(const struct market *market);
struct seek *market_before(const struct market *market, const struct seek *seek);

/* Finds the oldest seek of another player that meets the terms of `mine`, or NULL.
 * Skips the seeks of waiting players. Also skips a seek if, according to `marks`, its
 * maker or the maker of `mine` ignores or blocks the other (peace.h). There are three
 * lists: seeks that want Red, seeks that want Blue, and seeks that want either side.
 * Examines at most MARKET_LOOKS_MAX seeks of each list. */
struct seek *market_find_fit(const struct market *market, const struct seek *mine,
                             const struct marks *marks);

/* How well the maker of a seek suits the player who looks for an opponent. SUIT_LATER:
 * take the seek only if no other maker suits well. A market_judge_fn sets *distance to
 * the difference between the ratings of these two players. Before the call, *distance
 * is 0. */
enum suit { SUIT_NOT, SUIT_LATER, SUIT_WELL };
typedef enum suit market_judge_fn(void *arg, const struct seek *seek, int *distance);

/* Both functions return a seek that suits well. If there is none, they return a seek
 * that suits later (SUIT_LATER), or else NULL. Among several such seeks, they choose
 * the seek with the least distance. If the distances are equal, they choose the oldest
 * seek. market_find_match() searches the open seeks that have one of the times and one
 * of the rulesets of the wish. market_find_waiting() searches the seeks of waiting
 * players who accept these terms. Each function examines at most MARKET_LOOKS_MAX
 * seeks. In each list, the oldest seek is examined first. */
enum { MARKET_LOOKS_MAX = 256 };
struct seek *market_find_match(const struct market *market, const struct wish *wish,
                               market_judge_fn *judge, void *arg);
struct seek *market_find_waiting(const struct market *market, const struct terms *terms,
                                 market_judge_fn *judge, void *arg);

#endif
