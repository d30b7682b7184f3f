/* See bell.h. */
#include "server/base/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

#include "common/base/log.h"

#ifdef __linux__
static bool make(struct bell *bell)
{
    bell->heard_fd = bell->ring_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell->heard_fd >= 0;
}
#else
static bool make(struct bell *bell)
{
    int fd[2];

    if (pipe(fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(fd[i], F_SETFL, O_NONBLOCK);
    }
    bell->heard_fd = fd[0];
    bell->ring_fd = fd[1];
    return true;
}
#endif

bool bell_open(struct bell *bell)
{
    if (make(bell))
        return true;
    log_warn("bell why=\"%s\"", strerror(errno));
    *bell = (struct bell){-1, -1};
    return false;
}

void bell_close(struct bell *bell)
{
    if (bell->ring_fd >= 0 && bell->ring_fd != bell->heard_fd)
        close(bell->ring_fd);
    if (bell->heard_fd >= 0)
        close(bell->heard_fd);
    *bell = (struct bell){-1, -1};
}

void bell_ring(struct bell *bell)
{
    uint64_t one = 1;

    /* A full pipe or counter is a bell that rings already. */
    while (write(bell->ring_fd, &one, sizeof one) < 0)
        if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            die("bell why=\"%s\"", strerror(errno));
}

void bell_quiet(struct bell *bell)
{
    uint64_t rings[64];

    /* One call: what is left in a pipe after it makes the fd readable again. */
    if (read(bell->heard_fd, rings, sizeof rings) < 0 && errno != EAGAIN &&
        errno != EINTR)
        die("bell why=\"%s\"", strerror(errno));
}
