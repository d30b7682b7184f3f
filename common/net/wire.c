/* See wire.h. This file manages the states of a wire, and its socket. It calls recv()
 * once per wake-up, and usually send() once per turn of the event loop. The modules
 * below do not use struct wire. They may use wire_buffer, but they do not use each
 * other:
 *
 *   wire_buffer  a queue of bytes
 *   wire_tls     turns records into text, and text into records
 *   wire_lines   turns text into lines, and lines into text; the only module that knows
 *                whether a line ends with LF or is a WebSocket frame (wire_frame)
 *   wire_turn    what happens once per turn of the loop
 *
 * Sending never raises SIGPIPE, so it does not matter how the program handles that
 * signal. */
#include "common/net/wire.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <openssl/ssl.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/net/wire_buffer.h"
#include "common/net/wire_lines.h"
#include "common/net/wire_tls.h"
#include "common/net/wire_turn.h"
#include "common/system/peer.h"

enum {
    RECEIVE_BYTES = 16 * 1024, /* limit of one recv() */
    DISCARD_MAX = 256 * 1024,  /* bytes read from a peer after the wire was closed */
    UNTRIED_TIMES = 4          /* factor of queue_max, see wire_send_after() */
};

enum wire_state {
    WIRE_CONNECTING, /* waits for the TCP connection */
    WIRE_SHAKING,    /* waits for the TLS handshake */
    WIRE_OPEN,
    WIRE_LEAVING,   /* sends what is queued, then close_notify and FIN */
    WIRE_LINGERING, /* everything is sent; reads until the peer has closed too, because
                     * closing a socket with unread bytes would reset the connection and
                     * lose the last line */
    WIRE_ENDED      /* the wire waits until the hub calls on_end and frees it */
};
enum { WIRE_STATES = WIRE_ENDED + 1 };

/* A part of the output that waits for its commit: the bytes up to the next one, or to
 * the end. */
struct waiting {
    uint64_t stamp;
    size_t len; /* 0: nothing waits */
};

struct wire {
    struct wire_hub *hub;
    const struct wire_calls *calls;
    void *owner;
    evutil_socket_t fd;
    enum wire_state state;
    enum wire_why why; /* valid from WIRE_LEAVING on */
    char *detail;      /* the text for on_end; set in WIRE_ENDED */
    int error;         /* see wire_error() */

    struct event *readable;
    struct event *writable; /* waits until the socket is connected or accepts bytes
                             * again; NULL: nothing waits for that */
    struct event *deadline; /* a timer; NULL unless the wire is connecting, shaking,
                             * leaving or lingering, or its socket takes no output */

    bool is_held;    /* the owner holds the wire: no line is delivered */
    bool is_behind;  /* `text` or `records` has input that waits for a later turn */
    bool is_deaf;    /* the socket is not read, because input came while the wire was
                      * stopped */
    bool is_closing; /* wire_close() was called while shaking */
    bool is_eof;     /* recv() has reported that the peer sends no more */
    bool wants_drain;
    bool has_dropped; /* output that waited was dropped, so not everything was sent */
    bool has_key;
    size_t queue_max; /* see struct wire_limits */
    size_t discarded; /* bytes that were read and dropped, see discard() */

    struct wire_tls tls; /* its SSL is freed when WIRE_LINGERING begins */
    struct wire_lines lines;
    struct wire_turn_member member;

    struct wire_buffer text;    /* received and decrypted, not yet delivered as lines */
    struct wire_buffer records; /* received, not yet decrypted */
    struct wire_buffer out;     /* to be sent, not yet encrypted */
    struct waiting waits[2]; /* the end of `out`, which waits: first what waits for the
                                 * lower stamp. A third stamp raises the second */
    struct wire *waiting_prev,
        *waiting_next;        /* in the hub's list, if waits[0] is set */
    struct wire_buffer stuck; /* encrypted, refused by the socket */

    struct tls_key key;
    char address[INET6_ADDRSTRLEN];
};

struct wire_hub {
    struct event_base *base; /* borrowed */
    struct wire_limits limits;
    int count;
    struct wire_turn turn;
    const struct gate *gate; /* borrowed; NULL: nothing waits */
    struct wire *waiting;    /* the wires whose output waits for the gate */

