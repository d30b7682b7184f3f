/* See fd.h. A system that has SOCK_CLOEXEC has pipe2() as well (Linux, FreeBSD, NetBSD,
 * OpenBSD). On other systems (macOS) further calls set the flags. A child process that
 * another thread starts between these calls inherits the descriptor. */
#include "common/system/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef PORTABLE_ONLY
#ifdef SOCK_CLOEXEC
#define HAS_ATOMIC_FLAGS
#endif
#endif

#ifndef HAS_ATOMIC_FLAGS
static bool add_flags(int fd, bool is_nonblocking)
{
    int flags = fcntl(fd, F_GETFL);

    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && flags >= 0 &&
           (!is_nonblocking || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0);
}
#endif

bool fd_pipe(int fd[2], enum fd_wait wait)
{
    bool is_nonblocking = wait == FD_NONBLOCKING;

#ifdef HAS_ATOMIC_FLAGS
    if (pipe2(fd, O_CLOEXEC | (is_nonblocking ? O_NONBLOCK : 0)) == 0)
        return true;
#else
    if (pipe(fd) == 0) {
        int why;

        if (add_flags(fd[0], is_nonblocking) && add_flags(fd[1], is_nonblocking))
            return true;
        why = errno;
        close(fd[0]);
        close(fd[1]);
        errno = why;
    }
#endif
    fd[0] = fd[1] = -1;
    return false;
}

int fd_socket(int family, enum fd_wait wait)
{
#ifdef HAS_ATOMIC_FLAGS
    int flags = SOCK_CLOEXEC | (wait == FD_NONBLOCKING ? SOCK_NONBLOCK : 0);

    return socket(family, SOCK_STREAM | flags, 0);
#else
    int fd = socket(family, SOCK_STREAM, 0), why;

    if (fd < 0 || add_flags(fd, wait == FD_NONBLOCKING))
        return fd;
    why = errno;
    close(fd);
    errno = why;
    return -1;
#endif
}
