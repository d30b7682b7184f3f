/* Accepts connections, asks admission about each, and resets refused ones. It never
 * pauses because of a rate, only when the process has no free descriptors. Callers
 * whose handshake must wait for its turn are kept here as bare sockets. */
#ifndef SERVER_NET_LISTENER_H
#define SERVER_NET_LISTENER_H

#include <event2/util.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

struct admission;
struct event_base;
struct listener;
struct pass;

/* A new connection, for which admission gave that pass. Give it back with
 * admission_leave() when the connection has ended. */
typedef void listener_accept_fn(void *arg, evutil_socket_t fd, struct pass *pass);

struct listener_settings {
    const char *listen;       /* borrowed during listener_open() */
    struct prefix_list proxy; /* networks of balancers: their connections begin with a
                               * header (proxy.h) */
};

/* Listens on "ADDR:PORT", "[V6]:PORT", ":PORT" or "ADDR"; port 0: the system chooses. A
 * name with addresses of both families ("localhost", or none) gets a socket for each.
 * NULL after logging. Borrows admission. */
struct listener *listener_open(struct event_base *base,
                               const struct listener_settings *settings,
                               struct admission *admission,
                               listener_accept_fn *on_accept, void *arg) MUST_USE;
/* Lets new connections wait in the system's queue, or accepts them again. */
void listener_pause(struct listener *listener, bool is_paused);
/* Stops listening and refuses waiting callers; connections stay open. */
void listener_close(struct listener *listener);
/* Frees it. Accepts NULL. */
void listener_free(struct listener *listener);

/* The real address: "127.0.0.1:9032" or "[::]:9032"; the IPv6 one of two. Also after
 * listener_close(). */
enum { LISTENER_NAME_BYTES = 64 };
const char *listener_name(const struct listener *listener);
int listener_port(const struct listener *listener);

#endif
