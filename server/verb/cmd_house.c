/* Verbs of the staff for running the server: roles, announcements, settings, the log of
 * all acts, and who may enter. `access`, `guests` and `watching` set who may log in and who
 * may watch; such a setting is in force until the server is started with an option for it.
 * `doors` lists the open invitations to the server, or removes one (`invite door` makes
 * them). `reset` gives a player who has lost the key a code for one login. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/base/access.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/lobby/invites.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/net/session.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- role --- */

/* A search for owners who have a key, other than `beside`. */
struct others {
    const struct account *beside;
    int count;
};

static void count_other(void *arg, const struct account *account)
{
    struct others *others = arg;

    others->count += account != others->beside && account->role == ROLE_OWNER &&
                     account_keys(account) > 0;
}

/* True if the caller may give the account that role. Moderators give only roles below
 * their own; staff need a key; and only the operator takes the role from the last owner
 * who has one. False: the answer was sent. */
static bool may_give(const struct call *call, const struct account *account,
                     enum role role)
{
    struct others others = {.beside = account};

    if (role >= call->role && call->role != ROLE_OWNER)
        return session_err(call->from, REPLY_NOT_NOW, "why=rank#role");
    if (role >= ROLE_MODERATOR && account_keys(account) == 0)
        return session_err(call->from, REPLY_NOT_NOW, "why=key name=%s",
                           account->shown);
    if (account->role != ROLE_OWNER || role == ROLE_OWNER || call_is_hosts(call))
        return true;
    accounts_each_member(call->world->accounts, count_other, &others);
    if (others.count == 0)
        session_err(call->from, REPLY_NOT_NOW, "why=last-owner");
    return others.count > 0;
}

/* Ends the invitations that the person has made and could not make with the new role:
 * one of them would let the person come back under another name. */
static bool role_run(struct call *call)
{
    struct world *world = call->world;
    struct account *account;
    struct session *session;
    enum role role;
    char params[32];
    bool is_less;

    if (!role_parse(call->argv[2], &role) || role == ROLE_GUEST)
        return call_usage(call, "the roles are owner, moderator, member and player");
    account = call_account(call, call->argv[1]);
    if (account == NULL || !may_give(call, account, role) || !call_spend_act(call))
        return false;
    is_less = role < account->role;
    snprintf(params, sizeof params, "role=%s", role_name(role));
    call_record(
        call,
        &(struct house_act){.kind = "role", .target = account->shown, .params = params},
        "role name=%s role=%s : %s is %s", account->shown, role_name(role),
        account->shown, role_name(role));
    if (role < ROLE_MODERATOR)
        tickets_remove_made_by(world->tickets, account->shown);
    if (role < ROLE_MEMBER && world->access.door != ACCESS_OPEN)
        invites_withdraw_all(lobby_invites(world->lobby), account, "withdrawn");
    session = session_find(world->sessions, account->session);
    if (session != NULL)
        session_notice(session, "why=role role=%s", role_name(role));
    if (is_less)
        entry_close_watchers(world);
    return true;
}

const struct command cmd_role = {
    .usage = "role NAME moderator|member|player",
    .help = N_("give somebody a role on this server"),
    .examples = "role kim member",
    .role = ROLE_MODERATOR,
    .run = role_run,
};

/* --- members --- */

struct listing {
    const struct call *call;
    const char *about;  /* only acts by or about that person or thing; NULL: all acts */
    bool wants_reports; /* the reports of players, instead of the acts of staff */
    bool is_counting;   /* rows are counted, and not sent */
    int count, skip;
};

static void list_member(void *arg, const struct account *account)
{
    struct listing *listing = arg;

    if (listing->count++ >= LIST_ROWS_MAX)
        return;
    session_rowf(listing->call->from, "member %s role=%s here=%d seen_s=%lld",
                 account->shown, role_name(account->role), account->session != 0,
                 (long long)account->seen_wall_s);
}

static bool members_run(struct call *call)
{
    struct listing listing = {.call = call};

    accounts_each_member(call->world->accounts, list_member, &listing);
    return call_ok_count(call, listing.count, "");
}

