/* A node is one of several servers that share a database (--store postgres://...). The
 * node that holds the lease (server/store/store_lease.h) is the house. The house has
 * the games, and only the house writes the log of events. The other nodes are doors. A
 * door passes its callers on to the house. A house can become a door, and a door can
 * become the house, without a restart of the process. */
#ifndef SERVER_ADMIN_NODE_H
#define SERVER_ADMIN_NODE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_lease.h"

struct event_base;
struct node;

struct node_calls {
    /* Called when this node has become the house. The callee reads the log and serves.
     * If it cannot serve now, it logs why and returns false. */
    bool (*on_house)(void *arg);
    /* Called when another node writes the log. The callee stops serving. */
    void (*on_door)(void *arg);
    /* Called on a door when node_farewell() or node_place() possibly returns a new
     * text. */
    void (*on_moved)(void *arg);
};

/* Looks at the lease, and takes it if it is free. Calls no function of `calls` before
 * node_begin(). Keeps pointers to `base` and `calls`, and needs `place` only during the
 * call. Returns NULL after logging; then errno is EAGAIN when the database cannot be
 * reached now. */
struct node *node_open(struct event_base *base, const struct store_place *place,
                       const struct node_calls *calls, void *arg) MUST_USE;
/* `node` may be NULL. */
void node_close(struct node *node);
/* Begins to act on the lease: from now on the functions of node_calls are called. True:
 * the lease is ours, and the caller must open the log now. */
bool node_begin(struct node *node) MUST_USE;

/* True if this node is the house. `node` NULL: true, because the server is not one of
 * several nodes. */
bool node_is_house(const struct node *node);
/* On a door: returns what follows "! bye why=". It is "elsewhere at=HOST:PORT", or
 * "elsewhere" when there is no house at the moment. */
const char *node_farewell(const struct node *node);
/* Returns "HOST:PORT" of the house, if it is another node; "": there is none at the
 * moment. */
const char *node_place(const struct node *node);
/* Returns the lease as this node has seen it last. */
const struct store_lease *node_lease(const struct node *node);

/* Call it when another node has begun to write the log. on_door() is not called now,
 * but soon, by the event loop. */
void node_lose(struct node *node);
/* Call it when the process ends: the node gives the lease back, and does not take it
 * again. */
void node_retire(struct node *node);
/* Like node_retire(), but also waits a limited time for a new house. All data must be
 * stored before the first call. Repeat the call until it returns true. If there is a
 * new house, sets *why to the text of node_farewell(). Otherwise *why is unchanged. */
bool node_hand_over(struct node *node, const char **why) MUST_USE;

#endif
