/* See record_sign.h. */
#include "common/record/record_sign.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "common/record/record.h"

enum {
    SIGNED_BYTES_MAX = RECORD_SIGNED_BYTES / 4 * 3, /* the number of bytes that
                                                     * RECORD_SIGNED_BYTES letters of
                                                     * base64url encode */
    STRENGTH_BITS_MIN = 112                         /* RSA of 2048 bits */
};

static bool is_edwards(const EVP_PKEY *key)
{
    return EVP_PKEY_is_a(key, "ED25519") || EVP_PKEY_is_a(key, "ED448");
}

/* Returns the digest for signatures with key. Returns NULL for Ed25519 and Ed448, whose
 * signatures include the hashing. */
static const EVP_MD *digest_for(const EVP_PKEY *key)
{
    return is_edwards(key) ? NULL : EVP_sha256();
}

static bool can_sign(const EVP_PKEY *key)
{
    return (is_edwards(key) || EVP_PKEY_is_a(key, "EC") || EVP_PKEY_is_a(key, "RSA") ||
            EVP_PKEY_is_a(key, "RSA-PSS")) &&
           EVP_PKEY_get_security_bits(key) >= STRENGTH_BITS_MIN;
}

static bool format_digest(char out[RECORD_KEY_BYTES], const unsigned char *der,
                          size_t len)
{
    struct tls_key digest;
    unsigned size = sizeof digest.digest;

    if (EVP_Digest(der, len, digest.digest, &size, EVP_sha256(), NULL) != 1)
        return false;
    tls_key_format(out, &digest);
    return true;
}

/* --- Signing --- */

static bool add_public_key(struct record *record, const X509 *cert)
{
    unsigned char *der = NULL;
    int len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(cert), &der);
    bool is_added = len > 0 && len < SIGNED_BYTES_MAX &&
                    format_digest(record->server, der, (size_t)len);

    if (is_added)
        text_base64url(record->public_key, der, (size_t)len);
    OPENSSL_free(der);
    return is_added;
}

bool record_sign_is_possible(const X509 *cert, const EVP_PKEY *key)
{
    struct record record;

    record_init(&record);
    return can_sign(key) && EVP_PKEY_get_size(key) < SIGNED_BYTES_MAX &&
           add_public_key(&record, cert);
}

static bool add_signature(struct record *record, EVP_PKEY *key)
{
    unsigned char bytes[SIGNED_BYTES_MAX];
    size_t len = sizeof bytes - 1;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    char *text;
    bool is_signed;

    record->signature[0] = '\0';
    text = record_write(record);
    is_signed =
        ctx != NULL && EVP_DigestSignInit(ctx, NULL, digest_for(key), NULL, key) == 1 &&
        EVP_DigestSign(ctx, bytes, &len, (unsigned char *)text, strlen(text)) == 1;
    if (is_signed)
        text_base64url(record->signature, bytes, len);
    EVP_MD_CTX_free(ctx);
    free(text);
    return is_signed;
}

bool record_sign(struct record *record, const X509 *cert, EVP_PKEY *key)
{
    char why[TLS_WHY_BYTES];

    ERR_clear_error();
    if (can_sign(key) && add_public_key(record, cert) && add_signature(record, key))
        return true;
    tls_why(why);
    log_warn("record game=%lld not-signed key=%s bits=%d why=\"%s\"",
             (long long)record->game, EVP_PKEY_get0_type_name(key),
             EVP_PKEY_get_bits(key), why);
    return false;
}

/* --- Checking --- */

/* Decodes base64url and returns the number of bytes. Then encodes these bytes again. If
 * this does not give the same text, returns 0. Without this test, somebody could change
 * the unused bits of the last letter, and the record would still be accepted. */
static size_t decode(const char *text, unsigned char out[SIGNED_BYTES_MAX])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char again[RECORD_SIGNED_BYTES];
    unsigned bits = 0;
    size_t len = 0;
    int count = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        const char *letter = strchr(letters, text[i]);

        if (letter == NULL || len == SIGNED_BYTES_MAX - 1)
            return 0;
        bits = (bits << 6 | (unsigned)(letter - letters)) & 0xffff;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[len++] = (unsigned char)(bits >> count);
        }
    }
    text_base64url(again, out, len);
    return strcmp(again, text) == 0 ? len : 0;
}

static bool is_signed_by(const struct record *record, const char *text, EVP_PKEY *key)
{
    unsigned char bytes[SIGNED_BYTES_MAX];
    size_t len = decode(record->signature, bytes);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool is_good = ctx != NULL && len > 0 &&
                   EVP_DigestVerifyInit(ctx, NULL, digest_for(key), NULL, key) == 1 &&
                   EVP_DigestVerify(ctx, bytes, len, (const unsigned char *)text,
                                    record->signed_bytes) == 1;

    EVP_MD_CTX_free(ctx);
    return is_good;
}

enum record_proof record_sign_prove(const struct record *record, const char *text)
{
    unsigned char der[SIGNED_BYTES_MAX];
    char digest[RECORD_KEY_BYTES];
    enum record_proof proof = RECORD_PROVED;
    const unsigned char *end = der;
    EVP_PKEY *key;
    size_t len;

    if (record->signature[0] == '\0')
        return RECORD_UNSIGNED;
    len = decode(record->public_key, der);
    key = len > 0 ? d2i_PUBKEY(NULL, &end, (long)len) : NULL;
    if (key == NULL || end != der + len || !can_sign(key))
        proof = RECORD_KEY_UNREADABLE;
    else if (!format_digest(digest, der, len) || strcmp(digest, record->server) != 0)
        proof = RECORD_KEY_FOREIGN;
    else if (!is_signed_by(record, text, key))
        proof = RECORD_CHANGED;
    EVP_PKEY_free(key);
    ERR_clear_error(); /* do not leave OpenSSL errors for the next caller */
    return proof;
}
