/* From the socket to an owner's lines. One turn of a wire's input: what was kept of its
 * last turn, or else one recv(); then records are decrypted and lines given, until
 * there is no more or the turn is over. What is left then is kept, and the wire is
 * behind. */
#include "common/net/wire_parts.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/utf8.h"

enum { HOUR_MS = 60 * 60 * 1000 };

/* --- Inside OpenSSL --- */

int wire_in_read(BIO *bio, char *bytes, int len)
{
    struct wire *wire = BIO_get_data(bio);
    struct wire_hub *hub = wire->hub;
    size_t taken = (size_t)len < hub->records_len ? (size_t)len : hub->records_len;

    BIO_clear_retry_flags(bio);
    if (taken == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    memcpy(bytes, hub->records, taken);
    hub->records += taken;
    hub->records_len -= taken;
    wire->idle_bytes += taken;
    return (int)taken;
}

/* Must not end the wire: OpenSSL is still using it. */
void wire_in_on_message(int is_ours, int version, int type, const void *bytes,
                        size_t len, SSL *ssl, void *arg)
{
    struct wire *wire = arg;
    const struct wire_limits *limits = &wire->hub->limits;
    int64_t now_ms;

    (void)version;
    (void)ssl;
    if (is_ours || type != SSL3_RT_HANDSHAKE || len == 0 ||
        *(const unsigned char *)bytes != SSL3_MT_KEY_UPDATE)
        return;
    now_ms = mono_now_ms();
    if (now_ms - wire->hour_from_ms > HOUR_MS) {
        wire->hour_from_ms = now_ms;
        wire->key_updates_hour = 0;
    }
    wire->key_updates++;
    wire->key_updates_hour++;
    if (wire->key_updates > limits->key_updates_max ||
        wire->key_updates_hour > limits->key_updates_hour_max)
        wire->is_flooding = true;
}

/* --- The peer's end --- */

/* For a server a disconnect is not an error: each command is complete or ignored. A
 * client must know that the end may be missing. */
static void peer_gone(struct wire *wire, bool is_told)
{
    if (wire->state == WIRE_SHAKING)
        wire_end(wire, WIRE_HANDSHAKE, "the peer went away during the handshake");
    else if (is_told || SSL_is_server(wire->ssl))
        wire_leave(wire, WIRE_CLOSED_THERE);
    else
        wire_end(wire, WIRE_CUT_OFF, NULL);
}

/* One recv() into hub->received. False: nothing was received. */
static bool receive(struct wire *wire, size_t *len)
{
    ssize_t got = recv(wire->fd, wire->hub->received, WIRE_RECEIVE_BYTES, MSG_DONTWAIT);

    *len = got > 0 ? (size_t)got : 0;
    if (got == 0) {
        wire->is_eof = true;
        event_del(wire->readable);
    } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        wire_fail(wire, WIRE_RESET, strerror(errno));
    }
    return got > 0;
}

/* --- Lines --- */

static void give_bad_line(struct wire *wire, enum wire_why why)
{
    if (wire->calls->on_bad_line != NULL)
        wire->calls->on_bad_line(wire->owner, why);
    else
        wire_end(wire, why, NULL);
}

/* Takes the line that ends at end (its LF) out of the text and gives it to the
 * owner. */
static void give_line(struct wire *wire, char *line, char *end, int64_t now_ms)
{
    size_t len = (size_t)(end - line);
    bool is_skipped = wire->is_skipping;

    wire_buffer_take(&wire->hub->text, len + 1);
    wire->is_skipping = false;
    wire->idle_bytes = 0;
    wire->key_updates = 0;
    if (is_skipped)
        return; /* the owner was told when it became too long */
    if (len > 0 && line[len - 1] == '\r')
        len--;
    if (len > wire->line_max) {
        give_bad_line(wire, WIRE_LINE_TOO_LONG);
    } else if (!utf8_is_showable(line, len)) {
        give_bad_line(wire, WIRE_BAD_TEXT);
    } else {
        line[len] = '\0';
        wire->calls->on_line(wire->owner, line, len, now_ms);
    }
}

/* The text has no LF: an error only when it is longer than a line and its CR. */
static void check_unfinished(struct wire *wire)
{
    struct wire_buffer *text = &wire->hub->text;
    bool is_fine =
        text->len <= wire->line_max || (text->len == wire->line_max + 1 &&
                                        wire_buffer_head(text)[wire->line_max] == '\r');

    if (wire->is_skipping) {
        wire_buffer_take(text, text->len);
    } else if (!is_fine) {
        wire->is_skipping = true;
        wire_buffer_take(text, text->len);
        give_bad_line(wire, WIRE_LINE_TOO_LONG);
    }
}

