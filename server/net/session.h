/* One connection from greeting to goodbye: its state and its answers. usage.h says
 * what the client of a session may use. This module does not know games: it reports
 * to its callbacks.
 *
 * What a session is sent waits for its rows (gate.h). While a command waits for data that
 * is read from the disk, its session is held: the session does not receive further lines,
 * so that answers keep the order of the commands. A session may end in any turn of the
 * loop. If you need a session in a later turn, keep its id, and not a pointer:
 * session_find() returns NULL once the session has ended. To end a session, call
 * session_close(). */
#ifndef SERVER_NET_SESSION_H
#define SERVER_NET_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/util.h>
#include <openssl/types.h>

#include "common/base/base.h"
#include "common/base/gate.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"
#include "common/net/wire.h"
#include "common/net/wire_buffer.h"
#include "server/admission/admission.h"
#include "server/net/usage.h"

struct account;
struct cursor;
struct event;
struct event_base;
struct fresh_token;
struct session;
struct sessions;
struct tv_watcher;
struct web_request;

enum session_state {
    SESSION_HANDSHAKE, /* the TLS handshake is running */
    SESSION_UNTOLD,    /* it chose no protocol: its first line may be a request */
    SESSION_REQUEST,   /* a browser: its lines are requests (web.h) */
    SESSION_HELLO,     /* greeted, not logged in */
    SESSION_GUEST,     /* logged in without a name; may watch */
    SESSION_MEMBER,    /* has a name and may play */
    SESSION_HOST,      /* the operator at the control socket: janggid ctl */
    SESSION_LEAVING    /* the goodbye has been sent */
};
enum { SESSION_STATES = SESSION_LEAVING + 1 };
#define IN(state) (1u << (state))

/* Owned by struct sessions. Other files may read all members. They may write a member
 * only if its comment allows it, for example with "written by the lobby". */
struct session {
    uint64_t id;
    struct sessions *of;
    struct wire *wire;
    enum session_state state;
    bool is_held;
    bool was_member;         /* it has logged in with a name of its own */
    bool is_answered;        /* the current command has its OK or ERR */
    struct wire_buffer rows; /* unsent rows of the current answer */
    char *last; /* the OK or ERR that follows the unsent rows; NULL: not known yet */
    uint64_t answered; /* the stamp (gate.h) of the newest answer */
    bool is_new;       /* logged in, but the OK of the login has not been sent yet */
    bool wants_board;  /* the client gets boards drawn as text; written by the verb
                       * `view` */
    bool wants_seeks;  /* is in the list of sessions that see all seeks; written by
                       * seeks.c */
    struct session *listener_prev, *listener_next;
    struct tv_watcher *tv;     /* set while it watches the best game (verb `tv`); owned
                                * by tv.c */
    unsigned acted;            /* a bit for each shared list (command.h), set if the
                                * session has sent a command since it got that list; a
                                * command that asks for a list does not count */
    int refused_lines;         /* lines refused since the last one that was accepted */
    char tag[PROTO_TAG_BYTES]; /* the tag of the current command; "": none */
    char name[NAME_BYTES];     /* in its shown spelling; "" before login; written by the
                                * lobby */
    struct account *account;   /* NULL for guests; written by the lobby */
    const uint64_t *least; /* the stamp of its account: what it is told waits at least
                                * for that row; NULL: none; written by the lobby */
    struct fresh_token *fresh; /* a token that its login has made, until it is sent;
                                * owned by cmd_login.c */
    bool is_sent;              /* its wire has ended after sending everything */
    bool awaits_end; /* the host's `drain`, answered at the server's end; written by
                      * host.c */
    int64_t *ends;   /* games whose end was sent, with no command since then (ends.h);
                    * written by the lobby */
    int end_count, end_room;
    bool has_more_ends;          /* the store has more ends that the player has not
                                  * seen; written by the lobby */
    struct cursor *cursors;      /* the games it follows; written by the feed */
    int cursor_count;            /* written by the feed */
    bool is_proxied;             /* it came through a proxy on this machine */
    bool is_web;                 /* its client speaks HTTP or WebSocket: a browser */
    struct web_request *request; /* the request of a browser; owned by web.c */
    struct usage usage;          /* what the client uses; written by usage.c */
    int lag_ms;                  /* the lag, measured at lag_at_ms */
    int64_t lag_at_ms;           /* 0: the lag was never measured */
    struct event *login_timer;
    UT_hash_handle hh;
    struct session *here_prev, *here_next; /* in the list of those who are logged in */
};

