/* See tls.h. A server usually accepts any client certificate as proof of a key. In a
 * client, a callback function (tls_judge_fn) decides whether to accept the server's
 * certificate. */
#include "common/net/tls.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "common/base/address.h"
#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/system/disk.h"

/* --- Key files --- */

/* The key and the certificate are two files, which are never overwritten. Each is
 * written to a temporary file, synced, and linked to its final name. The link fails if
 * another process was faster, so two programs that start at once get the same pair. */
enum {
    KEY_MODE = 0600,
    CERT_MODE = 0644,
    SERIAL_BITS = 127, /* length of the random serial number, which must be positive and
                        * unique */
    IDENTITY_DAYS = 3650
};

static void log_refusal(const char *path, const char *why)
{
    if (!log_advise("%s cannot be used: %s", path, why))
        log_warn("tls file=%s refused why=%s", path, why);
}

static void log_trouble(const char *at, const char *path)
{
    char why[TLS_WHY_BYTES];

    tls_why(why);
    log_warn("tls file=%s failed at=%s why=%s", path != NULL ? path : "-", at, why);
}

/* --- Reading --- */

/* Returns the reason to refuse the key file; NULL if the file is acceptable. In
 * general, only the owner may have access to the file. If root owns the file and this
 * process does not run as root, a group may also read the file: a service manager
 * provides credentials in this way. Symbolic links are allowed, because renewal tools
 * use them. */
static const char *key_file_fault(int fd)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "it is not a plain file";
    if (st.st_uid == 0 && geteuid() != 0)
        return (st.st_mode & (S_IWGRP | S_IXGRP | S_IRWXO)) != 0
                   ? "other users may read or change it; use chmod 640 or 600"
                   : NULL;
    return (st.st_mode & (S_IRWXG | S_IRWXO)) != 0
               ? "other users may read or change it; use chmod 600"
               : NULL;
}

/* Refuses OpenSSL's request for a passphrase. A server that needs a passphrase could
 * not restart by itself after a power cut. */
static int no_passphrase(char *room, int size, int is_writing, void *arg)
{
    (void)room;
    (void)size;
    (void)is_writing;
    (void)arg;
    return -1;
}

EVP_PKEY *tls_load_key(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *fault = fd < 0 ? strerror(errno) : key_file_fault(fd);
    FILE *file = fault == NULL ? fdopen(fd, "r") : NULL;
    EVP_PKEY *key = NULL;

    if (file == NULL) {
        log_refusal(path, fault != NULL ? fault : strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    ERR_clear_error();
    key = PEM_read_PrivateKey(file, NULL, no_passphrase, NULL);
    if (key == NULL)
        log_trouble("key", path);
    fclose(file);
    return key;
}

/* --- Writing --- */

static bool write_whole(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, bytes, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        len -= (size_t)done;
    }
    return true;
}

/* Gives the finished file `temp` its name `path`, unless path exists. Uses a hard link,
 * and a rename where the file system has no hard links. True if path exists
 * afterwards. */
static bool take_name(const char *temp, const char *path)
{
    bool is_there;

    if (link(temp, path) == 0 || errno == EEXIST) {
        unlink(temp);
        return true;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return false;
    is_there = access(path, F_OK) == 0;
    return is_there ? unlink(temp) == 0 : rename(temp, path) == 0;
}

/* Writes a new file and syncs it. Other users never have more rights than `mode`
 * allows; this does not depend on the umask. */
static bool write_new_file(const char *path, mode_t mode, const char *bytes, size_t len)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temp = mem_new(size);
    bool is_written = false;
    int fd, fault;

    snprintf(temp, size, "%s.XXXXXX", path);
    fd = mkstemp(temp); /* makes the file with mode 0600 */
    if (fd >= 0) {
        is_written =
            write_whole(fd, bytes, len) && fchmod(fd, mode) == 0 && disk_sync(fd);
        is_written = close(fd) == 0 && is_written;
        is_written =
            is_written && take_name(temp, path) && disk_sync_directory_of(path);
        fault = errno;
        if (!is_written)
            unlink(temp);
        errno = fault;
    }
    if (!is_written)
        log_warn("tls file=%s failed at=write why=%s", path, strerror(errno));
    free(temp);
    return is_written;
}

/* --- Making --- */

bool tls_save_key(const char *path, EVP_PKEY *key)
{
    BIO *text = BIO_new(BIO_s_mem());
    char *bytes;
    long len;
    bool is_made = false;

    if (key != NULL && text != NULL &&
        PEM_write_bio_PKCS8PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1) {
        len = BIO_get_mem_data(text, &bytes);
        is_made = write_new_file(path, KEY_MODE, bytes, (size_t)len);
    } else {
        log_trouble("make-key", path);
    }
    BIO_free(text); /* clears the memory */
    return is_made;
}

/* `public` points to `len` bytes that OpenSSL has allocated. Writes the digest of these
 * bytes to *out, and frees the bytes. */
static bool take_digest(unsigned char *public, int len, struct tls_key *out)
{
    bool is_good = len > 0 && EVP_Digest(public, (size_t)len, out->digest, NULL,
                                         EVP_sha256(), NULL) == 1;

    OPENSSL_free(public);
    return is_good;
}

bool tls_key_of_pair(EVP_PKEY *key, struct tls_key *out)
{
    unsigned char *public = NULL;
    int len = i2d_PUBKEY(key, &public);

    return take_digest(public, len, out);
}

static bool set_serial(X509 *cert)
{
    BIGNUM *number = BN_new();
    bool is_set = number != NULL &&
                  BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) &&
                  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(cert)) != NULL;

    BN_free(number);
    return is_set;
}

