/* The operator's requests, through control.h: status, lists, backup, invitation,
 * notice, shutdown. Each request has one table entry and one short function. */
#ifndef SERVER_ADMIN_HOST_H
#define SERVER_ADMIN_HOST_H

#include "common/base/base.h"

struct config;
struct drain;
struct event_base;
struct host;
struct listener;
struct node;
struct tls_key;
struct world;

/* All pointers are borrowed. The server changes *key when it reloads its certificate,
 * so always read the present *key. */
struct host_parts {
    struct event_base *base;
    const struct config *config;
    struct world *world;
    struct drain *drain;
    struct node *node; /* NULL: this server is not one of several nodes */
    const struct listener *listener;
    const struct tls_key *key;
};

/* Opens the control socket, and answers requests from now on. If the socket cannot be
 * made, logs why. The server then runs without a control socket. */
struct host *host_open(const struct host_parts *parts) MUST_USE;
/* Sets `word` as the state of the disk, for the answer to the request `status`. The
 * string must stay valid. */
void host_set_disk(struct host *host, const char *word);
/* Removes the control socket; call it before the database is closed. Accepts NULL. */
void host_close(struct host *host);
/* Call it last: answers the requests that wait for the server's end. Accepts NULL. */
void host_free(struct host *host);

#endif
