/* Sends "! gone", which tells those who received a seek, a challenge, an invitation or
 * an offer that it is no longer open. */
#ifndef SERVER_SEEK_GONE_H
#define SERVER_SEEK_GONE_H

#include <stdint.h>

#include "common/base/utf8.h"

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

/* Sends the notice to `session`, which received the seek, challenge, invitation or
 * offer; session 0: to none. */
void gone_tell(struct sessions *sessions, uint64_t session, const struct gone *gone);

#endif
