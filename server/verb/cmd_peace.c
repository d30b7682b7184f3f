/* Verbs against unwanted contact: ignore, unignore, block, unblock, quiet. */
#include <strings.h>

#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/verb/verbs.h"

/* --- ignore, block: a list of names each --- */

/* Returns the name in the argument as the lists contain it: normalized, or MARK_GUESTS
 * for all guests. NULL: the answer was sent. */
static const char *take_subject(struct call *call)
{
    const struct account *account = accounts_find(call->world->accounts, call->argv[1]);

    if (account != NULL && account != call->from->account)
        return account->folded;
    if (account == NULL && strcasecmp(call->argv[1], MARK_GUESTS) == 0)
        return MARK_GUESTS;
    if (account == NULL)
        session_err(call->from, REPLY_NO_SUCH, "#guests verb=%s", call->command->name);
    else
        session_err(call->from, REPLY_NO_SUCH, "#self");
    return NULL;
}

/* Puts the name in the argument on the list. False: the answer was sent. */
static bool put_name(struct call *call, enum mark_kind kind)
{
    const char *subject = take_subject(call);

    return subject != NULL && cmd_people_put(call, kind, subject);
}

/* Takes the name in the argument off the list (verbs unignore and unblock). */
static bool drop_name(struct call *call)
{
    enum mark_kind kind = call->command == &cmd_unignore ? MARK_IGNORE : MARK_BLOCK;
    const char *subject = take_subject(call);

    return subject != NULL && cmd_people_drop(call, kind, subject, "");
}

/* Puts the player in the argument on the ignore list, and removes the player's
 * challenges to the caller, as if the caller had declined them. Without an argument,
 * answers with the list. */
static bool ignore_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    const struct account *other;
    struct seek *challenge;

    if (call->argc == 1)
        return cmd_people_list(call, MARK_IGNORE, true);
    if (!put_name(call, MARK_IGNORE))
        return false;
    other = accounts_find(call->world->accounts, call->argv[1]);
    challenge = other != NULL ? seeks_find_challenge(other, call->from->account) : NULL;
    if (challenge != NULL)
        seeks_decline(lobby_seeks(lobby), challenge, call->now_ms);
    return true;
}

const struct command cmd_ignore = {
    .name = "ignore",
    .usage = "ignore [NAME]",
    .help = N_("hide a player's challenges and messages from you"),
    .examples = N_("ignore park    park stays ignored when you leave and come back\n"
                   "ignore guest   all guests\n"
                   "ignore         lists the players that you ignore"),
    .cost = 2,
    .run = ignore_run,
};

const struct command cmd_unignore = {
    .name = "unignore",
    .usage = "unignore NAME",
    .help = N_("stop ignoring a player"),
    .examples = "unignore park",
    .cost = 2,
    .run = drop_name,
};

static bool block_run(struct call *call)
{
    const struct account *me = call->from->account;

    if (call->argc == 1)
        return cmd_people_list(call, MARK_BLOCK, true);
    if (!put_name(call, MARK_BLOCK))
        return false;
    for (int i = 0; i < me->open[QUOTA_GAME]; i++) {
        struct room *room = room_find(call->world->rooms, me->game[i]);

        if (room != NULL)
            privacy_close(room);
    }
    return true;
}

const struct command cmd_block = {
    .name = "block",
    .usage = "block [NAME]",
    .help = N_("keep a player from watching your games"),
    .examples = N_("block park    park stays blocked when you leave and come back\n"
                   "block guest   all guests\n"
                   "block         lists the players that you block"),
    .cost = 2,
    .run = block_run,
};

const struct command cmd_unblock = {
    .name = "unblock",
    .usage = "unblock NAME",
    .help = N_("let a player watch your games again"),
    .examples = "unblock park",
    .cost = 2,
    .run = drop_name,
};

/* --- quiet --- */

static bool quiet_run(struct call *call)
{
    const struct marks *marks = accounts_marks(call->world->accounts);
    enum quiet quiet;

    if (call->argc == 1)
        return session_ok(call->from, "quiet quiet=%s",
                          quiet_names[quiet_setting(marks, call->from->account)]);
    if (!quiet_parse(call->argv[1], &quiet))
        return call_usage(call, "quiet is on, auto or off");
    return act_put_mark(call, MARK_QUIET, "", quiet_names[quiet]) &&
           session_ok(call->from, "quiet quiet=%s", quiet_names[quiet]);
}

const struct command cmd_quiet = {
    .name = "quiet",
    .usage = "quiet [on|auto|off]",
    .help = N_("choose when you receive challenges and news of watchers"),
    .examples =
        N_("quiet on     you get no challenges\n"
           "quiet auto   you get none while you play a game with clocks (the default)\n"
           "quiet off    you get all challenges\n"
           "While you are quiet, you see the name of the first new watcher; those who\n"
           "come in the next 30 seconds are only counted."),
    .cost = 2,
    .run = quiet_run,
};
