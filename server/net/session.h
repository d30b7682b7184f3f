/* One connection from hello to goodbye: its state, its budget of lines, its answers.
 * Knows nothing of games; the floor above hands down what to call.
 *
 * A session that waits for the disk or for a game to settle is held: it gets no further
 * lines, so that answers keep the order of the commands. Across loop turns hold its id,
 * not a pointer: session_find() is NULL once it has gone. All doors out lead through
 * session_close(). */
#ifndef SERVER_NET_SESSION_H
#define SERVER_NET_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/util.h>
#include <openssl/types.h>
#include <uthash.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"
#include "common/net/wire.h"

struct account;
struct cursor;
struct event;
struct event_base;
struct session;
struct sessions;

enum session_state {
    SESSION_HANDSHAKE, /* TLS is under way */
    SESSION_HELLO,     /* greeted, not logged in */
    SESSION_GUEST,     /* may watch */
    SESSION_MEMBER,    /* has a name and may play */
    SESSION_LEAVING    /* said goodbye to */
};
enum { SESSION_STATES = SESSION_LEAVING + 1 };
#define IN(state) (1u << (state))

/* Tokens that fill with time: a budget of lines or of chat. */
struct bucket {
    int64_t at_ms;
    int64_t left_milli; /* thousandths of a token */
};

/* Owned by struct sessions. The floors above read it; they write only the fields
 * marked. */
struct session {
    uint64_t id;
    struct sessions *of;
    struct wire *wire;
    enum session_state state;
    bool is_held;
    bool is_too_many;
    bool is_answered;          /* the command in hand has its OK or ERR */
    char *block;               /* lines that are sent as the peer takes them, ... */
    size_t block_at;           /* ... how far that is, ... */
    char block_words[128];     /* ... and the OK that follows them */
    bool is_new;               /* in, but the OK that says so is still to come */
    bool wants_board;          /* written by `view` */
    uint32_t address;          /* the listener's number for the peer's address */
    char tag[PROTO_TAG_BYTES]; /* of the command in hand */
    char name[NAME_BYTES];     /* as shown; "" before login */
    struct account *account;   /* NULL for guests; written by the lobby */
    int64_t *ends; /* its games whose end it was sent, while no line of it has come
                      since; written by the lobby */
    int end_count, end_room;
    bool has_more_ends;     /* the disk has further ones; written by the lobby */
    struct cursor *cursors; /* games it reads; written by the feed */
    int cursor_count;       /* the same */
    struct bucket lines, chat, comings;
    struct event *login_timer;
    UT_hash_handle hh;
};

struct session_calls {
    /* A whole line within its budget. raw may be changed. */
    void (*on_line)(void *arg, struct session *session, char *raw, size_t len,
                    int64_t now_ms);
    /* The OK of its login was sent. */
    void (*on_login)(void *arg, struct session *session);
    /* Said goodbye to: it is nobody any more, though its wire may still be open. */
    void (*on_leave)(void *arg, struct session *session);
    /* Output that had to wait is gone. */
    void (*on_drain)(void *arg, struct session *session);
    /* The session has ended; it is freed after the call. Once for each session. */
    void (*on_gone)(void *arg, struct session *session);
};

struct session_settings {
    const char *greeting; /* a whole line without its end; borrowed */
    int64_t login_ms;
    int lines_per_s, lines_burst; /* 0: no limit */
    int chat_per_min, chat_burst;
};

/* base and calls are borrowed. */
struct sessions *sessions_new(struct event_base *base,
                              const struct session_settings *settings,
                              const struct session_calls *calls, void *arg) MUST_USE;
/* After the last session has gone. Takes NULL. */
void sessions_free(struct sessions *sessions);
int sessions_count(const struct sessions *sessions);
/* No new command is taken from now on: the server stops. */
void sessions_stop(struct sessions *sessions);
/* True while one waits for its answer. */
bool sessions_has_held(struct sessions *sessions);
/* Says goodbye to all. */
void sessions_close_all(struct sessions *sessions, const char *why, const char *words);

/* Takes the accepted socket. address is what the listener wants back with on_gone. One
 * too many is told so and closed. */
void session_open(struct sessions *sessions, SSL_CTX *ctx, evutil_socket_t fd,
                  uint32_t address, bool is_too_many);
struct session *session_find(struct sessions *sessions, uint64_t id);
struct session *sessions_first(struct sessions *sessions);
struct session *sessions_next(struct session *session);

void session_set_state(struct session *session, enum session_state state);

/* Sends whole lines as they are. */
void session_send(struct session *session, const char *bytes, size_t len);
/* One line; the LF is added. */
void session_sayf(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);

/* The one answer to the command in hand: "OK words" or "ERR code words" behind its tag.
 * Ends a hold. */
void session_ok(struct session *session, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same after a long text block: lines, whole ones with their "| " as they are to be
 * sent, which becomes the session's and is freed. It is sent as fast as the peer takes
 * it; the session is held meanwhile. */
void session_ok_block(struct session *session, char *lines, const char *format, ...)
    PRINTF_LIKE(3, 4);
void session_err(struct session *session, enum reply reply, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* No further line until the answer, or until session_release() for a command that will
 * be tried again. */
void session_hold(struct session *session);
void session_release(struct session *session);

/* One more thing said; false when that is too many at once. */
bool session_spend_chat(struct session *session, int64_t now_ms) MUST_USE;
/* One more game to whose players it is announced; false when that is too many at once.
 * As many as of chat. */
bool session_spend_coming(struct session *session, int64_t now_ms) MUST_USE;

/* Says "! bye why=..." with words for a person, sends what is queued, and goes. Any
 * number of times. */
void session_close(struct session *session, const char *why, const char *words);

#endif
