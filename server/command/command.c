/* See command.h. */
#include "server/command/command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/command/order.h"
#include "server/room/room.h"

int command_args_max(const struct command *command)
{
    return command->args_max > 0 ? command->args_max : command->args_min;
}

unsigned command_states(const struct command *command)
{
    return command->states != 0 ? command->states : BY_MEMBERS;
}

bool command_is_for(const struct command *command, const struct session *session)
{
    return account_role(session->account) >= command->role;
}

void command_refuse_guest(struct session *session)
{
    session_err(session, REPLY_NOT_NOW,
                "why=login : you need a name for that (janggi -n NAME, or "
                "login NAME without janggi)");
}

void command_refuse_role(struct session *session, enum role role)
{
    session_err(session, REPLY_NOT_NOW,
                "why=role need=%s : that is for the %ss of this server",
                role_name(role), role_name(role));
}

/* --- For handlers --- */

void call_usage(struct call *call, const char *words)
{
    session_err(call->from, REPLY_ARGS, "usage=\"%s\" : %s; usage: %s",
                call->command->usage, words, call->command->usage);
}

enum reply call_reply_of(enum fault_code fault)
{
    switch (fault) {
    case FAULT_NOT_YOUR_TURN:
    case FAULT_NOT_STARTED:
    case FAULT_OVER:
    case FAULT_TIME:
    case FAULT_NOT_SETUP:
    case FAULT_ADJOURNED:
    case FAULT_NOT_ADJOURNED:
        return REPLY_NOT_NOW;
    default:
        return REPLY_ILLEGAL;
    }
}

static void refuse_over(struct call *call, const struct room *room, const char *words)
{
    char reason[GAME_REASON_BYTES];

    game_format_reason(reason, &room->game);
    session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld result=%s reason=%s : %s",
                fault_name(FAULT_OVER), (long long)room->id,
                outcome_name(room->game.outcome), reason, words);
}

void call_refuse(struct call *call, const struct room *room, struct fault fault)
{
    char words[SENTENCE_BYTES], at[16] = "", point[POINT_BYTES];
    enum side turn = game_turn(&room->game);

    sentence_fault(words, fault);
    if (fault.at != POINT_NONE) {
        side_format_point(point, fault.at);
        snprintf(at, sizeof at, " at=%s", point);
    }
    if (fault.code == FAULT_NOT_YOUR_TURN)
        snprintf(words, sizeof words, "it is %s's turn", side_name(turn));
    if (fault.code == FAULT_OVER)
        refuse_over(call, room, words);
    else if (call_reply_of(fault.code) == REPLY_NOT_NOW)
        session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld : %s",
                    fault_name(fault.code), (long long)room->id, words);
    else
        session_err(call->from, REPLY_ILLEGAL, "why=%s%s : %s", fault_name(fault.code),
                    at, words);
}

bool call_must_wait(struct call *call)
{
    if (call->world->has_outage)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=storage : the server cannot store anything at the moment; "
                    "nothing was done");
    return call->world->has_outage;
}

bool call_is_draining(struct call *call)
{
    const struct order order = order_of_call(call);

    return order_is_draining(&order);
}

void call_no_game(struct session *session, int64_t game)
{
    session_err(session, REPLY_NO_SUCH,
                "game=%lld : there is no game %lld here, or it is private",
                (long long)game, (long long)game);
}

void call_no_name(struct session *session)
{
    session_err(session, REPLY_NO_SUCH, ": unknown name");
}

struct account *call_find_person(struct call *call)
{
    struct account *account = call->from->account;

    if (call->argc > 1) {
        account = accounts_find(call->world->accounts, call->argv[1]);
        if (account == NULL)
            call_no_name(call->from);
    } else if (account == NULL) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=login : you have no name here; with a name: %s NAME",
                    call->command->name);
    }
    return account;
}

bool call_has_chat(struct call *call, const struct account *account, const char *words)
{
    int per_min = call->world->config->chat_per_min;

    assert(call->command->may_cost_chat);
    if (allowance_has_chat(&call->from->allowance,
                           account != NULL ? &account->chat : NULL,
                           call->from->state == SESSION_GUEST, call->now_ms))
        return true;
    session_err(call->from, REPLY_SLOW_DOWN, "retry=%d : %s",
                (60 + per_min - 1) / per_min, words);
    return false;
}

void call_charge_chat(struct call *call, struct account *account)
{
    allowance_charge_chat(&call->from->allowance,
                          account != NULL ? &account->chat : NULL,
                          call->from->state == SESSION_GUEST, call->now_ms);
}

bool call_spend_chat(struct call *call, const char *words)
{
    if (!call_has_chat(call, call->from->account, words))
        return false;
    call_charge_chat(call, call->from->account);
    return true;
}

bool call_has_text(struct call *call)
{
    size_t len = strlen(call->rest);

    if (len == 0)
        call_usage(call, "there is nothing to say");
    else if (len > CHAT_BYTES_MAX)
        session_err(call->from, REPLY_LIMIT,
                    "what=chat max=%d : that text is too long for one message",
                    CHAT_BYTES_MAX);
    return len > 0 && len <= CHAT_BYTES_MAX;
}

const char *call_take_last(struct call *call, const char *key)
{
    const char *last = call->argv[call->argc - 1];
    size_t len = strlen(key);

    if (call->argc < 2 || strncmp(last, key, len) != 0)
        return NULL;
    call->argc--;
    return last + len;
}
