/* Lets one thread wake another that sleeps in poll() or in the event loop, by making a
 * file descriptor readable: an eventfd where the system has one, otherwise a pipe. The
 * descriptors are closed on exec. */
#ifndef COMMON_SYSTEM_WAKEUP_H
#define COMMON_SYSTEM_WAKEUP_H

#include <stdbool.h>

#include "common/base/base.h"

struct wakeup {
    int read_fd;  /* readable after wakeup_signal() */
    int write_fd; /* equal to read_fd if the system has eventfd() */
};

/* Opens the descriptors. On failure logs why and returns false. */
bool wakeup_open(struct wakeup *wakeup) MUST_USE;
/* Closes the descriptors and sets them to -1. Does nothing if they are -1. */
void wakeup_close(struct wakeup *wakeup);

/* Makes read_fd readable. May be called from any thread. Several signals before
 * wakeup_clear() count as one. */
void wakeup_signal(struct wakeup *wakeup);
/* Removes the signals that have made read_fd readable. The thread that was woken must
 * call this before it looks for work, so that it does not miss a later signal. */
void wakeup_clear(struct wakeup *wakeup);

#endif
