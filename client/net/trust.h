/* Decides whether the server is the intended one. The checks, in this order: a key
 * given in the link or with --pin must match; otherwise a certificate signed by an
 * authority that this machine trusts is accepted; otherwise the key stored at the first
 * visit must match; otherwise the user must confirm the key. No option skips
 * these checks.
 *
 * Checks and stores keys; asks no question and opens no connection. */
#ifndef CLIENT_NET_TRUST_H
#define CLIENT_NET_TRUST_H

#include <stdbool.h>

#include "client/base/link.h"
#include "common/net/tls.h"

enum trust_verdict {
    TRUST_GIVEN,   /* matches the given key */
    TRUST_CHAIN,   /* signed by a trusted authority */
    TRUST_KNOWN,   /* matches the stored key */
    TRUST_UNKNOWN, /* first visit: the user must confirm the key */
    TRUST_CHANGED, /* differs from the stored key */
    TRUST_WRONG    /* differs from the given key */
};

/* Where the given key comes from. */
enum trust_source {
    TRUST_BY_LINK,
    TRUST_BY_PIN,   /* --pin */
    TRUST_BY_PERSON /* the user has just confirmed the key */
};

struct trust {
    const char *path;         /* path of the known_hosts file */
    const struct link *to;    /* the server to connect to */
    const char *given;        /* the key that the server must have, or its first 22 to
                               * 42 characters; "": none */
    enum trust_source source; /* where `given` comes from */
};

enum trust_verdict trust_judge(const struct trust *trust, const struct tls_seen *seen);

static inline bool trust_is_good(enum trust_verdict verdict)
{
    return verdict <= TRUST_KNOWN;
}

/* Stores the key with today's date and replaces an older key. Returns false after
 * logging the reason. */
bool trust_keep(const struct trust *trust, const struct tls_key *key);

/* To be called after the given key matched. Stores the key if none is stored for this
 * server. If a different key is stored, replaces it only if is_certain is true: the
 * user has confirmed the key, or has given the whole key with --pin. Returns true if a
 * different key is stored and was not replaced. */
bool trust_keep_given(const struct trust *trust, const struct tls_key *key,
                      bool is_certain);

/* Removes the stored keys of `server`. Returns the number of removed keys, or -1 after
 * logging the reason. */
int trust_forget(const char *path, const struct link *server);

/* Size of the texts that the functions below write for the user: several lines, with an
 * LF at the end. */
enum { TRUST_WORDS_BYTES = 1024 };
/* Writes a line that says why the server's key is accepted, such as "Connected to ...,
 * key matches the invitation." */
void trust_describe_good(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                         enum trust_verdict verdict);
/* Writes why the connection was refused and what to do. Used for TRUST_UNKNOWN only if
 * the user cannot be asked. */
void trust_describe_bad(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        enum trust_verdict verdict, const struct tls_key *key);
/* Describes an unknown key. The caller adds the question whether to trust it. */
void trust_describe_ask(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        const struct tls_key *key);

#endif
