/* See budget.h. */
#include "server/base/budget.h"

enum { MILLI = 1000 };
static const int64_t us_per_s = 1000000;

struct rate rate_of(int64_t per_s, int64_t burst)
{
    return (struct rate){.milli_per_s = per_s * MILLI, .burst = burst};
}

/* The time in which that many thousandths of a unit are refilled. */
static int64_t span_us(struct rate rate, int64_t milli)
{
    return milli * us_per_s / rate.milli_per_s;
}

/* The time in which an empty budget of that rate fills up. */
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
    int64_t over_us;

    if (rate.milli_per_s == 0)
        return 0;
    over_us = missing_us(budget, now_ms) + span_us(rate, MILLI) - burst_us(rate);
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

bool budget_is_full(const struct budget *budget, int64_t now_ms)
{
    return missing_us(budget, now_ms) == 0;
}
