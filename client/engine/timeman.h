/* Computes how long to think about one move from the time that is left. Arithmetic
 * only. */
#ifndef CLIENT_ENGINE_TIMEMAN_H
#define CLIENT_ENGINE_TIMEMAN_H

#include "client/engine/search.h"
#include "common/game/clock.h"

/* The time that a clock allows; 0 for a kind of time that it does not have. */
struct timeman_clock {
    int64_t left_ms;      /* the main time that is left */
    int64_t increment_ms; /* added after the move */
    int64_t period_ms;    /* a byoyomi period, or the time for each move */
    int moves;            /* the number of moves to make in left_ms; 0: all moves of the
                           * rest of the game */
};

/* Sets soft_ms and hard_ms of `limits` so that the side does not lose on time. */
void timeman_allot(struct search_limits *limits, const struct timeman_clock *clock);

/* Reads the clock of `side` at now_ms. Returns false in an untimed game. */
bool timeman_read_clock(const struct clock *clock, enum side side, int64_t now_ms,
                        struct timeman_clock *out) MUST_USE;

#endif
