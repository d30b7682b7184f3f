/* What the host may ask a running server, through control.h: how it does, who is there,
 * a backup, an invitation, a word to everybody, and when it is to end. One table entry
 * and one short function each. */
#ifndef SERVER_ADMIN_HOST_H
#define SERVER_ADMIN_HOST_H

#include "common/base/base.h"

struct config;
struct drain;
struct event_base;
struct host;
struct listener;
struct tls_key;
struct world;

/* All borrowed; what key points at may change. */
struct host_parts {
    struct event_base *base;
    const struct config *config;
    struct world *world;
    struct drain *drain;
    const struct listener *listener;
    const struct tls_key *key;
};

/* Without a socket, which was logged then, nobody can ask; the rest is the same. */
struct host *host_open(const struct host_parts *parts) MUST_USE;
/* How the disk does, for its status: a word that lives on. */
void host_set_disk(struct host *host, const char *word);
/* Takes the socket away; before the database is closed. Takes NULL. */
void host_close(struct host *host);
/* Says to who waits that the server has ended; after everything else. Takes NULL. */
void host_free(struct host *host);

#endif