const struct command cmd_members = {
    .usage = "members",
    .help = N_("members and staff of this server"),
    .role = ROLE_MEMBER,
    .run = members_run,
};

/* --- notice, motd, name --- */

/* The caller pays for the bytes sent to everybody. */
static bool notice_run(struct call *call)
{
    const char *text = call_text(call, 1);
    int count = 0;

    if (text == NULL || !call_spend_act(call))
        return false;
    for (struct session *s = sessions_first_here(call->world->sessions); s != NULL;
         s = sessions_next_here(s), count++)
        session_notice(s, ": %s", text);
    usage_charge_told(&call->from->usage, (size_t)count * strlen(text), call->now_ms);
    return call_record(call, &(struct house_act){.kind = "notice", .words = text},
                       "notice told=%d : told %d", count, count);
}

const struct command cmd_notice = {
    .usage = "notice TEXT",
    .help = N_("tell everybody on this server something"),
    .examples = N_("notice tea is ready"),
    .role = ROLE_MODERATOR,
    .output = OUTPUT_URGENT,
    .run = notice_run,
};

static bool set(const struct call *call, const char *key, const char *value,
                const char *words)
{
    return call_record(
        call, &(struct house_act){.kind = "set", .target = key, .words = value},
        "%s : %s", call->argv[0], words);
}

static bool motd_run(struct call *call)
{
    const char *text = call_text(call, 1);

    if (text == NULL)
        return false;
    if (strcmp(text, "-") == 0)
        return set(call, "motd", "", "nothing is shown at login");
    return set(call, "motd", text, "everybody will read that after login");
}

const struct command cmd_motd = {
    .usage = "motd TEXT",
    .help = N_("set the text that everybody reads after login"),
    .examples = N_("motd we play on Fridays\n"
                   "motd -                     no text"),
    .role = ROLE_OWNER,
    .output = OUTPUT_URGENT,
    .run = motd_run,
};

/* Sets the name of the server. The greeting contains the name in quotes, so the name
 * may contain no quotation mark and no backslash. */
static bool name_run(struct call *call)
{
    enum { NAME_MAX_BYTES = 60 };
    const char *text = call_text(call, 1);

    if (text == NULL)
        return false;
    if (strlen(text) > NAME_MAX_BYTES || strpbrk(text, "\"\\") != NULL)
        return call_usage(call,
                          "a name of a server has at most 60 bytes and no quotes");
    set(call, "name", text, "new connections will see that name");
    call->world->calls->on_named(call->world->calls_arg);
    return true;
}

const struct command cmd_name = {
    .usage = "name TEXT",
    .help = N_("set the name of this server"),
    .examples = N_("name Hong's board"),
    .role = ROLE_OWNER,
    .run = name_run,
};

/* --- reload --- */

struct changes {
    struct session *to;
    int changed, restart;
};

static void list_change(void *arg, const char *option, bool is_applied)
{
    struct changes *changes = arg;

    session_rowf(changes->to, "option %s state=%s", option,
                 is_applied ? "changed" : "restart");
    changes->changed += is_applied;
    changes->restart += !is_applied;
}

/* A configuration file may contain any bytes: if its errors are too long for a line, or
 * not plain text, the answer refers to the log. */
static bool reload_run(struct call *call)
{
    const struct world *world = call->world;
    struct changes changes = {.to = call->from};
    char *errors = world->calls->on_reload(world->calls_arg, list_change, &changes);
    size_t len = errors != NULL ? strlen(errors) : 0;

    while (len > 0 && errors[len - 1] == '\n')
        errors[--len] = '\0';
    for (char *end = errors; end != NULL && (end = strchr(end, '\n')) != NULL;)
        *end = ';';
    if (errors == NULL)
        return call_record(
            call, &(struct house_act){.kind = "reload"},
            "reload changed=%d restart=%d : %d changed, %d need a restart",
            changes.changed, changes.restart, changes.changed, changes.restart);
    if (len <= CALL_TEXT_MAX && utf8_is_showable(errors, len))
        session_err(call->from, REPLY_NOT_NOW, "why=config : nothing was changed: %s",
                    errors);
    else
        session_err(call->from, REPLY_NOT_NOW, "why=config");
    free(errors);
    return false;
}

