/* Verbs of the players of a private game: let, unlet, watchlink. */
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/meant.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* Finds the private game that is meant, in which the caller plays or played. NULL: the
 * answer was sent, or the command waits. */
static struct room *private_game(struct call *call)
{
    struct room *room = meant_game(call, GAME_SEATED);

    if (room == NULL || room->game.manners.is_private)
        return room;
    session_err(call->from, REPLY_NOT_NOW, "why=public game=%lld", (long long)room->id);
    return NULL;
}

/* --- let, unlet --- */

static bool list_let(struct call *call, const struct room *room)
{
    const struct account *me = call->from->account;
    int count = 0;

    for (const struct mark *m =
             marks_of(accounts_marks(call->world->accounts), me->folded);
         m != NULL; m = m->next) {
        const char *name =
            m->kind == MARK_LET ? privacy_name_of(m->subject, room->id) : NULL;
        const struct account *guest =
            name != NULL ? accounts_find(call->world->accounts, name) : NULL;

        if (guest == NULL || !privacy_is_let(call->world->rooms, room->id, me, guest))
            continue;
        session_sayf(call->from, "| let %s", guest->shown);
        count++;
    }
    return session_ok(call->from, "let game=%lld count=%d", (long long)room->id, count);
}

/* Finds the account that the argument names. NULL: the answer was sent. */
static struct account *find_guest(struct call *call, const struct room *room)
{
    struct account *guest = accounts_find(call->world->accounts, call->argv[1]);

    if (guest == NULL)
        session_err(call->from, REPLY_NO_SUCH, "#link game=%lld", (long long)room->id);
    return guest;
}

static bool let_run(struct call *call)
{
    struct room *room = private_game(call);
    struct account *guest;
    struct session *session;

    if (room == NULL)
        return false;
    if (call->argc == 1)
        return list_let(call, room);
    guest = find_guest(call, room);
    if (guest == NULL || !call_spend_chat(call, "lets"))
        return false;
    if (!privacy_let(call->world->rooms, room->id, call->from->account, guest))
        return act_refuse_marks(call);
    session_ok(call->from, "let game=%lld name=%s", (long long)room->id, guest->shown);
    /* Not if the guest ignores the caller or is quiet, or has got too many lines from
     * strangers: the caller can tell the guest in another way. */
    session = session_find(call->world->sessions, guest->session);
    if (session != NULL &&
        !privacy_ignores(accounts_marks(call->world->accounts), guest, call->from) &&
        !quiet_is_now(call->world->rooms, guest) && act_may_reach(call, session))
        session_sayf(session, "! let game=%lld by=%s : %s lets you watch game %lld",
                     (long long)room->id, call->from->name, call->from->name,
                     (long long)room->id);
    return true;
}

const struct command cmd_let = {
    .name = "let",
    .usage = "let [GAME] [NAME]",
    .group = GROUP_WATCH,
    .help = N_("let a player watch your private game"),
    .examples = N_("let park      park may watch your private game\n"
                   "let park 17   the same for game 17\n"
                   "let           lists the players whom you let watch"),
    .may_cost_chat = true,
    .cost = 2,
    .run = let_run,
};

static bool unlet_run(struct call *call)
{
    struct room *room = private_game(call);
    const struct account *guest;

    if (room == NULL)
        return false;
    guest = find_guest(call, room);
    if (guest == NULL)
        return false;
    if (privacy_unlet(call->world->rooms, room->id, call->from->account, guest)) {
        session_ok(call->from, "unlet game=%lld name=%s", (long long)room->id,
                   guest->shown);
        privacy_close(room);
        return false;
    }
    return session_err(call->from, REPLY_NO_SUCH, "#let name=%s game=%lld",
                       guest->shown, (long long)room->id);
}

const struct command cmd_unlet = {
    .name = "unlet",
    .usage = "unlet [GAME] NAME",
    .group = GROUP_WATCH,
    .help = N_("no longer let a player watch your private game"),
    .examples = "unlet park\n"
                "unlet park 17",
    .cost = 2,
    .run = unlet_run,
};

/* --- watchlink --- */

static bool watchlink_run(struct call *call)
{
    bool is_new = call->argc > 1 && strcmp(call->argv[1], "new") == 0;
    char words[PROTO_LINE_MAX / 2], code[WATCH_CODE_BYTES];
    struct text text = text_into(words, sizeof words);
    struct room *room;

    if (call->argc > 1 && !is_new)
        return call_usage(call, "only new may follow");
    room = private_game(call);
    if (room == NULL)
        return false;
    if (is_new && !call_spend_chat(call, "lets"))
        return false;
    if (is_new)
        privacy_revoke_code(room);
    privacy_watch_code(call->world->rooms, room->id, code);
    text_addf(&text, "watchlink game=%lld code=%s", (long long)room->id, code);
    act_add_places(&text, call);
    act_add_web(&text, call);
    text_addf(&text, " : anyone who types watch %lld code=%s sees the game",
              (long long)room->id, code);
    return session_ok(call->from, "%s", words);
}

const struct command cmd_watchlink = {
    .name = "watchlink",
    .usage = "watchlink [GAME] [new]",
    .group = GROUP_WATCH,
    .help = N_("a link for people who may watch your private game"),
    .examples = N_("watchlink\n"
                   "watchlink 17\n"
                   "watchlink new   a new link; the old one stops working"),
    .may_cost_chat = true,
    .cost = 2,
    .run = watchlink_run,
};
