/* A visit is a session with a server from connecting to leaving. The interactive
 * client, the bot and the download of records all use it. It connects, checks the key,
 * chooses a name, logs in, queues the requests that wait for an answer, sends a ping
 * when the server is silent, and reconnects after a loss.
 *
 * Knows nothing about games and screens: its callers interpret the lines and ask the
 * user. */
#ifndef CLIENT_NET_VISIT_H
#define CLIENT_NET_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/types.h>

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"

struct event_base;
struct visit;

struct visit_wish {
    const struct prefs *prefs; /* borrowed; contains file paths, the value of --pin and
                                * the wanted name */
    const struct link *to;     /* borrowed */
    const char *name;          /* name to log in with; "": the visit chooses a name
                                * after connecting: see choose_name() in visit.c */
    const char *owner_code;    /* code to become an owner at the first login; NULL:
                                * none */
    const char *door_code;     /* code to enter the server if the link has none; NULL:
                                * none */
    bool is_guest;             /* log in without a name and without a key */
    bool is_question; /* do not log in and do not lock a name: only ask which games wait
                       * for the user (command `due`). on_text gets the games, and then
                       * on_answer is called once */
    bool asks;        /* the user can be asked: call on_ask_key and on_ask_name */
    bool reconnects;  /* reconnect automatically after a loss */
};

enum visit_state {
    VISIT_AWAY,     /* there is no connection, or it is being established */
    VISIT_GREETING, /* waiting for the server's first line */
    VISIT_NAMING,   /* disconnected, waiting for visit_answer_name() */
    VISIT_LOGIN,    /* waiting for the answer to login */
    VISIT_READY,
    VISIT_LEAVING
};

/* Why a visit ended or was interrupted. */
enum visit_end {
    VISIT_UNREACHABLE, /* the first connection failed */
    VISIT_DISTRUST,    /* the user or the client did not accept the server's key */
    VISIT_STRANGE,     /* the server speaks another protocol version */
    VISIT_NAMELESS,    /* the server gave no name, or the key of our name cannot be
                        * loaded */
    VISIT_BAD_NAME,    /* the name in prefs is not valid */
    VISIT_BUSY_NAME,   /* another client of this user has the name in use */
    VISIT_REFUSED,     /* login was refused, and the user cannot be asked for another
                        * name */
    VISIT_TURNED_AWAY, /* the server said bye before the login */
    VISIT_TAKEN_OVER,  /* another client of this user has logged in with our name */
    VISIT_UNADMITTED,  /* the server does not accept our certificate */
    VISIT_DISMISSED,   /* the server said bye for a reason that forbids reconnecting */
    VISIT_SILENT, /* visit_run() gives up: the server has sent nothing for 20 seconds,
                   * or for 15 minutes if it has said that its storage delays answers */
    VISIT_LOST    /* the connection was lost; visit_loss() says whether an attempt
                   * follows */
};

/* A lost connection. All members become 0 when the session is completely restored.
 * Times are on the clock of mono_now_ms(). */
struct visit_loss {
    int64_t since_ms;    /* 0: not lost */
    int64_t retry_at_ms; /* time of the next attempt; 0: an attempt is running, or none
                          * follows */
    int attempt;         /* number of the next attempt */
    bool is_resting;     /* automatic attempts are off */
    const char *why;     /* reason of the last failure, in words; valid until the next
                          * failure */
};

/* A request that waits for its answer. */
struct visit_request {
    struct visit_request *next;
    uint32_t tag;
    char verb[16];
    char about[NAME_BYTES]; /* the command's first argument, cut to this size; "":
                             * none */
    int64_t game;           /* number of the game that the command is about; -1: none */
    int64_t sent_ms;        /* on the monotonic clock */
    bool is_quiet;          /* not typed by the user: do not show the answer */
    char line[];            /* the command, without its tag */
};

enum { VISIT_WORDS_BYTES = 1024 };

/* on_end and on_answer must be set. If wish.is_question is false, on_refused must be
 * set too. If wish.asks is true, on_ask_key and on_ask_name must be set too. The other
 * members may be NULL; they are then not called. The event loop calls the callbacks.
 * Only visit_run() and visit_answer_name() can also call callbacks before they return;
 * visit_answer_name() then calls only on_ask_name or on_end. */
struct visit_calls {
    /* The first connection to the server was established. `words` describes the server
     * and ends with an LF. keeps_other: a different key is stored for this server and
     * was not replaced. */
    void (*on_met)(void *owner, const char *words, bool keeps_other);
    /* The server's key is unknown; visit_answer_key() accepts it. `words` describes the
     * key. */
    void (*on_ask_key)(void *owner, const char *words);
    /* A name is needed: answer with visit_answer_name(). bad: the invalid name given
     * before; NULL: none. busy: the name that another client of this user has in use on
     * this server; NULL: none. is_refused: the server has refused a name. Then do not
     * offer a default name. */
    void (*on_ask_name)(void *owner, const char *bad, const char *busy,
                        bool is_refused);
    /* Another client of this user uses the name `busy`, so this visit uses `name`. */
    void (*on_beside)(void *owner, const char *busy, const char *name);
    /* The server answered the login with ERR. on_ask_name or on_end follows. */
    void (*on_refused)(void *owner, const struct proto_line *line);
    /* The login succeeded. `games` lists our running games; parse it with
     * visit_next_game(). Call visit_resume() for each game whose events are wanted. */
    void (*on_resume)(void *owner, const char *games);
    /* Called after on_resume: commands may be sent now. line: the server's OK to the
     * login. */
    void (*on_ready)(void *owner, const struct proto_line *line, bool is_first);
    /* Called after a loss of the connection, as soon as all events requested with
     * visit_resume() have arrived. away_ms: how long the connection was lost. */
    void (*on_back)(void *owner, int64_t away_ms);
    /* on_event: an event of a game arrived. on_notice: a notice arrived. on_text: one
     * line of an answer of several lines arrived. on_answer: the last line of an
     * answer, OK or ERR, arrived. The answered request is then no longer in the queue.
     * It may be a ping that the visit itself has sent; is_quiet is then true. */
    void (*on_event)(void *owner, int64_t game, int number, const char *text,
                     int64_t now_ms);
    void (*on_notice)(void *owner, const struct proto_line *line, int64_t now_ms);
    void (*on_text)(void *owner, const struct visit_request *request, const char *row);
    void (*on_answer)(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms);
    /* A line with unprintable characters arrived and was discarded. */
    void (*on_bad_line)(void *owner);
    /* on_heard is called after each line, on_tick once a second. */
    void (*on_heard)(void *owner);
    void (*on_tick)(void *owner, int64_t now_ms);
    /* The visit has ended or is interrupted; `end` says why. After the loss of the
     * connection, the queued requests still exist during this call and are freed after
     * it. If no attempt follows, call visit_leave() to end the loop, or visit_try_now()
     * to try again. */
    void (*on_end)(void *owner, enum visit_end end);
};

