/* Asks the home router to forward our port and for its public address: NAT-PMP, then
 * UPnP IGD. The libraries block, so this has its own thread, which renews the lease and
 * releases it at the end. */
#ifndef SERVER_NET_PORTMAP_H
#define SERVER_NET_PORTMAP_H

#include "common/base/base.h"

struct event_base;
struct portmap;

enum portmap_result {
    PORTMAP_OPEN,    /* friends outside can connect to address:port */
    PORTMAP_NONE,    /* no router answered */
    PORTMAP_PRIVATE, /* the router's own address is private: carrier NAT */
    PORTMAP_REFUSED, /* the router refused: the port is taken, or mapping forbidden */
    PORTMAP_TAKEN,   /* the router forwards the port to another address at home */
    PORTMAP_NO_WAY   /* this build has neither library */
};

struct portmap_news {
    enum portmap_result result;
    char address[48]; /* the router's, "" unknown */
    int port;         /* outside; may differ from ours */
    char way[16];     /* "NAT-PMP", "UPnP" or "" */
};

/* Judges what a router said; any machine of the local network may have said it. Text
 * that is not an address is removed, because it would be printed in links. A private
 * address cannot be reached from outside; some routers refuse because of it. */
void portmap_check(struct portmap_news *news);

/* Called on the loop: for the first result, and for each that differs from the one
 * before. */
typedef void portmap_fn(void *arg, const struct portmap_news *news);

/* Starts requesting TCP port, with leases of lease_s seconds. NULL after logging. */
struct portmap *portmap_start(struct event_base *base, int port, int lease_s,
                              portmap_fn *on_news, void *arg) MUST_USE;
/* Releases the lease and waits for that: a few seconds at most if a router is slow.
 * on_news is not called any more. Accepts NULL. */
void portmap_stop(struct portmap *portmap);

#endif
