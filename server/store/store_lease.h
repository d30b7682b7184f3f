/* The lease of a log that several nodes share: a thread of its own looks at it, on a
 * connection of its own, so that the lease is not lost during a long commit. A house
 * renews it once a second; another node looks at it a few times a second, and takes it
 * when it has run out or was given back. */
#ifndef SERVER_STORE_STORE_LEASE_H
#define SERVER_STORE_STORE_LEASE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"

struct event_base;
struct store_leaser;

/* Called on the loop when the state or the place of the house has changed, and after
 * the first look that follows a wish, even if nothing has changed: what was known
 * before may be older than an outage. */
typedef void store_lease_fn(void *arg);

/* Looks at the lease, takes it if it is free, and starts the thread. If the lease says
 * that the house is at place->at, an earlier process of this node took it: then waits
 * until the lease has run out. Returns NULL after logging; errno is EAGAIN when the
 * database cannot be reached now, or the system has no room for descriptors or a
 * thread. Borrows `place`. */
struct store_leaser *store_lease_open(struct event_base *base,
                                      const struct store_place *place,
                                      store_lease_fn *on_change, void *arg) MUST_USE;
/* Gives the lease back if it is ours, and stops the thread. Accepts NULL. */
void store_lease_close(struct store_leaser *leaser);

/* Returns the lease as of the last look that succeeded. */
const struct store_lease *store_lease_now(const struct store_leaser *leaser);
/* Tells the thread what to do from now on. */
void store_lease_wish(struct store_leaser *leaser, enum store_lease_wish wish);

#endif
