/* A computer player, brought to the server of this visit: a process of "janggi bot"
 * that accepts an invitation of ours. It ends with our visit. */
#ifndef CLIENT_PLAY_PARTNER_H
#define CLIENT_PLAY_PARTNER_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "client/play/talk.h"

/* Zeroed but for talk at first. */
struct partner {
    struct talk *talk; /* borrowed */
    pid_t pid;         /* process of the computer player; 0: none */
    int level;
    uint32_t tag; /* of the request for the invitation that the computer will accept; 0:
                   * none */
};

/* Ends the computer, if it is running. */
void partner_clear(struct partner *partner);

/* Requests an invitation from the server. If a computer cannot be started or is already
 * running, says so instead. */
void partner_want(struct partner *partner, int level);

/* Returns true if the invitation was requested for the computer, which is then
 * started. */
bool partner_take_invite(struct partner *partner, const struct visit_request *asked,
                         const struct proto_line *line);

#endif