    /* Buffers of the wire that is being handled. They are emptied before the next wire
     * is handled. */
    struct wire_records records;
    struct wire_buffer text; /* decrypted */
    char received[RECEIVE_BYTES];

    struct wire_spares spares; /* memory for the `out` buffers of the wires */
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

/* For each enum wire_why, its name in logs, and a text that is shown to people. */
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
    [WIRE_UNADMITTED] = {"unadmitted", "the certificate was refused"},
    [WIRE_TIMEOUT] = {"timeout", "it took too long"},
    [WIRE_LINE_TOO_LONG] = {"line-too-long", "a line was too long"},
    [WIRE_BAD_TEXT] = {"bad-text", "a line was not plain text"},
    [WIRE_BAD_FRAME] = {"bad-frame", "a frame was invalid"},
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

/* --- Output that waits for its commit --- */

/* Returns how many bytes of `out` may be sent now. */
static size_t sendable(const struct wire *wire)
{
    return wire->out.len - wire->waits[0].len - wire->waits[1].len;
}

static void forget_waits(struct wire *wire)
{
    if (wire->waits[0].len > 0)
        DL_DELETE2(wire->hub->waiting, wire, waiting_prev, waiting_next);
    wire->waits[0] = wire->waits[1] = (struct waiting){0};
}

/* Call it when len bytes were appended to `out` that must keep their place: they wait
 * as long as the bytes before them, and for the row `stamp`. */
static void note_appended(struct wire *wire, size_t len, uint64_t stamp)
{
    struct waiting *waits = wire->waits;
    bool must_wait = wire->hub->gate != NULL && stamp > wire->hub->gate->durable;

    if (len == 0 || (waits[0].len == 0 && !must_wait))
        return;
    if (waits[0].len == 0) {
        DL_APPEND2(wire->hub->waiting, wire, waiting_prev, waiting_next);
        waits[0] = (struct waiting){stamp, len};
    } else if (waits[1].len == 0 && stamp <= waits[0].stamp) {
        waits[0].len += len;
    } else {
        waits[1].len += len;
        if (stamp > waits[1].stamp)
            waits[1].stamp = stamp;
    }
}

/* --- States and ends --- */

static void set_state(struct wire *wire, enum wire_state state)
{
    assert(may_follow[wire->state] & IN(state));
    wire->state = state;
}

static void enlist(struct wire *wire, enum wire_turn_work work)
{
    wire_turn_add(&wire->hub->turn, &wire->member, work);
}

static void set_behind(struct wire *wire, bool is_behind)
{
    wire_turn_set_behind(&wire->hub->turn, &wire->member, is_behind);
}

static void drop_event(struct event **event)
{
    if (*event != NULL)
        event_free(*event);
    *event = NULL;
}

/* Ends a wire. Only this function does so. Copies detail; if detail is NULL, copies the
 * usual words for `why`. Frees buffers that are no longer needed. The wire and its SSL
 * remain until this turn of the event loop ends, because the caller may still be using
 * them. */
static void end(struct wire *wire, enum wire_why why, const char *detail)
{
    if (wire->state == WIRE_ENDED)
        return;
    if (why == WIRE_CLOSED_HERE && wire->has_dropped)
        why = WIRE_TIMEOUT;
    set_state(wire, WIRE_ENDED);
    wire->why = why;
    wire->detail = mem_copy_text(detail != NULL ? detail : whys[why].words);
    drop_event(&wire->readable);
    drop_event(&wire->writable);
    drop_event(&wire->deadline);
    wire_buffer_clear(&wire->text);
    wire_buffer_clear(&wire->out);
    wire_buffer_clear(&wire->stuck);
    wire_lines_clear(&wire->lines);
    forget_waits(wire);
    set_behind(wire, false);
    enlist(wire, WIRE_TURN_END);
}

/* Ends a wire after an error. If the error no longer matters, because all output was
 * sent or the peer closed first, the wire ends with the reason for which it began to
 * close. */
static void fail(struct wire *wire, enum wire_why why, const char *detail)
{
    if (wire->state == WIRE_LINGERING ||
        (wire->state == WIRE_LEAVING && wire->why == WIRE_CLOSED_THERE))
        end(wire, wire->why, NULL);
    else
        end(wire, why, detail);
}

/* Like fail(), after a system call failed with the errno `error`. */
static void fail_system(struct wire *wire, int error)
{
    wire->error = error;
    fail(wire, WIRE_RESET, strerror(error));
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct wire *wire = arg;

    (void)fd;
    (void)what;
    switch (wire->state) {
    case WIRE_CONNECTING:
        end(wire, WIRE_NO_CONNECT, NULL);
        break;
    case WIRE_SHAKING:
        end(wire, WIRE_TIMEOUT, "the TLS handshake took too long");
        break;
    case WIRE_OPEN:
        end(wire, WIRE_TOO_SLOW, "it took no output for too long");
        break;
    default: /* leaving or lingering; fail() may report the earlier reason instead */
        fail(wire, WIRE_TIMEOUT, "it did not take its last lines");
        break;
    }
}

/* Sets the deadline to ms from now, in place of an earlier deadline. */
static void set_deadline(struct wire *wire, int64_t ms)
{
    struct timeval delay = {.tv_sec = (time_t)(ms / 1000),
                            .tv_usec = (suseconds_t)(ms % 1000 * 1000)};

    drop_event(&wire->deadline);
    wire->deadline = evtimer_new(wire->hub->base, on_deadline, wire);
    if (wire->deadline == NULL || evtimer_add(wire->deadline, &delay) != 0)
        log_die("wire no timer");
}

/* Starts the shutdown of an open wire, which then sends its queued output, close_notify
 * and FIN. */
static void leave(struct wire *wire, enum wire_why why)
{
    size_t len = wire->out.len;

    set_state(wire, WIRE_LEAVING);
    wire->why = why;
    wire_lines_put_end(&wire->lines, &wire->out);
    note_appended(wire, wire->out.len - len, GATE_FREE);
    wire_buffer_clear(&wire->text);
    set_behind(wire, false);
    set_deadline(wire, wire->hub->limits.farewell_ms);
    if (wire->is_deaf && event_add(wire->readable, NULL) != 0)
        log_die("wire no event");
    wire->is_deaf = false;
    enlist(wire, WIRE_TURN_FLUSH);
}

/* True while on_line must not be called: the owner holds the wire, or too much output
 * is unsent because the peer does not read. */
static bool is_stopped(const struct wire *wire)
{
    return wire->is_held || wire_unsent_bytes(wire) > wire->queue_max / 2;
}

/* Lets the wire read and deliver its input again, unless it is still stopped. */
static void go_on(struct wire *wire)
{
    if (wire->state != WIRE_OPEN || is_stopped(wire))
        return;
    if (wire->is_deaf && event_add(wire->readable, NULL) != 0)
        log_die("wire no event");
    wire->is_deaf = false;
    if (wire->is_behind)
        set_behind(wire, true);
}

/* --- Output: lines, text, records, socket --- */

/* Sends bytes until the kernel takes no more. Returns how many bytes the kernel took.
 * If the wire has ended, returns len, because no one needs the bytes then. */
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
            fail_system(wire, errno);
            return len;
        }
    }
    return given;
}

