/* Metrics for the host's monitoring: counters and states as Prometheus text, and
 * whether the server is healthy. The names of metrics must not change, because
 * dashboards and alarms use them. */
#ifndef SERVER_ADMIN_METRICS_H
#define SERVER_ADMIN_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/net/relay.h"

struct talk;
struct world;

/* Values that exist only if this server is one of several nodes. */
struct metrics_node {
    bool is_house, is_link_up;
    int links; /* open links (net/link.h) from doors to this node */
    int clients_of_doors;
    size_t links_unsent;
    struct relay_counts relay;
};

/* Values that are not in struct world. */
struct metrics_host {
    int64_t up_ms;
    const char *disk;                /* good, full, slow, away */
    const char *drain;               /* no, games, restart, ends-now */
    const struct metrics_node *node; /* NULL: not one of several nodes */
};

/* Sends the whole text, a row for each line. */
void metrics_say(struct talk *talk, const struct world *world,
                 const struct metrics_host *host);

/* Returns true if the server accepts players and moves. Sets *why in both cases: a few
 * words. */
bool metrics_is_healthy(const struct metrics_host *host, const char **why);

#endif
