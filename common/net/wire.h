/* A connection that sends and receives lines, over TLS and libevent. A wire is opaque:
 * no caller uses its socket, SSL or buffers. Client and server use wires; each wire
 * belongs to one loop thread.
 *
 * This module does not use bufferevent_openssl. Tests showed that bufferevent_openssl
 * hangs on watermarks, loses output on free, lets one peer starve the loop, and needs a
 * third more CPU time for each line.
 *
 * Ownership: the caller that makes a wire owns it until on_end. on_end is called once,
 * from the loop, never from inside another call to the wire. After on_end the wire
 * frees itself. wire_close() may be called at any time before that, any number of
 * times, also from inside a callback.
 *
 * A wire collects the output of one turn (iteration) of the event loop and sends it in
 * as few records as possible. Output can wait for a commit: gate.h. */
#ifndef COMMON_NET_WIRE_H
#define COMMON_NET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/util.h>
#include <openssl/types.h>

#include "common/base/base.h"
#include "common/base/gate.h"
#include "common/net/tls.h"

struct event_base;
struct wire;
struct wire_hub;

/* Why a wire ended. */
enum wire_why {
    WIRE_CLOSED_HERE,  /* wire_close() was called, and the kernel has taken the last
                        * line */
    WIRE_CLOSED_THERE, /* the peer closed or disconnected */
    WIRE_RESET,        /* the connection broke; detail: the system's message */
    WIRE_CUT_OFF,      /* a server closed without close_notify: lines may be missing */
    WIRE_NO_CONNECT,   /* wire_connect(): the TCP connection was not made in time or
                        * failed */
    WIRE_REFUSED,      /* wire_connect(): connection refused */
    WIRE_HANDSHAKE,    /* the TLS handshake failed; detail says why */
    WIRE_UNADMITTED,   /* the peer refused our certificate; detail: its alert */
    WIRE_TIMEOUT,      /* the handshake or the shutdown took too long */
    WIRE_LINE_TOO_LONG,
    WIRE_BAD_TEXT,  /* a line was not showable UTF-8 */
    WIRE_BAD_FRAME, /* the peer sent an invalid or too long frame; we sent a close
                     * frame */
    WIRE_FLOOD,     /* too many TLS key updates, or too many bytes without a line */
    WIRE_TOO_SLOW   /* too much unsent output, or the peer accepted no output for
                     * stuck_ms */
};
const char *wire_why_name(enum wire_why why);

struct wire_calls {
    /* The connection is open. From now on wire_peer_key() may be called. */
    void (*on_open)(void *owner);
    /* Receives one line without its end: NUL-terminated, showable UTF-8, len bytes. The
     * owner may change the text, which is valid only during the call. now_ms is the
     * time of the line: use it for the times of moves instead of reading a clock. */
    void (*on_line)(void *owner, char *line, size_t len, int64_t now_ms);
    /* An invalid line (too long, bad text) was dropped, and the wire stays open. If
     * on_bad_line is NULL, the wire closes instead. */
    void (*on_bad_line)(void *owner, enum wire_why why);
    /* The kernel has taken all output. Called if some output had to wait, or after
     * wire_want_drain(). */
    void (*on_drain)(void *owner);
    /* The wire has ended. Called once. detail is a text for a log or a person, never
     * NULL. */
    void (*on_end)(void *owner, enum wire_why why, const char *detail);
};

struct wire_limits {
    size_t line_max;      /* limit of a line in bytes, without its end;
                           * wire_set_line_max() changes it */
    size_t queue_max;     /* limit of unsent output in bytes, also of what waits for the
                           * gate. If there is more, the wire ends with
                           * WIRE_TOO_SLOW. While an open wire has not yet tried to send
                           * the output, the limit is 4 * queue_max. While more than half
                           * of queue_max is unsent, on_line is not called */
    int64_t handshake_ms; /* limit of the whole handshake, from accept or connect */
    int64_t farewell_ms;  /* limit of the whole shutdown, from wire_close() */
    int lines_per_turn;   /* limit of lines delivered in one turn of the loop; then the
                           * other wires are handled */
    int64_t turn_us;      /* limit of microseconds for one wire in one turn of the loop;
                           * 0: no limit */
    int64_t stuck_ms;     /* if output waits and the peer does not accept any of it for
                           * this time, the wire ends with WIRE_TOO_SLOW; 0: no limit */
    int key_updates_max;  /* limit of TLS key updates by the peer between two lines */
    int key_updates_hour_max; /* limit of key updates in an hour */
    size_t idle_bytes_max;    /* limit of bytes received without a whole line */
};
/* Returns the default limits, which PROTOCOL.md lists. */
struct wire_limits wire_limits_default(void);

/* Makes a hub for the wires of one loop. The wires share the data in the hub: the
 * buffers of the wire that is being handled, and lists of the wires that have work at
 * the end of the turn. Copies limits; borrows base until wire_hub_free(). */
struct wire_hub *wire_hub_new(struct event_base *base,
                              const struct wire_limits *limits) MUST_USE;
/* Frees a hub. All its wires must have ended. Accepts NULL. */
void wire_hub_free(struct wire_hub *hub);
/* Returns the number of wires of the hub. */
int wire_hub_count(const struct wire_hub *hub);

