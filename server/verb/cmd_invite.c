/* Verbs for inviting a friend: invite, join. */
#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/ticket.h"
#include "server/base/config.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

static bool invite_to_door(struct call *call)
{
    const struct world *world = call->world;
    char words[ANNOUNCE_BYTES], code[TICKET_CODE_BYTES];
    struct text text = text_into(words, sizeof words);
    int64_t uses = TICKET_USES, days = TICKET_DAYS;

    if (call->role < ROLE_MODERATOR)
        return command_refuse_role(call->from, ROLE_MODERATOR);
    for (int i = 2; i < call->argc; i++) {
        const char *word = call->argv[i];

        if ((strncmp(word, "uses=", 5) != 0 ||
             !text_to_int(word + 5, 1, TICKET_USES_MAX, &uses)) &&
            (strncmp(word, "days=", 5) != 0 ||
             !text_to_int(word + 5, 1, TICKET_DAYS_MAX, &days)))
            return call_usage(call, "uses= takes 1 to 1000, days= 1 to 365");
    }
    if (!call_spend_act(call))
        return false;
    if (!entry_make_door(world, call->from->name, (int)uses, (int)days, code))
        return session_err(call->from, REPLY_LIMIT, "what=doors max=%d", TICKETS_MAX);
    if (call_is_hosts(call)) {
        announce_door(&text, world->config, world->listener, world->key, code,
                      (int)uses, (int)days);
        announce_outside_link(&text, world->outside, world->key, "enter", code);
        return call_say_lines(call, words);
    }
    text_addf(&text, "invite door=%s uses=%d days=%d", code, (int)uses, (int)days);
    act_add_places(&text, call);
    if (config_web(world->config) == CONFIG_WEB_PLAY)
        act_add_web(&text, call);
    text_addf(&text, " : login NAME invite=%s makes a member", code);
    return session_ok(call->from, "%s", words);
}

static bool invite_to_game(struct call *call)
{
    const struct world *world = call->world;
    struct invites *invites = lobby_invites(world->lobby);
    const struct invite *invite;
    struct terms terms;
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);
    int max;

    if (!act_take_terms(call, 1, &terms) ||
        (!call_is_hosts(call) &&
         (!entry_may_begin(call) || !call_takes_games(call) || !act_has_stayed(call))))
        return false;
    invite = invites_open(invites, call->from->account, &terms, &max);
    if (invite == NULL)
        return session_err(call->from, REPLY_LIMIT, "what=invites max=%d", max);
    if (call_is_hosts(call)) {
        announce_invite(&text, world->config, world->listener,
                        &(struct announce_web){.origin = world->web_origin,
                                               .has_page = world->has_page},
                        world->key, invite->code);
        if (world->outside[0] != '\0')
            announce_outside(&text, world->outside, world->key, invite->code);
        return call_say_lines(call, words);
    }
    text_addf(&text, "invite code=%s hours=%d", invite->code, INVITES_HOURS);
    act_add_places(&text, call);
    if (config_web(world->config) == CONFIG_WEB_PLAY)
        act_add_web(&text, call);
    text_addf(&text, " : the first person who types join %s plays you", invite->code);
    return session_ok(call->from, "%s", words);
}

static bool invite_run(struct call *call)
{
    if (call->argc > 1 && strcmp(call->argv[1], "door") == 0)
        return invite_to_door(call);
    return invite_to_game(call);
}

const struct command cmd_invite = {
    .name = "invite",
    .usage = "invite [door [uses=20] [days=7]|time=10m+5s rules=martin MANNERS]",
    .group = GROUP_FIND,
    .brief = N_("a link for a friend"),
    .help = N_("make a link for a friend; the first who opens it plays against you"),
    .examples =
        N_("invite\n"
           "invite 10 5 red\n"
           "invite door       for staff: a link by which people become members"),
    .states = BY_STAFF,
    .cost = 4,
    .run = invite_run,
};

/* Answers `join` for an invitation whose game has begun. Its two players are sent to
 * their game; the code is used up for everybody else. */
static bool join_begun(struct call *call, const struct invite *invite)
{
    struct room *room = room_find(call->world->rooms, invite->game);
    const struct account *me = call->from->account;
    char game[40] = "";

    if (room != NULL && room_wait(room, call->from, call->raw))
        return false;
    for (int i = 0; me != NULL && i < me->open[QUOTA_GAME]; i++)
        if (me->game[i] == invite->game)
            return session_ok(call->from, "join game=%lld : your game goes on",
                              (long long)invite->game);
    if (!invite->terms.manners.is_private)
        snprintf(game, sizeof game, " game=%lld", (long long)invite->game);
    return session_err(call->from, REPLY_NO_SUCH, "why=used%s code=%s", game,
                       invite->code);
}

/* Finds the invitation whose code is the argument. A wrong code is charged as one line
 * of chat, and so is the code of an invitation to the server. When the caller's budget
 * of chat is used up, no code is checked, so that codes cannot be guessed. NULL: the
 * answer was sent. */
static struct invite *read_code(struct call *call)
{
    struct invite *invite;

    if (!call_has_chat(call, call->from->account, "codes"))
        return NULL;
    invite = invites_find(lobby_invites(call->world->lobby), call->argv[1]);
    if (invite != NULL && !invites_is_old(invite))
        return invite;
    call_charge_chat(call, call->from->account);
    if (invite == NULL && tickets_find(call->world->tickets, TICKET_ENTER, "",
                                       call->argv[1], mono_wall_s()) != NULL) {
        session_err(call->from, REPLY_NO_SUCH,
                    account_role(call->from->account) >= ROLE_MEMBER ? "why=door#member"
                                                                     : "why=door");
        return NULL;
    }
    session_err(call->from, REPLY_NO_SUCH, "why=unknown#join hours=%d", INVITES_HOURS);
    return NULL;
}

/* Tells a guest, before choosing a name, whether the code is good for a seat. */
static bool join_run(struct call *call)
{
    struct invite *invite = read_code(call);
    const struct account *me = call->from->account;

    if (invite == NULL)
        return false;
    if (invite->game != 0)
        return join_begun(call, invite);
    if (me == NULL)
        return command_refuse_guest(call->from);
    if (!entry_may_answer(call))
        return false;
    if (invite->owner == NULL || (invite->owner == me && invite->is_hosts)) {
        /* the host made it for two players, and this is the first */
        invites_wait_in(lobby_invites(call->world->lobby), invite, call->from->account);
        return session_ok(
            call->from,
            "join waiting=1 : the game begins when the other player has joined");
    }
    if (invite->owner == me)
        return session_ok(call->from,
                          "join waiting=1 : it is your own invitation; send the "
                          "code to your opponent");
    return call_takes_games(call) &&
           act_answer_start(call, lobby_join(call->world->lobby, invite,
                                             call->from->account, "join"));
}

const struct command cmd_join = {
    .name = "join",
    .usage = "join CODE",
    .group = GROUP_FIND,
    .help = N_("take the seat that an invitation offers"),
    .examples = "join K7Q2-9F3M",
    .states = BY_READERS,
    .may_cost_chat = true,
    .run = join_run,
};
