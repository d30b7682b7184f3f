/* Counts the instructions and the system calls that one protocol line costs a server,
 * with callgrind and strace. Unlike times, these counts do not depend on what else the
 * machine does. */
#ifndef TESTS_BENCH_COUNT_H
#define TESTS_BENCH_COUNT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "tests/measure/target.h"

struct event_base;

struct count_setting {
    struct event_base *base;
    const char *build, *directory;
    int pairs;
    double seconds;
    double rate; /* see load_run() */
};

struct count_instructions {
    /* Instructions in user mode for each line. `first`: in the first thread; `others`:
     * in all other threads together. */
    double first, others;
};
/* Returns false if valgrind is not installed or the measurement failed. */
bool count_instructions(const struct count_setting *setting, enum target_kind kind,
                        struct count_instructions *out) MUST_USE;

struct count_calls {
    /* System calls for each line. `all`: of every kind. */
    double all, pwrites, syncs, waits;
};
/* Returns false if strace is not installed or the measurement failed. */
bool count_calls(const struct count_setting *setting, enum target_kind kind,
                 struct count_calls *out) MUST_USE;

#endif
