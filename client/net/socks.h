/* The client side of SOCKS 5 (RFC 1928), without authentication: asks the proxy at the
 * other end of a socket to connect to the server. */
#ifndef CLIENT_NET_SOCKS_H
#define CLIENT_NET_SOCKS_H

#include "common/base/base.h"

struct event_base;
struct socks;

/* Reports the result. On success, fd is the socket, which the proxy has connected to
 * the server and which the callback now owns. On failure, fd is -1 and `why` is the
 * reason in words for the user. The struct socks is already freed. */
typedef void socks_fn(void *arg, int fd, const char *why);

/* Asks the proxy to connect to `host` and `port`, and calls `done` with the result, but
 * never before this function returns. Takes ownership of `fd`, a non-blocking socket on
 * which connect() to the proxy has been called. The proxy resolves `host`. */
struct socks *socks_start(struct event_base *base, int fd, const char *host,
                          const char *port, socks_fn *done, void *arg) MUST_USE;

/* Closes the socket and frees `socks` without calling `done`. Accepts NULL. */
void socks_cancel(struct socks *socks);

#endif
