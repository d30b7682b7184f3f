/* What a line costs in instructions and in system calls, counted by callgrind and by
 * strace. Unlike times, these do not depend on what else the machine does. */
#ifndef TESTS_BENCH_COUNT_H
#define TESTS_BENCH_COUNT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "tests/bench/target.h"

struct event_base;

struct count_setting {
    struct event_base *base;
    const char *build, *directory;
    int pairs;
    double seconds;
    double rate; /* as load_run() */
};

struct count_instructions {
    double first, others; /* user instructions a line: of the first thread, of others */
};
/* False without valgrind. */
bool count_instructions(const struct count_setting *setting, enum target_kind kind,
                        struct count_instructions *out) MUST_USE;

struct count_calls {
    double all, pwrites, syncs, waits; /* calls a line */
};
/* False without strace. */
bool count_calls(const struct count_setting *setting, enum target_kind kind,
                 struct count_calls *out) MUST_USE;

#endif
