/* Orders: the verbs of the staff. An order comes from a session or from `janggid ctl`.
 * The same function runs the verb in both cases. An order says who gives it, with which
 * role, and where the answer goes. */
#ifndef SERVER_COMMAND_ORDER_H
#define SERVER_COMMAND_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/net/proto.h"
#include "server/account/house.h"
#include "server/account/role.h"

struct account;
struct call;
struct command;
struct session;
struct world;

/* Functions that send the answer. They find the receiver by its id in `of`. They do not
 * use a pointer to the receiver, because the receiver may leave before the answer is
 * sent. */
struct order_voice {
    void (*row)(void *of, uint64_t id, const char *words);
    void (*ok)(void *of, uint64_t id, const char *words);
    void (*err)(void *of, uint64_t id, enum reply reply, const char *words);
    void (*hold)(void *of, uint64_t id); /* called when the answer will come later; may
                                          * be NULL */
};
struct order_to {
    const struct order_voice *voice;
    void *of;
    uint64_t id;
};

/* A command that is being run. The struct is valid until the handler returns. A handler
 * that answers later keeps a copy of `to`, which is valid while the object at `of`
 * exists. */
struct order {
    struct world *world;
    const struct command *command;
    struct order_to to;
    const char *actor; /* the shown name of an account, or HOUSE_OPERATOR */
    enum role role;
    int argc;          /* including the verb */
    char **argv;       /* argv[0] is the verb */
    const char *rest;  /* everything after the verb */
    const char *usage; /* usage of the act in the first argument, such as "evening join
                        * ID"; set by the handler; NULL: the usage of the command */
    int64_t now_ms;
};

/* True if `janggid ctl` sent the order. False: a session sent the order. */
bool order_is_operators(const struct order *order);

/* Runs the command of a session as an order. */
void order_run_call(struct call *call);
/* Makes an order from the command of a session. The order is valid until the handler
 * returns. */
struct order order_of_call(const struct call *call);

/* --- For handlers --- */

/* Sends a row of a list, before the answer (session_rowf()). */
void order_rowf(struct order_to to, const char *format, ...) PRINTF_LIKE(2, 3);
/* Sends an entry of the audit log as a row of a list. If the words of the entry have
 * several lines, each further line is a row too. Returns the number of rows. */
int order_say_act(struct order_to to, const struct house_act *act);
/* Sends the answer after a list of `count` rows: "VERB count=N". If `count` is greater
 * than LIST_ROWS_MAX, only LIST_ROWS_MAX rows were sent. Then the answer also says
 * this, with shown=. */
void order_ok_count(const struct order *order, int count);
/* Sends the one answer: "VERB key=value ... : words". */
void order_ok(struct order_to to, const char *format, ...) PRINTF_LIKE(2, 3);
void order_err(struct order_to to, enum reply reply, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Answers ERR args with the usage of the verb. */
void order_usage(const struct order *order, const char *words);
/* The next lines of the sender are not run before the answer is sent. Call it if the
 * answer is sent later, through order->to. */
void order_hold(const struct order *order);

/* Returns the rest of the line as typed, beginning with argument number `from` (1: the
 * first). It is used as a text, such as a reason. Returns NULL after answering, if the
 * text is empty, is longer than ORDER_TEXT_MAX bytes, or has characters that cannot be
 * shown. */
enum { ORDER_TEXT_MAX = 1000 };
const char *order_text(const struct order *order, int from);

/* Finds the account that the order is about. Returns NULL, after answering, if there is
 * no such account, or if the person who gives the order may not act on it. An owner may
 * act on all accounts. Another person may act only on an account with a lower role than
 * the person's own role. */
struct account *order_account(const struct order *order, const char *name);

/* Parses a span of time: 90s 10m 12h 7d, at most 3650d. False: not a span. */
bool order_parse_span(const char *word, int64_t *span_s) MUST_USE;

/* Reads "[for=SPAN] TEXT", beginning with the second argument. Returns the text as
 * order_text() does; *span_s changes if a span is given. Spans: 90s 10m 12h 7d, at most
 * 3650d, or "ever" (0). NULL: has answered. */
const char *order_timed_text(const struct order *order, int64_t *span_s);

/* Returns the session that gives the order. NULL: the operator gives it, or the session
 * has ended. */
struct session *order_session(const struct order *order);

/* Spends one act from the budget of the person who gives the order (account.h); owners
 * have no limit. False: too many acts; has answered. Call it last, when nothing else
 * forbids the act. */
bool order_spend_act(const struct order *order) MUST_USE;

/* Returns true, after refusing, if no new game may start now. There are two possible
 * reasons: the server will end as soon as the running games are over, or the server
 * will stop within a minute. */
bool order_is_draining(const struct order *order);

/* Writes the act to the audit log, as done by the person who gives the order. Answers
 * OK with the words that `format` makes. */
void order_record(const struct order *order, const struct house_act *act,
                  const char *format, ...) PRINTF_LIKE(3, 4);

#endif
