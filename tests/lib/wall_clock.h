/* A wall clock of the server's own, for tests that move it while the server runs:
 * through libfaketime, which reads what the clock is to do from a file. */
#ifndef TESTS_LIB_WALL_CLOCK_H
#define TESTS_LIB_WALL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/base.h"
#include "tests/lib/process.h"

struct wall_clock {
    char file[PROCESS_PATH_BYTES + 16];
};

/* Every child that is started from now on has a clock by a file in directory.
 * libraries: what LD_PRELOAD has to be. is_whole: its monotonic clock follows as well.
 */
void wall_clock_init(struct wall_clock *wall, const char *directory,
                     const char *libraries, bool is_whole);
/* "+3600s": an hour on; "+0 x60": sixty times as fast. */
void wall_clock_set(const struct wall_clock *wall, const char *words);
/* libfaketime keeps two small files for each process, which one that was killed leaves
 * behind, and a later process of the same number trips over. */
void wall_clock_forget(pid_t pid);
/* Stands still, as it was so long ago. */
void wall_clock_stop(const struct wall_clock *wall, int64_t ago_s);

#endif
