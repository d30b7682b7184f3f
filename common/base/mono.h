/* Reads the clocks of the operating system, compares times, and rounds a remaining time
 * up to whole seconds. */
#ifndef COMMON_BASE_MONO_H
#define COMMON_BASE_MONO_H

#include <stdint.h>

/* Returns the milliseconds of the monotonic clock. This clock is never set, and its
 * zero is arbitrary. Use it to measure every span of time. */
int64_t mono_now_ms(void);

/* Returns mono_now_ms() in whole seconds, rounded down. */
int64_t mono_now_s(void);

/* Like mono_now_ms(), but also counts the time in which the machine was suspended,
 * where the system reports it. Use it for a span in which a laptop may have been
 * closed, but never for a timer. */
int64_t mono_with_sleep_ms(void);

/* Like mono_now_ms(), in microseconds. */
int64_t mono_now_us(void);

/* Like mono_now_ms(), from another clock of the system, in steps of about 10 ms. Use it
 * to notice that this process did not run for some time: tests that move the other
 * clocks do not move this one. */
int64_t mono_ticks_ms(void);

/* Returns the smaller of two times or spans. */
static inline int64_t mono_earlier_ms(int64_t one_ms, int64_t other_ms)
{
    return one_ms < other_ms ? one_ms : other_ms;
}

/* Returns the larger of two times or spans. */
static inline int64_t mono_later_ms(int64_t one_ms, int64_t other_ms)
{
    return one_ms > other_ms ? one_ms : other_ms;
}

/* Converts a span to whole seconds, rounded up. Returns 0 when the span is over. */
static inline int64_t mono_whole_s(int64_t span_ms)
{
    return span_ms > 0 ? (span_ms + 999) / 1000 : 0;
}

/* Returns the seconds since 1970 on the wall clock. Use this function for times that
 * are shown to people or stored in files. Never use it to measure a span. */
int64_t mono_wall_s(void);

#endif
