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
    WIRE_RECEIVE_BYTES = 16 * 1024, /* limit of one recv(), and of what is kept */
    WIRE_RECORD_BYTES = SSL3_RT_MAX_PLAIN_LENGTH,
    WIRE_SEAL_BYTES = 4 * WIRE_RECORD_BYTES /* limit of text before the next send() */
};

enum wire_state {
    WIRE_CONNECTING, /* waits for the TCP connection */
    WIRE_SHAKING,    /* waits for the TLS handshake */
    WIRE_OPEN,
    WIRE_LEAVING,   /* sends what is queued, then close_notify and FIN */
    WIRE_LINGERING, /* everything is sent; reads until the peer has closed too, because
                     * closing a socket with unread bytes would reset the connection and
                     * lose the last line */
    WIRE_ENDED      /* waits for the hub to call on_end and free it */
};
enum { WIRE_STATES = WIRE_ENDED + 1 };

struct wire {
    struct wire_hub *hub;
    const struct wire_calls *calls;
    void *owner;
    SSL *ssl;
    evutil_socket_t fd;
    enum wire_state state;
    enum wire_why why; /* valid from WIRE_LEAVING on */
    char *detail;      /* valid from WIRE_ENDED on */

    struct event *readable;
    struct event *writable; /* exists while the socket accepts no bytes */
    struct event *deadline; /* exists while shaking, leaving or lingering */

    bool is_held;     /* held by its owner: no lines now */
    bool is_behind;   /* text or records has more input that was stopped */
    bool is_deaf;     /* reading is off, because input came while stopped */
    bool is_closing;  /* wire_close() was called while shaking */
    bool is_skipping; /* skips the rest of a line that is too long */
    bool is_flooding; /* set inside OpenSSL's callback, handled outside */
    bool is_eof;      /* the peer sends no more */
    bool wants_drain;
    bool has_key;

    size_t line_max;
    size_t idle_bytes; /* received since the last whole line */
    int key_updates;   /* since the last whole line */
    int key_updates_hour;
    int64_t hour_from_ms;

    struct wire_buffer text;    /* received, not yet given as lines */
    struct wire_buffer records; /* received, not yet decrypted */
    struct wire_buffer out;     /* to be sent, not yet encrypted */
    struct wire_buffer stuck;   /* encrypted, refused by the socket */

    struct wire **list; /* the hub's list that contains this wire */
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
    struct event *next_turn; /* a timer of 0: runs after the sockets have been polled */
    bool is_turn_end_due, is_next_turn_due;

    /* A wire is in at most one of these. */
    struct wire *dirty;   /* has new output */
    struct wire *drained; /* waits for on_drain */
    struct wire *dead;    /* waits for on_end and to be freed */
    /* And independently in this one: has input left from its last turn. */
    struct wire *behind;
    int behind_count;

    /* Buffers of the wire that is being handled; empty between two wires. */
    const char *records; /* received, for the BIO to read */
    size_t records_len;
    struct wire_buffer text;   /* decrypted */
    struct wire_buffer sealed; /* encrypted, written by the BIO */
    char received[WIRE_RECEIVE_BYTES];
};

/* Called before each call that may end in SSL_get_error(). The test is cheaper:
 * clearing takes some 800 instructions even when there is no error. */
static inline void wire_forget_errors(void)
{
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

/* True while lines may not be given: the owner holds the wire, or the peer does not
 * read. wire_go_on() continues. */
static inline bool wire_is_stopped(const struct wire *wire)
{
    return wire->is_held ||
           wire->out.len + wire->stuck.len > wire->hub->limits.queue_max / 2;
}

/* --- wire.c --- */

void wire_set_state(struct wire *wire, enum wire_state state);
/* Every wire ends here. Copies detail; NULL: the usual words for why. */
void wire_end(struct wire *wire, enum wire_why why, const char *detail);
/* Ends a wire after an error. Not an error while it is leaving. */
void wire_fail(struct wire *wire, enum wire_why why, const char *detail);
/* Starts the goodbye of an open wire. */
void wire_leave(struct wire *wire, enum wire_why why);
/* Continues its input, unless it is stopped for another reason. */
void wire_go_on(struct wire *wire);
/* One step of the handshake, with the input in hub->records. */
void wire_shake(struct wire *wire);
/* The connect() has succeeded or failed. */
void wire_finish_connect(struct wire *wire);

/* --- wire_in.c --- */

void wire_in_on_readable(evutil_socket_t fd, short what, void *arg);
/* Continues with lines left from the last turn. */
void wire_in_catch_up(struct wire *wire);
/* OpenSSL's message callback: counts key updates. */
void wire_in_on_message(int is_ours, int version, int type, const void *bytes,
                        size_t len, SSL *ssl, void *arg);
int wire_in_read(BIO *bio, char *bytes, int len);

/* --- wire_out.c --- */

/* Sends hub->sealed, or queues it behind what is stuck. */
void wire_out_push(struct wire *wire);
/* Encrypts and sends what is queued, and continues the goodbye. Calls no callback. */
void wire_out_flush(struct wire *wire);
/* Calls on_writable as soon as the socket accepts bytes. */
void wire_out_await_room(struct wire *wire);
int wire_out_write(BIO *bio, const char *bytes, int len);

/* --- wire_hub.c --- */

/* Moves wire into the list of that head. */
void wire_hub_enlist(struct wire *wire, struct wire **head);
void wire_hub_set_behind(struct wire *wire, bool is_behind);

#endif
