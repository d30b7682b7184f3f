/* Reads the clocks of the operating system, in one place. */
#ifndef COMMON_BASE_MONO_H
#define COMMON_BASE_MONO_H

#include <stdint.h>

/* Milliseconds on the monotonic clock: it never steps, and its zero is arbitrary. For
 * every span. */
int64_t mono_now_ms(void);

/* The same in microseconds, for measurements. */
int64_t mono_now_us(void);

/* Seconds since 1970 on the wall clock: for people and files, never for a span. */
int64_t mono_wall_s(void);

#endif
