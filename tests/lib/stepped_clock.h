/* A clock that stands still until a test steps it. Linked into a program, or loaded in
 * front of the C library of another one, it answers clock_gettime(), gettimeofday() and
 * time() for everything in the process, libraries included. Processor time stays real.
 *
 * In another program (LD_PRELOAD) the clock is a file that the test maps as well and
 * names in JANGGI_CLOCK; without that variable time is real. */
#ifndef TESTS_LIB_STEPPED_CLOCK_H
#define TESTS_LIB_STEPPED_CLOCK_H

#include <stdint.h>

/* The file holds three 64-bit numbers. A test writes the first two once and then only
 * raises the third. */
struct stepped_clock {
    int64_t wall_ns, mono_ns; /* when the clock was stopped */
    int64_t stepped_ns;       /* how far it was stepped since */
};

/* Stops the clock of this process at the time it is. A child goes on with a copy. */
void stepped_clock_stop(void);

/* The clock must be stopped. */
void stepped_clock_step_ms(int64_t ms);

/* Lets it run again. */
void stepped_clock_release(void);

/* Milliseconds of the monotonic clock of the machine, stopped or not: for the patience of
 * a test. */
int64_t stepped_clock_real_ms(void);

#endif
