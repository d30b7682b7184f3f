/* A computer to play against, brought to the server that one is at: a process of
 * "janggi bot" that takes up an invitation of ours. It ends with our visit. */
#ifndef CLIENT_PLAY_PARTNER_H
#define CLIENT_PLAY_PARTNER_H

#include <stdbool.h>

#include "common/base/base.h"

struct visit_request;
struct client;
struct proto_line;

/* Asks the server for an invitation; says so when no computer can be brought, or one is
 * here already. */
void partner_want(struct client *client, int level);

/* True when this invitation was asked for the computer's sake: it is on its way. */
bool partner_take_invite(struct client *client, const struct visit_request *asked,
                         const struct proto_line *line);

/* Ends it, if there is one. */
void partner_end(struct client *client);

#endif
