/* Verbs about the server: rules, limits, ping; and export, which prints all data that is
 * kept about a person. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/net/tls.h"
#include "common/words/guide.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/account/ratings.h"
#include "server/account/ticket.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/room/chatlog.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- rules --- */

static void say_rule(void *context, const char *line)
{
    session_sayf(context, "| %s", line);
}

static bool rules_run(struct call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : ruleset_name(ruleset_at(0));
    const struct ruleset *rules = ruleset_find(name);
    char words[128];
    struct text text = text_into(words, sizeof words);

    if (rules != NULL) {
        guide_page(rules, say_rule, call->from);
        return session_ok(call->from, "rules rules=%s", name);
    }
    if (guide_topic(name, say_rule, call->from))
        return session_ok(call->from, "rules topic=%s", name);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "" : ", ", ruleset_name(ruleset_at(i)));
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "; also " : ", ", guide_topic_at(i));
    return session_err(call->from, REPLY_NO_SUCH, "#rules rules=\"%s\"", words);
}

const struct command cmd_rules = {
    .usage = "rules [RULESET|TOPIC]",
    .help =
        "show a summary of the rules, or a page: names (of the pieces), xiangqi (for "
        "its players), bikjang, pass, setup",
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = rules_run,
};

/* --- limits --- */

#define ROW(word, at, is_quota, fixed)                                                 \
    {                                                                                  \
#word, at, is_quota, fixed                                                     \
    }
#define AT(member)                offsetof(struct config, member)
#define OPTION(word, member)      ROW(word, AT(member), false, 0)
#define QUOTA(word, member)       ROW(word, AT(member), true, 0)
#define FIXED(word, number)       ROW(word, 0, false, number)
#define FIXED_QUOTA(word, number) ROW(word, 0, true, number)

/* The rows of the answer to `limits`: what a player may meet. The value of a row is an
 * option of the host or a constant of this version. The rows made by QUOTA and FIXED_QUOTA
 * show 0 while quotas are off. */
static const struct limit {
    const char *name;
    size_t at; /* offset of an int in struct config; 0: the value is `fixed` */
    bool is_quota;
    int fixed;
} limits[] = {
    FIXED(line_bytes_before_login, PROTO_LINE_LOGIN_MAX),
    FIXED(line_bytes, PROTO_LINE_MAX),
    QUOTA(work_per_s, work_per_s),
    QUOTA(work_burst, work_burst),
    OPTION(chat_per_min, chat_per_min),
    OPTION(chat_burst, chat_burst),
    FIXED(chat_bytes, CHAT_BYTES_MAX),
    FIXED(message_bytes, MESSAGE_BYTES_MAX),
    FIXED(message_days, MESSAGE_DAYS),
    OPTION(seeks, quota[QUOTA_SEEK].account),
    OPTION(challenges, quota[QUOTA_CHALLENGE].account),
    OPTION(invites, quota[QUOTA_INVITE].account),
    QUOTA(moves_per_s, moves_per_s),
    OPTION(games_played, quota[QUOTA_GAME].account),
    FIXED_QUOTA(games_per_min, CONFIG_GAMES_PER_MIN),
    QUOTA(new_names_per_hour, quota[QUOTA_NAME].per_hour),
    QUOTA(new_names_per_day, quota[QUOTA_NAME].source),
    OPTION(games_watched, watch_max),
    QUOTA(connections_from_one_address, per_address_max),
    QUOTA(guest_idle_s, guest_idle_s),
    OPTION(slow_reader_s, slow_reader_s),
    OPTION(setup_s, setup_s), /* 0: the time of the ruleset */
    OPTION(absence_s, absence_s),
    OPTION(lag_max_ms, lag_max_ms),
    OPTION(login_s, login_s),
};

const char *cmd_about_limits_row(const struct config *config, size_t i, int *value)
{
    const struct limit *row = &limits[i];

    if (i >= ARRAY_LEN(limits))
        return NULL;
    *value = row->fixed;
    if (row->at != 0)
        *value = *(const int *)((const char *)config + row->at);
    if (row->is_quota && !config->has_quotas)
        *value = 0;
    if (row->at == offsetof(struct config, setup_s) && *value == 0)
        *value = RULES_SETUP_S;
    return row->name;
}

static bool limits_run(struct call *call)
{
    const char *name;
    int value;

    for (size_t i = 0;
         (name = cmd_about_limits_row(call->world->config, i, &value)) != NULL; i++)
        session_sayf(call->from, "| %s=%d", name, value);
    return session_ok(call->from, "limits : 0 is no limit");
}

