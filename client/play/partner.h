/* Starts a computer player for this server: a process of "janggi bot", which accepts
 * our invitation. The process ends when our visit ends. */
#ifndef CLIENT_PLAY_PARTNER_H
#define CLIENT_PLAY_PARTNER_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "client/play/talk.h"

/* All members except `talk` are zeroed at first. */
struct partner {
    struct talk *talk; /* borrowed */
    pid_t pid;         /* process of the computer player; 0: none */
    int level;
    int64_t told_game; /* the game of the newest hint of partner_tick(); 0: none */
    uint32_t tag;      /* tag of the request for the invitation that the computer player
                   * will accept; 0: none */
};

/* Ends the computer player's process, if it is running. */
void partner_clear(struct partner *partner);

/* Brings the computer player back to our unfinished game if there is one; otherwise
 * requests an invitation for it from the server. If the computer player cannot be
 * started or is already running, tells the player instead. */
void partner_want(struct partner *partner, int level);

/* To be called for every OK answer to the command `invite`. If the invitation is for
 * the computer player, starts the computer player and returns true. */
bool partner_take_invite(struct partner *partner, const struct visit_request *asked,
                         const struct proto_line *line);

/* To be called once a second: says once how the computer player comes back when it has
 * left our unfinished game. */
void partner_tick(struct partner *partner);

#endif
