/* Wakes a thread that sleeps in poll() or in the loop, from another thread: a file
 * descriptor that becomes readable. An eventfd where the system has one, otherwise a
 * pipe. Both are closed on exec. */
#ifndef COMMON_SYSTEM_WAKEUP_H
#define COMMON_SYSTEM_WAKEUP_H

#include <stdbool.h>

#include "common/base/base.h"

struct wakeup {
    int read_fd;  /* readable after wakeup_signal() */
    int write_fd; /* the same descriptor for an eventfd */
};

/* False after logging. */
bool wakeup_open(struct wakeup *wakeup) MUST_USE;
/* Also takes {-1, -1}, which was never opened. */
void wakeup_close(struct wakeup *wakeup);

/* May be called from any thread. Several signals before wakeup_clear() count as one. */
void wakeup_signal(struct wakeup *wakeup);
/* The woken thread calls this before it looks for work. */
void wakeup_clear(struct wakeup *wakeup);

#endif