const struct command cmd_limits = {
    .usage = "limits",
    .help = N_("the server's limits"),
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = limits_run,
};

/* --- ping --- */

static bool ping_run(struct call *call)
{
    return session_ok(call->from, "ping");
}

const struct command cmd_ping = {
    .usage = "ping",
    .help = N_("check that the server answers"),
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = ping_run,
};

/* --- export: rows in memory --- */

/* The most games in an export to a session; an export to `janggid ctl` has all. */
enum { SESSION_GAMES_MAX = 1000 };

struct export
{
    struct world *world;
    uint64_t session;
    struct session *to;            /* valid while the rows in memory are printed */
    const struct account *account; /* valid while the rows in memory are printed */
    bool is_own;
    int rows, games, games_max, rated;
    char name[NAME_BYTES];
};

/* Prints the account, its proofs, its marks and the messages to it. */
static void export_account(struct export *out, const struct world *world)
{
    const struct account *account = out->account;
    const char *me = account->folded;
    const struct session *session = session_find(world->sessions, account->session);
    const struct ticket *ticket = tickets_of(world->tickets, account);
    const struct proof *proof = account->proofs;
    char network[PREFIX_TEXT_BYTES + 10] = "", door[TICKET_BEGIN_BYTES + 8] = "";
    char address[80] = "", text[PREFIX_TEXT_BYTES], id[TLS_KEY_TEXT_BYTES];

    if (account->is_last_known) {
        prefix_format(text, &account->last_network);
        snprintf(network, sizeof network, " network=%s", text);
    }
    if (ticket != NULL)
        snprintf(door, sizeof door, " door=%s", ticket->begin);
    if (session != NULL)
        snprintf(address, sizeof address, " address=%.64s",
                 wire_peer_address(session->wire));
    session_rowf(
        out->to,
        "account %s number=%lld made_s=%lld seen_s=%lld role=%s first_game=%lld"
        "%s%s%s",
        account->shown, (long long)account->number, (long long)account->made_wall_s,
        (long long)account->seen_wall_s, role_name(account->role),
        (long long)account->first_game, network, address, door);
    out->rows++;
    for (int i = 0; i < account->proof_count; i++, out->rows++) {
        text_base64url(id, proof[i].digest, sizeof proof[i].digest);
        session_rowf(out->to, "proof %s kind=%s since_s=%lld", id,
                     proof[i].kind == STORE_PROOF_KEY ? "key" : "token",
                     (long long)proof[i].since_wall_s);
    }
    for (const struct mark *m = marks_of(accounts_marks(world->accounts), me);
         m != NULL; m = m->next, out->rows++)
        session_rowf(out->to, "mark %s about=\"%s\" value=\"%s\"",
                     marks_kind_name(m->kind), m->subject, m->value);
    for (const struct message *m = messages_of(accounts_messages(world->accounts), me);
         m != NULL; m = m->next, out->rows++)
        session_rowf(out->to, "message %lld from=%s at_s=%lld : %s", (long long)m->id,
                     m->from, (long long)m->sent_wall_s, m->text);
}

static void export_sent(void *arg, const char *owner, const struct message *message)
{
    struct export *out = arg;

    session_rowf(out->to, "sent to=%s at_s=%lld : %s", owner,
                 (long long)message->sent_wall_s, message->text);
    out->rows++;
}

/* Prints the invitations that the person has made. */
static void export_opened(struct export *out, const struct world *world)
{
    const struct ticket *ticket = tickets_first(world->tickets, mono_wall_s());

    for (const struct invite *i = out->account->invites; i != NULL;
         i = i->owner_next, out->rows++)
        session_rowf(out->to, "open %s made_s=%lld", i->code,
                     (long long)i->made_wall_s);
    for (; ticket != NULL; ticket = ticket->next) {
        if (strcmp(ticket->maker, out->account->shown) != 0)
            continue;
        session_rowf(out->to, "door %s uses=%d left=%d until_s=%lld by=%s",
                     ticket->begin, ticket->uses, ticket->left,
                     (long long)ticket->until_wall_s, ticket->maker);
        out->rows++;
    }
}

static void export_evening(void *arg, int64_t evening, int64_t wall_s, const char *text)
{
    struct export *out = arg;

    session_rowf(out->to, "evening %lld at_s=%lld : %s", (long long)evening,
                 (long long)wall_s, text);
    out->rows++;
}

