/* Verbs about who may enter the server. An owner uses the verbs `access`, `guests` and
 * `watching` to set who may log in and who may watch. `doors` lists the open
 * invitations to the server, or removes an invitation. (`invite door` makes these
 * invitations, see cmd_invite.c.) `reset` gives a player who has lost the key a code
 * for one login. A setting is recorded in the audit log. It is in force until the
 * server is started with an option for the same setting. */
#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/base/access.h"
#include "server/base/world.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/net/announce.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* Each word after the verb is a setting and its new value, "guests=play", or a value such
 * as "members" for the setting that has the name of the verb. All changes are one
 * batch. */
static bool access_run(struct call *call)
{
    struct world *world = call->world;
    struct access access = world->access;
    const char *setting[PROTO_WORDS_MAX], *value[PROTO_WORDS_MAX];
    char text[ACCESS_BYTES];

    for (int i = 1; i < call->argc; i++) {
        char *equals = strchr(call->argv[i], '=');

        if (equals != NULL)
            *equals = '\0';
        setting[i] = equals != NULL ? call->argv[i] : call->command->name;
        value[i] = equals != NULL ? equals + 1 : call->argv[i];
        if (!access_set(&access, setting[i], value[i]))
            return call_usage(call, "there is no such setting");
    }
    access_format(text, &access);
    if (call->argc == 1)
        return session_ok(call->from, "%s %s : %s (%s)", call->command->name, text,
                          text, access_door_words(access.door));
    world->access = access;
    for (int i = 1; i < call->argc; i++) {
        struct house_act act = {.actor = call->from->name,
                                .kind = "set",
                                .target = setting[i],
                                .words = value[i]};

        if (i < call->argc - 1)
            house_record(world->house, &act);
        else
            call_record(call, &act, "%s %s : %s (%s)", call->command->name, text, text,
                        access_door_words(access.door));
    }
    entry_close_guests(world);
    entry_close_watchers(world);
    return true;
}

const struct command cmd_access = {
    .name = "access",
    .usage = "access [open|invited|members|closed] [guests=play|watch|none] "
             "[watching=all|members]",
    .help = N_("who may enter this server"),
    .examples =
        N_("access                        shows the present settings\n"
           "access invited                members, and people with an invitation\n"
           "access open watching=members  everybody, but only members watch"),
    .role = ROLE_OWNER,
    .run = access_run,
};

const struct command cmd_guests = {
    .name = "guests",
    .usage = "guests [play|watch|none]",
    .help = N_("what people without a name may do on this server"),
    .examples = "guests\n"
                "guests none",
    .role = ROLE_OWNER,
    .run = access_run,
};

const struct command cmd_watching = {
    .name = "watching",
    .usage = "watching [all|members]",
    .help = N_("who may watch games on this server"),
    .examples = "watching\n"
                "watching members",
    .role = ROLE_OWNER,
    .run = access_run,
};

/* --- doors --- */

static bool doors_run(struct call *call)
{
    struct world *world = call->world;
    bool wants_all = call->argc == 2 && strcmp(call->argv[1], "all") == 0;
    struct ticket *ticket = tickets_first(world->tickets, mono_wall_s());
    char begin[TICKET_BEGIN_BYTES], params[24];
    int count = 0;

    for (; ticket != NULL && (call->argc == 1 || wants_all); ticket = ticket->next) {
        if (ticket->left == 0 && !wants_all)
            continue;
        session_rowf(call->from, "door %s uses=%d left=%d until_s=%lld by=%s",
                     ticket->begin, ticket->uses, ticket->left,
                     (long long)ticket->until_wall_s, ticket->maker);
        count++;
    }
    if (call->argc == 1 || wants_all)
        return session_ok(call->from, "doors count=%d", count);
    if (call->argc != 3 || strcmp(call->argv[1], "remove") != 0)
        return call_usage(call, "only all or remove CODE may follow");
    ticket = tickets_find_enter(world->tickets, call->argv[2]);
    if (ticket == NULL)
        session_err(call->from, REPLY_NO_SUCH, "why=unknown#door");
    if (ticket == NULL || !call_spend_act(call))
        return false;
    text_copy(begin, sizeof begin, ticket->begin);
    snprintf(params, sizeof params, "door=%s", begin);
    tickets_remove(world->tickets, ticket);
    call_record(call, &(struct house_act){.kind = "door", .params = params},
                "doors removed=%s : %s no longer admits anybody; the members whom it "
                "admitted stay",
                begin, begin);
    return true;
}

const struct command cmd_doors = {
    .name = "doors",
    .usage = "doors [all|remove CODE]",
    .help = N_("the invitations to this server that are open"),
    .examples = N_("doors\n"
                   "doors all           the used-up ones too\n"
                   "doors remove K7Q2   that invitation no longer admits anybody"),
    .role = ROLE_MODERATOR,
    .run = doors_run,
};

/* --- reset, owner --- */

static bool reset_run(struct call *call)
{
    struct world *world = call->world;
    struct account *account = accounts_find(world->accounts, call->argv[1]);
    char code[TICKET_CODE_BYTES], words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (account == NULL)
        return call_no_name(call->from);
    tickets_make(world->tickets, TICKET_RESET, account->folded, mono_wall_s(), code);
    house_record(world->house, &(struct house_act){.actor = call->from->name,
                                                   .kind = "reset",
                                                   .target = account->shown});
    if (call_is_hosts(call)) {
        announce_reset(&text, world->config, world->listener, world->key,
                       account->shown, code, RESET_HOURS);
        announce_outside_link(&text, world->outside, world->key, "watch", "");
        return call_say_lines(call, words);
    }
    text_addf(&text, "reset name=%s code=%s hours=%d", account->shown, code,
              RESET_HOURS);
    act_add_places(&text, call);
    text_addf(&text, " : login %s code=%s; be sure that it is %s who asks",
              account->shown, code, account->shown);
    return session_ok(call->from, "%s", words);
}

const struct command cmd_reset = {
    .name = "reset",
    .usage = "reset NAME",
    .help = N_("a code for somebody who has lost the key of a name"),
    .examples = "reset kim",
    .role = ROLE_OWNER,
    .cost = 4,
    .run = reset_run,
};

static bool owner_run(struct call *call)
{
    struct entry_ticket ticket;

    if (!entry_may_prove(call) ||
        !entry_read_ticket(call, call->from->account, NULL, call->argv[1], &ticket))
        return false;
    entry_take_ticket(call->world, call->from->account, &ticket);
    return session_ok(call->from, "owner role=owner : you are an owner of this server");
}

const struct command cmd_owner = {
    .name = "owner",
    .usage = "owner CODE",
    .help = N_("become an owner of this server, with the code of an owner link"),
    .may_cost_chat = true,
    .run = owner_run,
};
