/* This server as one of several nodes that share a log: what changes when it becomes the
 * house or a door, its links to the other nodes, and what they tell each other. A server
 * on its own is always the house, and has no links. node.h decides which one it is. */
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

/* The caller sets the first members, which are borrowed. */
struct cluster {
    const struct config *config;
    struct event_base *base;
    struct world *world;
    const struct identity *identity;
    struct data *data;
    struct host *host; /* set before the loop runs */
    bool has_web;      /* browsers are let in */
    /* Written by cluster.c. NULL: this server is not one of several nodes. */
    struct node *node;
    struct links *links; /* of doors, while this node is the house */
    struct relay *relay; /* to the house, while it is a door */
    bool is_away;        /* why cluster_open() failed: it may succeed later */
};

/* Joins the nodes of the configured log; the listener must be open, because the lease
 * contains its address. Returns false after logging why. */
bool cluster_open(struct cluster *cluster) MUST_USE;
/* True: this node is the house, and the caller opens the log itself, now. Later this
 * module closes and opens it whenever the node becomes a door or the house; the caller
 * closes what is open at the end. */
bool cluster_begin(struct cluster *cluster) MUST_USE;
/* Passes the place of the house to the sessions and the relay. */
void cluster_take_place(struct cluster *cluster);

/* True also for a server that is not one of several nodes. */
bool cluster_is_house(const struct cluster *cluster);
/* The settings of sessions as this node is now. */
struct session_settings cluster_session_settings(const struct cluster *cluster);

/* Takes a peer that shows our own key: it is another node. */
bool cluster_take_peer(struct cluster *cluster, struct wire *wire);
/* A door asks the house for the page that the session wants. False: there is no link to
 * the house. */
bool cluster_ask_page(struct cluster *cluster, struct session *session);

/* Another node writes the log: this one becomes a door soon. */
void cluster_lose(struct cluster *cluster);
/* The server shuts down: a house gives the log to another node, when everything is stored;
 * a door sends its clients to the house. Call it again until it returns true; then *why
 * is what follows "! bye why=". */
bool cluster_shut_down(struct cluster *cluster, const char **why);
/* Ends the links; runs the loop for that. */
void cluster_close_links(struct cluster *cluster);
/* Gives the lease back. Takes a cluster that was not opened. */
void cluster_close(struct cluster *cluster);

#endif