static void on_writable(evutil_socket_t fd, short what, void *arg);

/* Arranges that on_writable() is called as soon as the socket accepts bytes. */
static void await_room(struct wire *wire)
{
    if (wire->writable != NULL)
        return;
    wire->writable = event_new(wire->hub->base, wire->fd, EV_WRITE, on_writable, wire);
    if (wire->writable == NULL || event_add(wire->writable, NULL) != 0)
        log_die("wire no event");
}

/* Sets the deadline of an open wire: stuck_ms from now if its output is stuck,
 * otherwise none. A leaving wire keeps its deadline of farewell_ms. */
static void set_patience(struct wire *wire)
{
    if (wire->state != WIRE_OPEN || wire->hub->limits.stuck_ms == 0)
        return;
    if (wire->stuck.len > 0)
        set_deadline(wire, wire->hub->limits.stuck_ms);
    else
        drop_event(&wire->deadline);
}

/* Sends the encrypted records of the hub, or queues them behind earlier unsent
 * output. */
static void push(struct wire *wire)
{
    struct wire_buffer *sealed = &wire->hub->records.sealed;

    if (sealed->len > 0 && wire->state != WIRE_ENDED) {
        if (wire->stuck.len == 0)
            wire_buffer_take(
                sealed, give_to_kernel(wire, wire_buffer_head(sealed), sealed->len));
        if (sealed->len > 0) {
            bool is_first = wire->stuck.len == 0;

            wire_buffer_add(&wire->stuck, wire_buffer_head(sealed), sealed->len);
            wire->wants_drain = true;
            await_room(wire);
            if (is_first)
                set_patience(wire);
        }
    }
    wire_buffer_take(sealed, sealed->len);
}

