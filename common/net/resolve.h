/* Resolves a host name without blocking the event loop: getaddrinfo() runs on its own
 * thread, and the result comes by callback on the loop. */
#ifndef COMMON_NET_RESOLVE_H
#define COMMON_NET_RESOLVE_H

#include "common/base/base.h"

struct addrinfo;
struct event_base;
struct resolve;

/* Receives the result. The callback owns list (freeaddrinfo()); list is NULL on
 * failure. error is the result of getaddrinfo(), 0 for success. The struct resolve must
 * not be used any more, not even for resolve_cancel(). */
typedef void resolve_fn(void *arg, struct addrinfo *list, int error);

/* Starts the lookup. If that fails, logs the reason and returns NULL. */
struct resolve *resolve_start(struct event_base *base, const char *host,
                              const char *port, resolve_fn *done, void *arg) MUST_USE;

/* Cancels the lookup; done is not called. Accepts NULL. */
void resolve_cancel(struct resolve *resolve);

#endif
