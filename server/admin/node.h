/* A node is one of several servers that share a database (--store postgres://...). The
 * node that holds the lease (server/store/store_lease.h) is the leader: it has the
 * games, and only it writes the log of events. The other nodes are standbys, which tell
 * each client where the leader is. A standby becomes the leader inside its process. A
 * leader that has lost the log ends, and comes back as a standby when its supervisor
 * starts it again. */
#ifndef SERVER_ADMIN_NODE_H
#define SERVER_ADMIN_NODE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_lease.h"

struct event_base;
struct node;

struct node_calls {
    /* Called when this standby has become the leader: read the log, and serve. */
    void (*on_lead)(void *arg);
    /* Called when another node writes the log. The callee ends the process. */
    void (*on_lost)(void *arg);
};

/* Looks at the lease, and takes it if it is free. Calls no function of `calls` before
 * the loop runs. Keeps pointers to `base` and `calls`, and needs `place` only during the
 * call. Returns NULL after logging; then errno is EAGAIN when the database cannot be
 * reached now. */
struct node *node_open(struct event_base *base, const struct store_place *place,
                       const struct node_calls *calls, void *arg) MUST_USE;
/* `node` may be NULL. */
void node_close(struct node *node);

/* True if this node is the leader. `node` NULL: true, because the server is not one of
 * several nodes. */
bool node_is_leader(const struct node *node);
/* Returns what follows "! bye why=" for clients that must go to the leader. It is
 * "elsewhere at=HOST:PORT", or "elsewhere" when no other node leads at the moment. The
 * pointer stays valid; the text changes. */
const char *node_farewell(const struct node *node);
/* Returns "HOST:PORT" of the leader, if it is another node; "": there is none at the
 * moment. */
const char *node_place(const struct node *node);
/* Returns the lease as this node has seen it last. */
const struct store_lease *node_lease(const struct node *node);

/* Call it when another node has begun to write the log. on_lost() is not called now, but
 * soon, by the event loop. */
void node_lose(struct node *node);
/* Call it when the process ends: the node gives the lease back, and does not take it
 * again. */
void node_retire(struct node *node);
/* Like node_retire(), but also waits a limited time for a new leader. All data must be
 * stored before the first call. Repeat the call until it returns true. If there is a
 * new leader, sets *why to the text of node_farewell(). Otherwise *why is unchanged. */
bool node_hand_over(struct node *node, const char **why) MUST_USE;

#endif
