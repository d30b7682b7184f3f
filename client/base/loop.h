/* What the programs without a server need of libevent: a loop that takes any file, and
 * whole lines from a descriptor. */
#ifndef CLIENT_BASE_LOOP_H
#define CLIENT_BASE_LOOP_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct loop_lines;

/* The caller owns it (event_base_free). Ends the program when there is none. */
struct event_base *loop_new(void) MUST_USE;

struct loop_lines_calls {
    /* A line without its end; may free the reader. */
    void (*on_line)(void *owner, char *line);
    /* No more lines will come; the last call. */
    void (*on_end)(void *owner);
};

/* Reads fd, which stays the caller's, and must not be closed before. A line of more
 * than LOOP_LINE_MAX bytes ends it. */
enum { LOOP_LINE_MAX = 1 << 20 };
struct loop_lines *loop_read_lines(struct event_base *base, int fd,
                                   const struct loop_lines_calls *calls,
                                   void *owner) MUST_USE;
/* Takes NULL. */
void loop_lines_free(struct loop_lines *lines);

#endif
