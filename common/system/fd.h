/* Pipes and sockets for both programs. Every descriptor is closed on exec. Systems
 * differ in whether the call that opens a descriptor can set that flag. */
#ifndef COMMON_SYSTEM_FD_H
#define COMMON_SYSTEM_FD_H

#include <stdbool.h>

#include "common/base/base.h"

enum fd_wait { FD_WAITS, FD_NONBLOCKING };

/* Opens a pipe. False with errno set; fd[] is {-1, -1} then. */
bool fd_pipe(int fd[2], enum fd_wait wait) MUST_USE;

/* Opens a stream socket and returns it. Returns -1 with errno set on failure. */
int fd_socket(int family, enum fd_wait wait) MUST_USE;

#endif
