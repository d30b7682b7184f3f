/* libevent for the client: a loop that accepts any file descriptor, and whole lines
 * from a descriptor. */
#ifndef CLIENT_BASE_LOOP_H
#define CLIENT_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "common/base/base.h"

struct loop_lines;

/* The caller owns it (event_base_free). Ends the program on failure. */
struct event_base *loop_new(void) MUST_USE;

/* event_new() and event_add(), which end the program on failure. The caller owns the
 * event (event_free). wait_ms below 0: without a time. */
struct event *loop_event(struct event_base *base, int fd, short what,
                         event_callback_fn call, void *arg) MUST_USE;
void loop_add(struct event *event, int64_t wait_ms);

struct loop_lines_calls {
    /* Called with a line without its LF. May free the reader. */
    void (*on_line)(void *owner, char *line);
    /* Called at the end of input; no calls follow. */
    void (*on_end)(void *owner);
};

/* Reads fd, which the caller owns and must not close before loop_lines_free(). A line
 * longer than LOOP_LINE_MAX bytes ends the input. */
enum { LOOP_LINE_MAX = 1 << 20 };
struct loop_lines *loop_read_lines(struct event_base *base, int fd,
                                   const struct loop_lines_calls *calls,
                                   void *owner) MUST_USE;
/* Accepts NULL. */
void loop_lines_free(struct loop_lines *lines);

#endif