/* Encrypts and sends queued output, and continues the shutdown of a leaving wire: sends
 * close_notify, then FIN, when all queued output is sent. Calls no callback. If OpenSSL
 * needs input first, work() tries again after the next input. */
static void flush(struct wire *wire)
{
    char why[TLS_WHY_BYTES];
    size_t sealed;

    if (wire->state != WIRE_OPEN && wire->state != WIRE_LEAVING)
        return;
    while (wire->stuck.len == 0 && sendable(wire) > 0) {
        if (wire_tls_write(&wire->tls, &wire->out, sendable(wire), &sealed, why) ==
            WIRE_TLS_BROKEN)
            fail(wire, WIRE_RESET, why);
        push(wire);
        if (sealed == 0 || wire->state == WIRE_ENDED)
            return;
    }
    if (wire->stuck.len > 0)
        return;
    if (wire->out.len == 0) {
        wire_spares_keep(&wire->hub->spares, &wire->out);
        if (wire->state == WIRE_OPEN && wire->wants_drain)
            enlist(wire, WIRE_TURN_DRAIN);
    }
    if (wire->out.len == 0 && wire->state == WIRE_LEAVING) {
        wire_tls_close(&wire->tls);
        push(wire);
        if (wire->state == WIRE_LEAVING && wire->stuck.len == 0) {
            set_state(wire, WIRE_LINGERING);
            wire_tls_clear(&wire->tls); /* its buffers are most of a wire's memory */
            shutdown(wire->fd, SHUT_WR);
            if (wire->is_eof)
                end(wire, wire->why, NULL);
        }
    }
    go_on(wire);
}

/* --- The handshake --- */

/* Runs one step of the handshake, with the records that were received. */
static void shake(struct wire *wire)
{
    char why[TLS_WHY_BYTES];

    switch (wire_tls_shake(&wire->tls, why)) {
    case WIRE_TLS_DONE:
        wire->has_key = wire_tls_peer_key(&wire->tls, &wire->key);
        drop_event(&wire->deadline);
        set_state(wire, WIRE_OPEN);
        if (wire->out.len > 0 || wire->wants_drain)
            enlist(wire, WIRE_TURN_FLUSH);
        if (wire->is_closing)
            leave(wire, WIRE_CLOSED_HERE);
        else if (wire->calls->on_open != NULL)
            wire->calls->on_open(wire->owner);
        break;
    case WIRE_TLS_WAITS:
        break;
    default:
        push(wire); /* an alert that OpenSSL wrote for the peer */
        end(wire, WIRE_HANDSHAKE, why);
        break;
    }
}

/* --- Input: socket, records, text, lines --- */

/* Handles the end of the peer's output. is_told: the peer sent close_notify. If it did
 * not, a client ends with WIRE_CUT_OFF, because the last lines may be missing. A server
 * needs no close_notify, because it ignores an incomplete command anyway. */
static void peer_gone(struct wire *wire, bool is_told)
{
    if (wire->state == WIRE_SHAKING)
        end(wire, WIRE_HANDSHAKE, "the peer went away during the handshake");
    else if (is_told || wire_tls_is_server(&wire->tls))
        leave(wire, WIRE_CLOSED_THERE);
    else
        end(wire, WIRE_CUT_OFF, NULL);
}

/* Calls recv() once, into hub->received. False: nothing was received. */
static bool receive(struct wire *wire, size_t *len)
{
    ssize_t got = recv(wire->fd, wire->hub->received, RECEIVE_BYTES, MSG_DONTWAIT);

    *len = got > 0 ? (size_t)got : 0;
    if (got == 0) {
        wire->is_eof = true;
        event_del(wire->readable);
    } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        fail_system(wire, errno);
    }
    return got > 0;
}

