/* Verbs about other players. notify tells the caller when a player logs in. follow shows
 * the games of a player when they begin. A player who ignores or blocks the caller is left
 * out, and the caller does not learn that. tv shows the best running game, and the next one
 * after its end. ignore, block and quiet are against unwanted contact. */

#include <string.h>
#include <strings.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/lobby/tv.h"
#include "server/room/feed.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- The lists --- */

/* Answers with the caller's list of that kind. with_gone: includes names that no account has
 * now. */
static bool list_names(struct call *call, enum mark_kind kind, bool with_gone)
{
    const char *me = call->from->account->folded;
    int count = 0;

    for (const struct mark *m = marks_of(accounts_marks(call->world->accounts), me);
         m != NULL; m = m->next) {
        const struct account *account =
            accounts_find(call->world->accounts, m->subject);

        if (m->kind != kind || (!with_gone && account == NULL))
            continue;
        session_sayf(call->from, "| %s %s", call->argv[0],
                     account != NULL ? account->shown : m->subject);
        count++;
    }
    return session_ok(call->from, "%s count=%d", call->argv[0], count);
}

/* Lists the names on one of the caller's lists, puts a name there, or removes it. On the
 * lists against contact, MARK_GUESTS is all guests. A player who is ignored has the
 * challenge to the caller declined; one who is blocked stops watching the caller's games. */
static bool change_list(struct call *call)
{
    const struct command *verb = call->command;
    enum mark_kind kind = verb == &cmd_notify                            ? MARK_NOTIFY
                          : verb == &cmd_follow                          ? MARK_FOLLOW
                          : verb == &cmd_ignore || verb == &cmd_unignore ? MARK_IGNORE
                                                                         : MARK_BLOCK;
    bool is_against = kind == MARK_IGNORE || kind == MARK_BLOCK;
    bool is_off = verb == &cmd_unignore || verb == &cmd_unblock ||
                  (call->argc > 2 && strcmp(call->argv[2], "off") == 0);
    struct marks *marks = accounts_marks(call->world->accounts);
    const struct account *me = call->from->account, *account;
    const char *subject = MARK_GUESTS, *name = MARK_GUESTS;
    struct seek *challenge;

    if (call->argc == 1)
        return list_names(call, kind, is_against);
    if (call->argc > 2 && !is_off)
        return call_usage(call, "off is the only word after the name");
    account = accounts_find(call->world->accounts, call->argv[1]);
    if (account == me)
        return session_err(call->from, REPLY_NO_SUCH, "#self");
    if (account == NULL && !is_against)
        return call_no_name(call->from);
    if (account == NULL && strcasecmp(call->argv[1], MARK_GUESTS) != 0)
        return session_err(call->from, REPLY_NO_SUCH, "#guests verb=%s", call->argv[0]);
    if (account != NULL) {
        subject = account->folded;
        name = account->shown;
    }
    if (is_off) {
        if (!marks_drop(marks, me->folded, kind, subject))
            return session_err(call->from, REPLY_NO_SUCH, "#list");
        return session_ok(call->from, "%s name=%s%s", call->argv[0], name,
                          is_against ? "" : " off=1");
    }
    if (!is_against && marks_find(marks, me->folded, kind, subject) == NULL &&
        marks_count(marks, me->folded, kind) >= PEOPLE_MAX)
        return session_err(call->from, REPLY_LIMIT, "what=people max=%d verb=%s",
                           PEOPLE_MAX, call->argv[0]);
    if (!call_put_mark(call, kind, subject, ""))
        return false;
    session_ok(call->from, "%s name=%s", call->argv[0], name);
    challenge = kind == MARK_IGNORE && account != NULL
                    ? seeks_find_challenge(account, me)
                    : NULL;
    if (challenge != NULL)
        seeks_decline(lobby_seeks(call->world->lobby), challenge, call->now_ms);
    for (int i = 0; kind == MARK_BLOCK && i < me->open[QUOTA_GAME]; i++) {
        struct room *room = room_find(call->world->rooms, me->game[i]);

        if (room != NULL)
            privacy_close(room);
    }
    return true;
}

const struct command cmd_notify = {
    .usage = "notify [NAME [off]]",
    .group = GROUP_FIND,
    .help = N_("be notified when a player logs in"),
    .examples =
        N_("notify park       tells you when park logs in, at most every five minutes\n"
           "notify park off   no longer tells you\n"
           "notify            lists the players"),
    .cost = 2,
    .run = change_list,
};

const struct command cmd_follow = {
    .usage = "follow [NAME [off]]",
    .group = GROUP_WATCH,
    .help = N_("watch a player's next public games as they begin"),
    .examples = N_("follow park\n"
                   "follow park off   stops following park\n"
                   "follow            lists the players"),
    .cost = 2,
    .run = change_list,
};

const struct command cmd_ignore = {
    .usage = "ignore [NAME]",
    .help = N_("hide a player's challenges and messages from you"),
    .examples = N_("ignore park    park stays ignored when you leave and come back\n"
                   "ignore guest   all guests\n"
                   "ignore         lists the players that you ignore"),
    .cost = 2,
    .run = change_list,
};

const struct command cmd_unignore = {
    .usage = "unignore NAME",
    .help = N_("stop ignoring a player"),
    .examples = "unignore park",
    .cost = 2,
    .run = change_list,
};

