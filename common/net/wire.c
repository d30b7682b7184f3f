/* See wire.h; wire_parts.h says what each file has. This one has the life of a wire. */
#include "common/net/wire.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/peer.h"
#include "common/net/proto.h"
#include "common/net/wire_parts.h"

enum {
    UNTRIED_TIMES = 4 /* factor of queue_max for output queued within one turn */
};

#define IN(state) (1u << (state))
static const unsigned may_follow[] = {
    [WIRE_CONNECTING] = IN(WIRE_SHAKING) | IN(WIRE_ENDED),
    [WIRE_SHAKING] = IN(WIRE_OPEN) | IN(WIRE_ENDED),
    [WIRE_OPEN] = IN(WIRE_LEAVING) | IN(WIRE_ENDED),
    [WIRE_LEAVING] = IN(WIRE_LINGERING) | IN(WIRE_ENDED),
    [WIRE_LINGERING] = IN(WIRE_ENDED),
    [WIRE_ENDED] = 0,
};
static_assert(ARRAY_LEN(may_follow) == WIRE_STATES, "a state is missing");

/* Words for logs and for people. */
static const struct {
    const char *name, *words;
} whys[] = {
    [WIRE_CLOSED_HERE] = {"closed-here", "closed"},
    [WIRE_CLOSED_THERE] = {"closed-there", "the other side closed the connection"},
    [WIRE_RESET] = {"reset", "the connection broke"},
    [WIRE_CUT_OFF] = {"cut-off", "connection lost"},
    [WIRE_NO_CONNECT] = {"no-connect", "no answer"},
    [WIRE_REFUSED] = {"refused", "connection refused"},
    [WIRE_HANDSHAKE] = {"handshake", "no TLS with this peer"},
    [WIRE_TIMEOUT] = {"timeout", "it took too long"},
    [WIRE_LINE_TOO_LONG] = {"line-too-long", "a line was too long"},
    [WIRE_BAD_TEXT] = {"bad-text", "a line was not plain text"},
    [WIRE_FLOOD] = {"flood", "too many bytes without a line"},
    [WIRE_TOO_SLOW] = {"too-slow", "too much output waited"},
};
static_assert(ARRAY_LEN(whys) == WIRE_TOO_SLOW + 1, "a why has no name");

const char *wire_why_name(enum wire_why why)
{
    return whys[why].name;
}

struct wire_limits wire_limits_default(void)
{
    return (struct wire_limits){
        .line_max = PROTO_LINE_MAX,
        .queue_max = 256 * 1024,
        .handshake_ms = 10 * 1000,
        .farewell_ms = 5 * 1000,
        .lines_per_turn = 32,
        .key_updates_max = 8,
        .key_updates_hour_max = 60,
        .idle_bytes_max = 64 * 1024,
    };
}

/* --- States and ends --- */

void wire_set_state(struct wire *wire, enum wire_state state)
{
    assert(may_follow[wire->state] & IN(state));
    wire->state = state;
}

static void drop_event(struct event **event)
{
    if (*event != NULL)
        event_free(*event);
    *event = NULL;
}

/* Frees what is no longer needed. The wire and its SSL stay until the end of the turn,
 * because our caller may be using them. */
void wire_end(struct wire *wire, enum wire_why why, const char *detail)
{
    if (wire->state == WIRE_ENDED)
        return;
    wire_set_state(wire, WIRE_ENDED);
    wire->why = why;
    wire->detail = mem_copy_text(detail != NULL ? detail : whys[why].words);
    drop_event(&wire->readable);
    drop_event(&wire->writable);
    drop_event(&wire->deadline);
    wire_buffer_clear(&wire->text);
    wire_buffer_clear(&wire->out);
    wire_buffer_clear(&wire->stuck);
    wire_hub_set_behind(wire, false);
    wire_hub_enlist(wire, &wire->hub->dead);
}

void wire_fail(struct wire *wire, enum wire_why why, const char *detail)
{
    if (wire->state == WIRE_LINGERING ||
        (wire->state == WIRE_LEAVING && wire->why == WIRE_CLOSED_THERE))
        wire_end(wire, wire->why, NULL);
    else
        wire_end(wire, why, detail);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct wire *wire = arg;

    (void)fd;
    (void)what;
    switch (wire->state) {
    case WIRE_CONNECTING:
        wire_end(wire, WIRE_NO_CONNECT, NULL);
        break;
    case WIRE_SHAKING:
        wire_end(wire, WIRE_TIMEOUT, "the TLS handshake took too long");
        break;
    default: /* while lingering nothing is left to do */
        wire_fail(wire, WIRE_TIMEOUT, "it did not take its last lines");
        break;
    }
}