/* Creates the TLS context for a visit. A player authenticates with the key from
 * `prefs`, which is created if it is missing; a guest authenticates only if --cert and
 * --key were given. On failure, prints the reason and returns NULL. */
SSL_CTX *visit_tls(const struct prefs *prefs, bool is_guest) MUST_USE;

/* Takes ownership of `tls`. Copies *wish, but borrows the strings and structs to which
 * its members point. Borrows `base` and `calls`. */
struct visit *visit_new(struct event_base *base, SSL_CTX *tls,
                        const struct visit_wish *wish, const struct visit_calls *calls,
                        void *owner) MUST_USE;
/* Closes the connection and frees the visit. Accepts NULL. */
void visit_free(struct visit *visit);

/* Runs a whole visit without a terminal, in its own event loop, until visit_leave().
 * Sets *visit before the first callback. Returns false, after logging the reason, if
 * the TLS context cannot be created. */
bool visit_run(struct visit **visit, const struct visit_wish *wish,
               const struct visit_calls *calls, void *owner) MUST_USE;

/* --- Coming and going --- */

void visit_start(struct visit *visit);
/* Sends "quit" and ends the loop when the connection is closed. Ends the loop
 * immediately if there is no connection, or at the second call. */
void visit_leave(struct visit *visit);
/* While disconnected: visit_try_now() starts an attempt now, visit_rest() turns
 * automatic attempts off. */
void visit_try_now(struct visit *visit);
void visit_rest(struct visit *visit);
void visit_set_reconnects(struct visit *visit, bool reconnects);

/* Answers on_ask_key: the user trusts the key. The visit continues. */
void visit_answer_key(struct visit *visit);
/* Answers on_ask_name. code: a one-time code that adds this device to the name, or "".
 * Returns false if `name` is invalid; then the question is still open. If `name` was
 * reported as busy, it is taken over from the other client. */
bool visit_answer_name(struct visit *visit, const char *name,
                       const char *code) MUST_USE;
/* Returns the rule that a valid name follows, in words for the user. */
const char *visit_name_rule(void);
/* Writes the name that is used if the player gives none. */
void visit_default_name(const struct visit *visit, char out[NAME_BYTES]);

enum visit_state visit_state(const struct visit *visit);
/* visit_is_ready(): logged in now. visit_was_ready(): logged in at least once. */
bool visit_is_ready(const struct visit *visit);
bool visit_was_ready(const struct visit *visit);
const struct visit_loss *visit_loss(const struct visit *visit);
/* Returns true if the visit was logged in before and is not logged in now. */
bool visit_is_away(const struct visit *visit);
/* Returns our name; "" before the login. */
const char *visit_name(const struct visit *visit);
/* Returns the server's public key. */
const struct tls_key *visit_key(const struct visit *visit);
/* Returns true if the server runs on this machine, or is reached through a tunnel that
 * begins here. */
bool visit_is_loopback(const struct visit *visit);
/* Returns true if the server has sent "bye", which announces that it closes the
 * connection. */
bool visit_has_bye(const struct visit *visit);

/* visit_describe_end() describes why the visit ended, in lines for standard error (""
 * if the user has already been told); visit_exit_code() returns the exit status. */
void visit_describe_end(char out[VISIT_WORDS_BYTES], const struct visit *visit,
                        enum visit_end end);
int visit_exit_code(enum visit_end end);

/* --- Requests --- */

/* Sends a command and queues a request for its answer. `game` and is_quiet are members
 * of struct visit_request. Returns the request's tag; if not logged in, returns 0 and
 * sends nothing. */
uint32_t visit_send(struct visit *visit, const char *line, int64_t game, bool is_quiet);
uint32_t visit_sendf(struct visit *visit, int64_t game, bool is_quiet,
                     const char *format, ...) PRINTF_LIKE(4, 5);
/* Requests the events of a game, from event number `next` to the last. code: the code
 * of a private game, or "". */
void visit_resume(struct visit *visit, int64_t game, int next, const char *code);
/* Returns true if events requested by visit_resume() are still missing. */
bool visit_is_resuming(const struct visit *visit);
/* Returns the oldest unanswered request, or NULL. The member `next` of a request points
 * to the request that was sent after it. */
const struct visit_request *visit_requests(const struct visit *visit);
/* Takes the next number from a list like "3,7" and advances *games past it. Returns
 * false at the end of the list. */
bool visit_next_game(const char **games, int64_t *game) MUST_USE;

#endif
