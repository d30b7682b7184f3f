/* See meter.h. */
#include "server/admission/meter.h"

enum { MINUTE_MS = 60000 };

/* Begins a new minute when the current one is over. */
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

struct meter_sum meter_read(const struct meter *meter, int64_t now_ms)
{
    struct meter copy = *meter;
    uint64_t left_ms;

    turn(&copy, now_ms);
    left_ms = (uint64_t)(MINUTE_MS - (now_ms - copy.began_ms));
    return (struct meter_sum){
        .lines = copy.now.lines + copy.before.lines * left_ms / MINUTE_MS,
        .bytes = copy.now.bytes + copy.before.bytes * left_ms / MINUTE_MS};
}

uint64_t meter_cost(struct meter_sum sum)
{
    return sum.lines + sum.bytes / 1024;
}
