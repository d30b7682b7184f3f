/* What the host watches: counters and states as Prometheus text, whether the server is
 * healthy, and who costs most. The names of metrics must not change, because dashboards
 * and alarms use them. */
#ifndef SERVER_ADMIN_METRICS_H
#define SERVER_ADMIN_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/admin/drain.h"

struct node;
struct session;
struct world;

/* Values that are not in struct world. */
struct metrics_host {
    int64_t up_ms;
    const char *disk; /* good, full, slow, away */
    enum drain_state drain;
    const struct node *node; /* NULL: not one of several nodes */
};

/* Returns the whole text; the caller frees it. */
char *metrics_text(const struct world *world, const struct metrics_host *host) MUST_USE;

/* Returns true if the server accepts players and moves. Sets why in both cases: a few
 * words. */
enum { METRICS_WHY_BYTES = 320 };
bool metrics_is_healthy(const struct metrics_host *host, char why[METRICS_WHY_BYTES]);

/* Sends three lists of at most ten rows: the sources that caused the most load in the
 * last minute, the accounts that did, and the sources whose connections were refused
 * most. Visits all sessions. */
void metrics_say_top(struct session *to, const struct world *world, int64_t now_ms);

#endif