const struct command cmd_block = {
    .usage = "block [NAME]",
    .help = N_("keep a player from watching your games"),
    .examples = N_("block park    park stays blocked when you leave and come back\n"
                   "block guest   all guests\n"
                   "block         lists the players that you block"),
    .cost = 2,
    .run = change_list,
};

const struct command cmd_unblock = {
    .usage = "unblock NAME",
    .help = N_("let a player watch your games again"),
    .examples = "unblock park",
    .cost = 2,
    .run = change_list,
};

/* --- The news --- */

/* Finds the person who has `player` on a list. mark: the entry for `player` in this
 * list. Returns the session of this person. NULL: the person is not here, or must not
 * get news about `player` now. */
static struct session *find_listener(const struct world *world, const struct mark *mark,
                                     const struct account *player)
{
    const struct account *owner = accounts_find(world->accounts, mark->owner);
    struct session *session =
        owner != NULL ? session_find(world->sessions, owner->session) : NULL;

    if (session == NULL || session->state != SESSION_MEMBER || !notice_fits(session) ||
        privacy_avoids(accounts_marks(world->accounts), player, owner) ||
        quiet_is_now(world->rooms, owner))
        return NULL;
    return session;
}

/* A player who leaves and comes back is announced at most once in five minutes. */
void cmd_people_come(struct world *world, struct session *session, int64_t now_ms)
{
    enum { AGAIN_MS = 5 * 60 * 1000 };
    struct account *player = session->account;
    const struct mark *mark =
        marks_about(accounts_marks(world->accounts), MARK_NOTIFY, player->folded);

    if (mark == NULL ||
        (player->here_at_ms != 0 && now_ms - player->here_at_ms < AGAIN_MS))
        return;
    player->here_at_ms = now_ms;
    for (; mark != NULL; mark = mark->about_next) {
        struct session *listener = find_listener(world, mark, player);

        if (listener != NULL)
            session_sayf(listener, "! here name=%s : %s is here", player->shown,
                         player->shown);
    }
}

/* Shows a new game to those who follow one of its players, except those who already
 * watch WATCHED_MAX games. */
void cmd_people_begin(struct world *world, struct room *room)
{
    enum { WATCHED_MAX = 8 };
    struct readable what = privacy_readable_room(room);

    if (room->last == EVENT_CONTINUE || room->game.manners.is_private)
        return;
    for (int side = 0; side < SIDES; side++) {
        const struct account *player = room->seat[side];
        const struct mark *mark = player != NULL
                                      ? marks_about(accounts_marks(world->accounts),
                                                    MARK_FOLLOW, player->folded)
                                      : NULL;

        for (; mark != NULL; mark = mark->about_next) {
            struct session *session = find_listener(world, mark, player);

            if (session == NULL || presence_side_of(room, session) != SIDE_NONE ||
                feed_find(&room->feed, session) != NULL ||
                presence_count_watched(session) >= WATCHED_MAX ||
                (world->access.watching != WATCHING_ALL &&
                 account_role(session->account) < ROLE_MEMBER) ||
                !privacy_may_read(world->rooms, &what, session, NULL))
                continue;
            session_sayf(
                session, "! follow game=%lld name=%s : you watch game %lld of %s",
                (long long)room->id, player->shown, (long long)room->id, player->shown);
            presence_watch(room, session, 0);
            feed_pump(feed_find(&room->feed, session));
        }
    }
}

/* --- tv --- */

static bool tv_run(struct call *call)
{
    struct tv *tv = call->world->tv;
    int pool = RATING_POOLS;
    enum rating_pool one;
    const char *after;
    int64_t game = -1;
    struct room *room = NULL;
    char words[TV_WORDS_BYTES];

    if (call->argc == 2 && strcmp(call->argv[1], "off") == 0) {
        tv_stop(tv, call->from);
        return session_ok(call->from, "tv off=1");
    }
    after = call_take(call, "after=");
    if (call->argc == 2 && ratings_pool_parse(call->argv[1], &one))
        pool = (int)one;
    if (after != NULL && !text_to_int(after, 0, INT64_MAX, &game))
        return call_usage(call, "after which game? after=NUMBER");
    if (call->argc > 2 || (call->argc == 2 && pool == RATING_POOLS))
        return call_usage(call, "the pools are kja, martin, classic and days");
    if (after == NULL)
        room = tv_start(tv, call->from, pool);
    else if (tv_start_after(tv, call->from, pool, game))
        return session_ok(call->from, "tv after=%lld : you watch game %lld already",
                          (long long)game, (long long)game);
    if (room == NULL)
        return session_ok(call->from,
                          "tv waiting=1 : the next game is shown when it begins");
    if (room_wait(room, call->from, call->raw))
        return false;
    tv_words(words, room, call->from, call->now_ms);
    session_ok(call->from, "tv game=%lld %s", (long long)room->id, words);
    tv_show(room, call->from);
    return true;
}

const struct command cmd_tv = {
    .usage = "tv [kja|martin|classic|days|off] [after=GAME]",
    .group = GROUP_WATCH,
    .help = N_("watch the best game, and the next one after its end"),
    .examples = N_("tv          the best of all games with clocks\n"
                   "tv kja      the best of that pool of ratings (see \"top\")\n"
                   "tv off      stop showing games"),
    .cost = 10,
    .states = BY_READERS,
    .run = tv_run,
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
    return call_put_mark(call, MARK_QUIET, "", quiet_names[quiet]) &&
           session_ok(call->from, "quiet quiet=%s", quiet_names[quiet]);
}

const struct command cmd_quiet = {
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