/* Delivers the lines in the hub's text. True: all whole lines are delivered, and the
 * caller may decrypt more. False: the wire ended or was stopped, or its share of this
 * turn is used up: it leaves the rest of its input to the next turn, and time for the
 * other wires. *is_over is true only in the last case. */
static bool give_lines(struct wire *wire, int *lines_left, int64_t began_us,
                       bool *is_over)
{
    const struct wire_limits *limits = &wire->hub->limits;

    while (wire->state == WIRE_OPEN && !is_stopped(wire)) {
        char *line;
        size_t len, out_len = wire->out.len;
        enum wire_lines_found found;
        enum wire_why why;

        /* the clock is read only when a line was delivered and more text remains */
        *is_over =
            *lines_left == 0 ||
            (limits->turn_us != 0 && *lines_left != limits->lines_per_turn &&
             wire->hub->text.len > 0 && mono_now_us() - began_us >= limits->turn_us);
        if (*is_over)
            return false;
        found =
            wire_lines_take(&wire->lines, &wire->hub->text, &wire->out, &line, &len);
        note_appended(wire, wire->out.len - out_len, GATE_FREE);
        if (found == WIRE_LINES_NONE)
            return true;
        *lines_left -= 1;
        if (!wire->lines.is_skipping) /* otherwise the long line has not ended */
            wire_tls_note_line(&wire->tls);
        switch (found) {
        case WIRE_LINES_LINE:
            wire->calls->on_line(wire->owner, line, len, began_us / 1000);
            break;
        case WIRE_LINES_CLOSED:
            leave(wire, WIRE_CLOSED_THERE);
            break;
        case WIRE_LINES_BAD_FRAME:
            leave(wire, WIRE_BAD_FRAME);
            break;
        case WIRE_LINES_SKIPPED:
            break;
        default: /* too long, or not plain text */
            why = found == WIRE_LINES_TOO_LONG ? WIRE_LINE_TOO_LONG : WIRE_BAD_TEXT;
            if (wire->calls->on_bad_line != NULL)
                wire->calls->on_bad_line(wire->owner, why);
            else
                end(wire, why, NULL);
            break;
        }
    }
    return false;
}

/* Decrypts one more record into the hub's text. False: more input is needed, or the
 * peer has closed, or the wire has ended. */
static bool decrypt(struct wire *wire)
{
    char why[TLS_WHY_BYTES];

    switch (wire_tls_read(&wire->tls, &wire->hub->text, why)) {
    case WIRE_TLS_DONE:
        return true;
    case WIRE_TLS_CLOSED:
        peer_gone(wire, true);
        break;
    case WIRE_TLS_FLOOD:
        end(wire, WIRE_FLOOD, why);
        break;
    case WIRE_TLS_UNADMITTED:
        fail(wire, WIRE_UNADMITTED, why);
        break;
    case WIRE_TLS_BROKEN:
        push(wire); /* an alert that OpenSSL wrote for the peer */
        fail(wire, WIRE_RESET, why);
        break;
    case WIRE_TLS_WAITS:
        break;
    }
    return false;
}

/* Moves the input kept from the last turn into the hub. */
static void unpack(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;

    wire_buffer_add(&hub->text, wire_buffer_head(&wire->text), wire->text.len);
    wire_buffer_clear(&wire->text);
    hub->records.received = wire_buffer_head(&wire->records);
    hub->records.received_len = wire->records.len;
}

/* Works on the input in the hub. What is left of it goes back to the wire, if the wire
 * is open or shaking. Usually nothing is left. */
