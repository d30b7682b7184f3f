/* A computer player, brought to the server of this visit: a process of "janggi bot"
 * that accepts an invitation of ours. It ends with our visit. */
#ifndef CLIENT_PLAY_PARTNER_H
#define CLIENT_PLAY_PARTNER_H

#include <stdbool.h>

#include "client/play/talk.h"
#include "common/base/base.h"

struct partner;

/* Borrows talk. The caller owns the result. */
struct partner *partner_new(struct talk *talk) MUST_USE;
/* Ends the computer, if it is running. Accepts NULL. */
void partner_free(struct partner *partner);

/* Requests an invitation from the server. If a computer cannot be started or is already
 * running, says so instead. */
void partner_want(struct partner *partner, int level);

/* Returns true if the invitation was requested for the computer, which is then
 * started. */
bool partner_take_invite(struct partner *partner, const struct visit_request *asked,
                         const struct proto_line *line);

#endif