/* True when all whole lines have been given and more input may follow. */
static bool give_lines(struct wire *wire, int *lines_left, int64_t now_ms)
{
    struct wire_buffer *text = &wire->hub->text;

    while (wire->state == WIRE_OPEN && !wire_is_stopped(wire) && *lines_left > 0) {
        char *line = wire_buffer_head(text);
        char *end = text->len > 0 ? memchr(line, '\n', text->len) : NULL;

        if (end == NULL) {
            check_unfinished(wire);
            return wire->state == WIRE_OPEN;
        }
        --*lines_left;
        give_line(wire, line, end, now_ms);
    }
    return false;
}

/* --- Records --- */

static void tls_broke(struct wire *wire)
{
    char why[TLS_WHY_BYTES];

    tls_why(why);
    wire_out_push(wire); /* an alert for the peer */
    wire_fail(wire, WIRE_RESET, why);
}

/* One SSL_read() into hub->text. It takes a whole record, and OpenSSL reads no further
 * than that: what stays inside it is part of a record, or a key update that waits for
 * our answer to the one before, and both need what comes next. So without records there
 * is no reason to ask it. False: there is no more for now. */
static bool decrypt(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;
    int got;

    if (hub->records_len == 0)
        return false;
    wire_forget_errors();
    got = SSL_read(wire->ssl, wire_buffer_room(&hub->text, WIRE_RECORD_BYTES),
                   WIRE_RECORD_BYTES);
    if (wire->is_flooding || wire->idle_bytes > hub->limits.idle_bytes_max) {
        wire_end(wire, WIRE_FLOOD,
                 wire->is_flooding ? "too many key updates" : "bytes without a line");
        return false;
    }
    if (got > 0) {
        wire_buffer_added(&hub->text, (size_t)got);
        return true;
    }
    switch (SSL_get_error(wire->ssl, got)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return true; /* it took part of a record, or a TLS message */
    case SSL_ERROR_ZERO_RETURN:
        peer_gone(wire, true);
        return false;
    default:
        tls_broke(wire);
        return false;
    }
}

/* --- A turn --- */

/* Moves the input kept from the last turn into the hub. */
static void unpack(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;

    wire_buffer_add(&hub->text, wire_buffer_head(&wire->text), wire->text.len);
    wire_buffer_clear(&wire->text);
    hub->records = wire_buffer_head(&wire->records);
    hub->records_len = wire->records.len;
}

/* Moves the rest back; usually there is none. */
static void pack(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;
    struct wire_buffer rest = {0};

    if (wire->state == WIRE_OPEN || wire->state == WIRE_SHAKING) {
        wire_buffer_add(&wire->text, wire_buffer_head(&hub->text), hub->text.len);
        wire_buffer_add(&rest, hub->records, hub->records_len);
    }
    wire_buffer_clear(&wire->records); /* hub->records may point into it */
    wire->records = rest;
    hub->records_len = 0;
    wire_buffer_take(&hub->text, hub->text.len);
}

static void give_input(struct wire *wire)
{
    int lines_left = wire->hub->limits.lines_per_turn;
    int64_t now_ms = mono_now_ms();

    if (wire->state == WIRE_SHAKING)
        wire_shake(wire);
    while (give_lines(wire, &lines_left, now_ms) && decrypt(wire))
        ;
    wire->is_behind = wire->state == WIRE_OPEN &&
                      (wire_is_stopped(wire) || lines_left == 0) &&
                      (wire->hub->text.len > 0 || wire->hub->records_len > 0);
}

static void work(struct wire *wire)
{
    give_input(wire);
    pack(wire);
    wire_out_push(wire);
    wire_hub_set_behind(wire, wire->is_behind && !wire_is_stopped(wire));
    if (wire->state == WIRE_OPEN && wire->out.len > 0 && wire->stuck.len == 0)
        wire_hub_enlist(wire, &wire->hub->dirty);
}

void wire_in_catch_up(struct wire *wire)
{
    if (wire->state != WIRE_OPEN)
        return;
    unpack(wire);
    work(wire);
}

/* A stopped wire leaves its input in the kernel, so TCP slows the peer. */
static void go_deaf(struct wire *wire)
{
    wire->is_deaf = true;
    event_del(wire->readable);
}

/* A leaving wire reads only to empty the socket and to see the peer close. */
static void discard(struct wire *wire)
{
    size_t len;

    if (!receive(wire, &len) && wire->is_eof && wire->state == WIRE_LINGERING)
        wire_end(wire, wire->why, NULL);
}

void wire_in_on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct wire *wire = arg;
    size_t len;

    (void)fd;
    (void)what;
    if (wire->state >= WIRE_LEAVING) {
        discard(wire);
    } else if (wire_is_stopped(wire) && wire->state == WIRE_OPEN) {
        go_deaf(wire);
    } else if (!wire->is_behind) { /* otherwise the hub continues it next turn */
        if (receive(wire, &len)) {
            unpack(wire);
            wire->hub->records = wire->hub->received;
            wire->hub->records_len = len;
            work(wire);
        } else if (wire->is_eof) {
            peer_gone(wire, false);
        }
    }
}
