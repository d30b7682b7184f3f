/* Accepts connections, asks admission about each connection, and resets the connections
 * that admission refuses. The listener also accepts when very many connections come. It
 * stops accepting only in two cases: for a moment after accept() has failed, for
 * example because no descriptor is free (rest.h), and after listener_pause(). If a
 * connection must wait for its handshake, it does not have a session yet: only its
 * socket is kept. */
#ifndef SERVER_NET_LISTENER_H
#define SERVER_NET_LISTENER_H

#include <event2/util.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

struct admission;
struct event_base;
struct listener;
struct slot;

/* Takes a new connection and the slot that admission gave for it. When the connection
 * has ended, give the slot back with admission_leave(). */
typedef void listener_accept_fn(void *arg, evutil_socket_t fd, struct slot *slot);

struct listener_settings {
    const char *listen;       /* borrowed during listener_open() */
    struct prefix_list proxy; /* networks of balancers: their connections begin with a
                               * header (proxy.h) */
};

/* Listens on "ADDR:PORT", "[V6]:PORT", ":PORT" or "ADDR"; port 0: the system chooses a
 * port. For a name with IPv4 and IPv6 addresses, such as "localhost", and for ":PORT",
 * it opens a socket of each family. NULL after logging. Borrows `admission`. */
struct listener *listener_open(struct event_base *base,
                               const struct listener_settings *settings,
                               struct admission *admission,
                               listener_accept_fn *on_accept, void *arg) MUST_USE;
/* Pauses or resumes the listener. While it is paused, new connections wait in the
 * system's queue. */
void listener_pause(struct listener *listener, bool is_paused);
/* Stops listening and refuses waiting callers; connections stay open. */
void listener_close(struct listener *listener);
/* Closes and frees the listener. Accepts NULL. */
void listener_free(struct listener *listener);

/* Returns the address on which the listener really listens: "127.0.0.1:9032" or
 * "[::]:9032"; of two addresses, the IPv6 one. May be called after listener_close(). */
enum { LISTENER_NAME_BYTES = 64 };
const char *listener_name(const struct listener *listener);
int listener_port(const struct listener *listener);

#endif
