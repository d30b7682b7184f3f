/* Whether the server at the other end is the one that was meant. In this order: the key
 * that was given (in the link or with --pin) must match; else a certificate that this
 * machine's authorities vouch for is good; else the key kept from the first visit must
 * match; else somebody must say yes. There is no way round it.
 *
 * Judges keys and keeps them; asks nobody and opens no connection. */
#ifndef CLIENT_NET_TRUST_H
#define CLIENT_NET_TRUST_H

#include <stdbool.h>

#include "client/base/link.h"
#include "common/base/base.h"
#include "common/net/tls.h"

enum trust_verdict {
    TRUST_GIVEN,   /* matches the key that was given */
    TRUST_CHAIN,   /* vouched for by an authority */
    TRUST_KNOWN,   /* matches the key kept */
    TRUST_UNKNOWN, /* first visit: somebody must say yes */
    TRUST_CHANGED, /* another key than the one kept */
    TRUST_WRONG    /* another key than the one given */
};

/* Where a given key comes from. */
enum trust_source {
    TRUST_BY_LINK,
    TRUST_BY_PIN,   /* --pin */
    TRUST_BY_PERSON /* an answer just given */
};

struct trust {
    const char *path;         /* of known_hosts */
    const struct link *to;    /* where we go */
    const char *given;        /* 22 to 43 characters of a key, or "" */
    enum trust_source source; /* of given */
};

enum trust_verdict trust_judge(const struct trust *trust, const struct tls_seen *seen);

static inline bool trust_is_good(enum trust_verdict verdict)
{
    return verdict <= TRUST_KNOWN;
}

/* Keeps the key, first seen today, in place of an older one. */
bool trust_keep(const struct trust *trust, const struct tls_key *key);

/* After a good verdict by the key given: keeps it if the server was not known, and with
 * is_certain (a person gave the whole key) also in place of another. True when another
 * key is kept and stays. */
bool trust_keep_given(const struct trust *trust, const struct tls_key *key,
                      bool is_certain);

/* How many keys of server were forgotten; -1 after logging why not. */
int trust_forget(const char *path, const struct link *server);

/* Words for people, several lines each, with an LF at the end. */
enum { TRUST_WORDS_BYTES = 1024 };
/* "Connected to ..., key matches the invitation." */
void trust_describe_good(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                         enum trust_verdict verdict);
/* Why there is no connection, and what to do. Also for TRUST_UNKNOWN where nobody can
 * be asked. */
void trust_describe_bad(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        enum trust_verdict verdict, const struct tls_key *key);
/* What to ask a person about a key that is not known, without the last question. */
void trust_describe_ask(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        const struct tls_key *key);

#endif
