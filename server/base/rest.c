/* See rest.h. */
#include "server/base/rest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <event2/listener.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/base/timer.h"

enum { REST_MS = 200, LOG_EVERY_MS = 10000 };

struct rest {
    struct evconnlistener *socket;
    const char *name;
    struct event *timer; /* pending: the listener rests */
    bool is_paused;
    int64_t logged_ms; /* when a refusal was logged; 0: never */
    int refused;       /* number of connections that were refused since logged_ms */
};

/* Accepts connections again, unless the listener is paused or rests. If the system
 * cannot watch the socket now, tries again after another rest. */
static void accept_again(struct rest *rest)
{
    if (rest->is_paused || event_pending(rest->timer, EV_TIMEOUT, NULL))
        return;
    if (evconnlistener_enable(rest->socket) != 0)
        timer_start(rest->timer, REST_MS);
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    accept_again(arg);
}

struct rest *rest_new(struct event_base *base, struct evconnlistener *socket,
                      const char *name)
{
    struct rest *rest = mem_new(sizeof *rest);

    *rest = (struct rest){.socket = socket, .name = name};
    rest->timer = timer_new(base, on_rested, rest);
    return rest;
}

void rest_note_refusal(struct rest *rest, const char *why)
{
    int64_t now_ms = mono_now_ms();

    rest->refused++;
    if (rest->logged_ms != 0 && now_ms - rest->logged_ms < LOG_EVERY_MS)
        return;
    log_warn("%s refused=%d why=\"%s\"", rest->name, rest->refused, why);
    rest->logged_ms = now_ms;
    rest->refused = 0;
}

void rest_begin(struct rest *rest, int why)
{
    rest_note_refusal(rest, strerror(why));
    evconnlistener_disable(rest->socket);
    timer_start(rest->timer, REST_MS);
}

void rest_pause(struct rest *rest, bool is_paused)
{
    rest->is_paused = is_paused;
    if (is_paused)
        evconnlistener_disable(rest->socket);
    else
        accept_again(rest);
}

void rest_free(struct rest *rest)
{
    if (rest == NULL)
        return;
    event_free(rest->timer);
    free(rest);
}
