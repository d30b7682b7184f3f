/* Verbs about the server: rules, limits, ping. */
#include <stddef.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/words/guide.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/account/ticket.h"
#include "server/base/config.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/verb/verbs.h"

/* --- rules --- */

static void say_rule(void *context, const char *line)
{
    session_sayf(context, "| %s", line);
}

static bool refuse_rules(struct call *call)
{
    char words[128];
    struct text text = text_into(words, sizeof words);

    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "" : ", ", ruleset_name(ruleset_at(i)));
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "; also " : ", ", guide_topic_at(i));
    return session_err(call->from, REPLY_NO_SUCH, "#rules rules=\"%s\"", words);
}

static bool rules_run(struct call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : ruleset_name(ruleset_at(0));
    const struct ruleset *rules = ruleset_find(name);

    if (rules != NULL) {
        guide_page(rules, say_rule, call->from);
        return session_ok(call->from, "rules rules=%s", name);
    }
    if (guide_topic(name, say_rule, call->from))
        return session_ok(call->from, "rules topic=%s", name);
    return refuse_rules(call);
}

const struct command cmd_rules = {
    .name = "rules",
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
    .name = "limits",
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
    .name = "ping",
    .usage = "ping",
    .help = N_("check that the server answers"),
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = ping_run,
};