/* From now on the wires keep back what is sent with a stamp above gate->durable.
 * Borrows the gate. NULL: nothing waits any more; output that waited, which is whole
 * lines, is dropped. Call that before the gate is freed. */
void wire_hub_set_gate(struct wire_hub *hub, const struct gate *gate);
/* Call it when gate->durable has grown: sends what waited for it. */
void wire_release(struct wire_hub *hub);

/* Makes the server's end of a connection from the accepted socket fd. The wire owns fd.
 * On failure logs why, closes fd and returns NULL. calls and owner are borrowed until
 * on_end. ctx NULL: a connection without TLS, from a program on this machine; it opens
 * when its first byte arrives. */
struct wire *wire_accept(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                         const struct wire_calls *calls, void *owner) MUST_USE;

/* Makes the client's end of a connection, like wire_accept(). fd is a non-blocking
 * socket. connect() must have been called on fd, but the connection may still be in
 * progress. host, judge and judge_arg are passed to tls_client_arm(). */
struct wire *wire_connect(struct wire_hub *hub, SSL_CTX *ctx, evutil_socket_t fd,
                          const char *host, tls_judge_fn *judge, void *judge_arg,
                          const struct wire_calls *calls, void *owner) MUST_USE;

/* Queues a copy of len bytes, which must be whole lines with their LF. A closing wire
 * drops the bytes. They are stamped with gate_stamp(), or with `stamp`: bytes with
 * GATE_FREE overtake those that wait; all others keep their order. */
void wire_send(struct wire *wire, const char *bytes, size_t len);
void wire_send_after(struct wire *wire, const char *bytes, size_t len, uint64_t stamp);

/* Returns the number of unsent bytes if the socket has refused some bytes. Returns 0 if
 * all bytes have been sent, or if the wire has not yet tried to send the unsent
 * bytes. */
size_t wire_stuck_bytes(const struct wire *wire);

/* Returns the number of queued bytes that the kernel has not yet accepted. A sender can
 * use this number to limit its own rate. */
size_t wire_unsent_bytes(const struct wire *wire);
/* Asks for one call of on_drain when the queue is empty, even if no output had to wait.
 * on_drain comes from the loop, not from inside wire_want_drain(). Output that is
 * queued in the meantime delays on_drain. */
void wire_want_drain(struct wire *wire);

/* Holds the wire, or releases it. While a wire is held, on_line is not called and the
 * socket is not read, so TCP slows the peer down. A disconnect is then noticed only
 * after the release, or when a send fails. No line is lost. After a release, lines
 * arrive from the next turn on. */
void wire_hold(struct wire *wire, bool is_held);

/* Closes the wire gracefully: sends queued output and close_notify, and ends when the
 * peer has closed too or when farewell_ms has passed. Discards further input: after
 * this call, on_line is not called any more. If the peer closes first, the wire closes
 * in the same way by itself, so that the peer gets the answers to its last lines.
 *
 * If wire_close() is called before the handshake is complete, there are two cases. If
 * the queue is empty or the TCP connection is not made yet, the wire ends at once.
 * Otherwise, the wire completes the handshake and sends the output, but does not call
 * on_open. */
void wire_close(struct wire *wire);
/* Gives a new deadline to a wire that is being closed. The new deadline is ms
 * milliseconds from now, and replaces the deadline that farewell_ms has set. Does
 * nothing if the wire is not being closed, or if its handshake is not complete. */
void wire_hurry(struct wire *wire, int64_t ms);
/* Ends the wire at once, without sending its queued output. Later the event loop calls
 * on_end with `why`. */
void wire_drop(struct wire *wire, enum wire_why why);

/* True when the peer has closed its end, or only its sending side (then it may still
 * read). Also works while the wire is held. On some systems the result stays false
 * while input is unread (peer.h). */
bool wire_peer_has_gone(const struct wire *wire);

/* Returns the errno of the system call that failed, so that the owner can describe it
 * in another language; 0: the wire ended for another reason. Call it in on_end. */
int wire_error(const struct wire *wire);

/* Returns the digest of the peer's key (tls.h); NULL without a certificate or without
 * TLS. */
const struct tls_key *wire_peer_key(const struct wire *wire);
/* Returns the shortest round-trip time to the peer in milliseconds, as
 * peer_round_trip_ms() does. */
int wire_round_trip_ms(const struct wire *wire);
/* Returns the numeric address of the peer without the port, "192.0.2.1" or
 * "2001:db8::1"; "" if it is unknown. */
const char *wire_peer_address(const struct wire *wire);

/* Sets the address of a peer behind a load balancer or proxy, as the balancer reported
 * it. Returns false if the address is too long. */
bool wire_set_peer_address(struct wire *wire, const char *address);

/* Changes the limit of a line, in bytes. */
void wire_set_line_max(struct wire *wire, size_t bytes);

/* Returns what the peer chose in the handshake. A connection without TLS is a
 * browser's, behind a proxy: it speaks HTTP. */
enum tls_speech wire_speech(const struct wire *wire);
/* Makes each line a WebSocket frame, in both directions. This also holds for input that
 * was received but not yet delivered. The wire ends its output with a close frame. */
void wire_set_framed(struct wire *wire);

#endif
