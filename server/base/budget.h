/* Limits how often something may happen, and measures how often it did.
 *
 * A budget is a rate limit with a burst. It stores one number, the time at which the
 * budget is full again (the generic cell rate algorithm), so it needs no timer. It may
 * be overdrawn, because the cost of a command is known only afterwards. */
#ifndef SERVER_BASE_BUDGET_H
#define SERVER_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

/* One unit in `ms` milliseconds; 0: no limit. `burst` units may be spent at once. */
struct rate {
    int64_t ms, burst;
};

/* A budget that is all zero is full. */
struct budget {
    int64_t full_us; /* when it is full again */
};

/* Returns the milliseconds until one unit is available; 0: now. */
int64_t budget_wait_ms(const struct budget *budget, struct rate rate, int64_t now_ms);
/* Takes `milli` thousandths of a unit, even if they are not available; the debt is at
 * most the burst. If `milli` is negative, gives units back. */
void budget_charge(struct budget *budget, struct rate rate, int64_t milli,
                   int64_t now_ms);
/* Takes one unit. False: no unit is left, so the budget has not changed. */
bool budget_spend(struct budget *budget, struct rate rate, int64_t now_ms) MUST_USE;

/* A window is a span of time that begins with the first event in it. Counts the events
 * of one window. All zero at first. The caller chooses the unit of the times. */
struct window {
    int64_t began;
    int count;
};

/* Returns how long to wait until one more event is allowed, if `limit` events (0: any
 * number) are allowed in a window of length `span`. 0: it is allowed now. */
int64_t window_wait(const struct window *window, int span, int limit, int64_t now);
/* Counts an event. If the window is over, this event begins a new one. */
void window_count(struct window *window, int span, int64_t now);
/* Takes back an event that was counted at the time `then`, unless a new window has
 * begun since. */
void window_take_back(struct window *window, int64_t then);

/* What a client has used in about the last minute: the lines that it sent, the bytes
 * that were sent to it, and the cost that was charged. At first all members are
 * zero. */
struct meter {
    int64_t began_ms; /* the start of the current minute */
    struct meter_sum {
        uint64_t lines, bytes, milli; /* milli: thousandths of a line */
    } now, before;                    /* in the current minute, in the one before */
};

void meter_add(struct meter *meter, struct meter_sum use, int64_t now_ms);

/* The sum of the last 60 s. Counts the part of the previous minute that is within the
 * 60 s, as if its use had been spread evenly. */
struct meter_sum meter_read(const struct meter *meter, int64_t now_ms);

#endif