static bool add_extension(X509 *cert, int nid, const char *value)
{
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, nid, value);
    bool is_added = extension != NULL && X509_add_ext(cert, extension, -1) == 1;

    X509_EXTENSION_free(extension);
    return is_added;
}

/* Fills in a certificate. It does not get a subjectAltName, because the name has not
 * been verified by an authority. A peer identifies the owner of the certificate by the
 * key. */
static bool fill_cert(X509 *cert, EVP_PKEY *key, const char *name)
{
    X509_NAME *subject = X509_get_subject_name(cert);
    const EVP_MD *digest = EVP_PKEY_is_a(key, "ED25519") ? NULL : EVP_sha256();

    return X509_set_version(cert, X509_VERSION_3) && set_serial(cert) &&
           X509_gmtime_adj(X509_getm_notBefore(cert), -DAY_S) != NULL &&
           X509_time_adj_ex(X509_getm_notAfter(cert), IDENTITY_DAYS, 0, NULL) != NULL &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                      (const unsigned char *)name, -1, -1, 0) &&
           X509_set_issuer_name(cert, subject) && X509_set_pubkey(cert, key) &&
           add_extension(cert, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(cert, NID_key_usage, "critical,digitalSignature") &&
           add_extension(cert, NID_ext_key_usage, "serverAuth,clientAuth") &&
           X509_sign(cert, key, digest) != 0;
}

static bool make_cert_file(const char *path, const char *key_path, const char *name)
{
    EVP_PKEY *key = tls_load_key(key_path);
    X509 *cert = X509_new();
    BIO *text = BIO_new(BIO_s_mem());
    char *bytes;
    long len;
    bool is_made = false;

    if (key != NULL && cert != NULL && text != NULL && fill_cert(cert, key, name) &&
        PEM_write_bio_X509(text, cert) == 1) {
        len = BIO_get_mem_data(text, &bytes);
        is_made = write_new_file(path, CERT_MODE, bytes, (size_t)len);
    } else if (key != NULL) {
        log_trouble("make-certificate", path);
    }
    BIO_free(text);
    X509_free(cert);
    EVP_PKEY_free(key);
    return is_made;
}

