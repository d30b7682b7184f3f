/* See stepped_clock.h. A process that waits for sockets would not notice that a test
 * steps its clock. So, while the clock is stopped, each wait ends after at most
 * LOOK_MS. A wait can then end early and without events. Every event loop must handle
 * this case. */
#include "tests/clock/stepped_clock.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };
static const int64_t s_ns = 1000000000;

/* `stopped`: the clock of this process; NULL: time is real. */
static struct stepped_clock own, *stopped;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("JANGGI_CLOCK");
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    void *place;

    if (fd < 0)
        return;
    place = mmap(NULL, sizeof own, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (place != MAP_FAILED)
        stopped = place;
}

static int64_t real_ns(clockid_t id)
{
    struct timespec now = {0};

    syscall(SYS_clock_gettime, id, &now);
    return (int64_t)now.tv_sec * s_ns + now.tv_nsec;
}

/* --- For tests --- */

void stepped_clock_stop(void)
{
    own = (struct stepped_clock){.wall_ns = real_ns(CLOCK_REALTIME),
                                 .mono_ns = real_ns(CLOCK_MONOTONIC)};
    stopped = &own;
}

void stepped_clock_step_ms(int64_t ms)
{
    __atomic_add_fetch(&stopped->stepped_ns, ms * 1000000, __ATOMIC_SEQ_CST);
}

void stepped_clock_step_wall_s(int64_t s)
{
    stopped->wall_ns += s * s_ns;
}

void stepped_clock_release(void)
{
    stopped = NULL;
}

int64_t stepped_clock_real_ms(void)
{
    return real_ns(CLOCK_MONOTONIC) / 1000000;
}

/* --- In front of the C library --- */

static int64_t now_ns(clockid_t id)
{
    int64_t stepped_ns;

    if (stopped == NULL)
        return real_ns(id);
    stepped_ns = __atomic_load_n(&stopped->stepped_ns, __ATOMIC_SEQ_CST);
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
        return stopped->wall_ns + stepped_ns;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
        return stopped->mono_ns + stepped_ns;
    default:
        return real_ns(id);
    }
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    int64_t ns = now_ns(id);

    *now = (struct timespec){.tv_sec = ns / s_ns, .tv_nsec = ns % s_ns};
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int64_t ns = now_ns(CLOCK_REALTIME);

    (void)zone;
    *now = (struct timeval){.tv_sec = ns / s_ns, .tv_usec = ns % s_ns / 1000};
    return 0;
}

/* The ticks stand still: a step of the clock is not a time in which the server did not
 * run. */
clock_t times(struct tms *out)
{
    (void)out;
    return 1;
}

time_t time(time_t *out)
{
    time_t now = now_ns(CLOCK_REALTIME) / s_ns;

    if (out != NULL)
        *out = now;
    return now;
}

static int wait_ms(int ms)
{
    return stopped != NULL && (ms < 0 || ms > LOOK_MS) ? LOOK_MS : ms;
}

int epoll_wait(int fd, struct epoll_event *events, int room, int ms)
{
    return (int)syscall(SYS_epoll_pwait, fd, events, room, wait_ms(ms), NULL, 0);
}

int poll(struct pollfd *fds, nfds_t count, int ms)
{
    int left_ms = wait_ms(ms);
    struct timespec wait = {.tv_sec = left_ms / 1000,
                            .tv_nsec = left_ms % 1000 * 1000000L};

    return (int)syscall(SYS_ppoll, fds, count, left_ms < 0 ? NULL : &wait, NULL, 0);
}
