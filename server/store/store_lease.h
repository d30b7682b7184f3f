/* The lease of a log that several nodes share. It says which node is the leader, that
 * is, which one runs the games and writes the log. A separate thread looks at the lease
 * on a separate connection, so that the lease is not lost during a long commit. The
 * leader renews it once a second; another node looks at it a few times a second, and
 * takes it when it has run out or was given back. */
#ifndef SERVER_STORE_STORE_LEASE_H
#define SERVER_STORE_STORE_LEASE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_engine.h"

struct event_base;
struct store_leaser;

/* Called on the loop when the state of the lease or the address of the leader has
 * changed. Also called after the first successful look that follows store_lease_wish(),
 * even if nothing has changed. Before this look, the known state may be out of date
 * because of an outage. */
typedef void store_lease_fn(void *arg);

/* Looks at the lease, takes it if it is free, and starts the thread. If the lease says
 * that the leader is at place->at, an earlier process of this node took the lease. In
 * this case, and if the leader has another key, the function waits until the lease has
 * run out. Returns NULL after logging, also if the leader with another key renews the
 * lease; errno is EAGAIN if the database cannot be reached now, or if the system has
 * no room for descriptors or a thread. Borrows `place`. */
struct store_leaser *store_lease_open(struct event_base *base,
                                      const struct store_place *place,
                                      store_lease_fn *on_change, void *arg) MUST_USE;
/* Gives the lease back if it is ours, and stops the thread. Accepts NULL. */
void store_lease_close(struct store_leaser *leaser);

/* Returns the lease as of the last look that succeeded. */
const struct store_lease *store_lease_now(const struct store_leaser *leaser);
/* Tells the thread whether to take, to keep or to give back the lease from now on. */
void store_lease_wish(struct store_leaser *leaser, enum store_lease_wish wish);

#endif
