/* Limits the lines that strangers send to one player: about one a second, all together. A
 * source that was heard a short time ago leaves some of them to those that were not, so
 * that a few loud ones keep nobody else away. In memory only. */
#ifndef SERVER_NET_STRANGERS_H
#define SERVER_NET_STRANGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/budget.h"

enum {
    STRANGERS_PER_S = 1,
    STRANGERS_BURST = 5,
    STRANGERS_LEFT = 2,   /* of the burst, for sources that were not heard for ... */
    STRANGERS_NEW_S = 30, /* ... so long */
    STRANGERS_KEPT = 32   /* sources; the lines of that time seldom come from more */
};

/* All zero has heard nobody. */
struct strangers {
    struct budget lines;
    int count;
    struct stranger {
        uint64_t source;
        int64_t heard_ms;
    } kept[STRANGERS_KEPT];
};

/* Spends one line of that source, a number for a sender or for all senders of a network.
 * False: there are too many, and nothing is spent. */
bool strangers_spend(struct strangers *strangers, uint64_t source,
                     int64_t now_ms) MUST_USE;

#endif
