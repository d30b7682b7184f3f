/* The server's certificate and key: finds the files, creates them at the first start,
 * and reloads them while the server runs. */
#ifndef SERVER_NET_IDENTITY_H
#define SERVER_NET_IDENTITY_H

#include <stdbool.h>

#include <openssl/types.h>

#include "common/base/base.h"
#include "common/net/tls.h"
#include "server/base/config.h"

enum { IDENTITY_PATH_BYTES = CONFIG_TEXT_BYTES + 16 };

struct identity {
    char cert[IDENTITY_PATH_BYTES], key[IDENTITY_PATH_BYTES];
    char web_cert[IDENTITY_PATH_BYTES], web_key[IDENTITY_PATH_BYTES]; /* "": no
                                                                        * browsers */
    char client_ca[IDENTITY_PATH_BYTES]; /* "": clients need no authority */
    SSL_CTX *tls;    /* owned; a connection keeps its own reference */
    const X509 *web; /* the certificate that browsers see, owned by tls; NULL: none */
    struct tls_key digest;
    bool is_new; /* the key was just made */
};

/* Reads both files. Creates missing ones if they are the server's own. False after
 * logging why. */
bool identity_open(struct identity *identity, const struct config *config) MUST_USE;
/* Reads them again. False after logging: the old ones stay in use. */
bool identity_reload(struct identity *identity) MUST_USE;
/* Also accepts one that was not opened. */
void identity_close(struct identity *identity);

/* Reads, but creates nothing. False after logging; true with tls NULL before the first
 * start has created them. */
bool identity_peek(struct identity *identity, const struct config *config) MUST_USE;

#endif
