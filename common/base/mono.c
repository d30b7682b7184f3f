/* See mono.h. The only file that calls clock_gettime(). */
#include "common/base/mono.h"

#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#ifndef PORTABLE_ONLY
#ifdef CLOCK_BOOTTIME
#define CLOCK_HAS_SLEEP
#endif
#endif

int64_t mono_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t mono_now_ms(void)
{
    return mono_now_us() / 1000;
}

int64_t mono_now_s(void)
{
    return mono_now_ms() / 1000;
}

int64_t mono_with_sleep_ms(void)
{
#ifdef CLOCK_HAS_SLEEP
    struct timespec now;

    if (clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
#endif
    return mono_now_ms();
}

int64_t mono_ticks_ms(void)
{
    struct tms unused;

    return (int64_t)times(&unused) * 1000 / sysconf(_SC_CLK_TCK);
}

int64_t mono_wall_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec;
}