struct session_calls {
    /* True when the session plays a game: it may then send some lines even if its
     * network has no budget left. May be NULL: false for all. */
    bool (*is_playing)(void *arg, const struct session *session);
    /* A whole line has come, and the budgets allow it. The bytes of `raw` may be
     * changed. */
    void (*on_line)(void *arg, struct session *session, char *raw, int64_t now_ms);
    /* A line of a request has come, in SESSION_REQUEST. `line` NULL: the line was
     * dropped, for the reason `why`. May be NULL when no wire speaks HTTP. */
    void (*on_request)(void *arg, struct session *session, const char *line,
                       enum wire_why why, int64_t now_ms);
    /* The OK of the session's login has been sent. */
    void (*on_login)(void *arg, struct session *session);
    /* The session is closing: no more lines are sent to it, but its connection may
     * still be open. The callee must set session->account to NULL, because the account
     * may be freed before the session. May be called again. */
    void (*on_leave)(void *arg, struct session *session);
    /* Output that had to wait has been sent, or may be sent now. */
    void (*on_drain)(void *arg, struct session *session);
    /* The session has ended and is freed after this call. Called once for each
     * session. */
    void (*on_gone)(void *arg, struct session *session);
};

struct session_settings {
    const char *greeting;        /* a whole line, but without its LF; borrowed */
    const char *farewell;        /* NULL: none. Otherwise a session gets no greeting,
                                  * but "! bye why=" with this text, and is closed;
                                  * borrowed */
    struct admission *admission; /* borrowed; if NULL, all slots are NULL as well */
    int64_t login_ms;
    bool has_web; /* clients that chose no protocol may begin with a request */
    /* The times after which an idle guest, or a client that does not read its output,
     * is disconnected; 0: never. */
    int64_t guest_idle_ms, slow_reader_ms;
    struct rate chat; /* of one client */
};

/* Makes an empty set of sessions. Borrows `base` and `calls`, copies `settings`. */
struct sessions *sessions_new(struct event_base *base,
                              const struct session_settings *settings,
                              const struct session_calls *calls, void *arg) MUST_USE;
/* Uses these settings from now on. Two settings do not change: slow_reader_ms, and
 * guest_idle_ms if it was 0 in sessions_new(). */
void sessions_change(struct sessions *sessions,
                     const struct session_settings *settings);
/* From now on the line `notice` follows each greeting. `notice` is a whole line, but
 * without its LF. NULL: only the greeting is sent. Borrowed. `sessions` may be NULL. */
void sessions_add_to_greeting(struct sessions *sessions, const char *notice);
/* From now on, what sessions send waits for its rows (wire_hub_set_gate()). Borrows the
 * gate; sets its stamp before each line of a client, and widens it after it. */
void sessions_set_gate(struct sessions *sessions, struct gate *gate);
/* While writes have to wait, lines whose rows are on disk overtake those that wait, so
 * that a player of two games can play the other one. */
void sessions_set_outage(struct sessions *sessions, bool has_outage);
/* Returns the hub of their wires, for other connections whose output waits too. */
struct wire_hub *sessions_hub(const struct sessions *sessions);
/* Frees the set. Call it when the last session has ended. Accepts NULL. */
void sessions_free(struct sessions *sessions);
/* Counts all but the host's. */
int sessions_count(const struct sessions *sessions);
/* Counters since the start. */
struct session_tally {
    uint64_t lines, bytes;     /* lines received; bytes sent, before encryption */
    uint64_t refused[REPLIES]; /* refused commands, by the code of the ERR */
};
struct session_tally sessions_tally(const struct sessions *sessions);
/* Stops taking commands: the server shuts down. */
void sessions_stop(struct sessions *sessions);
/* True while some session waits for an answer. */
bool sessions_has_held(struct sessions *sessions);
/* Closes all sessions. */
void sessions_close_all(struct sessions *sessions, const char *why, const char *words);
/* Ends the connections that are left, without waiting for their peers. Afterwards the
 * loop frees their sessions. Accepts NULL. */
void sessions_drop_all(struct sessions *sessions);

/* Makes the session of an accepted socket. The session owns the socket. The callback
 * on_gone must give session->usage.slot back to admission. */
void session_open(struct sessions *sessions, SSL_CTX *ctx, evutil_socket_t fd,
                  struct slot *slot);
