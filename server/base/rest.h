/* Decides when a listener does not accept connections. If accept() fails, for example
 * because there is no free file descriptor, the listener rests for a moment. The
 * connection is still in the system's queue then. Without the rest, it would wake the
 * loop again at once. The owner may also pause the listener. Refused connections are
 * logged at most once in ten seconds. */
#ifndef SERVER_BASE_REST_H
#define SERVER_BASE_REST_H

#include <stdbool.h>

#include "common/base/base.h"

struct event_base;
struct evconnlistener;
struct rest;

/* Makes a struct rest for the listener `socket`. `name` begins each line that it logs.
 * `base`, `socket` and `name` must outlive it. The caller frees it with rest_free().
 * Ends the process if there is no memory. */
struct rest *rest_new(struct event_base *base, struct evconnlistener *socket,
                      const char *name) MUST_USE;

/* Begins a rest of 200 ms. Call it when accept() has failed; `why` is its errno. Counts
 * this as a refused connection. The listener accepts again after the rest, or when its
 * pause ends, whichever is later. */
void rest_begin(struct rest *rest, int why);

/* Pauses the listener if is_paused is true: new connections wait in the system's queue.
 * If it is false, ends the pause: the listener accepts connections again, at once or
 * when its rest is over. */
void rest_pause(struct rest *rest, bool is_paused);

/* Counts a refused connection. If no refusal was logged in the last ten seconds, logs
 * `why` with the number of refusals that are not logged yet. */
void rest_note_refusal(struct rest *rest, const char *why);

/* Frees `rest` (may be NULL). Does not change the listener. */
void rest_free(struct rest *rest);

#endif
