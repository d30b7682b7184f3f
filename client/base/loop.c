/* See loop.h. */
#include "client/base/loop.h"

#include <errno.h>
#include <stdlib.h>

#include <event2/buffer.h>

#include "common/base/log.h"
#include "common/base/mem.h"

/* Makes libevent use poll(), because standard input may be a file: epoll refuses files,
 * and kqueue does not report the end of a file. */
struct event_base *loop_new(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    if (config != NULL && event_config_avoid_method(config, "kqueue") == 0 &&
        event_config_require_features(config, EV_FEATURE_FDS) == 0)
        base = event_base_new_with_config(config);
    if (config != NULL)
        event_config_free(config);
    if (base == NULL)
        log_die("loop: cannot create the event loop");
    return base;
}

struct event *loop_event(struct event_base *base, int fd, short what,
                         event_callback_fn call, void *arg)
{
    struct event *event = event_new(base, fd, what, call, arg);

    if (event == NULL)
        log_die("loop: cannot create an event");
    return event;
}

void loop_add(struct event *event, int64_t wait_ms)
{
    struct timeval wait = {.tv_sec = (time_t)(wait_ms / 1000),
                           .tv_usec = (suseconds_t)(wait_ms % 1000 * 1000)};

    if (event_add(event, wait_ms < 0 ? NULL : &wait) != 0)
        log_die("loop: cannot add an event");
}

struct loop_lines {
    const struct loop_lines_calls *calls;
    void *owner;
    struct event *readable;
    struct evbuffer *bytes;
    bool is_giving; /* on_line is being called */
    bool is_dead;   /* loop_lines_free() was called during on_line: give_lines() frees
                     * the reader after that call */
};

static void destroy(struct loop_lines *lines)
{
    event_free(lines->readable);
    evbuffer_free(lines->bytes);
    free(lines);
}

/* Calls on_line for each complete line. Returns false if the owner freed the reader
 * meanwhile. */
static bool give_lines(struct loop_lines *lines)
{
    char *line;

    lines->is_giving = true;
    while (!lines->is_dead &&
           (line = evbuffer_readln(lines->bytes, NULL, EVBUFFER_EOL_CRLF)) != NULL) {
        lines->calls->on_line(lines->owner, line);
        free(line);
    }
    lines->is_giving = false;
    if (!lines->is_dead)
        return true;
    destroy(lines);
    return false;
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct loop_lines *lines = arg;
    int got = evbuffer_read(lines->bytes, fd, -1);

    (void)what;
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (!give_lines(lines))
        return;
    if (got > 0 && evbuffer_get_length(lines->bytes) <= LOOP_LINE_MAX)
        return;
    event_del(lines->readable);
    lines->calls->on_end(lines->owner);
}

struct loop_lines *loop_read_lines(struct event_base *base, int fd,
                                   const struct loop_lines_calls *calls, void *owner)
{
    struct loop_lines *lines = mem_new(sizeof *lines);

    lines->calls = calls;
    lines->owner = owner;
    lines->bytes = evbuffer_new();
    if (lines->bytes == NULL)
        log_die("loop: no memory");
    lines->readable = loop_event(base, fd, EV_READ | EV_PERSIST, on_readable, lines);
    loop_add(lines->readable, -1);
    return lines;
}

void loop_lines_free(struct loop_lines *lines)
{
    if (lines == NULL)
        return;
    if (lines->is_giving)
        lines->is_dead = true;
    else
        destroy(lines);
}