static void work(struct wire *wire)
{
    struct wire_hub *hub = wire->hub;
    struct wire_buffer rest = {0};
    int lines_left = hub->limits.lines_per_turn;
    int64_t began_us = mono_now_us();
    bool is_over = false;

    if (wire->state == WIRE_SHAKING)
        shake(wire);
    while (give_lines(wire, &lines_left, began_us, &is_over) && decrypt(wire))
        ;
    wire->is_behind = wire->state == WIRE_OPEN && (is_stopped(wire) || is_over) &&
                      (hub->text.len > 0 || hub->records.received_len > 0);
    if (wire->state == WIRE_OPEN || wire->state == WIRE_SHAKING) {
        wire_buffer_add(&wire->text, wire_buffer_head(&hub->text), hub->text.len);
        wire_buffer_add(&rest, hub->records.received, hub->records.received_len);
    }
    wire_buffer_clear(&wire->records); /* not earlier: hub->records.received may point
                                        * into wire->records */
    wire->records = rest;
    hub->records.received_len = 0;
    wire_buffer_take(&hub->text, hub->text.len);
    push(wire);
    set_behind(wire, wire->is_behind && !is_stopped(wire));
    if (wire->state == WIRE_OPEN && wire->out.len > 0 && wire->stuck.len == 0)
        enlist(wire, WIRE_TURN_FLUSH);
}

/* Continues with input left from the last turn. */
static void catch_up(struct wire *wire)
{
    if (wire->state != WIRE_OPEN)
        return;
    unpack(wire);
    work(wire);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct wire *wire = arg;
    size_t len;

    (void)fd;
    (void)what;
    if (wire->state >= WIRE_LEAVING) {
        /* Drops the bytes. This empties the socket and shows when the peer has closed.
         * A peer that goes on sending is not read any more; the deadline ends its
         * wire. */
        if (!receive(wire, &len) && wire->is_eof && wire->state == WIRE_LINGERING) {
            end(wire, wire->why, NULL);
            return;
        }
        wire->discarded += len;
        if (wire->discarded > DISCARD_MAX)
            event_del(wire->readable);
    } else if (is_stopped(wire) && wire->state == WIRE_OPEN) {
        wire->is_deaf = true; /* further input stays in the kernel, so TCP slows the
                               * peer down */
        event_del(wire->readable);
    } else if (!wire->is_behind) { /* otherwise the hub continues this wire in the next
                                    * turn */
        if (receive(wire, &len)) {
            unpack(wire);
            wire->hub->records.received = wire->hub->received;
            wire->hub->records.received_len = len;
            work(wire);
        } else if (wire->is_eof) {
            peer_gone(wire, false);
        }
    }
}

/* --- Making --- */

/* Makes a wire in the state WIRE_CONNECTING. On failure logs why, closes the socket and
 * returns NULL. */
static struct wire *make_wire(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                              const struct wire_calls *calls, void *owner)
{
    struct wire *wire = mem_new(sizeof *wire);

    wire->hub = hub;
    wire->calls = calls;
    wire->owner = owner;
    wire->fd = fd;
    wire->lines.line_max = hub->limits.line_max;
    wire->queue_max = hub->limits.queue_max;
    wire->member.owner = wire;
    if (!wire_tls_init(&wire->tls, ctx, &hub->records, &hub->limits)) {
        char why[TLS_WHY_BYTES];

        tls_why(why);
        log_warn("wire not made why=%s", why);
        evutil_closesocket(fd);
        free(wire);
        return NULL;
    }
    wire->readable = event_new(hub->base, fd, EV_READ | EV_PERSIST, on_readable, wire);
    if (wire->readable == NULL)
        log_die("wire no event");
    hub->count++;
    peer_keep_watch(fd);
    set_deadline(wire, hub->limits.handshake_ms);
    return wire;
}

/* Begins the handshake, and sets wire->address. If the peer of an IPv6 socket has an
 * IPv4 address, writes the address in the IPv4 form. */
static void start_shaking(struct wire *wire)
{
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&peer;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&peer;
    const void *bytes = NULL;
    int family = AF_INET;

    set_state(wire, WIRE_SHAKING);
    if (getpeername(wire->fd, (struct sockaddr *)&peer, &size) == 0) {
        if (peer.ss_family == AF_INET) {
            bytes = &four->sin_addr;
        } else if (peer.ss_family == AF_INET6) {
            bool is_mapped = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr);

            family = is_mapped ? AF_INET : AF_INET6;
            bytes = &six->sin6_addr.s6_addr[is_mapped ? 12 : 0];
        }
    }
    if (bytes != NULL)
        inet_ntop(family, bytes, wire->address, sizeof wire->address);
    if (event_add(wire->readable, NULL) != 0)
        fail_system(wire, errno);
}

