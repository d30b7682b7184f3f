/* From what an owner queued to the socket. */
#include "common/net/wire_parts.h"

#include <errno.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/peer.h"

int wire_out_write(BIO *bio, const char *bytes, int len)
{
    struct wire *wire = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    wire_buffer_add(&wire->hub->sealed, bytes, (size_t)len);
    return len;
}

/* --- Records to the socket --- */

/* Returns how many bytes the kernel took; all of them if the wire has ended, because
 * then they are not needed. */
static size_t give_to_kernel(struct wire *wire, const char *bytes, size_t len)
{
    size_t given = 0;

    while (given < len) {
        ssize_t done = peer_send(wire->fd, bytes + given, len - given);

        if (done >= 0) {
            given += (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return given;
        } else if (errno != EINTR) {
            wire_fail(wire, WIRE_RESET, strerror(errno));
            return len;
        }
    }
    return given;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct wire *wire = arg;
    struct wire_buffer *stuck = &wire->stuck;
    size_t given;

    (void)fd;
    (void)what;
    event_free(wire->writable);
    wire->writable = NULL;
    if (wire->state == WIRE_CONNECTING) {
        wire_finish_connect(wire);
        return;
    }
    given = give_to_kernel(wire, wire_buffer_head(stuck), stuck->len);
    if (wire->state == WIRE_ENDED)
        return; /* the stuck bytes were freed */
    wire_buffer_take(stuck, given);
    if (stuck->len > 0) {
        wire_out_await_room(wire);
        return;
    }
    wire_buffer_clear(stuck);
    wire_out_flush(wire);
}

void wire_out_await_room(struct wire *wire)
{
    if (wire->writable != NULL)
        return;
    wire->writable = event_new(wire->hub->base, wire->fd, EV_WRITE, on_writable, wire);
    if (wire->writable == NULL || event_add(wire->writable, NULL) != 0)
        die("wire no event");
}

void wire_out_push(struct wire *wire)
{
    struct wire_buffer *sealed = &wire->hub->sealed;

    if (sealed->len > 0 && wire->state != WIRE_ENDED) {
        if (wire->stuck.len == 0)
            wire_buffer_take(
                sealed, give_to_kernel(wire, wire_buffer_head(sealed), sealed->len));
        if (sealed->len > 0) {
            wire_buffer_add(&wire->stuck, wire_buffer_head(sealed), sealed->len);
            wire->wants_drain = true;
            wire_out_await_room(wire);
        }
    }
    wire_buffer_take(sealed, sealed->len);
}

/* --- Text to records --- */

/* One SSL_write(). False: no progress. OpenSSL may need input first; then work()
 * returns here after the next input. */
static bool seal(struct wire *wire, size_t *sealed)
{
    size_t len = wire->out.len < WIRE_RECORD_BYTES ? wire->out.len : WIRE_RECORD_BYTES;
    char why[TLS_WHY_BYTES];
    int done;

    wire_forget_errors();
    done = SSL_write(wire->ssl, wire_buffer_head(&wire->out), (int)len);
    if (done > 0) {
        wire_buffer_take(&wire->out, (size_t)done);
        *sealed += (size_t)done;
        return wire->out.len > 0 && *sealed < WIRE_SEAL_BYTES;
    }
    if (SSL_get_error(wire->ssl, done) == SSL_ERROR_WANT_READ)
        return false;
    tls_why(why);
    wire_fail(wire, WIRE_RESET, why);
    return false;
}

/* Encrypts some of the queue, in as few records as possible, with one send. False: no
 * progress. */
static bool seal_some(struct wire *wire)
{
    size_t sealed = 0;

    while (seal(wire, &sealed))
        ;
    wire_out_push(wire);
    return sealed > 0 && wire->state != WIRE_ENDED;
}

/* Everything queued is sent: close_notify, then FIN. TLS is not needed any more, and
 * its buffers are most of a wire, so they are freed. */
static void say_goodbye(struct wire *wire)
{
    if ((SSL_get_shutdown(wire->ssl) & SSL_SENT_SHUTDOWN) == 0) {
        wire_forget_errors();
        if (SSL_shutdown(wire->ssl) < 0)
            wire_forget_errors(); /* the peer waits for close_notify, we do not */
        wire_out_push(wire);
    }
    if (wire->state != WIRE_LEAVING || wire->stuck.len > 0)
        return;
    wire_set_state(wire, WIRE_LINGERING);
    SSL_free(wire->ssl);
    wire->ssl = NULL;
    shutdown(wire->fd, SHUT_WR);
    if (wire->is_eof)
        wire_end(wire, wire->why, NULL);
}

void wire_out_flush(struct wire *wire)
{
    if (wire->state != WIRE_OPEN && wire->state != WIRE_LEAVING)
        return;
    while (wire->stuck.len == 0 && wire->out.len > 0)
        if (!seal_some(wire))
            return;
    if (wire->stuck.len > 0)
        return;
    wire_buffer_clear(&wire->out);
    if (wire->state == WIRE_LEAVING)
        say_goodbye(wire);
    else if (wire->wants_drain)
        wire_hub_enlist(wire, &wire->hub->drained);
    wire_go_on(wire);
}
