/* Gives the server a wall clock of its own, which a test can step while the server
 * runs. Uses libfaketime, which reads from a file how the clock runs. */
#ifndef TESTS_CLOCK_WALL_CLOCK_H
#define TESTS_CLOCK_WALL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/base.h"
#include "tests/lib/process.h"

struct wall_clock {
    char file[PROCESS_PATH_BYTES + 16];
};

/* Lets a file in `directory` control the wall clock of every child that is started
 * later. libraries: the value for LD_PRELOAD. is_whole: the file also controls the
 * child's monotonic clock. */
void wall_clock_init(struct wall_clock *wall, const char *directory,
                     const char *libraries, bool is_whole);
/* Sets how the clock runs. words: an offset and a speed as libfaketime reads them, such
 * as "+3600s" (an hour ahead) or "+0 x60" (sixty times as fast). */
void wall_clock_set(const struct wall_clock *wall, const char *words);
/* Removes two small files of libfaketime for a process: a killed process leaves them
 * behind, and they disturb a later process with the same id. */
void wall_clock_forget(pid_t pid);
/* Stops the clock at the time ago_s seconds before now. */
void wall_clock_stop(const struct wall_clock *wall, int64_t ago_s);

#endif
