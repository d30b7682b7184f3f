/* A host's addresses without making the loop wait: getaddrinfo on a thread of its own,
 * the answer by callback on the loop. */
#ifndef CLIENT_NET_RESOLVE_H
#define CLIENT_NET_RESOLVE_H

#include "common/base/base.h"

struct addrinfo;
struct event_base;
struct resolve;

/* list is the callback's (freeaddrinfo), NULL on failure; why is words, never NULL. The
 * question is over and freed before the call. */
typedef void resolve_fn(void *arg, struct addrinfo *list, const char *why);

/* NULL after logging why. */
struct resolve *resolve_start(struct event_base *base, const char *host,
                              const char *port, resolve_fn *done, void *arg) MUST_USE;

/* Forgets the question; done is not called. Takes NULL. */
void resolve_cancel(struct resolve *resolve);

#endif