/* An absolute deadline: the peer cannot extend it. */
static void set_deadline(struct wire *wire, int64_t ms)
{
    struct timeval delay = {.tv_sec = (time_t)(ms / 1000),
                            .tv_usec = (suseconds_t)(ms % 1000 * 1000)};

    drop_event(&wire->deadline);
    wire->deadline = evtimer_new(wire->hub->base, on_deadline, wire);
    if (wire->deadline == NULL || evtimer_add(wire->deadline, &delay) != 0)
        die("wire no timer");
}

void wire_leave(struct wire *wire, enum wire_why why)
{
    wire_set_state(wire, WIRE_LEAVING);
    wire->why = why;
    wire_buffer_clear(&wire->text);
    wire_hub_set_behind(wire, false);
    set_deadline(wire, wire->hub->limits.farewell_ms);
    if (wire->is_deaf)
        event_add(wire->readable, NULL);
    wire->is_deaf = false;
    wire_hub_enlist(wire, &wire->hub->dirty);
}

void wire_close(struct wire *wire)
{
    bool has_output = wire->out.len > 0;

    if (wire->state == WIRE_OPEN)
        wire_leave(wire, WIRE_CLOSED_HERE);
    else if (wire->state == WIRE_SHAKING && has_output)
        wire->is_closing = true; /* the goodbye needs an open TLS connection */
    else if (wire->state < WIRE_OPEN)
        wire_end(wire, WIRE_CLOSED_HERE, NULL);
}

void wire_drop(struct wire *wire, enum wire_why why)
{
    wire_end(wire, why, NULL);
}

/* --- The handshake --- */

static void open_up(struct wire *wire)
{
    const X509 *cert = SSL_get0_peer_certificate(wire->ssl);

    wire->has_key = cert != NULL && tls_key_of_cert(cert, &wire->key);
    drop_event(&wire->deadline);
    wire_set_state(wire, WIRE_OPEN);
    wire->idle_bytes = 0;
    if (wire->out.len > 0 || wire->wants_drain)
        wire_hub_enlist(wire, &wire->hub->dirty);
    if (wire->is_closing)
        wire_leave(wire, WIRE_CLOSED_HERE);
    else if (wire->calls->on_open != NULL)
        wire->calls->on_open(wire->owner);
}

void wire_shake(struct wire *wire)
{
    char why[TLS_WHY_BYTES];
    int done;

    do {
        wire_forget_errors();
        done = SSL_do_handshake(wire->ssl);
    } while (done != 1 && SSL_get_error(wire->ssl, done) == SSL_ERROR_WANT_READ &&
             wire->hub->records_len > 0);
    if (done == 1) {
        open_up(wire);
    } else if (SSL_get_error(wire->ssl, done) != SSL_ERROR_WANT_READ) {
        tls_why(why);
        wire_out_push(wire); /* an alert for the peer */
        wire_end(wire, WIRE_HANDSHAKE, why);
    }
}

/* --- Sockets --- */

