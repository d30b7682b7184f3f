/* A clock that is stopped until a test steps it. The clock can be linked into a
 * program, or preloaded into another program before the C library (LD_PRELOAD). It
 * replaces clock_gettime(), gettimeofday() and time() for the whole process, including
 * libraries. CPU time remains real.
 *
 * In another program (LD_PRELOAD), the clock is a file. The test maps this file too,
 * and gives its path to the program in JANGGI_CLOCK. Without this variable, time is
 * real. */
#ifndef TESTS_CLOCK_STEPPED_CLOCK_H
#define TESTS_CLOCK_STEPPED_CLOCK_H

#include <stdint.h>

/* The file contains three 64-bit numbers. A test writes the first two once and then
 * only increases the third. */
struct stepped_clock {
    int64_t wall_ns, mono_ns; /* what the two clocks showed when they were stopped */
    int64_t stepped_ns;       /* how far the clocks have been stepped since they were
                               * stopped */
};

/* Stops the clock of this process at the present time. After fork(), parent and child
 * have separate clocks. */
void stepped_clock_stop(void);

/* Moves the clock forward by ms. The clock must be stopped. */
void stepped_clock_step_ms(int64_t ms);

/* Moves only the wall clock, forward or back. The clock must be stopped. */
void stepped_clock_step_wall_s(int64_t s);

/* Makes time real again. */
void stepped_clock_release(void);

/* Returns the machine's monotonic clock, which always runs, in milliseconds. It is for
 * a test's timeouts. */
int64_t stepped_clock_real_ms(void);

#endif
