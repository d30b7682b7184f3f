/* See budget.h. */
#include "server/base/budget.h"

enum { MILLI = 1000 };
static const int64_t us_per_s = 1000000;

struct rate rate_of(int64_t per_s, int64_t burst)
{
    return (struct rate){.milli_per_s = per_s * MILLI, .burst = burst};
}

/* Returns the time in which `milli` thousandths of a unit are refilled. */
static int64_t span_us(struct rate rate, int64_t milli)
{
    return milli * us_per_s / rate.milli_per_s;
}

/* Returns the time in which an empty budget with this rate fills up. */
static int64_t burst_us(struct rate rate)
{
    return span_us(rate, rate.burst * MILLI);
}

static int64_t missing_us(const struct budget *budget, int64_t now_ms)
{
    int64_t left_us = budget->full_us - now_ms * MILLI;

    return left_us > 0 ? left_us : 0;
}

int64_t budget_wait_ms(const struct budget *budget, struct rate rate, int64_t now_ms)
{
    int64_t over_us, left_us = missing_us(budget, now_ms);

    if (rate.milli_per_s == 0 || (left_us == 0 && rate.burst > 0))
        return 0;
    over_us = left_us + span_us(rate, MILLI) - burst_us(rate);
    return over_us > 0 ? (over_us + MILLI - 1) / MILLI : 0;
}

bool budget_has(const struct budget *budget, struct rate rate, int64_t now_ms)
{
    return budget_wait_ms(budget, rate, now_ms) == 0;
}

void budget_charge(struct budget *budget, struct rate rate, int64_t milli,
                   int64_t now_ms)
{
    int64_t missing, most;

    if (rate.milli_per_s == 0)
        return;
    missing = missing_us(budget, now_ms) + span_us(rate, milli);
    most = 2 * burst_us(rate);
    budget->full_us = now_ms * MILLI + (missing < most ? missing : most);
}

bool budget_spend(struct budget *budget, struct rate rate, int64_t now_ms)
{
    if (!budget_has(budget, rate, now_ms))
        return false;
    budget_charge(budget, rate, MILLI, now_ms);
    return true;
}

bool budget_is_full(const struct budget *budget, int64_t now_ms)
{
    return missing_us(budget, now_ms) == 0;
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

/* --- Meters --- */

enum { MINUTE_MS = 60000 };

/* If the current minute of the meter is over, begins a new minute: moves the sums of
 * `now` to `before`, and sets the sums of `now` to 0. If the next minute is over too,
 * sets the sums of `before` to 0. */
static void turn(struct meter *meter, int64_t now_ms)
{
    int64_t age_ms = now_ms - meter->began_ms;

    if (age_ms < MINUTE_MS)
        return;
    meter->before =
        age_ms < (int64_t)2 * MINUTE_MS ? meter->now : (struct meter_sum){0};
    meter->now = (struct meter_sum){0};
    meter->began_ms = now_ms - age_ms % MINUTE_MS;
}

void meter_add(struct meter *meter, int64_t now_ms, uint64_t lines, uint64_t bytes)
{
    turn(meter, now_ms);
    meter->now.lines += lines;
    meter->now.bytes += bytes;
}

void meter_charge(struct meter *meter, int64_t now_ms, uint64_t milli)
{
    turn(meter, now_ms);
    meter->now.milli += milli;
}

struct meter_sum meter_read(const struct meter *meter, int64_t now_ms)
{
    struct meter copy = *meter;
    uint64_t left_ms;

    turn(&copy, now_ms);
    left_ms = (uint64_t)(MINUTE_MS - (now_ms - copy.began_ms));
    return (struct meter_sum){
        .lines = copy.now.lines + copy.before.lines * left_ms / MINUTE_MS,
        .bytes = copy.now.bytes + copy.before.bytes * left_ms / MINUTE_MS,
        .milli = copy.now.milli + copy.before.milli * left_ms / MINUTE_MS};
}

uint64_t meter_cost(struct meter_sum sum)
{
    return sum.milli / MILLI;
}
