/* TLS policy of both ends: TLS 1.3 only, X25519 and P-256 only, no tickets, no
 * resumption, no early data, and keys of our own making. The reasons were measured: the
 * default groups let an anonymous peer burn 135 ms a handshake, tickets skip the proof
 * of the name. */
#ifndef COMMON_NET_TLS_H
#define COMMON_NET_TLS_H

#include <stdbool.h>

#include <openssl/types.h>

#include "common/base/base.h"

/* SHA-256 of a public key (SubjectPublicKeyInfo, DER): a renewed certificate over the
 * same key keeps it. */
enum { TLS_DIGEST_BYTES = 32 };
/* The text form: 43 characters of base64url. Links have the first 22 (128 bits). */
enum { TLS_KEY_TEXT_BYTES = 44, TLS_KEY_TEXT_SHORT = 22 };

struct tls_key {
    unsigned char digest[TLS_DIGEST_BYTES];
};

/* Call it before any other TLS function, on the first thread. False after logging:
 * OpenSSL has no memory, which it would not check itself. */
bool tls_begin(void) MUST_USE;

void tls_key_format(char out[TLS_KEY_TEXT_BYTES], const struct tls_key *key);
/* True when text is the key's whole text or its first 22 or more characters. */
bool tls_key_matches(const struct tls_key *key, const char *text) MUST_USE;
bool tls_key_of_cert(const X509 *cert, struct tls_key *out) MUST_USE;

/* Makes a P-256 key and a self-signed certificate (10 years, CN=name, at most 64
 * characters) in two files of mode 0600 and 0644. Keeps existing files; makes a missing
 * certificate for an existing key. True if both exist afterwards; logs why not. */
bool tls_make_identity(const char *cert_path, const char *key_path,
                       const char *name) MUST_USE;

/* --- Key files --- */

/* Reads the private key of a PEM file that only its owner may read. NULL after logging
 * why. The caller owns it (EVP_PKEY_free). */
EVP_PKEY *tls_load_key(const char *path) MUST_USE;

/* Writes key to a new file of mode 0600, synced. Keeps an existing file. False after
 * logging why. */
bool tls_save_key(const char *path, EVP_PKEY *key) MUST_USE;

/* The digest of a key pair's public half. */
bool tls_key_of_pair(EVP_PKEY *key, struct tls_key *out) MUST_USE;

/* --- Contexts --- */

/* All TLS 1.3 suites that we offer, the fastest for short lines on this processor
 * first. Measures for about two milliseconds. */
const char *tls_suites_by_speed(void);

/* Server context with the certificate chain and key of two PEM files. Asks a client for
 * a certificate, accepts any (it is proof of a key, not of a name) and works without.
 * Refuses: a key that others may read or that has a passphrase, a pair that does not
 * match, a certificate out of its dates. Logs why. The caller owns it (SSL_CTX_free);
 * connections keep their own reference. *key gets the certificate's key, *expires_s its
 * end by the calendar; both may be NULL. */
SSL_CTX *tls_server_ctx(const char *cert_path, const char *key_path,
                        struct tls_key *key, long long *expires_s) MUST_USE;

/* Client context; cert_path and key_path prove the player's name, or are both NULL.
 * ca_path: an additional file of trusted authorities, or NULL. */
SSL_CTX *tls_client_ctx(const char *cert_path, const char *key_path,
                        const char *ca_path) MUST_USE;

/* What a client sees of its server's certificate. */
struct tls_seen {
    struct tls_key key;
    bool is_chain_good; /* the chain is valid for the name, by the authorities that this
                         * machine trusts */
};

/* The client's decision, asked during the handshake, before any of our bytes are
 * sent. */
typedef bool tls_judge_fn(void *arg, const struct tls_seen *seen);

/* Prepares ssl (from a client context) for host: SNI, name check, and judge as the only
 * decision about the certificate. judge and arg must live as long as ssl. */
bool tls_client_arm(SSL *ssl, const char *host, tls_judge_fn *judge,
                    void *arg) MUST_USE;

/* The newest error of OpenSSL in its words; empties the error queue. */
enum { TLS_WHY_BYTES = 160 };
void tls_why(char out[TLS_WHY_BYTES]);

#endif
