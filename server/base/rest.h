/* When a listener does not accept. After accept() has failed, for example while no
 * descriptor is free, it rests: the connection stays in the queue, and would wake the loop
 * again at once. Its owner may also pause it. What it refuses is logged at most once in
 * ten seconds. */
#ifndef SERVER_BASE_REST_H
#define SERVER_BASE_REST_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct evconnlistener;
struct rest;

/* `name` begins the line of the log. `base`, `socket` and `name` must outlive the rest.
 * The caller frees it with rest_free(). Ends the process without memory. */
struct rest *rest_new(struct event_base *base, struct evconnlistener *socket,
                      const char *name) MUST_USE;

/* For the callback of accept() that failed; why: its errno. Accepts again in 200 ms, or,
 * if the listener is paused then, when the pause ends. Notes the refusal. */
void rest_begin(struct rest *rest, int why);

/* Lets new connections wait in the system's queue, or accepts them again. A rest that is
 * not over ends at its time. */
void rest_pause(struct rest *rest, bool is_paused);

/* Counts a refused connection. Logs `why` with the number of refusals since the last
 * line, unless ten seconds have not passed since that line. */
void rest_note_refusal(struct rest *rest, const char *why);

/* Does not change the listener. Accepts NULL. */
void rest_free(struct rest *rest);

#endif
