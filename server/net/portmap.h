/* Asks the home router to forward our port, and asks for the router's public address.
 * Tries NAT-PMP first, then UPnP IGD. The libraries block, so this module has its own
 * thread. The thread renews the lease, and releases it at the end. */
#ifndef SERVER_NET_PORTMAP_H
#define SERVER_NET_PORTMAP_H

#include "common/base/base.h"

struct event_base;
struct portmap;

enum portmap_result {
    PORTMAP_OPEN,    /* friends outside can connect to address:port */
    PORTMAP_NONE,    /* no router answered */
    PORTMAP_PRIVATE, /* the router's own address is private: carrier NAT */
    PORTMAP_REFUSED, /* the router refused, and did not say that the port is taken */
    PORTMAP_TAKEN,   /* the router forwards the port to another machine at home */
    PORTMAP_NO_WAY   /* this build has neither library */
};

struct portmap_news {
    enum portmap_result result;
    char address[48]; /* the router's public address; "": unknown */
    int port;         /* the port at the router; may differ from ours */
    char way[16];     /* protocol of the answer: "NAT-PMP", "UPnP"; "": none */
};

/* Corrects what the router said, because any machine of the local network can answer as
 * the router. Removes an address that is not numeric, because links would contain the
 * address. Sets PORTMAP_PRIVATE if the address is private, because friends outside
 * cannot reach a private address. Does this also if the router refused: some routers
 * refuse because their address is private. */
void portmap_check(struct portmap_news *news);

/* Takes a result. Called on the loop, for the first result and for each result that
 * differs from the previous one. */
typedef void portmap_fn(void *arg, const struct portmap_news *news);

/* Starts to ask the router for the TCP port `port`, with leases of lease_s seconds.
 * NULL after logging. */
struct portmap *portmap_start(struct event_base *base, int port, int lease_s,
                              portmap_fn *on_news, void *arg) MUST_USE;
/* Releases the lease, and waits until that is done: a few seconds at most if a router
 * is slow. on_news is not called any more. Accepts NULL. */
void portmap_stop(struct portmap *portmap);

#endif
