/* The connection to one server: resolves its address, connects, checks its key
 * (trust.h), and reconnects after a loss with increasing delays. Transports lines; does
 * not interpret them. */
#ifndef CLIENT_NET_NET_H
#define CLIENT_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

#include "client/net/trust.h"
#include "common/base/base.h"
#include "common/net/tls.h"

struct event_base;
struct net;

enum net_end {
    NET_CLOSED,      /* net_stop() was called */
    NET_UNREACHABLE, /* no address answered, or the TLS handshake failed */
    NET_REFUSED,     /* like NET_UNREACHABLE, but the reason is "connection refused" */
    NET_LOST,        /* an established connection was lost */
    NET_DISTRUST,    /* the key was rejected: see the members verdict and key of struct
                      * net_down */
    NET_UNADMITTED   /* the server does not accept our certificate */
};

struct net_down {
    enum net_end end;
    const char *words; /* the reason, in words for the user; never NULL */
    int64_t retry_ms;  /* delay until the next attempt; -1: no automatic attempt */
    int attempt;       /* number of the next attempt; counts from 1 after each loss */
    enum trust_verdict verdict;
    struct tls_key key;
};

struct net_calls {
    /* The connection is established, and the server's key was accepted. */
    void (*on_up)(void *owner, enum trust_verdict verdict, const struct tls_key *key);
    void (*on_line)(void *owner, char *line, size_t len, int64_t now_ms);
    /* A line with unprintable characters arrived and was discarded. */
    void (*on_bad_line)(void *owner);
    void (*on_down)(void *owner, const struct net_down *down);
};

/* Borrows all its arguments. While there is a connection, the caller must not change
 * *trust, *ctx or *calls. proxy: a SOCKS proxy in the format of link_parse_proxy(), read at
 * each attempt; "": connect directly. */
struct net *net_new(struct event_base *base, SSL_CTX *ctx, const struct trust *trust,
                    const char *proxy, const struct net_calls *calls,
                    void *owner) MUST_USE;
/* Drops the connection without an orderly close. Accepts NULL. */
void net_free(struct net *net);

/* Uses ctx, which is borrowed, for later connections. */
void net_set_ctx(struct net *net, SSL_CTX *ctx);

/* Turns automatic reconnection on or off. It is off at first, so that a server that was
 * never reached is not tried again. */
void net_set_reconnects(struct net *net, bool reconnects);

/* Sets where later attempts connect to: "HOST:PORT" is another address of the same
 * server, whose key and name are checked as before; NULL is the server's own address.
 * If `place` is not an address, returns false and sets the server's own address. */
bool net_set_place(struct net *net, const char *place) MUST_USE;

/* Starts a connection attempt now; does nothing if one is already running. The result
 * always comes by callback, never from inside this call. */
void net_start(struct net *net);
/* Sets how long to wait (varied at random by up to 25 %) after the next loss before the
 * first attempt to reconnect. */
void net_wait_next(struct net *net, int64_t wait_ms);
/* Stops automatic attempts until the next net_start(). An attempt that is already
 * running continues and can succeed. */
void net_rest(struct net *net);
/* Sends the queued lines, closes the connection, and starts no new attempt. When the
 * connection is closed, calls on_down. If there is no connection, calls on_down before
 * it returns. */
void net_stop(struct net *net);
/* Drops the connection at once. To be called when the server no longer responds. Then
 * reconnects, if that is turned on, and tries the other addresses of the name first. */
void net_drop(struct net *net);
/* Returns true if the name of the server has another address of the same family as the
 * one that is connected. (An IPv4 and an IPv6 address are mostly one machine.) */
bool net_has_other_address(const struct net *net);

bool net_is_up(const struct net *net);
/* Returns true if the server runs on this machine, or is reached through a tunnel that
 * begins here. */
bool net_is_loopback(const struct net *net);

/* Sends `line` and an LF. Does nothing while the connection is down. */
void net_send(struct net *net, const char *line);

#endif
