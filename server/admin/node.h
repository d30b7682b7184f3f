/* One of several nodes that share a log (--store postgres://...): the house, which has the
 * games, or a door, which sends its callers to the house. The lease decides
 * (server/store/store_lease.h). A node becomes the one or the other without a restart of
 * its process. */
#ifndef SERVER_ADMIN_NODE_H
#define SERVER_ADMIN_NODE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store_lease.h"

struct event_base;
struct node;

struct node_calls {
    /* The lease is ours: read the log, and serve. False after logging: not now. */
    bool (*on_house)(void *arg);
    /* Another node writes the log: stop serving. */
    void (*on_door)(void *arg);
    /* A door: node_farewell() has changed. */
    void (*on_moved)(void *arg);
};

/* Looks at the lease, and takes it if it is free; calls nothing before node_begin().
 * Keeps pointers to base and calls, and needs place only during the call. Returns NULL
 * after logging; then errno is EAGAIN when the database cannot be reached now. */
struct node *node_open(struct event_base *base, const struct store_place *place,
                       const struct node_calls *calls, void *arg) MUST_USE;
/* Accepts NULL. */
void node_close(struct node *node);
/* True: the lease is ours, and the caller opens the log itself, now. From here on the calls
 * are made. */
bool node_begin(struct node *node) MUST_USE;

/* True also for NULL, a server that is not one of several nodes. */
bool node_is_house(const struct node *node);
/* For a door, what follows "! bye why=": "elsewhere at=HOST:PORT", or without a place when
 * there is no house at the moment. */
const char *node_farewell(const struct node *node);
/* "HOST:PORT" of the house, if it is another node; "": there is none at the moment. */
const char *node_place(const struct node *node);
const struct store_lease *node_lease(const struct node *node);

/* The caller says that another node has taken the log. A later turn of the loop calls
 * on_door. */
void node_lose(struct node *node);
/* The process ends: the node gives the lease back, and takes it no more. */
void node_retire(struct node *node);
/* The same, and waits a limited time for a new house. Call it again until
 * it returns true; then *why is what follows "! bye why=", and unchanged if there is
 * none. Everything must be stored. */
bool node_hand_over(struct node *node, const char **why) MUST_USE;

#endif
