/* Metrics for the host's monitoring: counters and states as Prometheus text, and
 * whether the server is healthy. The names of metrics must not change, because
 * dashboards and alarms use them. */
#ifndef SERVER_ADMIN_METRICS_H
#define SERVER_ADMIN_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node;
struct talk;
struct world;

/* Values that are not in struct world. */
struct metrics_host {
    int64_t up_ms;
    const char *disk;        /* good, full, slow, away */
    const char *drain;       /* no, games, restart, ends-now */
    const struct node *node; /* NULL: not one of several nodes */
};

/* Sends the whole text, a row for each line. */
void metrics_say(struct talk *talk, const struct world *world,
                 const struct metrics_host *host);

/* Returns true if the server accepts players and moves. Sets *why in both cases: a few
 * words. */
bool metrics_is_healthy(const struct metrics_host *host, const char **why);

#endif
