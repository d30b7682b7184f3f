/* Reads the clocks of the operating system, in one place, and rounds what is left of a
 * span to seconds. */
#ifndef COMMON_BASE_MONO_H
#define COMMON_BASE_MONO_H

#include <stdint.h>

/* Milliseconds on the monotonic clock: it never steps, and its zero is arbitrary. Use
 * it to measure every span. */
int64_t mono_now_ms(void);

/* mono_now_ms() in whole seconds, rounded down. */
int64_t mono_now_s(void);

/* mono_now_ms(), plus the time in which the machine was suspended, where the system can
 * tell it. For a span in which a laptop may have been closed; never for a timer. */
int64_t mono_with_sleep_ms(void);

/* mono_now_ms() in microseconds, for measurements. */
int64_t mono_now_us(void);

/* A span in whole seconds, rounded up; 0: the span is over. */
static inline int64_t mono_whole_s(int64_t span_ms)
{
    return span_ms > 0 ? (span_ms + 999) / 1000 : 0;
}

/* Seconds since 1970 on the wall clock: for people and files, never for a span. */
int64_t mono_wall_s(void);

#endif
