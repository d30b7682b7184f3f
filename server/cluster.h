/* Runs this server as one of several nodes that share a log (the stored events, in one
 * PostgreSQL database). The node that writes the log is the house; the others are
 * doors, which relay their clients to the house. This module keeps the links
 * (connections) to the other nodes. It opens the data when this node becomes the house,
 * and closes it when this node becomes a door; node.h decides this. A server that is
 * not one of several nodes is always the house, and has no links. */
#ifndef SERVER_CLUSTER_H
#define SERVER_CLUSTER_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/net/session.h"

struct config;
struct data;
struct event_base;
struct host;
struct identity;
struct links;
struct node;
struct relay;
struct wire;
struct world;

/* The caller sets the members from `config` to `has_web`. The pointers are borrowed. */
struct cluster {
    const struct config *config;
    struct event_base *base;
    struct world *world;
    const struct identity *identity;
    struct data *data;
    struct host *host; /* set before the loop runs */
    bool has_web;      /* browsers may connect */
    /* Written by cluster.c. NULL: this server is not one of several nodes. */
    struct node *node;
    struct links *links; /* connections from the doors, while this node is the house */
    struct relay *relay; /* passes clients on to the house, while this node is a door */
    bool is_away;        /* cluster_open() failed, but may succeed later */
};

/* Joins the nodes that share the configured log. The listener must be open, because the
 * address at which clients reach this node is stored with the log. Returns false after
 * logging why. */
bool cluster_open(struct cluster *cluster) MUST_USE;
/* Makes this node the house or a door; call it once, after cluster_open(). True: this
 * node is the house, and the caller must open the log now. Afterwards this module opens
 * the log whenever the node becomes the house, and closes it whenever the node becomes
 * a door. At the end the caller closes the log if it is open. */
bool cluster_begin(struct cluster *cluster) MUST_USE;
/* Passes the address of the house to the sessions and the relay. */
void cluster_take_place(struct cluster *cluster);

/* True if this node is the house, or this server is not one of several nodes. */
bool cluster_is_house(const struct cluster *cluster);
/* Returns the settings of sessions, which depend on whether this node is the house or a
 * door now. */
struct session_settings cluster_session_settings(const struct cluster *cluster);

/* Takes over `wire`, the connection of a peer, if the peer has the same key as this
 * server: then it is another node, because all nodes have one key. False: the peer is
 * no node, or this node is not the house. */
bool cluster_take_peer(struct cluster *cluster, struct wire *wire);
/* On a door: asks the house for the page that the session wants. Returns false if the
 * house cannot be asked, for example because there is no link to it. */
bool cluster_ask_page(struct cluster *cluster, struct session *session);

/* Call it when another node has begun to write the log. This node becomes a door in a
 * later turn of the loop. */
void cluster_lose(struct cluster *cluster);
/* Shuts this node down: a house gives the log to another node once everything is
 * stored; a door sends its clients to the house. Call it again until it returns true.
 * *why is the reason to send after "! bye why="; it is replaced if clients must connect
 * to another node. */
bool cluster_shut_down(struct cluster *cluster, const char **why);
/* Ends the links, and runs two turns of the event loop, in which they close. */
void cluster_close_links(struct cluster *cluster);
/* Gives back the lease (the right to write the log). Accepts a cluster that was not
 * opened. */
void cluster_close(struct cluster *cluster);

#endif
