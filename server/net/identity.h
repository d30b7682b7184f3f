/* The server's certificate and key: which files they are, that they are made at the
 * first start, and that they can be read again while the server runs. */
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
    SSL_CTX *tls; /* owned; connections hold it as long as they need it */
    struct tls_key digest;
    bool is_new; /* the key was made just now */
};

/* Reads both; makes them if they are the server's own and not there. False after
 * logging why. */
bool identity_open(struct identity *identity, const struct config *config) MUST_USE;
/* Reads them again: all or nothing. False after logging: the old ones stay. */
bool identity_reload(struct identity *identity) MUST_USE;
/* Takes one that was not opened. */
void identity_close(struct identity *identity);

/* Reads what is there and makes nothing. False after logging what is wrong with it;
 * true with tls NULL when the first start is still to make them. */
bool identity_peek(struct identity *identity, const struct config *config) MUST_USE;

#endif
