/* Sends "! gone", which tells those who received a seek, a challenge, an invitation or
 * an offer that it is no longer open. If a new game is the reason, the notice waits
 * until the start of that game is on disk. */
#ifndef SERVER_SEEK_GONE_H
#define SERVER_SEEK_GONE_H

#include <stdint.h>

#include "common/base/base.h"
#include "common/base/utf8.h"

struct gone_queue;
struct sessions;

/* The contents of a notice. */
struct gone {
    char id[24];         /* a number or a code */
    const char *kind;    /* "seek", "challenge", "invite", or the kind of an offer, such
                          * as "rematch" */
    char by[NAME_BYTES]; /* name of the maker; "" for the host */
    const char *why;
    int64_t next; /* id of the challenge that replaces this one; 0: none */
};

/* Borrows the sessions. */
struct gone_queue *gone_new(struct sessions *sessions) MUST_USE;
/* Forgets the notices that wait. Accepts NULL. */
void gone_free(struct gone_queue *queue);

/* Sends the notice to `session`, which received the seek, challenge, invitation or
 * offer; session 0: to none. If game is not 0, the notice waits for
 * gone_game_begun(). */
void gone_tell(struct gone_queue *queue, uint64_t session, const struct gone *gone,
               int64_t game);
/* Call it when the start of `game` is on disk: sends the notices that waited for it. */
void gone_game_begun(struct gone_queue *queue, int64_t game);

#endif
