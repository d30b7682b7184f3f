/* Accepts connections and enforces the limits: in total, from one source, per second,
 * and of file descriptors. At a limit it neither spins nor floods the log, and tells
 * the client why where it can. */
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

/* A new connection. Give address back with listener_release() when it has ended.
 * is_too_many: only tell it that the server is full. */
typedef void listener_accept_fn(void *arg, evutil_socket_t fd, uint32_t address,
                                bool is_too_many);

/* Listens on "ADDR:PORT", "[V6]:PORT", ":PORT" or "ADDR"; port 0: the system chooses. A
 * name with addresses of both families ("localhost", or none) gets a socket for each.
 * NULL after logging. */
struct listener *listener_open(struct event_base *base, const char *where,
                               const struct listener_settings *settings,
                               listener_accept_fn *on_accept, void *arg) MUST_USE;
/* Stops listening; connections stay open. */
void listener_close(struct listener *listener);
/* Frees it. All addresses must have been released. Takes NULL. */
void listener_free(struct listener *listener);
void listener_release(struct listener *listener, uint32_t address);

/* The real address: "127.0.0.1:9032" or "[::]:9032"; the IPv6 one of two. Also after
 * listener_close(). */
enum { LISTENER_NAME_BYTES = 64 };
void listener_name(const struct listener *listener, char out[LISTENER_NAME_BYTES]);
int listener_port(const struct listener *listener);

#endif
