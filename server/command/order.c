/* See order.h. */
#include "server/command/order.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/utf8.h"
#include "server/account/accounts.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/net/session.h"
#include "server/store/store.h"

enum { WORDS_BYTES = PROTO_LINE_MAX - 64 };

/* --- Answers --- */

static void say_row(void *of, uint64_t id, const char *words)
{
    struct session *session = session_find(of, id);

    if (session != NULL)
        session_rowf(session, "%s", words);
}

static void say_ok(void *of, uint64_t id, const char *words)
{
    struct session *session = session_find_open(of, id);

    if (session != NULL)
        session_ok(session, "%s", words);
}

static void say_err(void *of, uint64_t id, enum reply reply, const char *words)
{
    struct session *session = session_find_open(of, id);

    if (session != NULL)
        session_err(session, reply, "%s", words);
}

static void hold(void *of, uint64_t id)
{
    struct session *session = session_find(of, id);

    if (session != NULL)
        session_hold(session);
}

static const struct order_voice session_voice = {
    .row = say_row, .ok = say_ok, .err = say_err, .hold = hold};

void order_rowf(struct order_to to, const char *format, ...)
{
    char words[WORDS_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    to.voice->row(to.of, to.id, words);
}

int order_say_act(struct order_to to, const struct house_act *act)
{
    const char *line = act->words, *end;
    int rows = 1;

    order_rowf(to, "act %s at_s=%lld by=%s%s%s%s%s%s%.*s", act->kind,
               (long long)act->wall_s, act->actor,
               act->target[0] != '\0' ? " target=" : "", act->target,
               act->params[0] != '\0' ? " " : "", act->params,
               act->words[0] != '\0' ? " : " : "", (int)strcspn(line, "\n"), line);
    for (; (end = strchr(line, '\n')) != NULL; rows++) {
        line = end + 1;
        order_rowf(to, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return rows;
}

void order_ok(struct order_to to, const char *format, ...)
{
    char words[WORDS_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    to.voice->ok(to.of, to.id, words);
}

void order_ok_count(const struct order *order, int count)
{
    if (count > LIST_ROWS_MAX)
        order_ok(order->to, "%s count=%d shown=%d", order->command->name, count,
                 LIST_ROWS_MAX);
    else
        order_ok(order->to, "%s count=%d", order->command->name, count);
}

void order_err(struct order_to to, enum reply reply, const char *format, ...)
{
    char words[WORDS_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    to.voice->err(to.of, to.id, reply, words);
}

void order_usage(const struct order *order, const char *words)
{
    const char *usage = order->usage != NULL ? order->usage : order->command->usage;

    order_err(order->to, REPLY_ARGS, "usage=\"%s\" : %s; usage: %s", usage, words,
              usage);
}

void order_hold(const struct order *order)
{
    if (order->to.voice->hold != NULL)
        order->to.voice->hold(order->to.of, order->to.id);
}

/* --- Running --- */

struct order order_of_call(const struct call *call)
{
    return (struct order){.world = call->world,
                          .command = call->command,
                          .to = {&session_voice, call->world->sessions, call->from->id},
                          .actor = call->from->name,
                          .role = account_role(call->from->account),
                          .argc = call->argc,
                          .argv = call->argv,
                          .rest = call->rest,
                          .now_ms = call->now_ms};
}

void order_run_call(struct call *call)
{
    struct order order = order_of_call(call);

    call->command->order(&order);
}

bool order_is_operators(const struct order *order)
{
    return strcmp(order->actor, HOUSE_OPERATOR) == 0;
}

struct session *order_session(const struct order *order)
{
    return order->to.voice == &session_voice ? session_find(order->to.of, order->to.id)
                                             : NULL;
}

bool order_spend_act(const struct order *order)
{
    struct account *actor = accounts_find(order->world->accounts, order->actor);

    if (order->role == ROLE_OWNER || actor == NULL ||
        !order->world->config->has_quotas || account_spend_act(actor, order->now_ms))
        return true;
    order_err(order->to, REPLY_SLOW_DOWN,
              "retry=%d : too many acts of the staff at once",
              60 / ACCOUNT_ACTS_PER_MIN);
    return false;
}

bool order_is_draining(const struct order *order)
{
    const struct closing *closing = &order->world->closing;
    char words[CLOSING_WORDS_BYTES];

    if (!closing_bars_games(closing, order->now_ms))
        return false;
    closing_format(words, closing, order->now_ms);
    if (closing->is_draining)
        order_err(order->to, REPLY_NOT_NOW, "why=draining : %s", words);
    else
        order_err(order->to, REPLY_NOT_NOW, "why=restart in_s=%lld : %s",
                  (long long)closing_in_s(closing, order->now_ms), words);
    return true;
}

/* --- Arguments --- */

const char *order_text(const struct order *order, int from)
{
    const char *at = text_skip_words(order->rest, from - 1);

    if (*at != '\0' && strlen(at) <= ORDER_TEXT_MAX && utf8_is_showable(at, strlen(at)))
        return at;
    order_usage(order, *at == '\0' ? "the text is missing"
                                   : "the text is longer than 1000 bytes");
    return NULL;
}

struct account *order_account(const struct order *order, const char *name)
{
    struct account *account = accounts_find(order->world->accounts, name);

    if (account == NULL)
        order_err(order->to, REPLY_NO_SUCH, ": unknown name: %.40s", name);
    else if (account->role < order->role || order->role == ROLE_OWNER)
        return account;
    else
        order_err(order->to, REPLY_NOT_NOW,
                  "why=rank : %s is %s of this server; only an owner may do that",
                  account->shown, role_name(account->role));
    return NULL;
}

bool order_parse_span(const char *word, int64_t *span_s)
{
    static const struct {
        char unit;
        int64_t s;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    enum { MOST_DAYS = 3650 };
    char number[12];
    size_t len = strlen(word);
    int64_t count;

    for (size_t i = 0; i < ARRAY_LEN(units) && len > 1 && len < 10; i++) {
        if (word[len - 1] != units[i].unit)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)(len - 1), word);
        if (text_to_int(number, 1, MOST_DAYS * (int64_t)86400 / units[i].s, &count)) {
            *span_s = count * units[i].s;
            return true;
        }
    }
    return false;
}

const char *order_timed_text(const struct order *order, int64_t *span_s)
{
    const char *word = order->argc > 2 ? order->argv[2] : "";

    if (strncmp(word, "for=", 4) != 0)
        return order_text(order, 2);
    *span_s = 0;
    if (strcmp(word, "for=ever") == 0 || order_parse_span(word + 4, span_s))
        return order_text(order, 3);
    order_usage(order, "for= takes a time such as 30m, 12h or 7d, or ever");
    return NULL;
}

/* --- Records --- */

void order_record(const struct order *order, const struct house_act *act,
                  const char *format, ...)
{
    struct house_act whole = *act;
    char words[WORDS_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    whole.actor = order->actor;
    house_record(order->world->house, &whole);
    /* During an outage only urgent verbs run. They are answered before their record is
     * on disk; what follows keeps its place behind what waits. */
    if (order->world->has_outage)
        gate_narrow(store_gate(order->world->store), GATE_FREE);
    order_ok(order->to, "%s", words);
    if (order->world->has_outage)
        gate_narrow(store_gate(order->world->store), GATE_IN_ORDER);
}
