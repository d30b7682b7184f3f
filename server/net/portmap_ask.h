/* Requests to the router. They are made in the thread of portmap.c and block for a few
 * seconds at most. This module hides the two libraries, each of which may be
 * missing. */
#ifndef SERVER_NET_PORTMAP_ASK_H
#define SERVER_NET_PORTMAP_ASK_H

#include "common/base/base.h"

struct portmap_ask;
struct portmap_news;

struct portmap_ask *portmap_ask_new(int port, int lease_s) MUST_USE;
/* Removes the mapping at the router, if there is one, and frees `ask`. */
void portmap_ask_free(struct portmap_ask *ask);

/* Maps the port, or renews the mapping. Sets all members of news. */
void portmap_ask_map(struct portmap_ask *ask, struct portmap_news *news);

#endif
