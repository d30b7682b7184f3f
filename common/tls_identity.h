/* Key files: what may be read, and how one is made without ever overwriting another. */
#ifndef COMMON_TLS_IDENTITY_H
#define COMMON_TLS_IDENTITY_H

#include <openssl/types.h>

#include "common/base.h"

/* The private key in a PEM file that nobody but its owner may read. NULL after logging
 * why. The caller owns it (EVP_PKEY_free). */
EVP_PKEY *tls_load_key(const char *path) MUST_USE;

#endif
