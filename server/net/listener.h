/* The door: accepts connections, and knows when not to. Too many altogether, too many
 * from one address, too fast, or no file descriptor left: none of these spins, floods
 * the log, or leaves a caller without a word where one can be said. */
#ifndef SERVER_NET_LISTENER_H
#define SERVER_NET_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/util.h>

#include "common/base/base.h"

struct event_base;
struct listener;

struct listener_settings {
    int connections_max;
    int per_address_max;
    int accepts_per_s; /* 0: no limit */
};

/* A new connection; address is to be given back with listener_release() when it has
 * ended. is_too_many: it may only be told that we are full. */
typedef void listener_accept_fn(void *arg, evutil_socket_t fd, uint32_t address,
                                bool is_too_many);

/* Listens on "ADDR:PORT", "[V6]:PORT", ":PORT" or "ADDR"; port 0 lets the system
 * choose. Where the address is one of both families ("localhost", or none), there is a
 * socket for each. NULL after logging. */
struct listener *listener_open(struct event_base *base, const char *where,
                               const struct listener_settings *settings,
                               listener_accept_fn *on_accept, void *arg) MUST_USE;
/* Stops listening; connections live on. */
void listener_close(struct listener *listener);
/* Frees it; every address has been released. Takes NULL. */
void listener_free(struct listener *listener);
void listener_release(struct listener *listener, uint32_t address);

/* "127.0.0.1:9032" or "[::]:9032", as it really is; the IPv6 address of two. Also after
 * listener_close(). */
enum { LISTENER_NAME_BYTES = 64 };
void listener_name(const struct listener *listener, char out[LISTENER_NAME_BYTES]);
int listener_port(const struct listener *listener);

#endif
