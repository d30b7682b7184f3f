/* The connection to one server: finds it, judges its key (trust.h), connects, and when
 * the connection is lost comes back by itself, waiting longer each time. Carries lines;
 * what they say is known above. */
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
    NET_CLOSED,      /* net_stop() */
    NET_UNREACHABLE, /* nobody answered, or TLS did not come about */
    NET_REFUSED,     /* the same, and nothing listens there */
    NET_LOST,        /* it was up */
    NET_DISTRUST     /* the key was judged bad: verdict and key say how */
};

struct net_down {
    enum net_end end;
    const char *words; /* why, for a person; never NULL */
    int64_t retry_ms;  /* until the next attempt; -1: there is none by itself */
    int attempt;       /* the number of the next one since the connection was up */
    enum trust_verdict verdict;
    struct tls_key key;
};

struct net_calls {
    /* The connection stands, and the server is the right one. */
    void (*on_up)(void *owner, enum trust_verdict verdict, const struct tls_key *key);
    void (*on_line)(void *owner, char *line, size_t len, int64_t now_ms);
    /* A line came that may not be shown, and was thrown away. */
    void (*on_bad_line)(void *owner);
    void (*on_down)(void *owner, const struct net_down *down);
};

/* trust, ctx, calls and owner are borrowed and may be changed between connections. */
struct net *net_new(struct event_base *base, SSL_CTX *ctx, const struct trust *trust,
                    const struct net_calls *calls, void *owner) MUST_USE;
/* Takes NULL. The connection is dropped, not closed in order. */
void net_free(struct net *net);

/* Comes back by itself from now on, or not. Off at first: a server that was never
 * reached is not waited for. */
void net_set_reconnects(struct net *net, bool reconnects);

/* Connects now, or goes on doing so. Its outcome comes by callback, never from inside
 * this call. */
void net_start(struct net *net);
/* The next time that the connection is lost, the first attempt waits about so long. */
void net_wait_next(struct net *net, int64_t wait_ms);
/* No further attempt by itself; one that is under way may still succeed. */
void net_rest(struct net *net);
/* Closes in order, having sent what was queued; on_down follows, without a connection
 * from inside this call, and no new attempt. */
void net_stop(struct net *net);
/* The other side seems dead: drop the connection and, if allowed, come back. */
void net_drop(struct net *net);

bool net_is_up(const struct net *net);
/* The server is on this machine, or at the end of a tunnel that begins on it. */
bool net_is_loopback(const struct net *net);

/* Sends line with an LF. Not up: does nothing. */
void net_send(struct net *net, const char *line);

#endif
