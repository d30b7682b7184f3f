/* How one thread wakes another that sleeps in poll() or in the loop: a file descriptor
 * that becomes readable. An eventfd where the system has one, otherwise a pipe. */
#ifndef SERVER_BASE_BELL_H
#define SERVER_BASE_BELL_H

#include <stdbool.h>

#include "common/base/base.h"

struct bell {
    int heard_fd; /* readable after a ring */
    int ring_fd;  /* the same one for an eventfd */
};

/* False after logging. */
bool bell_open(struct bell *bell) MUST_USE;
/* Takes one that was never opened, as {-1, -1}. */
void bell_close(struct bell *bell);

/* From any thread; several rings before bell_quiet() are one. */
void bell_ring(struct bell *bell);
/* By the one who was woken, before it looks at what it was woken for. */
void bell_quiet(struct bell *bell);

#endif
