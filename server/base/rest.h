/* Decides when a listener accepts no connections. After accept() has failed, for
 * example because no file descriptor is free, the listener rests for a moment: the
 * connection stays in the system's queue, and would otherwise wake the loop again at
 * once. The owner may also pause the listener. Refused connections are logged at most
 * once in ten seconds. */
#ifndef SERVER_BASE_REST_H
#define SERVER_BASE_REST_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct evconnlistener;
struct rest;

/* `name` begins the line of the log. `base`, `socket` and `name` must outlive the rest.
 * The caller frees it with rest_free(). Ends the process if there is no memory. */
struct rest *rest_new(struct event_base *base, struct evconnlistener *socket,
                      const char *name) MUST_USE;

/* Call it when accept() has failed; `why` is its errno. Notes the refusal. The listener
 * accepts again after 200 ms, or when its pause ends, whichever is later. */
void rest_begin(struct rest *rest, int why);

/* is_paused: new connections wait in the system's queue. Otherwise the listener accepts
 * them again, at once or when its rest is over. */
void rest_pause(struct rest *rest, bool is_paused);

/* Counts a refused connection. If the last line of the log is ten seconds old or there
 * was none, logs `why` with the number of refusals since then. */
void rest_note_refusal(struct rest *rest, const char *why);

/* Frees `rest` (may be NULL). Does not change the listener. */
void rest_free(struct rest *rest);

#endif
