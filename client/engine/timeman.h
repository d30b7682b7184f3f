/* How long to think about one move, of the time that is left: arithmetic alone. */
#ifndef CLIENT_ENGINE_TIMEMAN_H
#define CLIENT_ENGINE_TIMEMAN_H

#include "client/engine/search.h"
#include "common/game/clock.h"

/* What a clock allows; 0 where it has nothing of the kind. */
struct timeman_clock {
    int64_t left_ms;      /* of the main time */
    int64_t increment_ms; /* added after the move */
    int64_t period_ms;    /* a byoyomi period, or the time for each move */
    int moves;            /* to be made in left_ms; 0: all that are left of the game */
};

/* Sets soft_ms and hard_ms so that the flag does not fall. */
void timeman_allot(struct search_limits *limits, const struct timeman_clock *clock);

/* The clock of side at now_ms. False: the game is untimed. */
bool timeman_read_clock(const struct clock *clock, enum side side, int64_t now_ms,
                        struct timeman_clock *out) MUST_USE;

#endif
