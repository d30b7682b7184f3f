/* See wire_tls.h. */
#include "common/net/wire_tls.h"

#include <stdio.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/net/wire.h"

enum {
    HOUR_MS = 60 * 60 * 1000,
    RECORD_BYTES = SSL3_RT_MAX_PLAIN_LENGTH,
    SHORT_RECORD_BYTES = 512, /* the lowest limit that OpenSSL accepts for a record */
    SEAL_BYTES = 4 * RECORD_BYTES /* at most this much text is encrypted for one
                                   * send() */
};

/* Empties OpenSSL's error queue. If SSL_get_error() will examine the result of a call,
 * the queue must be empty before that call. Tests first whether there is an error,
 * because clearing takes some 800 instructions even when the queue is empty. */
static void forget_errors(void)
{
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

/* --- Inside OpenSSL --- */

static int on_read(BIO *bio, char *bytes, int len)
{
    struct wire_tls *tls = BIO_get_data(bio);
    struct wire_records *records = tls->records;
    size_t taken =
        (size_t)len < records->received_len ? (size_t)len : records->received_len;

    BIO_clear_retry_flags(bio);
    if (taken == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    memcpy(bytes, records->received, taken);
    records->received += taken;
    records->received_len -= taken;
    tls->idle_bytes += taken;
    return (int)taken;
}

static int on_write(BIO *bio, const char *bytes, int len)
{
    struct wire_tls *tls = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    wire_buffer_add(&tls->records->sealed, bytes, (size_t)len);
    return len;
}

static long on_control(BIO *bio, int question, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return question == BIO_CTRL_FLUSH; /* flushing succeeds and does nothing: the owner
                                        * of the socket sends */
}

/* Counts key updates of the peer. Only sets is_flooding and does not end the
 * connection, because OpenSSL is using it during this call. */
static void on_message(int is_ours, int version, int type, const void *bytes,
                       size_t len, SSL *ssl, void *arg)
{
    struct wire_tls *tls = arg;
    int64_t now_ms;

    (void)version;
    (void)ssl;
    if (is_ours || type != SSL3_RT_HANDSHAKE || len == 0 ||
        *(const unsigned char *)bytes != SSL3_MT_KEY_UPDATE)
        return;
    now_ms = mono_now_ms();
    if (now_ms - tls->hour_from_ms > HOUR_MS) {
        tls->hour_from_ms = now_ms;
        tls->key_updates_hour = 0;
    }
    tls->key_updates++;
    tls->key_updates_hour++;
    if (tls->key_updates > tls->limits->key_updates_max ||
        tls->key_updates_hour > tls->limits->key_updates_hour_max)
        tls->is_flooding = true;
}

/* --- Making --- */

void wire_records_init(struct wire_records *records)
{
    BIO_METHOD *method =
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");

    if (method == NULL || !BIO_meth_set_read(method, on_read) ||
        !BIO_meth_set_write(method, on_write) || !BIO_meth_set_ctrl(method, on_control))
        log_die("wire no method");
    *records = (struct wire_records){.method = method};
}

void wire_records_clear(struct wire_records *records)
{
    BIO_meth_free(records->method);
    wire_buffer_clear(&records->sealed);
}

bool wire_tls_init(struct wire_tls *tls, SSL_CTX *ctx, struct wire_records *records,
                   const struct wire_limits *limits)
{
    SSL *ssl;
    BIO *bio;

    *tls = (struct wire_tls){
        .records = records, .limits = limits, .is_plain = ctx == NULL};
    if (tls->is_plain)
        return true;
    forget_errors();
    ssl = SSL_new(ctx);
    bio = BIO_new(records->method);
    if (ssl == NULL || bio == NULL) {
        SSL_free(ssl);
        BIO_free(bio);
        return false;
    }
    tls->ssl = ssl;
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_msg_callback(ssl, on_message);
    SSL_set_msg_callback_arg(ssl, tls);
    return true;
}

void wire_tls_clear(struct wire_tls *tls)
{
    SSL_free(tls->ssl);
    tls->ssl = NULL;
}

/* --- The handshake --- */

enum wire_tls_step wire_tls_shake(struct wire_tls *tls, char why[TLS_WHY_BYTES])
{
    int done;

    if (tls->is_plain)
        return WIRE_TLS_DONE;
    do {
        forget_errors();
        done = SSL_do_handshake(tls->ssl);
    } while (done != 1 && SSL_get_error(tls->ssl, done) == SSL_ERROR_WANT_READ &&
             tls->records->received_len > 0);
    if (done == 1) {
        tls->idle_bytes = 0;
        return WIRE_TLS_DONE;
    }
    if (SSL_get_error(tls->ssl, done) == SSL_ERROR_WANT_READ)
        return WIRE_TLS_WAITS;
    tls_why(why);
    return WIRE_TLS_BROKEN;
}

bool wire_tls_peer_key(const struct wire_tls *tls, struct tls_key *key)
{
    const X509 *cert = tls->is_plain ? NULL : SSL_get0_peer_certificate(tls->ssl);

    return cert != NULL && tls_key_of_cert(cert, key);
}

bool wire_tls_is_server(const struct wire_tls *tls)
{
    return tls->is_plain || SSL_is_server(tls->ssl);
}

enum tls_speech wire_tls_speech(const struct wire_tls *tls)
{
    const unsigned char *name;
    unsigned len;

    if (tls->is_plain)
        return TLS_SPEAKS_HTTP;
    SSL_get0_alpn_selected(tls->ssl, &name, &len);
    if (len == 0)
        return TLS_SPEAKS_ANY;
    return len == sizeof TLS_ALPN_HTTP &&
                   memcmp(name, TLS_ALPN_HTTP, sizeof TLS_ALPN_HTTP - 1) == 0
               ? TLS_SPEAKS_HTTP
               : TLS_SPEAKS_LINES;
}

/* --- Records to text --- */

static bool is_flood(const struct wire_tls *tls, char why[TLS_WHY_BYTES])
{
    if (!tls->is_flooding && tls->idle_bytes <= tls->limits->idle_bytes_max)
        return false;
    snprintf(why, TLS_WHY_BYTES, "%s",
             tls->is_flooding ? "too many key updates" : "bytes without a line");
    return true;
}

/* One SSL_read() consumes at most one record, because OpenSSL does not read ahead.
 * Between two calls, OpenSSL may keep part of a record. It may also keep a key update
 * of the peer, which waits until our answer to the previous key update is sent. In both
 * cases OpenSSL cannot continue without new input, so this function calls SSL_read()
 * only when there are records. */
enum wire_tls_step wire_tls_read(struct wire_tls *tls, struct wire_buffer *text,
                                 char why[TLS_WHY_BYTES])
{
    struct wire_records *records = tls->records;
    bool is_refused;
    int got;

    if (records->received_len == 0)
        return WIRE_TLS_WAITS;
    if (tls->is_plain) {
        wire_buffer_add(text, records->received, records->received_len);
        tls->idle_bytes += records->received_len;
        records->received_len = 0;
        return is_flood(tls, why) ? WIRE_TLS_FLOOD : WIRE_TLS_DONE;
    }
    forget_errors();
    got = SSL_read(tls->ssl, wire_buffer_room(text, RECORD_BYTES), RECORD_BYTES);
    if (is_flood(tls, why))
        return WIRE_TLS_FLOOD;
    if (got > 0) {
        wire_buffer_added(text, (size_t)got);
        return WIRE_TLS_DONE;
    }
    switch (SSL_get_error(tls->ssl, got)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return WIRE_TLS_DONE; /* SSL_read() consumed part of a record, or a message of
                               * TLS itself */
    case SSL_ERROR_ZERO_RETURN:
        return WIRE_TLS_CLOSED;
    default:
        is_refused = tls_peer_refused_cert();
        tls_why(why);
        return is_refused ? WIRE_TLS_UNADMITTED : WIRE_TLS_BROKEN;
    }
}

void wire_tls_note_line(struct wire_tls *tls)
{
    tls->idle_bytes = 0;
    tls->key_updates = 0;
}

/* --- Text to records --- */

enum wire_tls_step wire_tls_write(struct wire_tls *tls, struct wire_buffer *text,
                                  size_t len, size_t *sealed, char why[TLS_WHY_BYTES])
{
    *sealed = 0;
    if (tls->is_plain) {
        *sealed = len < SEAL_BYTES ? len : SEAL_BYTES;
        wire_buffer_add(&tls->records->sealed, wire_buffer_head(text), *sealed);
        wire_buffer_take(text, *sealed);
        return WIRE_TLS_DONE;
    }
    while (*sealed < len && *sealed < SEAL_BYTES) {
        size_t part = len - *sealed < RECORD_BYTES ? len - *sealed : RECORD_BYTES;
        int done;

        forget_errors();
        /* OpenSSL allocates a buffer of this size for each record. Nearly all writes
         * are short, and malloc() takes a small buffer from a cache. */
        SSL_set_max_send_fragment(
            tls->ssl, part <= SHORT_RECORD_BYTES ? SHORT_RECORD_BYTES : RECORD_BYTES);
        done = SSL_write(tls->ssl, wire_buffer_head(text), (int)part);
        if (done <= 0 && SSL_get_error(tls->ssl, done) == SSL_ERROR_WANT_READ)
            return WIRE_TLS_WAITS;
        if (done <= 0) {
            tls_why(why);
            return WIRE_TLS_BROKEN;
        }
        wire_buffer_take(text, (size_t)done);
        *sealed += (size_t)done;
    }
    return WIRE_TLS_DONE;
}

void wire_tls_close(struct wire_tls *tls)
{
    if (tls->is_plain)
        return;
    if ((SSL_get_shutdown(tls->ssl) & SSL_SENT_SHUTDOWN) != 0)
        return;
    forget_errors();
    if (SSL_shutdown(tls->ssl) < 0)
        forget_errors(); /* no error matters here: we do not wait for the peer's
                          * close_notify */
}
