/* What the files of the wire share and nobody else sees.
 *
 *   wire.c      a wire's life: accept, connect, handshake, close, end
 *   wire_in.c   socket -> records -> text -> lines
 *   wire_out.c  text -> records -> socket, and the last goodbye
 *   wire_hub.c  what happens once per turn of the loop: sending, telling, freeing
 *
 * OpenSSL never touches a socket. It reads records out of hub->records, which one
 * recv() per wake-up filled, and writes records into hub->sealed, which one send()
 * empties. So OpenSSL never waits for a socket to take bytes, and the only thing it
 * ever asks for is more input. Every send is without SIGPIPE, so the program's own
 * treatment of that signal does not matter here. */
#ifndef COMMON_NET_WIRE_PARTS_H
#define COMMON_NET_WIRE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netinet/in.h>

#include <event2/event.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "common/net/wire.h"
#include "common/net/wire_buffer.h"

enum {
    WIRE_RECEIVE_BYTES = 16 * 1024, /* at one wake-up; also the most that is kept */
    WIRE_RECORD_BYTES = SSL3_RT_MAX_PLAIN_LENGTH,
    WIRE_SEAL_BYTES = 4 * WIRE_RECORD_BYTES /* of text before the next send() */
};

enum wire_state {
    WIRE_CONNECTING, /* waits for TCP */
    WIRE_SHAKING,    /* waits for TLS */
    WIRE_OPEN,
    WIRE_LEAVING,   /* sends what is queued, then close_notify and FIN */
    WIRE_LINGERING, /* all is sent; reads until the peer has gone as well, because a
                       close with unread bytes would reset the last line away */
    WIRE_ENDED      /* waits for the hub to tell its owner and to free it */
};
enum { WIRE_STATES = WIRE_ENDED + 1 };

struct wire {
    struct wire_hub *hub;
    const struct wire_calls *calls;
    void *owner;
    SSL *ssl;
    evutil_socket_t fd;
    enum wire_state state;
    enum wire_why why; /* from WIRE_LEAVING on */
    char *detail;      /* from WIRE_ENDED on */

    struct event *readable;
    struct event *writable; /* exists while the socket refuses bytes */
    struct event *deadline; /* exists while shaking, leaving or lingering */

    bool is_held;     /* by its owner: no lines now */
    bool is_behind;   /* text or records hold more that was stopped */
    bool is_deaf;     /* readable is off, because it came while stopped */
    bool is_closing;  /* wire_close() came while shaking */
    bool is_skipping; /* the rest of a line that is too long */
    bool is_flooding; /* seen inside OpenSSL, acted on outside */
    bool is_eof;      /* the peer sends no more */
    bool wants_drain;
    bool has_key;

    size_t line_max;
    size_t idle_bytes; /* received since the last whole line */
    int key_updates;   /* since the last whole line */
    int key_updates_hour;
    int64_t hour_from_ms;

    struct wire_buffer text;    /* received, not yet a line or not yet given */
    struct wire_buffer records; /* received, not yet decrypted */
    struct wire_buffer out;     /* to be sent, not yet encrypted */
    struct wire_buffer stuck;   /* encrypted, refused by the socket */

    struct wire **list; /* of the hub's heads, the one it stands in */
    struct wire *list_prev, *list_next;
    struct wire *behind_prev, *behind_next;

    struct tls_key key;
    char address[INET6_ADDRSTRLEN];
};

struct wire_hub {
    struct event_base *base; /* borrowed */
    struct wire_limits limits;
    int count;
    BIO_METHOD *method;

    struct event *turn_end;  /* activated: runs after all events of this turn */
    struct event *next_turn; /* a timer of zero: runs after the sockets were asked */
    bool is_turn_end_due, is_next_turn_due;

    /* A wire stands in one of these at most. */
    struct wire *dirty;   /* has output that was not tried yet */
    struct wire *drained; /* its owner is to be told so */
    struct wire *dead;    /* its owner is to be told so, and it is to be freed */
    /* And in this besides: has lines whose turn was over. */
    struct wire *behind;
    int behind_count;

    /* Scratch of the wire whose turn it is. Empty between two wires. */
    const char *records; /* received, to be decrypted: what the BIO reads */
    size_t records_len;
    struct wire_buffer text;   /* decrypted */
    struct wire_buffer sealed; /* encrypted: what the BIO writes */
    char received[WIRE_RECEIVE_BYTES];
};

/* Before every call that may end in SSL_get_error(). Asking first is cheaper: clearing
 * takes some 800 instructions even when there is nothing to clear. */
static inline void wire_forget_errors(void)
{
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

/* No line now: its owner holds it, or its peer does not take the answers to those
 * before. It goes on by wire_go_on(). */
static inline bool wire_is_stopped(const struct wire *wire)
{
    return wire->is_held ||
           wire->out.len + wire->stuck.len > wire->hub->limits.queue_max / 2;
}

/* --- wire.c --- */

void wire_set_state(struct wire *wire, enum wire_state state);
/* All doors out. detail is copied; NULL: the usual words for why. */
void wire_end(struct wire *wire, enum wire_why why, const char *detail);
/* The end of a wire that failed: while leaving, that is no news. */
void wire_fail(struct wire *wire, enum wire_why why, const char *detail);
/* Starts the goodbye of an open wire. */
void wire_leave(struct wire *wire, enum wire_why why);
/* Takes up its input again, unless something else stops it. */
void wire_go_on(struct wire *wire);
/* One step of the handshake, with what there is in hub->records. */
void wire_shake(struct wire *wire);
/* TCP stands, or does not. */
void wire_finish_connect(struct wire *wire);

/* --- wire_in.c --- */

void wire_in_on_readable(evutil_socket_t fd, short what, void *arg);
/* Goes on with lines whose turn was over. */
void wire_in_catch_up(struct wire *wire);
/* OpenSSL's report of every message: counts key updates. */
void wire_in_on_message(int is_ours, int version, int type, const void *bytes,
                        size_t len, SSL *ssl, void *arg);
int wire_in_read(BIO *bio, char *bytes, int len);

/* --- wire_out.c --- */

/* Sends hub->sealed, or keeps it behind what is stuck. */
void wire_out_push(struct wire *wire);
/* Encrypts and sends what is queued, and goes on with the goodbye. Calls no owner. */
void wire_out_flush(struct wire *wire);
/* Calls on_writable as soon as the socket takes bytes. */
void wire_out_await_room(struct wire *wire);
int wire_out_write(BIO *bio, const char *bytes, int len);

/* --- wire_hub.c --- */

/* Puts wire into the list of that head, out of the one it was in. */
void wire_hub_enlist(struct wire *wire, struct wire **head);
void wire_hub_set_behind(struct wire *wire, bool is_behind);

#endif
