/* Reads the clocks of the operating system, in one place. */
#ifndef COMMON_BASE_MONO_H
#define COMMON_BASE_MONO_H

#include <stdint.h>

/* Milliseconds on the monotonic clock: it never steps, and its zero is arbitrary. For
 * every span. */
int64_t mono_now_ms(void);

/* The same, but it also counts the time in which the machine was suspended, where the
 * system can. For a span in which a laptop may have been closed; never for a timer. */
int64_t mono_with_sleep_ms(void);

/* mono_now_ms() in microseconds, for measurements. */
int64_t mono_now_us(void);

/* Seconds since 1970 on the wall clock: for people and files, never for a span. */
int64_t mono_wall_s(void);

#endif
