/* Runs this server as one of several nodes that share a log (the stored events, in one
 * PostgreSQL database). One node leads, and the others are standbys; node.h decides
 * which. This module opens the data when this node becomes the leader, and ends the
 * process when the leader has lost the log. A server that is not one of several nodes is
 * always the leader. */
#ifndef SERVER_CLUSTER_H
#define SERVER_CLUSTER_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/net/session.h"

struct config;
struct data;
struct drain;
struct event_base;
struct identity;
struct node;
struct world;

/* The caller sets the members from `config` to `drain`. The pointers are borrowed. */
struct cluster {
    const struct config *config;
    struct event_base *base;
    struct world *world;
    const struct identity *identity;
    struct data *data;
    struct drain *drain; /* set before the loop runs */
    /* Written by cluster.c. */
    struct node *node; /* NULL: this server is not one of several nodes */
    bool is_away;      /* cluster_open() failed, but may succeed later */
    int status; /* the exit status of a process that cluster.c ends; otherwise 0 */
};

/* Joins the nodes that share the configured log. The listener must be open, because the
 * address at which clients reach this node is stored with the log. If this node is the
 * leader now, the caller must open the log; later this module opens it. At the end the
 * caller closes the log if it is open. Returns false after logging why. */
bool cluster_open(struct cluster *cluster) MUST_USE;

/* True if this node is the leader, or this server is not one of several nodes. */
bool cluster_is_leader(const struct cluster *cluster);
/* Returns the settings of sessions: a standby closes each with the address of the
 * leader. */
struct session_settings cluster_session_settings(const struct cluster *cluster);

/* Shuts this node down: a leader gives the log to another node once everything is
 * stored. Call it again until it returns true. *why is the reason to send after "! bye
 * why="; it is replaced if clients must connect to another node. */
bool cluster_shut_down(struct cluster *cluster, const char **why);
/* Gives back the lease (the right to write the log). Accepts a cluster that was not
 * opened. */
void cluster_close(struct cluster *cluster);

#endif
