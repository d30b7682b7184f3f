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

/* How many of the bytes the kernel took; all of them if the wire has ended by it,
 * because then nobody needs them any more. */
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
        return; /* and what was stuck is gone */
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

/* One SSL_write(). False: nothing more for now. It may want to read first, says its
 * manual; then work() comes back here after the next input. */
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

/* Encrypts some of what is queued: as few records as it fits in, with one send. False:
 * it did not get on. */
static bool seal_some(struct wire *wire)
{
    size_t sealed = 0;

    while (seal(wire, &sealed))
        ;
    wire_out_push(wire);
    return sealed > 0 && wire->state != WIRE_ENDED;
}

/* All that was queued has gone: close_notify after it, then FIN. What remains to be
 * done needs no TLS, and its buffers are most of a wire. */
static void say_goodbye(struct wire *wire)
{
    if ((SSL_get_shutdown(wire->ssl) & SSL_SENT_SHUTDOWN) == 0) {
        wire_forget_errors();
        if (SSL_shutdown(wire->ssl) < 0)
            wire_forget_errors(); /* it waits for the peer's, we do not */
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
