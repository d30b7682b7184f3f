/* Accepts connections from a proxy on this machine. The proxy speaks HTTP without TLS,
 * so this module listens only at a loopback address or at a unix socket. */
#ifndef SERVER_WEB_WEB_LISTENER_H
#define SERVER_WEB_WEB_LISTENER_H

#include <event2/util.h>

#include "common/base/base.h"

struct event_base;
struct web_listener;

typedef void web_listener_fn(void *arg, evutil_socket_t fd);

/* Listens at `where`: "127.0.0.1:9080", "[::1]:9080", "localhost:9080" or "unix:/PATH".
 * A socket that an earlier run left at PATH is replaced. on_accept gets each new
 * connection, and owns its descriptor. Returns NULL after logging why. */
struct web_listener *web_listener_open(struct event_base *base, const char *where,
                                       web_listener_fn *on_accept, void *arg) MUST_USE;
/* Stops listening; connections stay open. Accepts NULL. */
void web_listener_free(struct web_listener *listener);

#endif
