/* The TLS of one connection, without its socket: turns received records into text, and
 * text into records to send. For a connection without TLS, the records are the text.
 *
 * OpenSSL never uses the socket. It reads records that one recv() brought, and writes
 * records that one send() takes. So OpenSSL never waits until a socket takes bytes; it
 * can only wait for more input. */
#ifndef COMMON_NET_WIRE_TLS_H
#define COMMON_NET_WIRE_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/bio.h>

#include "common/base/base.h"
#include "common/net/tls.h"
#include "common/net/wire_buffer.h"

struct wire_limits;

/* Data that the connections of one loop share: the records of the connection that is
 * being handled. While no connection is being handled, there are no
 * records. */
struct wire_records {
    BIO_METHOD *method;
    const char *received; /* not yet decrypted; borrowed */
    size_t received_len;
    struct wire_buffer sealed; /* encrypted, to be sent */
};
void wire_records_init(struct wire_records *records);
void wire_records_clear(struct wire_records *records);

struct wire_tls {
    SSL *ssl;                         /* NULL: no TLS, or cleared */
    struct wire_records *records;     /* borrowed */
    const struct wire_limits *limits; /* borrowed */
    size_t idle_bytes;                /* bytes received since the last whole line */
    int key_updates;                  /* key updates since the last whole line */
    int key_updates_hour;
    int64_t hour_from_ms;
    bool is_flooding; /* too many key updates; set inside OpenSSL's callback, handled
                       * outside */
    bool is_plain;    /* no TLS */
};

enum wire_tls_step {
    WIRE_TLS_DONE,
    WIRE_TLS_WAITS,      /* OpenSSL needs more records, or there are no records to
                          * read */
    WIRE_TLS_CLOSED,     /* the peer sent close_notify */
    WIRE_TLS_FLOOD,      /* too many key updates, or too many bytes without a line */
    WIRE_TLS_UNADMITTED, /* the peer refused our certificate after our side had
                          * completed the handshake */
    WIRE_TLS_BROKEN
};

/* Prepares *tls, which must not move in memory before wire_tls_clear(). ctx NULL: the
 * connection has no TLS. False: tls_why() says why. */
bool wire_tls_init(struct wire_tls *tls, SSL_CTX *ctx, struct wire_records *records,
                   const struct wire_limits *limits) MUST_USE;
/* Frees the SSL. May be called more than once. */
void wire_tls_clear(struct wire_tls *tls);

/* Continues the handshake with records->received. If the result is WIRE_TLS_BROKEN,
 * `why` has the reason, and records->sealed may have an alert for the peer. */
enum wire_tls_step wire_tls_shake(struct wire_tls *tls,
                                  char why[TLS_WHY_BYTES]) MUST_USE;
/* Decrypts at most one record of records->received, and appends its bytes to `text`.
 * WIRE_TLS_DONE: call again. If the result is WIRE_TLS_FLOOD, WIRE_TLS_UNADMITTED or
 * WIRE_TLS_BROKEN, `why` has the reason, and records->sealed may have an alert for the
 * peer. */
enum wire_tls_step wire_tls_read(struct wire_tls *tls, struct wire_buffer *text,
                                 char why[TLS_WHY_BYTES]) MUST_USE;
/* Encrypts as much of the first `len` bytes of text as one send() takes, in as few
 * records as possible. Removes these bytes from text, and appends the records to
 * records->sealed. *sealed: the number of bytes encrypted. WIRE_TLS_WAITS: OpenSSL
 * needs input first. */
enum wire_tls_step wire_tls_write(struct wire_tls *tls, struct wire_buffer *text,
                                  size_t len, size_t *sealed,
                                  char why[TLS_WHY_BYTES]) MUST_USE;
/* Appends close_notify to records->sealed, unless that was done before. */
void wire_tls_close(struct wire_tls *tls);

/* Call it when a whole line has been taken from the text. Sets the counts of bytes and
 * of key updates since the last line to 0. */
void wire_tls_note_line(struct wire_tls *tls);
/* Computes the digest of the peer's key. Returns false if the peer has shown no
 * certificate. */
bool wire_tls_peer_key(const struct wire_tls *tls, struct tls_key *key);
bool wire_tls_is_server(const struct wire_tls *tls);
/* A connection without TLS speaks HTTP. */
enum tls_speech wire_tls_speech(const struct wire_tls *tls);

#endif
