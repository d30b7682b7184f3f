/* libevent for the client: an event loop that accepts any file descriptor, and a reader
 * of whole lines. */
#ifndef CLIENT_BASE_LOOP_H
#define CLIENT_BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "common/base/base.h"

struct loop_lines;

/* Creates an event loop, which the caller owns (event_base_free). Ends the program on
 * failure. */
struct event_base *loop_new(void) MUST_USE;

/* Like event_new() and event_add(), but a failure ends the program. The caller owns the
 * event (event_free). If wait_ms is below 0, the event has no timeout. */
struct event *loop_event(struct event_base *base, int fd, short what,
                         event_callback_fn call, void *arg) MUST_USE;
void loop_add(struct event *event, int64_t wait_ms);

struct loop_lines_calls {
    /* Called for each line, without its LF or CR LF. The callback may free the
     * reader. */
    void (*on_line)(void *owner, char *line);
    /* Called at the end of input; no calls follow. */
    void (*on_end)(void *owner);
};

/* Reads lines from `fd` and gives each to `calls`. The caller owns `fd`, and must not
 * close it before loop_lines_free(). An incomplete line longer than LOOP_LINE_MAX bytes
 * is treated as the end of input. A last line without an LF is dropped. */
enum { LOOP_LINE_MAX = 1 << 20 };
struct loop_lines *loop_read_lines(struct event_base *base, int fd,
                                   const struct loop_lines_calls *calls,
                                   void *owner) MUST_USE;
/* Stops reading and frees the reader. `lines` may be NULL. */
void loop_lines_free(struct loop_lines *lines);

#endif
