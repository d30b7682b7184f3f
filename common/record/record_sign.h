/* The signature under a record: made with the key of the server that kept the game, and
 * checked by anybody, later, without a network. The record says it all: server= is the
 * SHA-256 of the public key in its key= line, and signature= is made with that key over
 * every byte above its own line.
 *
 * Keys are those that a server can have: P-256 and other curves (ECDSA with SHA-256),
 * RSA up to 4096 bits (PKCS #1 v1.5 with SHA-256), Ed25519 and Ed448. */
#ifndef COMMON_RECORD_RECORD_SIGN_H
#define COMMON_RECORD_RECORD_SIGN_H

#include <stdbool.h>

#include <openssl/types.h>

#include "common/base/base.h"
#include "common/record/record.h"

/* Whether record_sign() will do it. */
bool record_sign_is_possible(const X509 *cert, const EVP_PKEY *key) MUST_USE;

/* Fills in server, public_key and signature; the rest of record is complete. cert holds
 * the public half of key. False after logging why the key cannot sign. */
bool record_sign(struct record *record, const X509 *cert, EVP_PKEY *key) MUST_USE;

enum record_proof {
    RECORD_PROVED,
    RECORD_UNSIGNED,
    RECORD_KEY_UNREADABLE, /* key= is no public key that could sign */
    RECORD_KEY_FOREIGN,    /* key= is not the key whose digest server= is */
    RECORD_CHANGED         /* signature= was not made of these bytes with that key */
};

/* text is what record was read from. RECORD_PROVED: not a byte of text was changed
 * since the holder of the key signed it. */
enum record_proof record_sign_prove(const struct record *record,
                                    const char *text) MUST_USE;

#endif
