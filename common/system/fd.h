/* Opens pipes and sockets. Every descriptor is closed on exec. On some systems the call
 * that opens a descriptor can set the flag for this; others need a second call. */
#ifndef COMMON_SYSTEM_FD_H
#define COMMON_SYSTEM_FD_H

#include <stdbool.h>

#include "common/base/base.h"

enum fd_wait { FD_WAITS, FD_NONBLOCKING };

/* Opens a pipe. On failure returns false with errno set, and fd[] is {-1, -1}. */
bool fd_pipe(int fd[2], enum fd_wait wait) MUST_USE;

/* Opens a stream socket and returns it. Returns -1 with errno set on failure. */
int fd_socket(int family, enum fd_wait wait) MUST_USE;

#endif
