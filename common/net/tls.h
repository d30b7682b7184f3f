/* TLS policy of both ends: TLS 1.3 only, X25519 and P-256 only, no tickets, no
 * resumption, no early data. Also makes and reads keys and certificates. Other groups
 * are off, because with OpenSSL's default groups an anonymous peer can cost 135 ms of
 * CPU time per handshake. Tickets are off, because a client that resumes with a ticket
 * does not prove its name again. */
#ifndef COMMON_NET_TLS_H
#define COMMON_NET_TLS_H

#include <stdbool.h>

#include <openssl/types.h>

#include "common/base/base.h"

/* The digest of a key: SHA-256 of the public key (SubjectPublicKeyInfo, DER). A
 * certificate that is renewed with the same key has the same digest. */
enum { TLS_DIGEST_BYTES = 32 };
/* The text form of a digest: 43 characters of base64url. A URL of a server contains
 * only the first 22 of them (128 bits). */
enum { TLS_KEY_TEXT_BYTES = 44, TLS_KEY_TEXT_SHORT = 22 };

struct tls_key {
    unsigned char digest[TLS_DIGEST_BYTES];
};

/* Loads OpenSSL. Call it before any other TLS function, on the first thread. If there
 * is not enough memory, logs an error and returns false. OpenSSL itself would not
 * notice this error, and would crash later. */
bool tls_begin(void) MUST_USE;

void tls_key_format(char out[TLS_KEY_TEXT_BYTES], const struct tls_key *key);
/* True when text is the whole text form of key, or at least the first 22 characters of
 * the text form. */
bool tls_key_matches(const struct tls_key *key, const char *text) MUST_USE;
/* Computes the digest of the public key of cert. False: OpenSSL failed. */
bool tls_key_of_cert(const X509 *cert, struct tls_key *out) MUST_USE;

/* Makes a P-256 key in the file key_path (mode 0600) and a self-signed certificate for
 * it in the file cert_path (mode 0644). The certificate is valid for 10 years and has
 * CN=name; name has at most 64 characters. Keeps existing files; makes a missing
 * certificate for an existing key. True if both files exist afterwards. False after
 * logging why. */
bool tls_make_identity(const char *cert_path, const char *key_path,
                       const char *name) MUST_USE;

/* --- Key files --- */

/* Reads the private key of a PEM file that only its owner may read. Returns NULL after
 * logging why. The caller owns the key (EVP_PKEY_free). */
EVP_PKEY *tls_load_key(const char *path) MUST_USE;

/* Writes key to a new file of mode 0600, and syncs it. If the file exists, keeps it and
 * returns true. On failure, logs why and returns false. */
bool tls_save_key(const char *path, EVP_PKEY *key) MUST_USE;

/* True for a key that the server accepts as proof of a name: P-256, Ed25519, or RSA of
 * 2048 to 4096 bits. A client with another key would be asked for none, and would get a
 * token in place of it. */
bool tls_is_player_key(const EVP_PKEY *key) MUST_USE;

/* Computes the digest of the public key of a key pair. False: OpenSSL failed. */
bool tls_key_of_pair(EVP_PKEY *key, struct tls_key *out) MUST_USE;

/* --- Contexts --- */

/* Makes a server context with the certificate chain and key of two PEM files. Requests
 * a client certificate. Accepts any certificate (as proof of a key, not of a name), and
 * a client without a certificate. Returns NULL after logging why, for example if others
 * can read the key, if the key has a passphrase or does not match the certificate, or
 * if the certificate is expired or not yet valid. The caller owns the context
 * (SSL_CTX_free); connections keep their own reference. *key gets the digest of the
 * certificate's key. *expires_s gets the wall time when the certificate expires. key
 * and expires_s may be NULL. */
SSL_CTX *tls_server_ctx(const char *cert_path, const char *key_path,
                        struct tls_key *key, long long *expires_s) MUST_USE;

/* Makes the server context ctx admit only clients whose certificate is valid now, is
 * for a client, and is signed by an authority in the PEM file ca_path, directly or
 * through other certificates that the client sends. False after logging why. */
bool tls_server_demand(SSL_CTX *ctx, const char *ca_path) MUST_USE;

/* The protocol that a browser offers in the handshake (ALPN). */
#define TLS_ALPN_HTTP "http/1." /* and a digit */

/* What a peer speaks, by its choice in the handshake. ANY: it chose nothing, and its first
 * line tells. */
enum tls_speech { TLS_SPEAKS_LINES, TLS_SPEAKS_HTTP, TLS_SPEAKS_ANY };

/* Lets browsers in. If a peer offers HTTP and not janggi, a connection of the server
 * context ctx continues with the certificate and key of these two PEM files. Such a
 * connection does not request a client certificate, because a browser would ask its
 * user for a certificate. Checks the files as tls_server_ctx() does; returns false
 * after logging why. *cert gets the certificate, which ctx owns; cert may be NULL. */
bool tls_server_add_web(SSL_CTX *ctx, const char *cert_path, const char *key_path,
                        const X509 **cert) MUST_USE;

/* Makes a client context. The certificate in cert_path and its key in key_path prove
 * the player's name; both may be NULL. ca_path: a file of authorities to trust in
 * addition to the system's, or NULL. Returns NULL after logging why. */
SSL_CTX *tls_client_ctx(const char *cert_path, const char *key_path,
                        const char *ca_path) MUST_USE;

/* The data about a server's certificate. A tls_judge_fn uses this data to decide. */
struct tls_seen {
    struct tls_key key;
    bool is_chain_good; /* the chain is valid for the server's name, and its authority
                         * is trusted */
};

/* Decides for the client whether to trust the server. Called during the handshake,
 * before the client sends its first line. */
typedef bool tls_judge_fn(void *arg, const struct tls_seen *seen);

/* Prepares ssl for a connection to host: sets SNI and the name to check. ssl must come
 * from a client context. Only the function `judge` decides whether the certificate is
 * accepted. `judge` and `arg` must live as long as ssl. False: OpenSSL failed;
 * tls_why() says why. */
bool tls_client_arm(SSL *ssl, const char *host, tls_judge_fn *judge,
                    void *arg) MUST_USE;

/* Writes the texts of the errors in OpenSSL's queue, the newest first, and empties the
 * queue. */
enum { TLS_WHY_BYTES = 160 };
void tls_why(char out[TLS_WHY_BYTES]);
/* Returns true if OpenSSL's newest error is the peer's alert about our certificate: it
 * is required, bad, expired, or of an unknown authority. Call it before tls_why(). */
bool tls_peer_refused_cert(void) MUST_USE;

#endif