/* An IPv4 peer of an IPv6 socket is written as an IPv4 address. */
static void learn_address(struct wire *wire)
{
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&peer;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&peer;

    if (getpeername(wire->fd, (struct sockaddr *)&peer, &size) != 0)
        return;
    if (peer.ss_family == AF_INET)
        inet_ntop(AF_INET, &four->sin_addr, wire->address, sizeof wire->address);
    else if (peer.ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
        inet_ntop(AF_INET, &six->sin6_addr.s6_addr[12], wire->address,
                  sizeof wire->address);
    else if (peer.ss_family == AF_INET6)
        inet_ntop(AF_INET6, &six->sin6_addr, wire->address, sizeof wire->address);
}

/* --- Making --- */

static SSL *make_ssl(struct wire *wire, SSL_CTX *ctx)
{
    SSL *ssl = SSL_new(ctx);
    BIO *bio = BIO_new(wire->hub->method);

    if (ssl == NULL || bio == NULL) {
        SSL_free(ssl);
        BIO_free(bio);
        return NULL;
    }
    BIO_set_data(bio, wire);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_msg_callback(ssl, wire_in_on_message);
    SSL_set_msg_callback_arg(ssl, wire);
    return ssl;
}

static void log_no_wire(void)
{
    char why[TLS_WHY_BYTES];

    tls_why(why);
    log_warn("wire not made why=%s", why);
}

/* NULL after logging why; the socket is closed then. */
static struct wire *make_wire(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                              const struct wire_calls *calls, void *owner)
{
    struct wire *wire = mem_new(sizeof *wire);

    wire->hub = hub;
    wire->calls = calls;
    wire->owner = owner;
    wire->fd = fd;
    wire->line_max = hub->limits.line_max;
    wire_forget_errors();
    wire->ssl = make_ssl(wire, ctx);
    if (wire->ssl == NULL) {
        log_no_wire();
        evutil_closesocket(fd);
        free(wire);
        return NULL;
    }
    wire->readable =
        event_new(hub->base, fd, EV_READ | EV_PERSIST, wire_in_on_readable, wire);
    if (wire->readable == NULL)
        die("wire no event");
    hub->count++;
    peer_keep_watch(fd);
    set_deadline(wire, hub->limits.handshake_ms);
    return wire;
}

static void start_shaking(struct wire *wire)
{
    wire_set_state(wire, WIRE_SHAKING);
    learn_address(wire);
    if (event_add(wire->readable, NULL) != 0)
        wire_end(wire, WIRE_RESET, strerror(errno));
}

struct wire *wire_accept(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                         const struct wire_calls *calls, void *owner)
{
    struct wire *wire = make_wire(hub, ctx, fd, calls, owner);

    if (wire == NULL)
        return NULL;
    SSL_set_accept_state(wire->ssl);
    start_shaking(wire);
    return wire;
}

void wire_finish_connect(struct wire *wire)
{
    int fault = 0;
    socklen_t size = sizeof fault;

    if (getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &fault, &size) != 0)
        fault = errno;
    if (fault != 0) {
        wire_end(wire, fault == ECONNREFUSED ? WIRE_REFUSED : WIRE_NO_CONNECT,
                 strerror(fault));
        return;
    }
    start_shaking(wire);
    if (wire->state != WIRE_SHAKING)
        return;
    wire_shake(wire); /* the client sends first */
    wire_out_push(wire);
}

struct wire *wire_connect(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                          const char *host, tls_judge_fn *judge, void *judge_arg,
                          const struct wire_calls *calls, void *owner)
{
    struct wire *wire = make_wire(hub, ctx, fd, calls, owner);

    if (wire == NULL)
        return NULL;
    SSL_set_connect_state(wire->ssl);
    if (tls_client_arm(wire->ssl, host, judge, judge_arg)) {
        wire_out_await_room(wire);
    } else {
        char why[TLS_WHY_BYTES];

        tls_why(why);
        wire_end(wire, WIRE_HANDSHAKE, why);
    }
    return wire;
}

/* --- For the owner --- */

/* Output that was not sent yet may be accepted by the kernel at once, so more may wait,
 * but with a bound. */
static size_t waiting_max(const struct wire *wire)
{
    bool is_tried = wire->state != WIRE_OPEN || wire->stuck.len > 0;

    return wire->hub->limits.queue_max * (is_tried ? 1 : UNTRIED_TIMES);
}

void wire_send(struct wire *wire, const char *bytes, size_t len)
{
    if (wire->state > WIRE_OPEN || wire->is_closing || len == 0)
        return;
    wire_buffer_add(&wire->out, bytes, len);
    if (wire_unsent_bytes(wire) > waiting_max(wire))
        wire_end(wire, WIRE_TOO_SLOW, NULL);
    else if (wire->state == WIRE_OPEN && wire->stuck.len == 0)
        wire_hub_enlist(wire, &wire->hub->dirty);
}

size_t wire_stuck_bytes(const struct wire *wire)
{
    return wire->stuck.len > 0 ? wire_unsent_bytes(wire) : 0;
}

size_t wire_unsent_bytes(const struct wire *wire)
{
    return wire->out.len + wire->stuck.len;
}

void wire_want_drain(struct wire *wire)
{
    if (wire->state > WIRE_OPEN)
        return;
    wire->wants_drain = true;
    if (wire->state == WIRE_OPEN && wire->stuck.len == 0)
        wire_hub_enlist(wire, &wire->hub->dirty);
}

void wire_hold(struct wire *wire, bool is_held)
{
    wire->is_held = is_held;
    wire_go_on(wire);
}

void wire_go_on(struct wire *wire)
{
    if (wire->state != WIRE_OPEN || wire_is_stopped(wire))
        return;
    if (wire->is_deaf)
        event_add(wire->readable, NULL);
    wire->is_deaf = false;
    if (wire->is_behind)
        wire_hub_set_behind(wire, true);
}

bool wire_peer_has_gone(const struct wire *wire)
{
    return peer_has_gone(wire->fd);
}

const struct tls_key *wire_peer_key(const struct wire *wire)
{
    return wire->has_key ? &wire->key : NULL;
}

const char *wire_peer_address(const struct wire *wire)
{
    return wire->address;
}

void wire_set_line_max(struct wire *wire, size_t bytes)
{
    wire->line_max = bytes;
}