bool tls_make_identity(const char *cert_path, const char *key_path, const char *name)
{
    bool has_cert = access(cert_path, F_OK) == 0;
    bool has_key = access(key_path, F_OK) == 0;
    EVP_PKEY *key;

    if (has_cert && has_key)
        return true;
    if (has_cert) {
        log_refusal(cert_path, "its key file is missing");
        return false;
    }
    ERR_clear_error();
    if (!has_key) {
        key = EVP_EC_gen("P-256");
        has_key = tls_save_key(key_path, key);
        EVP_PKEY_free(key);
    }
    return has_key && make_cert_file(cert_path, key_path, name);
}

static const char GROUPS[] = "X25519:P-256";
/* Signature algorithms that a server accepts from a player. RSA is among them, because
 * keys of up to 4096 bits are cheap to verify. */
static const char CLIENT_SIGNATURES[] = "ECDSA+SHA256:ed25519:RSA-PSS+SHA256";
static const unsigned char ALPN_LIST[] = "\x08" PROTO_ALPN;
static const unsigned char WEB_ALPN_LIST[] =
    "\x08" TLS_ALPN_HTTP "1\x08" TLS_ALPN_HTTP "0";
static_assert(sizeof TLS_ALPN_HTTP == 8, "the length stands in front of the name");
static_assert(sizeof PROTO_ALPN - 1 == 8, "the length stands in front of the name");

enum {
    CLIENT_CHAIN_BYTES_MAX = 16 * 1024,
    CLIENT_CHAIN_CERTS_MAX = 2,
    CLIENT_RSA_BITS_MIN = 2048,
    CLIENT_RSA_BITS_MAX = 4096,
    SERVER_CHAIN_BYTES_MAX = 64 * 1024,
    SERVER_CHAIN_DEPTH_MAX = 8
};

/* --- What went wrong --- */

void tls_why(char out[TLS_WHY_BYTES])
{
    struct text text = text_into(out, TLS_WHY_BYTES);
    const char *words[8], *data[8];
    unsigned long code;
    int errors = 0, flags[8];

    while (errors < (int)ARRAY_LEN(words) &&
           (code = ERR_get_error_all(NULL, NULL, NULL, &data[errors],
                                     &flags[errors])) != 0)
        words[errors++] = ERR_reason_error_string(code);
    for (int i = errors - 1; i >= 0; i--) {
        text_add(&text, words[i] != NULL ? words[i] : "unknown error");
        if ((flags[i] & ERR_TXT_STRING) != 0 && data[i][0] != '\0')
            text_addf(&text, " (%s)", data[i]);
        if (i > 0)
            text_add(&text, "; ");
    }
    if (errors == 0)
        text_add(&text, "no error");
    ERR_clear_error();
}

bool tls_peer_refused_cert(void)
{
    unsigned long code = ERR_peek_last_error();
    int alert = ERR_GET_REASON(code) - SSL_AD_REASON_OFFSET;

    if (ERR_GET_LIB(code) != ERR_LIB_SSL)
        return false;
    return (alert >= SSL_AD_BAD_CERTIFICATE && alert <= SSL_AD_CERTIFICATE_UNKNOWN) ||
           alert == SSL_AD_UNKNOWN_CA || alert == SSL_AD_CERTIFICATE_REQUIRED;
}

/* --- Beginning --- */

/* OpenSSL's default provider, loaded once and never unloaded. Static, so that a leak
 * checker does not report it. */
static OSSL_PROVIDER *provider;

bool tls_begin(void)
{
    if (OPENSSL_init_ssl(0, NULL) == 1 && OSSL_LIB_CTX_get0_global_default() != NULL &&
        provider == NULL)
        provider = OSSL_PROVIDER_load(NULL, "default");
    if (provider != NULL)
        return true;
    log_warn("tls why=\"OpenSSL cannot begin: is there memory?\"");
    return false;
}

/* --- Keys as people see them --- */

void tls_key_format(char out[TLS_KEY_TEXT_BYTES], const struct tls_key *key)
{
    static_assert(TEXT_BASE64_BYTES(TLS_DIGEST_BYTES) == TLS_KEY_TEXT_BYTES,
                  "a key's text does not fit");
    text_base64url(out, key->digest, sizeof key->digest);
}

