/* The open seeks: in order, and by their terms, so that a matching seek is found
 * without a scan of all. */
#ifndef SERVER_LOBBY_MARKET_H
#define SERVER_LOBBY_MARKET_H

#include "common/base/base.h"

struct market;
struct seek;

struct market *market_new(void) MUST_USE;
/* All seeks must have been removed. Takes NULL. */
void market_free(struct market *market);

/* Borrows the seek until market_remove(). Seeks are added in the order of their ids. */
void market_add(struct market *market, struct seek *seek);
void market_remove(struct market *market, struct seek *seek);

/* The oldest open seek, or NULL; seek->open_next is the one after it. */
struct seek *market_first(const struct market *market);
int market_count(const struct market *market);

/* The oldest seek of another player that meets the terms of mine, or NULL. Examines at
 * most three seeks more than the maker of mine has open. */
struct seek *market_find_fit(const struct market *market, const struct seek *mine);

#endif