/* Makes the session of a connection from a proxy on this machine, without TLS. The
 * session owns the socket. The session gets its slot later, when a request tells the
 * address of the client: see session_come_from(). Closes the socket if too many proxied
 * sessions have no slot yet, or after sessions_stop(). */
void session_open_proxied(struct sessions *sessions, evutil_socket_t fd);
/* Makes a session of the host, at an accepted local socket, which it owns. It is named
 * `name`, is not greeted, has no slot, and outlives sessions_close_all() and
 * sessions_drop_all(): the host waits for the server's end. */
void session_open_host(struct sessions *sessions, evutil_socket_t fd, const char *name);
/* Sets the slot of the client for which the proxy has connected. */
void session_come_from(struct session *session, struct slot *slot);
struct session *session_find(struct sessions *sessions, uint64_t id);
/* Like session_find(), but also returns NULL if the session is leaving, because an
 * answer can no longer be sent to it. */
struct session *session_find_open(struct sessions *sessions, uint64_t id);
struct session *sessions_first(struct sessions *sessions);
struct session *sessions_next(struct session *session);

/* These go through the logged-in sessions, guests included, in the order of their
 * logins. sessions_count_here() counts them; sessions_count_in() counts the sessions in
 * one state. */
struct session *sessions_first_here(const struct sessions *sessions);
struct session *sessions_next_here(const struct session *session);
int sessions_count_here(const struct sessions *sessions);
int sessions_count_in(const struct sessions *sessions, enum session_state state);

void session_set_state(struct session *session, enum session_state state);

/* Returns the lag of the client in milliseconds: the shortest round trip of the last
 * minutes. A lag below 10 ms counts as 0, because the machine, and not the network, may
 * have caused it. For a client behind a proxy on this machine, also returns 0. */
int session_lag_ms(struct session *session, int64_t now_ms);

/* Call it when a browser's request has turned the connection into a WebSocket: from now
 * on each line is a frame. Sends the greeting. */
void session_become_framed(struct session *session);

/* Sends whole lines unchanged, stamped with gate_stamp(), or with `stamp`. */
void session_send(struct session *session, const char *bytes, size_t len);
void session_send_after(struct session *session, const char *bytes, size_t len,
                        uint64_t stamp);
/* Sends one line; adds the LF. */
void session_sayf(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
/* The answers to the current command tell of rows up to `stamp` only (gate_narrow()).
 * They still keep their place behind earlier answers that wait. */
void session_narrow(struct session *session, uint64_t stamp);

/* Adds "| words" to the answer to the current command. Such rows are sent before the OK
 * or ERR, only as fast as the peer reads, so that even many of them cannot exceed the
 * limit of waiting output. The session is held meanwhile. */
void session_rowf(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
/* Sends "! notice KEYS", with the words of the catalogue if the keys, such as
 * "why=restart in_s=60", have none. */
void session_notice(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
/* Sends the one answer to the current command: "OK words" or "ERR code words" with its
 * tag. Releases a held session. session_ok() returns true and session_err() false, for
 * callers to return. */
bool session_ok(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
bool session_ok_words(struct session *session, const char *words);
/* `format` makes the keys of a refusal, such as "why=away game=3 name=kim"; its words
 * come from the catalogue of messages. "why=away#left game=3" is the sentence "left" of
 * those with this reason; the part from # on is not sent. A refusal whose words are not in
 * the catalogue has them after " : ". */
bool session_err(struct session *session, enum reply reply, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Makes the session read no further line until the current command is answered. The
 * answer ends the hold. If the command is run again instead of being answered, call
 * session_release() before that. */
void session_hold(struct session *session);
void session_release(struct session *session);

/* Adds the penalty of a fault to the session's network. Use it for a fault that does
 * not end the session by itself. Call it after the answer. If the penalty of the
 * network is then above the limit, closes the session. If the session stayed open, it
 * could renew the penalty for ever, and the server would always refuse other clients of
 * the network. If the penalty of the network is already above the limit before the
 * call, does nothing. */
void session_blame(struct session *session, enum admission_fault fault, int64_t now_ms);

/* Closes the session. Before that it sends what is queued, and then "! bye why=..." with
 * `words`, a text for people; NULL: that of the catalogue. why: one word, which may be
 * followed by further items such as "in_s=60". May be called again. */
void session_close(struct session *session, const char *why, const char *words);

#endif