const struct command cmd_reload = {
    .usage = "reload",
    .help = N_("let this server read its configuration file again"),
    .role = ROLE_OWNER,
    .cost = 10,
    .output = OUTPUT_URGENT,
    .run = reload_run,
};

/* --- audit, reports --- */

/* True if both words are equal byte for byte, or are spellings of the same name
 * (utf8_fold_name()). */
static bool is_same(const char *one, const char *other)
{
    char a[NAME_BYTES], b[NAME_BYTES];

    utf8_fold_name(a, one);
    utf8_fold_name(b, other);
    return strcmp(one, other) == 0 || (a[0] != '\0' && strcmp(a, b) == 0);
}

static void list_act(void *arg, const struct house_act *act)
{
    struct listing *listing = arg;
    bool is_report = strcmp(act->kind, HOUSE_REPORT) == 0;

    if (is_report != listing->wants_reports ||
        (listing->about != NULL && !is_same(act->actor, listing->about) &&
         !is_same(act->target, listing->about)))
        return;
    if (listing->is_counting)
        listing->count++;
    else if (listing->skip-- <= 0)
        call_say_act(listing->call->from, act);
}

/* Lists the newest acts, at most LIST_ROWS_MAX of them, the oldest of them first. */
static bool list_acts(struct call *call)
{
    struct listing listing = {.call = call,
                              .is_counting = true,
                              .wants_reports = call->command == &cmd_reports,
                              .about = call->argc > 1 ? call->argv[1] : NULL};

    house_each(call->world->house, list_act, &listing);
    listing.is_counting = false;
    listing.skip = listing.count - LIST_ROWS_MAX;
    house_each(call->world->house, list_act, &listing);
    return call_ok_count(call, listing.count, "");
}

const struct command cmd_audit = {
    .usage = "audit [NAME]",
    .help = N_("what the staff did: everything, or only what concerns one person"),
    .examples = "audit\n"
                "audit kim",
    .role = ROLE_MODERATOR,
    .run = list_acts,
};

const struct command cmd_reports = {
    .usage = "reports [NAME]",
    .help = N_("list what players have reported"),
    .role = ROLE_MODERATOR,
    .run = list_acts,
};

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
        setting[i] = equals != NULL ? call->argv[i] : call->argv[0];
        value[i] = equals != NULL ? equals + 1 : call->argv[i];
        if (!access_set(&access, setting[i], value[i]))
            return call_usage(call, "there is no such setting");
    }
    access_format(text, &access);
    if (call->argc == 1)
        return session_ok(call->from, "%s %s : %s (%s)", call->argv[0], text, text,
                          access_door_words(access.door));
    world->access = access;
    for (int i = 1; i < call->argc; i++) {
        struct house_act act = {.actor = call->from->name,
                                .kind = "set",
                                .target = setting[i],
                                .words = value[i]};

        if (i < call->argc - 1)
            house_record(world->house, &act);
        else
            call_record(call, &act, "%s %s : %s (%s)", call->argv[0], text, text,
                        access_door_words(access.door));
    }
    entry_close_guests(world);
    entry_close_watchers(world);
    return true;
}

const struct command cmd_access = {
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
    .usage = "guests [play|watch|none]",
    .help = N_("what people without a name may do on this server"),
    .examples = "guests\n"
                "guests none",
    .role = ROLE_OWNER,
    .run = access_run,
};

const struct command cmd_watching = {
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
        announce_reset(&text, world, account->shown, code, RESET_HOURS);
        return call_say_lines(call, words);
    }
    text_addf(&text, "reset name=%s code=%s hours=%d", account->shown, code,
              RESET_HOURS);
    call_add_places(&text, call);
    text_addf(&text, " : login %s code=%s; be sure that it is %s who asks",
              account->shown, code, account->shown);
    return session_ok_words(call->from, words);
}

const struct command cmd_reset = {
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
    .usage = "owner CODE",
    .help = N_("become an owner of this server, with the code of an owner link"),
    .may_cost_chat = true,
    .run = owner_run,
};
