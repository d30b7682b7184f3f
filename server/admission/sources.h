/* The recent use of each source. A source is an IPv4 address or an IPv6 /64. The
 * networks around it (IPv4 /24; IPv6 /56 and /48) are charged as well, and have budgets
 * of their own. At most SOURCES_MAX entries are stored. When SOURCES_MAX entries are
 * stored, the use of a new source is charged to the network around it. If that network
 * does not have an entry either, the use is charged to a common entry. The callers of
 * this module check the limits and pass the time. */
#ifndef SERVER_ADMISSION_SOURCES_H
#define SERVER_ADMISSION_SOURCES_H

#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/base/budget.h"
#include "server/base/prefix.h"

enum { SOURCES_MAX = 65536 };

struct sources;

/* Owned by struct sources. The callers of sources_use() may read it, and write the
 * members from `connects` to `refusals_ms`. */
struct source {
    struct prefix network;
    unsigned char weight;   /* factor of its budgets: 1 for a source, 2 for a /56, 4 for
                             * a /24 or a /48 */
    struct source *parent;  /* the next wider network; NULL: this is the widest */
    struct budget connects; /* new connections */
    struct budget work;
    struct budget returns; /* connections that a known source opens above its limits */
    struct budget chat;    /* lines of chat of all its guests */
    int64_t penalty_ms;    /* time when its penalty is over */
    int open;              /* open connections */
    int unnamed;           /* open connections that are not logged in */
    int64_t next_log_ms;   /* no log line about it before this time */
    int repeated;          /* refusals since the last log line */
    int refusals;          /* in the minute that began at refusals_ms */
    int64_t refusals_ms;   /* the start of the minute that `refusals` counts */
    int uses; /* number of users of the entry: each sources_use() adds 1, and each
               * sources_drop() subtracts 1. Each entry that has this entry as `parent`
               * also counts. The entry is removed only when `uses` is 0 */
    struct source *prev, *next; /* in the list of all sources, in the order in which
                                 * they are examined for removal */
    UT_hash_handle hh;
};

struct sources *sources_new(int max) MUST_USE;
/* `sources` may be NULL. */
void sources_free(struct sources *sources);

/* Returns the entry to which the use of that address is charged: the source, or another
 * entry if there are too many (see above). The entry remains until sources_drop(). Also
 * removes a few entries that are not in use and have full budgets. */
struct source *sources_use(struct sources *sources, const struct prefix *from,
                           int64_t now_ms);
void sources_drop(struct source *source);
/* Returns the source after `after`, or the first one if `after` is NULL, in no
 * particular order. NULL after the last. */
struct source *sources_next(const struct sources *sources, const struct source *after);
int sources_count(const struct sources *sources);

#endif
