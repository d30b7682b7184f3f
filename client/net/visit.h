/* A visit to a server, from connecting to leaving: one way for a player at a terminal, a
 * bot, and whoever fetches something and leaves. It connects, judges the key, chooses a
 * name and logs in, keeps the requests that wait for an answer, asks a silent server for
 * a sign of life, and comes back after a loss.
 *
 * Knows no game and no screen: what lines say, and what a person answers, is known
 * above. */
#ifndef CLIENT_NET_VISIT_H
#define CLIENT_NET_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/types.h>

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "client/net/trust.h"
#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"

struct event_base;
struct visit;

struct visit_wish {
    const struct prefs *prefs; /* borrowed: files, --pin, the name that is wanted */
    const struct link *to;     /* borrowed */
    const char *name;          /* "": it is chosen at the server, by prefs */
    bool is_guest;             /* logs in without a name, with no proof of it */
    bool asks;                 /* a person can be asked: on_ask_key, on_ask_name */
    bool reconnects;           /* comes back by itself after a loss */
};

enum visit_state {
    VISIT_AWAY,     /* no connection, or one that does not stand yet */
    VISIT_GREETING, /* waits for the server's first line */
    VISIT_NAMING,   /* on_ask_name waits for an answer, without a connection */
    VISIT_LOGIN,    /* waits for the answer to login */
    VISIT_READY,
    VISIT_LEAVING
};

/* Why a visit does not go on. */
enum visit_end {
    VISIT_UNREACHABLE, /* the first connection failed */
    VISIT_DISTRUST,    /* the key was not accepted */
    VISIT_STRANGE,     /* the server speaks another protocol */
    VISIT_NAMELESS,    /* the server gave no name */
    VISIT_BAD_NAME,    /* the name in prefs is not valid */
    VISIT_REFUSED,     /* login, and nobody can be asked for another name */
    VISIT_TURNED_AWAY, /* the server said goodbye before the login */
    VISIT_DISMISSED,   /* its goodbye means that we are not to come back */
    VISIT_LOST         /* the connection; loss says whether an attempt follows */
};

/* A connection that is lost, until all is as before. */
struct visit_loss {
    int64_t since_ms;    /* 0: there is none */
    int64_t retry_at_ms; /* the next attempt; 0: one is under way, or none follows */
    int attempt;         /* its number */
    bool is_resting;     /* no attempt follows by itself */
    const char *why;     /* of the last failure, for a person; until the next one */
};

/* A request that has no answer yet. */
struct visit_request {
    struct visit_request *next;
    uint32_t tag;
    char verb[16];
    char about[NAME_BYTES]; /* its first argument, if it is short */
    int64_t game;           /* -1: about none */
    bool is_quiet;          /* ours and not the player's: its answer is not shown */
};

enum { VISIT_WORDS_BYTES = 1024 };

/* Those that are NULL are not called. None is called from inside a call from
 * above. */
struct visit_calls {
    /* Connected for the first time: words say to what, with an LF. keeps_other: another
     * key is kept for this server, and stays. */
    void (*on_met)(void *owner, const char *words, bool keeps_other);
    /* Nobody has said yet whether this key is good: visit_answer_key(). words describe
     * it. */
    void (*on_ask_key)(void *owner, const char *words);
    /* A name is wanted: visit_answer_name(). bad: it is no name; NULL: none is known.
     * is_refused: one was refused, so there is no name to fall back on. */
    void (*on_ask_name)(void *owner, const char *bad, bool is_refused);
    /* ERR to login. on_ask_name or on_end follows. */
    void (*on_refused)(void *owner, const struct proto_line *line);
    /* Logged in. games lists the running games of ours: visit_next_game(). Ask for each
     * game that goes on with visit_resume(). */
    void (*on_resume)(void *owner, const char *games);
    /* After on_resume: a command may be sent now. line is the OK to login. */
    void (*on_ready)(void *owner, const struct proto_line *line, bool is_first);
    /* All that was asked for by visit_resume() after a loss has come. */
    void (*on_back)(void *owner, int64_t away_ms);
    /* A game's event, a notice, a line of a text block, the answer to a request (also to
     * the ping that the visit sends, which is quiet). At its answer the request is not
     * in the queue any more. */
    void (*on_event)(void *owner, int64_t game, int number, const char *text,
                     int64_t now_ms);
    void (*on_notice)(void *owner, const struct proto_line *line, int64_t now_ms);
    void (*on_text)(void *owner, const struct visit_request *request, const char *row);
    void (*on_answer)(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms);
    /* A line came that may not be shown, and was thrown away. */
    void (*on_bad_line)(void *owner);
    /* After each line, and once a second. */
    void (*on_heard)(void *owner);
    void (*on_tick)(void *owner, int64_t now_ms);
    /* The connection is gone or did not come about. The requests that wait are still
     * there, and are dropped after the call. Unless an attempt follows, visit_leave()
     * ends the loop; one may be asked for with visit_try_now() instead. */
    void (*on_end)(void *owner, enum visit_end end);
};

