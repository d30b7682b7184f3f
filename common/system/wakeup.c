/* See wakeup.h. */
#include "common/system/wakeup.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/system/fd.h"

#ifndef PORTABLE_ONLY
#if defined(__has_include)
#if __has_include(<sys/eventfd.h>)
#define HAS_EVENTFD
#include <sys/eventfd.h>
#endif
#endif
#endif

/* Opens the two descriptors; with an eventfd both are the same. */
static bool open_pair(int fd[2])
{
#ifdef HAS_EVENTFD
    fd[0] = fd[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd[0] >= 0;
#else
    return fd_pipe(fd, FD_NONBLOCKING);
#endif
}

bool wakeup_open(struct wakeup *wakeup)
{
    int fd[2];

    if (!open_pair(fd))
        log_warn("wakeup why=\"%s\"", strerror(errno));
    *wakeup = (struct wakeup){.read_fd = fd[0], .write_fd = fd[1]};
    return fd[0] >= 0;
}

void wakeup_close(struct wakeup *wakeup)
{
    if (wakeup->write_fd >= 0 && wakeup->write_fd != wakeup->read_fd)
        close(wakeup->write_fd);
    if (wakeup->read_fd >= 0)
        close(wakeup->read_fd);
    *wakeup = (struct wakeup){-1, -1};
}

void wakeup_signal(struct wakeup *wakeup)
{
    uint64_t one = 1;

    /* If the pipe or counter is full, the thread is being woken already. */
    while (write(wakeup->write_fd, &one, sizeof one) < 0)
        if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            log_die("wakeup why=\"%s\"", strerror(errno));
}

void wakeup_clear(struct wakeup *wakeup)
{
    uint64_t counts[64];

    /* One read is enough: if more bytes are in the pipe, the descriptor remains
     * readable. */
    if (read(wakeup->read_fd, counts, sizeof counts) < 0 && errno != EAGAIN &&
        errno != EINTR)
        log_die("wakeup why=\"%s\"", strerror(errno));
}