struct wire *wire_accept(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                         const struct wire_calls *calls, void *owner)
{
    struct wire *wire = make_wire(hub, ctx, fd, calls, owner);

    if (wire == NULL)
        return NULL;
    if (ctx != NULL)
        SSL_set_accept_state(wire->tls.ssl);
    start_shaking(wire);
    return wire;
}

static void finish_connect(struct wire *wire)
{
    int fault = 0;
    socklen_t size = sizeof fault;

    if (getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &fault, &size) != 0)
        fault = errno;
    if (fault != 0) {
        wire->error = fault;
        end(wire, fault == ECONNREFUSED ? WIRE_REFUSED : WIRE_NO_CONNECT,
            strerror(fault));
        return;
    }
    start_shaking(wire);
    if (wire->state != WIRE_SHAKING)
        return;
    shake(wire); /* the client sends first */
    push(wire);
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
        finish_connect(wire);
        return;
    }
    given = give_to_kernel(wire, wire_buffer_head(stuck), stuck->len);
    if (wire->state == WIRE_ENDED)
        return; /* the stuck bytes were freed */
    wire_buffer_take(stuck, given);
    if (given > 0)
        set_patience(wire);
    if (stuck->len > 0) {
        await_room(wire);
        return;
    }
    wire_buffer_clear(stuck);
    flush(wire);
}

struct wire *wire_connect(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                          const char *host, tls_judge_fn *judge, void *judge_arg,
                          const struct wire_calls *calls, void *owner)
{
    struct wire *wire = make_wire(hub, ctx, fd, calls, owner);

    if (wire == NULL)
        return NULL;
    SSL_set_connect_state(wire->tls.ssl);
    if (tls_client_arm(wire->tls.ssl, host, judge, judge_arg)) {
        await_room(wire);
    } else {
        char why[TLS_WHY_BYTES];

        tls_why(why);
        end(wire, WIRE_HANDSHAKE, why);
    }
    return wire;
}

/* --- For the owner --- */

void wire_send(struct wire *wire, const char *bytes, size_t len)
{
    wire_send_after(wire, bytes, len, gate_stamp(wire->hub->gate));
}

void wire_send_after(struct wire *wire, const char *bytes, size_t len, uint64_t stamp)
{
    size_t before = wire->out.len;
    struct wire_buffer lines = {0};
    int times;

    if (wire->state > WIRE_OPEN || wire->is_closing || len == 0)
        return;
    wire_spares_lend(&wire->hub->spares, &wire->out);
    if (stamp == GATE_FREE && wire->waits[0].len > 0) {
        /* they overtake those that wait */
        wire_lines_put(&wire->lines, &lines, bytes, len);
        wire_buffer_insert(&wire->out, sendable(wire), wire_buffer_head(&lines),
                           lines.len);
        wire_buffer_clear(&lines);
    } else {
        wire_lines_put(&wire->lines, &wire->out, bytes, len);
        note_appended(wire, wire->out.len - before, stamp);
    }
    /* while the wire has not tried to send it, the kernel may take it all */
    times = wire->state != WIRE_OPEN || wire->stuck.len > 0 ? 1 : UNTRIED_TIMES;
    if (wire_unsent_bytes(wire) > wire->queue_max * (size_t)times)
        end(wire, WIRE_TOO_SLOW, NULL);
    else if (wire->state == WIRE_OPEN && wire->stuck.len == 0)
        enlist(wire, WIRE_TURN_FLUSH);
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
        enlist(wire, WIRE_TURN_FLUSH);
}

void wire_hold(struct wire *wire, bool is_held)
{
    wire->is_held = is_held;
    go_on(wire);
}

bool wire_peer_has_gone(const struct wire *wire)
{
    return peer_has_gone(wire->fd);
}

int wire_error(const struct wire *wire)
{
    return wire->error;
}

const struct tls_key *wire_peer_key(const struct wire *wire)
{
    return wire->has_key ? &wire->key : NULL;
}

int wire_round_trip_ms(const struct wire *wire)
{
    return wire->fd == -1 ? 0 : peer_round_trip_ms(wire->fd);
}

const char *wire_peer_address(const struct wire *wire)
{
    return wire->address;
}

