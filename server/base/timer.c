/* See timer.h. */
#include "server/base/timer.h"

#include "common/base/log.h"

static struct event *make(struct event_base *base, short flags, event_callback_fn call,
                          void *arg)
{
    struct event *timer = event_new(base, -1, flags, call, arg);

    if (timer == NULL)
        log_die("timer no memory");
    return timer;
}

struct event *timer_new(struct event_base *base, event_callback_fn call, void *arg)
{
    return make(base, 0, call, arg);
}

struct event *timer_repeat(struct event_base *base, int64_t every_ms,
                           event_callback_fn call, void *arg)
{
    struct event *timer = make(base, EV_PERSIST, call, arg);

    timer_start(timer, every_ms);
    return timer;
}

void timer_start(struct event *timer, int64_t wait_ms)
{
    struct timeval wait = {.tv_sec = (time_t)(wait_ms / 1000),
                           .tv_usec = (suseconds_t)(wait_ms % 1000 * 1000)};

    if (event_add(timer, &wait) != 0)
        log_die("timer not started");
}
