/* Makes and starts timers. If libevent has no memory for a timer, the process ends
 * (log_die): without the timer the server would wait for ever. */
#ifndef SERVER_BASE_TIMER_H
#define SERVER_BASE_TIMER_H

#include <stdint.h>

#include <event2/event.h>

#include "common/base/base.h"

/* Makes a timer that is not started yet. When it fires, the loop calls call() with -1,
 * EV_TIMEOUT and arg. Borrows base and arg. The caller frees it with event_free(). */
struct event *timer_new(struct event_base *base, event_callback_fn call,
                        void *arg) MUST_USE;

/* Like timer_new(), but also starts the timer. The timer fires again and again, each
 * time after every_ms (more than 0). */
struct event *timer_repeat(struct event_base *base, int64_t every_ms,
                           event_callback_fn call, void *arg) MUST_USE;

/* Starts the timer: it fires in wait_ms (0 or more). If the timer is already running,
 * it does not fire at the old time, only at the new time. */
void timer_start(struct event *timer, int64_t wait_ms);

#endif