/* The context for a visit. A player proves the name with a key of his own, which is made
 * if there is none; a guest shows none. NULL after logging why. */
SSL_CTX *visit_tls(const struct prefs *prefs, bool is_guest) MUST_USE;

/* Takes tls over. base, calls, and what wish points to are borrowed. */
struct visit *visit_new(struct event_base *base, SSL_CTX *tls,
                        const struct visit_wish *wish, const struct visit_calls *calls,
                        void *owner) MUST_USE;
/* Takes NULL. */
void visit_free(struct visit *visit);

/* --- Coming and going --- */

void visit_start(struct visit *visit);
/* Says goodbye and then ends the loop; at once if there is no connection, or the second
 * time. */
void visit_leave(struct visit *visit);
/* While away: tries now, or tries no more by itself. */
void visit_try_now(struct visit *visit);
void visit_rest(struct visit *visit);
void visit_set_reconnects(struct visit *visit, bool reconnects);

/* The answer to on_ask_key: the key is trusted, and the visit goes on. */
void visit_answer_key(struct visit *visit);
/* The answer to on_ask_name; code lets this device in under the name, or is "". False:
 * name is not valid, and the question stands. */
bool visit_answer_name(struct visit *visit, const char *name,
                       const char *code) MUST_USE;
/* What a name may be, in words. */
const char *visit_name_rule(void);
/* What a player is called who gives no name. */
void visit_default_name(char out[NAME_BYTES]);

enum visit_state visit_state(const struct visit *visit);
/* Logged in now; logged in at any time. */
bool visit_is_ready(const struct visit *visit);
bool visit_was_ready(const struct visit *visit);
const struct visit_loss *visit_loss(const struct visit *visit);
/* There was a connection, and there is none now, or not one that is logged in. */
bool visit_is_away(const struct visit *visit);
/* Our name; "" before the login. */
const char *visit_name(const struct visit *visit);
/* The server's key. */
const struct tls_key *visit_key(const struct visit *visit);
/* The server is on this machine, or at the end of a tunnel that begins on it. */
bool visit_is_loopback(const struct visit *visit);
/* When the server last said something. */
int64_t visit_heard_ms(const struct visit *visit);
/* It has said goodbye, and why. */
bool visit_has_bye(const struct visit *visit);

/* Why it ended, in lines for a person, for standard error; "" where all has been said.
 * And the status for the program to exit with. */
void visit_describe_end(char out[VISIT_WORDS_BYTES], const struct visit *visit,
                        enum visit_end end);
int visit_exit_code(enum visit_end end);

/* --- Requests --- */

/* Sends a command and waits for its answer. Its tag; 0: not logged in, nothing is sent.
 */
uint32_t visit_send(struct visit *visit, const char *line, int64_t game, bool is_quiet);
uint32_t visit_sendf(struct visit *visit, int64_t game, bool is_quiet,
                     const char *format, ...) PRINTF_LIKE(4, 5);
/* Asks for a game's events from the one with number next. */
void visit_resume(struct visit *visit, int64_t game, int next);
/* Not all that visit_resume() asked for has come. */
bool visit_is_resuming(const struct visit *visit);
/* The oldest request without an answer, and the later ones behind it. */
const struct visit_request *visit_requests(const struct visit *visit);
/* Takes the next number off "3,7". False: there is none. */
bool visit_next_game(const char **games, int64_t *game) MUST_USE;

#endif