bool tls_key_matches(const struct tls_key *key, const char *text)
{
    char whole[TLS_KEY_TEXT_BYTES];
    size_t len = strlen(text);

    tls_key_format(whole, key);
    return len >= TLS_KEY_TEXT_SHORT && len < sizeof whole &&
           memcmp(whole, text, len) == 0;
}

bool tls_key_of_cert(const X509 *cert, struct tls_key *out)
{
    unsigned char *public = NULL;
    int len = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(cert), &public);

    return take_digest(public, len, out);
}

/* --- What both ends have in common --- */

static bool set_policy(SSL_CTX *ctx)
{
    /* Mozilla's list. With SSL_OP_PRIORITIZE_CHACHA a server takes ChaCha20 for a client
     * that lists it first, because its processor has no instructions for AES. */
    static const char suites[] = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                                 "TLS_CHACHA20_POLY1305_SHA256";

    SSL_CTX_set_options(ctx, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE |
                              SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                              SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) &&
           SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION) &&
           SSL_CTX_set1_groups_list(ctx, GROUPS) &&
           SSL_CTX_set_ciphersuites(ctx, suites);
}

static bool use_pair(SSL_CTX *ctx, const char *cert_path, const char *key_path)
{
    EVP_PKEY *key;
    const X509 *cert;
    bool is_used = false;

    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(ctx, cert_path) != 1) {
        log_trouble("certificate", cert_path);
        return false;
    }
    cert = SSL_CTX_get0_certificate(ctx);
    if (X509_cmp_current_time(X509_get0_notAfter(cert)) < 0) {
        log_refusal(cert_path, "the certificate has expired");
        return false;
    }
    if (X509_cmp_current_time(X509_get0_notBefore(cert)) > 0)
        log_warn("file=%s : the certificate is not valid yet; is the clock right?",
                 cert_path);
    key = tls_load_key(key_path);
    if (key == NULL)
        return false;
    is_used =
        SSL_CTX_use_PrivateKey(ctx, key) == 1 && SSL_CTX_check_private_key(ctx) == 1;
    if (!is_used)
        log_trouble("pair", key_path);
    EVP_PKEY_free(key);
    return is_used;
}

/* --- The server's end --- */

static void free_web(void *parent, void *held, CRYPTO_EX_DATA *data, int index,
                     long argl, void *argp)
{
    (void)parent;
    (void)data;
    (void)index;
    (void)argl;
    (void)argp;
    SSL_CTX_free(held);
}

/* Returns the index of the extra data (ex_data) in which a TLS context stores the
 * context for browsers. Like judge_index(), asks OpenSSL for an index only once per
 * process. */
static int web_index(void)
{
    static int index = -1;

    if (index < 0)
        index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_web);
    return index;
}

/* Chooses the protocol: our own protocol, or HTTP if the server admits browsers.
 * Refuses a peer that offers only other protocols (RFC 7301). A peer that does not use
 * ALPN is accepted; OpenSSL does not call this function for such a peer. */
static int select_alpn(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                       const unsigned char *in, unsigned in_len, void *arg)
{
    SSL_CTX *web = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), web_index());
    unsigned char *chosen;
    bool is_known;

    (void)arg;
    is_known = SSL_select_next_proto(&chosen, out_len, ALPN_LIST, sizeof ALPN_LIST - 1,
                                     in, in_len) == OPENSSL_NPN_NEGOTIATED;
    if (!is_known && web != NULL &&
        SSL_select_next_proto(&chosen, out_len, WEB_ALPN_LIST, sizeof WEB_ALPN_LIST - 1,
                              in, in_len) == OPENSSL_NPN_NEGOTIATED) {
        /* with the certificate for browsers: OpenSSL chooses the protocol before the
         * certificate, so this is not too late */
        SSL_set_verify(ssl, SSL_VERIFY_NONE, NULL);
        is_known = SSL_set_SSL_CTX(ssl, web) == web;
    }
    if (!is_known)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

