/* The verb report: a player tells the staff about another one. The report goes to the
 * audit log with the last lines of chat between the two, and to the connected staff. */
#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/base/world.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/room/chatlog.h"
#include "server/verb/verbs.h"

enum { WORDS_BYTES = CHAT_BYTES_MAX + CHATLOG_BYTES + CHATLOG_LINES * 96 };

/* Returns the shown name of the player, or of a connected guest. Returns NULL for an
 * unknown name. */
static const char *find_name(const struct call *call, const char *name)
{
    const struct account *account = accounts_find(call->world->accounts, name);

    if (account != NULL)
        return account->shown;
    for (const struct session *s = sessions_first_here(call->world->sessions);
         s != NULL; s = sessions_next_here(s))
        if (s->state == SESSION_GUEST && strcmp(s->name, name) == 0)
            return s->name;
    return NULL;
}

/* --- What was said --- */

struct quote {
    struct text words;
    int lines;
};

static void add_line(void *arg, const struct chat_line *line)
{
    struct quote *quote = arg;

    text_addf(&quote->words, "\nchat at_s=%lld game=%lld by=%s : %s",
              (long long)line->wall_s, (long long)line->game, line->by, line->text);
    quote->lines++;
}

/* --- The report --- */

static bool report(struct call *call, const char *name, const char *text)
{
    struct account *me = call->from->account;
    char words[WORDS_BYTES], params[32];
    struct quote quote = {.words = text_into(words, sizeof words)};

    text_add(&quote.words, text);
    chatlogs_between(call->world->rooms->chatlogs,
                     accounts_number(call->world->accounts, me), me->shown, name,
                     add_line, &quote);
    snprintf(params, sizeof params, "lines=%d", quote.lines);
    house_record(call->world->house, &(struct house_act){.actor = me->shown,
                                                         .kind = HOUSE_REPORT,
                                                         .target = name,
                                                         .params = params,
                                                         .words = words});
    session_ok(call->from,
               "report name=%s lines=%d : the host has your report, and the last lines "
               "of chat between you (%d)",
               name, quote.lines, quote.lines);
    for (struct session *s = sessions_first_here(call->world->sessions); s != NULL;
         s = sessions_next_here(s))
        if (account_role(s->account) >= ROLE_MODERATOR)
            session_sayf(s, "! report by=%s about=%s lines=%d : %s", call->from->name,
                         name, quote.lines, text);
    return true;
}

/* Reports are kept for ever, so their number is limited, and the storage must not be
 * full. Charges the caller for a chat message before the search for the name: a search
 * for a guest looks at all sessions, so it must not be free. */
static bool report_run(struct call *call)
{
    struct quotas *quotas = accounts_quotas(call->world->accounts);
    const char *text = act_take_text(call, "chat", CHAT_BYTES_MAX), *name;
    const char *address = wire_peer_address(call->from->wire);
    int64_t now_wall_s = mono_wall_s(), wait_s;
    int max;

    if (text == NULL)
        return false;
    wait_s = quota_take(quotas, QUOTA_REPORT, call->from->account, address, now_wall_s,
                        &max);
    if (wait_s > 0)
        return session_err(call->from, REPLY_LIMIT, "what=reports max=%d in_s=%lld",
                           max, (long long)wait_s);
    if (lobby_is_storage_full(call->world->lobby)) {
        act_refuse_storage(call);
    } else if (call_spend_chat(call, "reports")) {
        name = find_name(call, call->argv[1]);
        if (name != NULL && strcmp(name, call->from->name) != 0)
            return report(call, name, text);
        if (name == NULL)
            call_no_name(call->from);
        else
            session_err(call->from, REPLY_NO_SUCH, "#self");
    }
    quota_give_back(quotas, QUOTA_REPORT, call->from->account, address, now_wall_s);
    return false;
}

const struct command cmd_report = {
    .name = "report",
    .usage = "report NAME [TEXT]",
    .help = N_("report a player to the host, with the last lines of chat between you"),
    .examples = N_("report park insults me\n"
                   "\"ignore park\" hides what park says"),
    .may_cost_chat = true,
    .cost = 4,
    .run = report_run,
};
