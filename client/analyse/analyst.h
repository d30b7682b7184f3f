/* Analyses a game in a second thread (thinker.h), at low priority, while the event loop
 * runs. The searches run on this machine, not on a server, so there is no queue and no
 * quota. */
#ifndef CLIENT_ANALYSE_ANALYST_H
#define CLIENT_ANALYSE_ANALYST_H

#include "client/analyse/analysis.h"

struct analyst;
struct event_base;

enum { ANALYST_SECONDS = 15, ANALYST_SECONDS_MAX = 86400 };

struct analyst_calls {
    /* Called when another position has been searched. May be NULL. */
    void (*on_progress)(void *owner);
    /* Called when the analysis has ended: it is complete, the time is over, or it was
     * stopped. The callback may free the analyst. */
    void (*on_done)(void *owner);
};

struct analyst_wish {
    int seconds;    /* time limit; ignored if `nodes` is not 0 */
    uint64_t nodes; /* node limit for every position, for a reproducible result; 0: the
                     * limits of the three passes (analysis.h) */
};

/* Begins an analysis at once. Copies what it needs of `game`, in which the players must
 * have chosen their starting positions. Borrows `base`, `calls` and `owner`. The caller
 * owns the result. Returns NULL after logging the reason. */
struct analyst *analyst_new(struct event_base *base, const struct game *game,
                            const struct analyst_wish *wish,
                            const struct analyst_calls *calls, void *owner) MUST_USE;
/* Ends the analysis without calling on_done. Accepts NULL. */
void analyst_free(struct analyst *analyst);

/* Ends the analysis with the results so far: on_done follows within milliseconds. */
void analyst_stop(struct analyst *analyst);

/* Returns the results so far, borrowed. */
const struct analysis *analyst_analysis(const struct analyst *analyst);
/* Returns the time that is left, in whole seconds; -1: no limit. */
int analyst_left_s(const struct analyst *analyst);

#endif