bool tls_is_player_key(const EVP_PKEY *key)
{
    char curve[32];

    if (key == NULL)
        return false;
    if (EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_is_a(key, "RSA-PSS"))
        return EVP_PKEY_get_bits(key) >= CLIENT_RSA_BITS_MIN &&
               EVP_PKEY_get_bits(key) <= CLIENT_RSA_BITS_MAX;
    return EVP_PKEY_is_a(key, "ED25519") ||
           (EVP_PKEY_get_group_name(key, curve, sizeof curve, NULL) == 1 &&
            strcmp(curve, SN_X9_62_prime256v1) == 0);
}

/* Accepts a player's certificate if its chain is short and its key is of a permitted
 * kind. Does not verify the chain: issuer, dates and name do not matter. TLS itself
 * proves that the client has the key. */
static int accept_any_cert(X509_STORE_CTX *store, void *arg)
{
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_untrusted(store);
    X509 *cert = X509_STORE_CTX_get0_cert(store);
    bool is_fine = sk_X509_num(chain) <= CLIENT_CHAIN_CERTS_MAX &&
                   tls_is_player_key(X509_get0_pubkey(cert));

    (void)arg;
    X509_STORE_CTX_set_error(store, is_fine ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
    return is_fine;
}

static bool set_server_policy(SSL_CTX *ctx)
{
    static const unsigned char id[] = PROTO_ALPN;

    /* A client may disconnect without close_notify. TLS need not detect lost commands:
     * every command has an answer, so a client notices a lost command by the missing
     * answer. */
    SSL_CTX_set_options(ctx, SSL_OP_IGNORE_UNEXPECTED_EOF |
                                 SSL_OP_CIPHER_SERVER_PREFERENCE |
                                 SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_alpn_select_cb(ctx, select_alpn, NULL);
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_verify_depth(ctx, CLIENT_CHAIN_CERTS_MAX - 1);
    SSL_CTX_set_max_cert_list(ctx, CLIENT_CHAIN_BYTES_MAX);
    SSL_CTX_set_cert_verify_callback(ctx, accept_any_cert, NULL);
    return set_policy(ctx) && SSL_CTX_set_num_tickets(ctx, 0) &&
           SSL_CTX_set_session_id_context(ctx, id, sizeof id - 1) &&
           SSL_CTX_set1_client_sigalgs_list(ctx, CLIENT_SIGNATURES);
}

SSL_CTX *tls_server_ctx(const char *cert_path, const char *key_path,
                        struct tls_key *key, long long *expires_s)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
    const X509 *cert;
    struct tm end;

    if (ctx == NULL || !set_server_policy(ctx)) {
        log_trouble("server", NULL);
        goto fail;
    }
    if (!use_pair(ctx, cert_path, key_path))
        goto fail;
    cert = SSL_CTX_get0_certificate(ctx);
    if (key != NULL && !tls_key_of_cert(cert, key)) {
        log_trouble("key", cert_path);
        goto fail;
    }
    if (expires_s != NULL)
        *expires_s = ASN1_TIME_to_tm(X509_get0_notAfter(cert), &end)
                         ? (long long)timegm(&end)
                         : 0;
    return ctx;

fail:
    SSL_CTX_free(ctx);
    return NULL;
}

/* Accepts a player's certificate only if accept_any_cert() does and an authority has
 * signed it. */
static int admit_signed_cert(X509_STORE_CTX *store, void *arg)
{
    return accept_any_cert(store, arg) && X509_verify_cert(store) == 1;
}

bool tls_server_demand(SSL_CTX *ctx, const char *ca_path)
{
    if (SSL_CTX_load_verify_file(ctx, ca_path) != 1) {
        log_trouble("client-ca", ca_path);
        return false;
    }
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(ctx, admit_signed_cert, NULL);
    return true;
}

bool tls_server_add_web(SSL_CTX *ctx, const char *cert_path, const char *key_path,
                        const X509 **cert)
{
    SSL_CTX *web = tls_server_ctx(cert_path, key_path, NULL, NULL);

    if (web == NULL)
        return false;
    SSL_CTX_set_verify(web, SSL_VERIFY_NONE, NULL);
    if (web_index() < 0 || !SSL_CTX_set_ex_data(ctx, web_index(), web)) {
        log_trouble("web", NULL);
        SSL_CTX_free(web);
        return false;
    }
    if (cert != NULL)
        *cert = SSL_CTX_get0_certificate(web);
    return true;
}

/* --- The client's end --- */

/* The function that decides about the server's certificate, and its argument. Each SSL
 * of a client has its own struct judge as extra data (ex_data). */
struct judge {
    tls_judge_fn *ask;
    void *arg;
};

static void free_judge(void *parent, void *held, CRYPTO_EX_DATA *data, int index,
                       long argl, void *argp)
{
    (void)parent;
    (void)data;
    (void)index;
    (void)argl;
    (void)argp;
    free(held);
}

/* Returns the index of the extra data (ex_data) in which an SSL stores its judge.
 * Asks OpenSSL for an index only once per process. Needs no lock, because only one
 * thread uses TLS. */
static int judge_index(void)
{
    static int index = -1;

    if (index < 0)
        index = SSL_get_ex_new_index(0, NULL, NULL, NULL, free_judge);
    return index;
}

/* Asks the judge of the connection about the server's certificate. */
static int judge_cert(X509_STORE_CTX *store, void *arg)
{
    const SSL *ssl =
        X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    const struct judge *judge = SSL_get_ex_data(ssl, judge_index());
    const X509 *cert = X509_STORE_CTX_get0_cert(store);
    struct tls_seen seen;
    bool is_trusted;

    (void)arg;
    seen.is_chain_good = X509_verify_cert(store) == 1;
    ERR_clear_error(); /* an untrusted chain is not an error here */
    is_trusted = judge != NULL && cert != NULL && tls_key_of_cert(cert, &seen.key) &&
                 judge->ask(judge->arg, &seen);
    X509_STORE_CTX_set_error(store, is_trusted ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
    return is_trusted;
}

SSL_CTX *tls_client_ctx(const char *cert_path, const char *key_path,
                        const char *ca_path)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());

    if (ctx == NULL || !set_policy(ctx) || judge_index() < 0 ||
        SSL_CTX_set_alpn_protos(ctx, ALPN_LIST, sizeof ALPN_LIST - 1) != 0) {
        log_trouble("client", NULL);
        goto fail;
    }
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_verify_depth(ctx, SERVER_CHAIN_DEPTH_MAX);
    SSL_CTX_set_max_cert_list(ctx, SERVER_CHAIN_BYTES_MAX);
    SSL_CTX_set_cert_verify_callback(ctx, judge_cert, NULL);
    /* The result is ignored, because the store of authorities may be missing. Then the
     * client trusts only the authorities in ca_path. */
    SSL_CTX_set_default_verify_paths(ctx);
    ERR_clear_error();
    if (ca_path != NULL && SSL_CTX_load_verify_file(ctx, ca_path) != 1) {
        log_trouble("authorities", ca_path);
        goto fail;
    }
    if (cert_path != NULL && !use_pair(ctx, cert_path, key_path))
        goto fail;
    return ctx;

fail:
    SSL_CTX_free(ctx);
    return NULL;
}

bool tls_client_arm(SSL *ssl, const char *host, tls_judge_fn *ask, void *arg)
{
    struct judge *judge = mem_new(sizeof *judge);

    judge->ask = ask;
    judge->arg = arg;
    if (!SSL_set_ex_data(ssl, judge_index(), judge)) {
        free(judge);
        return false;
    }
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    /* An address may be in a certificate, but never in SNI (RFC 6066). */
    return (address_is_numeric(host) || SSL_set_tlsext_host_name(ssl, host)) &&
           SSL_set1_host(ssl, host);
}
