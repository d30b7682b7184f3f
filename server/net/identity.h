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
    /* The files for browsers; "": browsers cannot connect. */
    char web_cert[IDENTITY_PATH_BYTES], web_key[IDENTITY_PATH_BYTES];
    char client_ca[IDENTITY_PATH_BYTES]; /* the authority that signs the certificates of
                                          * clients; "": clients need no certificate */
    SSL_CTX *tls; /* owned; a connection keeps its own reference */
    /* The certificate that browsers see, owned by `tls`; NULL: browsers cannot
     * connect. */
    const X509 *web;
    struct tls_key digest;
    bool is_new; /* the key was just made */
};

/* Reads the certificate and the key. If the configuration does not name files for them,
 * first creates the missing files. False after logging why. */
bool identity_open(struct identity *identity, const struct config *config) MUST_USE;
/* Reads the files again. False after logging; then the old certificate and key stay in
 * use. */
bool identity_reload(struct identity *identity) MUST_USE;
/* Frees the TLS context. Also accepts an identity that was not opened. */
void identity_close(struct identity *identity);

/* Reads the certificate and the key, but does not create them. False after logging why.
 * If the first start has not created the files yet, returns true, and `tls` is NULL. */
bool identity_peek(struct identity *identity, const struct config *config) MUST_USE;

#endif