bool wire_set_peer_address(struct wire *wire, const char *address)
{
    return text_copy(wire->address, sizeof wire->address, address);
}

enum tls_speech wire_speech(const struct wire *wire)
{
    return wire_tls_speech(&wire->tls);
}

void wire_set_framed(struct wire *wire)
{
    wire->lines.is_framed = true;
}

void wire_set_line_max(struct wire *wire, size_t bytes)
{
    wire->lines.line_max = bytes;
}

void wire_close(struct wire *wire)
{
    bool has_output = wire->out.len > 0;

    if (wire->state == WIRE_OPEN)
        leave(wire, WIRE_CLOSED_HERE);
    else if (wire->state == WIRE_SHAKING && has_output)
        wire->is_closing = true; /* close_notify needs an open TLS connection */
    else if (wire->state < WIRE_OPEN)
        end(wire, WIRE_CLOSED_HERE, NULL);
}

void wire_hurry(struct wire *wire, int64_t ms)
{
    if (wire->state == WIRE_LEAVING || wire->state == WIRE_LINGERING)
        set_deadline(wire, ms);
}

void wire_drop(struct wire *wire, enum wire_why why)
{
    end(wire, why, NULL);
}

/* --- The hub --- */

static void on_turn_flush(void *owner)
{
    flush(owner);
}

static void on_turn_drain(void *owner)
{
    struct wire *wire = owner;

    wire->wants_drain = false;
    if (wire->calls->on_drain != NULL)
        wire->calls->on_drain(wire->owner);
}

static void on_turn_end(void *owner)
{
    struct wire *wire = owner;

    wire->calls->on_end(wire->owner, wire->why, wire->detail);
    wire_tls_clear(&wire->tls);
    evutil_closesocket(wire->fd);
    wire_buffer_clear(&wire->records); /* end() freed the other buffers */
    free(wire->detail);
    wire->hub->count--;
    free(wire);
}

static void on_turn_catch_up(void *owner)
{
    catch_up(owner);
}

struct wire_hub *wire_hub_new(struct event_base *base, const struct wire_limits *limits)
{
    static const struct wire_turn_calls calls = {.flush = on_turn_flush,
                                                 .drain = on_turn_drain,
                                                 .end = on_turn_end,
                                                 .catch_up = on_turn_catch_up};
    struct wire_hub *hub = mem_new(sizeof *hub);

    hub->base = base;
    hub->limits = *limits;
    wire_records_init(&hub->records);
    wire_turn_init(&hub->turn, base, &calls);
    return hub;
}

void wire_hub_free(struct wire_hub *hub)
{
    if (hub == NULL)
        return;
    assert(hub->count == 0);
    wire_turn_clear(&hub->turn);
    wire_records_clear(&hub->records);
    wire_buffer_clear(&hub->text);
    wire_spares_clear(&hub->spares);
    free(hub);
}

int wire_hub_count(const struct wire_hub *hub)
{
    return hub->count;
}

void wire_hub_set_gate(struct wire_hub *hub, const struct gate *gate)
{
    hub->gate = gate;
    while (gate == NULL && hub->waiting != NULL) {
        struct wire *wire = hub->waiting;

        wire->has_dropped = true;
        wire_buffer_cut(&wire->out, sendable(wire));
        forget_waits(wire);
        if (wire->state >= WIRE_OPEN && wire->stuck.len == 0)
            enlist(wire, WIRE_TURN_FLUSH);
    }
}

void wire_release(struct wire_hub *hub)
{
    struct wire *wire, *next;

    if (hub->gate == NULL)
        return;
    assert(hub->gate->durable <= atomic_load(&hub->gate->synced));
    DL_FOREACH_SAFE2 (hub->waiting, wire, next, waiting_next) {
        size_t before = sendable(wire);

        while (wire->waits[0].len > 0 && wire->waits[0].stamp <= hub->gate->durable) {
            if (wire->waits[1].len == 0)
                DL_DELETE2(hub->waiting, wire, waiting_prev, waiting_next);
            wire->waits[0] = wire->waits[1];
            wire->waits[1] = (struct waiting){0};
        }
        if (sendable(wire) > before && wire->state >= WIRE_OPEN && wire->stuck.len == 0)
            enlist(wire, WIRE_TURN_FLUSH);
    }
}
