/* Key files: what may be read, and how one is made without ever overwriting another. */
#ifndef COMMON_NET_TLS_IDENTITY_H
#define COMMON_NET_TLS_IDENTITY_H

#include <openssl/types.h>

#include "common/base/base.h"
#include "common/net/tls.h"

/* The private key in a PEM file that nobody but its owner may read. NULL after logging
 * why. The caller owns it (EVP_PKEY_free). */
EVP_PKEY *tls_load_key(const char *path) MUST_USE;

/* Writes key to a new file of mode 0600, synced. False after logging why. A file that
 * stands there already is kept. */
bool tls_save_key(const char *path, EVP_PKEY *key) MUST_USE;

/* What people know the key by. */
bool tls_key_of_pair(EVP_PKEY *key, struct tls_key *out) MUST_USE;

#endif
