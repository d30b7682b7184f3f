/* Pipes and sockets for both programs. Every descriptor is closed on exec. Systems
 * differ in whether one call can do that. */
#ifndef COMMON_SYSTEM_FD_H
#define COMMON_SYSTEM_FD_H

#include <stdbool.h>

#include "common/base/base.h"

/* A pipe with blocking ends. False with errno set; fd[] is {-1, -1} then. */
bool fd_pipe(int fd[2]) MUST_USE;

/* A pair with which one thread wakes another: a write to fd[1] makes fd[0] readable.
 * Both are non-blocking and transfer 8 bytes at a time. They are the same descriptor
 * where the system has eventfd(). False with errno set; fd[] is {-1, -1} then. */
bool fd_wakeup(int fd[2]) MUST_USE;

/* A stream socket. -1 with errno set. */
enum fd_wait { FD_WAITS, FD_NONBLOCKING };
int fd_socket(int family, enum fd_wait wait) MUST_USE;

#endif
