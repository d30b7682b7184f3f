/* Limits the lines that strangers send to one player: about one a second from all
 * strangers together. A stranger is anybody who has no game with the player. Some of
 * these lines may be used only by sources that have not sent a line for some time, so
 * that a few strangers cannot use up all lines. The data are in memory only. */
#ifndef SERVER_ADMISSION_STRANGERS_H
#define SERVER_ADMISSION_STRANGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/budget.h"

enum {
    STRANGERS_PER_S = 1,
    STRANGERS_BURST = 5,
    STRANGERS_LEFT = 2,   /* this many lines of the burst are only for new sources (see
                           * STRANGERS_NEW_S) */
    STRANGERS_NEW_S = 30, /* after this time without a line, a source counts as new */
    STRANGERS_KEPT = 32   /* number of sources that are remembered. It is rare that more
                           * sources send lines within STRANGERS_NEW_S */
};

/* All zero: nobody was heard yet. */
struct strangers {
    struct budget lines;
    int count;
    struct stranger {
        uint64_t source;
        int64_t heard_ms;
    } kept[STRANGERS_KEPT];
};

/* Spends one line. source: a number for one sender, or for all senders of one network.
 * False: there were too many lines, and nothing is spent. */
bool strangers_spend(struct strangers *strangers, uint64_t source,
                     int64_t now_ms) MUST_USE;

#endif
