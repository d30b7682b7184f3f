/* The only readers of the operating system's clocks. Everybody else is told the time.
 */
#ifndef COMMON_BASE_MONO_H
#define COMMON_BASE_MONO_H

#include <stdint.h>

/* Milliseconds on the monotonic clock: never steps, starts anywhere. For every span. */
int64_t mono_now_ms(void);

/* The same in microseconds, for measurements. */
int64_t mono_now_us(void);

/* Seconds since 1970 by the calendar clock: for people and files, never for a span. */
int64_t wall_now_s(void);

#endif
