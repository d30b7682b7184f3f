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

enum { SETTINGS_MAX = 3 };

/* One argument of a verb: a setting and its new value. In "guests=play" the argument
 * names the setting. An argument such as "members" is a value for the setting that has
 * the name of the verb. */
struct change {
    const char *setting, *value;
};

/* Reads the words after the verb into `change`, one element for each word, and applies
 * them to *access. False: the answer was sent. */
static bool take_changes(const struct call *call, struct change change[SETTINGS_MAX],
                         struct access *access)
{
    for (int i = 1; i < call->argc; i++) {
        char *equals = strchr(call->argv[i], '=');

        if (equals != NULL)
            *equals = '\0';
        change[i - 1] =
            (struct change){equals != NULL ? call->argv[i] : call->command->name,
                            equals != NULL ? equals + 1 : call->argv[i]};
        if (!access_set(access, change[i - 1].setting, change[i - 1].value)) {
            call_usage(call, "there is no such setting");
            return false;
        }
    }
    return true;
}

static void say_access(const struct call *call, const struct access *access)
{
    char text[ACCESS_BYTES];

    access_format(text, access);
    session_ok(call->from, "%s %s : %s (%s)", call->command->name, text, text,
               access_door_words(access->door));
}

/* Records all changes in one batch. */
static void change_settings(const struct call *call, const struct change *change,
                            int count)
{
    struct world *world = call->world;
    struct house_act act = {.actor = call->from->name, .kind = "set"};
    char text[ACCESS_BYTES];

    access_format(text, &world->access);
    store_begin_together(world->store);
    for (int i = 0; i < count - 1; i++) {
        act.target = change[i].setting;
        act.words = change[i].value;
        house_record(world->house, &act);
    }
    act.target = change[count - 1].setting;
    act.words = change[count - 1].value;
    call_record(call, &act, "%s %s : %s (%s)", call->command->name, text, text,
                access_door_words(world->access.door));
    store_end_together(world->store);
    entry_close_guests(world);
    entry_close_watchers(world);
}

static void access_run(struct call *call)
{
    struct access access = call->world->access;
    struct change change[SETTINGS_MAX];

    if (!take_changes(call, change, &access))
        return;
    if (call->argc == 1) {
        say_access(call, &access);
        return;
    }
    call->world->access = access;
    change_settings(call, change, call->argc - 1);
}

const struct command cmd_access = {
    .name = "access",
    .usage = "access [open|invited|members|closed] [guests=play|watch|none] "
             "[watching=all|members]",
    .help = "who may enter this server; without a word, how it is now",
    .args_max = SETTINGS_MAX,
    .states = BY_STAFF,
    .role = ROLE_OWNER,
    .run = access_run,
};

const struct command cmd_guests = {
    .name = "guests",
    .usage = "guests [play|watch|none]",
    .help = "what people without a name may do",
    .args_max = 1,
    .states = BY_STAFF,
    .role = ROLE_OWNER,
    .run = access_run,
};

const struct command cmd_watching = {
    .name = "watching",
    .usage = "watching [all|members]",
    .help = "who may watch games that are not private",
    .args_max = 1,
    .states = BY_STAFF,
    .role = ROLE_OWNER,
    .run = access_run,
};

/* --- doors --- */

static void list_doors(struct call *call, bool with_used_up)
{
    const struct ticket *ticket = tickets_first(call->world->tickets, mono_wall_s());
    int count = 0;

    for (; ticket != NULL; ticket = ticket->next) {
        if (ticket->left == 0 && !with_used_up)
            continue;
        session_rowf(call->from, "door %s uses=%d left=%d until_s=%lld by=%s",
                     ticket->begin, ticket->uses, ticket->left,
                     (long long)ticket->until_wall_s, ticket->maker);
        count++;
    }
    session_ok(call->from, "doors count=%d", count);
}

static void doors_run(struct call *call)
{
    struct world *world = call->world;
    struct ticket *ticket;
    char begin[TICKET_BEGIN_BYTES], params[24];

    if (call->argc == 1 || (call->argc == 2 && strcmp(call->argv[1], "all") == 0)) {
        list_doors(call, call->argc == 2);
        return;
    }
    if (call->argc != 3 || strcmp(call->argv[1], "remove") != 0) {
        call_usage(call, "only all or remove CODE may follow");
        return;
    }
    ticket = tickets_find_enter(world->tickets, call->argv[2]);
    if (ticket == NULL) {
        session_err(call->from, REPLY_NO_SUCH,
                    "why=unknown : there is no such invitation to the door; doors all "
                    "lists them");
        return;
    }
    if (!call_spend_act(call))
        return;
    text_copy(begin, sizeof begin, ticket->begin);
    snprintf(params, sizeof params, "door=%s", begin);
    store_begin_together(world->store);
    tickets_remove(world->tickets, ticket);
    call_record(call, &(struct house_act){.kind = "door", .params = params},
                "doors removed=%s : %s no longer admits anybody; the members whom it "
                "admitted stay",
                begin, begin);
    store_end_together(world->store);
}

const struct command cmd_doors = {
    .name = "doors",
    .usage = "doors [all|remove CODE]",
    .help = "list the invitations to the door, all of them with the used-up ones, or "
            "take one back",
    .args_max = 2,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = doors_run,
};

/* --- reset, owner --- */

static void reset_run(struct call *call)
{
    struct world *world = call->world;
    struct account *account = accounts_find(world->accounts, call->argv[1]);
    char code[TICKET_CODE_BYTES], words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (account == NULL) {
        call_no_name(call->from);
        return;
    }
    store_begin_together(world->store);
    tickets_make(world->tickets, TICKET_RESET, account->folded, mono_wall_s(), code);
    house_record(world->house, &(struct house_act){.actor = call->from->name,
                                                   .kind = "reset",
                                                   .target = account->shown});
    store_end_together(world->store);
    if (call_is_hosts(call)) {
        announce_reset(&text, world->config, world->listener, world->key,
                       account->shown, code, RESET_HOURS);
        announce_outside_link(&text, world->outside, world->key, "watch", "");
        call_say_lines(call, words);
        return;
    }
    text_addf(&text, "reset name=%s code=%s hours=%d", account->shown, code,
              RESET_HOURS);
    act_add_places(&text, call);
    text_addf(&text, " : login %s code=%s; be sure that it is %s who asks",
              account->shown, code, account->shown);
    session_ok_words(call->from, words);
}

const struct command cmd_reset = {
    .name = "reset",
    .usage = "reset NAME",
    .help = "a code for one login of somebody who has lost the key",
    .args_min = 1,
    .states = BY_STAFF,
    .role = ROLE_OWNER,
    .cost = 4,
    .run = reset_run,
};

static void owner_run(struct call *call)
{
    struct entry_ticket ticket;

    if (entry_must_wait(call) ||
        !entry_read_ticket(call, call->from->account, NULL, call->argv[1], &ticket))
        return;
    store_begin_together(call->world->store);
    entry_take_ticket(call->world, call->from->account, &ticket);
    store_end_together(call->world->store);
    session_ok(call->from, "owner role=owner : you are an owner of this server");
}

const struct command cmd_owner = {
    .name = "owner",
    .usage = "owner CODE",
    .help = "become an owner, with the code of an owner link",
    .args_min = 1,
    .may_cost_chat = true,
    .run = owner_run,
};
