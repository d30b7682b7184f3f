/* Makes and checks the signature of a record. The server on which the game was played
 * signs the record with its own key. Anybody can check the signature later, without a
 * network, because the record contains all that is needed: server= is the SHA-256 of
 * the public key in key=, and the signature covers every byte above its own line.
 *
 * Supports all keys that a server can have: P-256 and other curves (ECDSA with
 * SHA-256), RSA up to 4096 bits (PKCS #1 v1.5 with SHA-256), Ed25519 and Ed448. */
#ifndef COMMON_RECORD_RECORD_SIGN_H
#define COMMON_RECORD_RECORD_SIGN_H

#include <stdbool.h>

#include <openssl/types.h>

#include "common/base/base.h"

struct record;

/* Returns true if record_sign() can sign with `key`. `cert` holds the public half of
 * `key`. */
bool record_sign_is_possible(const X509 *cert, const EVP_PKEY *key) MUST_USE;

/* Fills in `server`, `public_key` and `signature`; all other members must be set
 * before. `cert` holds the public half of `key`. If the key cannot sign, logs why and
 * returns false. */
bool record_sign(struct record *record, const X509 *cert, EVP_PKEY *key) MUST_USE;

enum record_proof {
    RECORD_PROVED,
    RECORD_UNSIGNED,
    RECORD_KEY_UNREADABLE, /* key= is not a public key that can sign */
    RECORD_KEY_FOREIGN,    /* server= is not the digest of key= */
    RECORD_CHANGED         /* signature= does not match these bytes and this key */
};

/* Checks the signature of `record`, which record_read() has read from `text`.
 * RECORD_PROVED means that the owner of the key in the record signed exactly this
 * text. */
enum record_proof record_sign_prove(const struct record *record,
                                    const char *text) MUST_USE;

#endif
