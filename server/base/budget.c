/* See budget.h. */
#include "server/base/budget.h"

enum { MILLI = 1000, MINUTE_MS = 60000 };

/* A thousandth of a unit takes `ms` microseconds, so no call divides. */

int64_t budget_wait_ms(const struct budget *budget, struct rate rate, int64_t now_ms)
{
    int64_t left_us = budget->full_us - now_ms * MILLI;
    int64_t over_us = left_us + (1 - rate.burst) * MILLI * rate.ms;

    if (rate.ms == 0 || (left_us <= 0 && rate.burst > 0) || over_us <= 0)
        return 0;
    return (over_us + MILLI - 1) / MILLI;
}

void budget_charge(struct budget *budget, struct rate rate, int64_t milli,
                   int64_t now_ms)
{
    int64_t now_us = now_ms * MILLI,
            most_us = now_us + 2 * rate.burst * MILLI * rate.ms;

    if (rate.ms == 0)
        return;
    if (budget->full_us < now_us)
        budget->full_us = now_us;
    budget->full_us += milli * rate.ms;
    if (budget->full_us > most_us)
        budget->full_us = most_us;
}

bool budget_spend(struct budget *budget, struct rate rate, int64_t now_ms)
{
    if (budget_wait_ms(budget, rate, now_ms) > 0)
        return false;
    budget_charge(budget, rate, MILLI, now_ms);
    return true;
}

int64_t window_wait(const struct window *window, int span, int limit, int64_t now)
{
    int64_t left = window->began + span - now;

    return limit == 0 || window->count < limit || left <= 0 ? 0 : left;
}

void window_count(struct window *window, int span, int64_t now)
{
    if (now - window->began >= span)
        *window = (struct window){.began = now};
    window->count++;
}

void window_take_back(struct window *window, int64_t then)
{
    if (then >= window->began && window->count > 0)
        window->count--;
}

/* If the current minute of the meter is over, begins a new minute: moves the sums of
 * `now` to `before`, and sets the sums of `now` to 0. If the next minute is over too,
 * sets the sums of `before` to 0. */
static void begin_minute(struct meter *meter, int64_t now_ms)
{
    int64_t age_ms = now_ms - meter->began_ms;

    if (age_ms < MINUTE_MS)
        return;
    meter->before =
        age_ms < (int64_t)2 * MINUTE_MS ? meter->now : (struct meter_sum){0};
    meter->now = (struct meter_sum){0};
    meter->began_ms = now_ms - age_ms % MINUTE_MS;
}

void meter_add(struct meter *meter, struct meter_sum use, int64_t now_ms)
{
    begin_minute(meter, now_ms);
    meter->now.lines += use.lines;
    meter->now.bytes += use.bytes;
    meter->now.milli += use.milli;
}

struct meter_sum meter_read(const struct meter *meter, int64_t now_ms)
{
    struct meter copy = *meter;
    uint64_t left_ms;

    begin_minute(&copy, now_ms);
    left_ms = (uint64_t)(MINUTE_MS - (now_ms - copy.began_ms));
    return (struct meter_sum){
        .lines = copy.now.lines + copy.before.lines * left_ms / MINUTE_MS,
        .bytes = copy.now.bytes + copy.before.bytes * left_ms / MINUTE_MS,
        .milli = copy.now.milli + copy.before.milli * left_ms / MINUTE_MS};
}