/* Prints a change of the person's rating. Does not name the opponent: the row of the
 * game names both players. */
static void export_rating(void *arg, const struct store_rating *row)
{
    struct export *out = arg;
    int side = row->account[0] == out->account->number ? 0 : 1;

    if (++out->rated > out->games_max)
        return;
    session_rowf(out->to, "rating game=%lld pool=%s wall_s=%lld rating=%d rd=%d%s%s",
                 (long long)row->game, row->pool, (long long)row->wall_s,
                 (row->after[side].rating + 50) / 100, (row->after[side].rd + 50) / 100,
                 row->why[0] != '\0' ? " counted=no why=" : "", row->why);
    out->rows++;
}

/* Prints an act by or about the person. An export for the person themselves has no
 * reports about them, because they may not learn who reported them. */
static void export_act(void *arg, const struct house_act *act)
{
    struct export *out = arg;
    bool is_actor = account_is_name(out->account, act->actor);
    bool is_report = strcmp(act->kind, HOUSE_REPORT) == 0;

    if (act->wall_s < out->account->made_wall_s ||
        (!is_actor && !account_is_name(out->account, act->target)) ||
        (is_report && !is_actor && out->is_own))
        return;
    out->rows += call_say_act(out->to, act);
}

/* --- export: the games, from the disk --- */

static void export_past(void *arg, const struct store_past *past)
{
    struct export *out = arg;
    char words[ENDS_WORDS_BYTES];

    struct session *to = session_find(out->world->sessions, out->session);

    if (++out->games > out->games_max || to == NULL)
        return;
    lobby_format_end(words, past, ' ');
    session_rowf(to, "%s", words);
    out->rows++;
}

static void export_end(void *arg, int count)
{
    struct export *out = arg;
    struct session *to = session_find_open(out->world->sessions, out->session);

    (void)count;
    if (to != NULL)
        session_ok(
            to,
            "export name=%s rows=%d games=%d : that is what is kept about %s; record "
            "GAME gives each game",
            out->name, out->rows, out->games, out->name);
    store_arg_free(out);
}

/* An export reads everything that the server keeps, so a person may have only one
 * export in each period of EXPORT_MS. An owner may have an export at any time. */
static bool export_run(struct call *call)
{
    enum { EXPORT_MS = 10 * 60 * 1000 };
    struct world *world = call->world;
    const char *name = call->argc > 1 ? call->argv[1] : call->from->name;
    const struct account *account = accounts_find(world->accounts, name);
    struct account *me = accounts_find(world->accounts, call->from->name);
    struct export *out;

    if (account == NULL)
        return session_err(call->from, REPLY_NO_SUCH, "#name");
    if (call->role != ROLE_OWNER && !account_is_name(account, call->from->name))
        return session_err(call->from, REPLY_NOT_NOW, "why=role#export need=owner");
    if (call->role != ROLE_OWNER && me != NULL && world->config->has_quotas) {
        if (me->export_at_ms > call->now_ms)
            return session_err(
                call->from, REPLY_SLOW_DOWN, "#export retry=%lld",
                (long long)mono_whole_s(me->export_at_ms - call->now_ms));
        me->export_at_ms = call->now_ms + EXPORT_MS;
    }
    out = store_arg_new(world->store, sizeof *out, NULL);
    out->world = world;
    out->session = call->from->id;
    out->to = call->from;
    out->account = account;
    out->is_own = account_is_name(account, call->from->name);
    out->games_max = call_is_hosts(call) ? INT32_MAX : SESSION_GAMES_MAX;
    text_copy(out->name, sizeof out->name, account->shown);
    session_hold(call->from);
    export_account(out, world);
    messages_from(accounts_messages(world->accounts), account->folded, export_sent,
                  out);
    export_opened(out, world);
    for (int pool = 0; pool < RATING_POOLS && account->number != 0; pool++)
        ratings_each(world->ratings, account->number, (enum rating_pool)pool,
                     export_rating, out);
    evenings_about(world->evenings, account->folded, out->games_max, export_evening,
                   out);
    house_each(world->house, export_act, out);
    store_read_history(world->store, account->folded, account->first_game,
                       out->games_max, export_past, export_end, out);
    return true;
}

const struct command cmd_export = {
    .usage = "export [NAME]",
    .help = N_("all that this server keeps about you; owners may name another player"),
    .examples = "export\n"
                "export kim",
    .states = BY_STAFF,
    .cost = 40,
    .run = export_run,
};
