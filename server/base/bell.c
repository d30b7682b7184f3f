/* See bell.h. */
#include "server/base/bell.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "common/base/fd.h"
#include "common/base/log.h"

bool bell_open(struct bell *bell)
{
    int fd[2];

    if (!fd_wakeup(fd))
        log_warn("bell why=\"%s\"", strerror(errno));
    *bell = (struct bell){.heard_fd = fd[0], .ring_fd = fd[1]};
    return fd[0] >= 0;
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

    /* One call: what a pipe has left after it makes the fd readable again. */
    if (read(bell->heard_fd, rings, sizeof rings) < 0 && errno != EAGAIN &&
        errno != EINTR)
        die("bell why=\"%s\"", strerror(errno));
}
