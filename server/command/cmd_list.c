/* Verbs that list: seeks, pending, games, watchers, who, history. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/command/command.h"
#include "server/command/verbs.h"
#include "server/lobby/lobby.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/store/store.h"

/* Rows in a list; the rest is only counted. */
enum { ROWS_MAX = 200 };

/* "count=812 shown=200" */
static void answer_list(struct call *call, const char *verb, int count,
                        const char *words)
{
    char shown[32] = "";

    if (count > ROWS_MAX)
        snprintf(shown, sizeof shown, " shown=%d", ROWS_MAX);
    session_ok(call->from, "%s count=%d%s%s", verb, count, shown, words);
}

static void seeks_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    char words[TERMS_BYTES];
    int count = 0;

    for (struct seek *s = lobby_first_seek(lobby); s != NULL; s = lobby_next_seek(s)) {
        if (s->target != NULL || count++ >= ROWS_MAX)
            continue;
        terms_format(words, &s->terms);
        session_sayf(call->from, "| seek %lld by=%s %s", (long long)s->id,
                     s->maker->shown, words);
    }
    answer_list(call, "seeks", count,
                count > 0 ? " : accept NUMBER plays one"
                          : " : nobody seeks; seek offers a game");
}

const struct command cmd_seeks = {
    .name = "seeks",
    .usage = "seeks",
    .help = "list the games on offer",
    .states = BY_READERS,
    .run = seeks_run,
};

/* --- pending --- */

static int list_seeks_of(struct call *call, const struct account *me)
{
    struct lobby *lobby = call->world->lobby;
    char words[TERMS_BYTES];
    int count = 0;

    for (struct seek *s = lobby_first_seek(lobby); s != NULL; s = lobby_next_seek(s)) {
        if (s->maker != me && s->target != me)
            continue;
        terms_format(words, &s->terms);
        session_sayf(call->from, "| %s %lld by=%s%s%s %s",
                     s->target == NULL ? "seek" : "challenge", (long long)s->id,
                     s->maker->shown, s->target == NULL ? "" : " to=",
                     s->target == NULL ? "" : s->target->shown, words);
        count++;
    }
    return count;
}

static int list_invites_of(struct call *call, const struct account *me)
{
    const struct lobby *lobby = call->world->lobby;
    const struct invite *invite = NULL;
    char words[TERMS_BYTES];
    int count = 0;

    while ((invite = lobby_next_invite(lobby, me, invite)) != NULL) {
        bool is_ours = invite->maker[0] != '\0'; /* otherwise it is the host's, and we
                                                  * wait in it */

        terms_format(words, &invite->terms);
        session_sayf(call->from, "| invite %s%s%s %s", invite->code,
                     is_ours ? " by=" : "", is_ours ? me->shown : "", words);
        count++;
    }
    return count;
}

static int list_offers_to(struct call *call)
{
    const size_t mark = 2; /* the mark of a notice */
    const struct cursor *cursor;
    char words[OFFER_WORDS_BYTES];
    int count = 0;

    for (cursor = call->from->cursors; cursor != NULL; cursor = cursor->session_next) {
        const struct room *room = cursor->feed->owner;

        for (int i = 0; i < ROOM_OFFERS_MAX; i++) {
            if (room->offer[i].kind == OFFER_NONE || room->offer[i].is_taken ||
                presence_side_of(room, call->from) == SIDE_NONE)
                continue;
            offer_words(room, &room->offer[i], words);
            session_sayf(call->from, "| %s", words + mark);
            count++;
        }
    }
    return count;
}

static void pending_run(struct call *call)
{
    const struct account *me = call->from->account;
    int count = list_seeks_of(call, me);

    count += list_invites_of(call, me);
    count += list_offers_to(call);
    session_ok(call->from, "pending count=%d%s", count,
               count > 0 ? " : accept NUMBER, decline NUMBER, withdraw NUMBER" : "");
}

const struct command cmd_pending = {
    .name = "pending",
    .usage = "pending",
    .help = "list what you have asked for and what you are asked",
    .states = BY_MEMBERS,
    .run = pending_run,
};

/* --- games, watchers, who --- */

static void games_all(struct call *call)
{
    char row[ROW_WORDS_BYTES];
    int count = 0;

    for (struct room *r = rooms_first(call->world->rooms); r != NULL;
         r = rooms_next(r)) {
        if (!lobby_shows(r) || count++ >= ROWS_MAX)
            continue;
        notice_row_words(r, row);
        session_sayf(call->from, "| game %lld %s watchers=%d", (long long)r->id, row,
                     r->feed.watcher_count);
    }
    answer_list(call, "games", count, count > 0 ? " : watch NUMBER shows one" : "");
}

static void games_mine(struct call *call)
{
    const struct account *me = call->from->account;
    char row[ROW_WORDS_BYTES], own[ROW_WORDS_BYTES];
    int count = 0;

    for (int i = 0; i < me->games; i++) {
        const struct room *room = room_find(call->world->rooms, me->game[i]);

        if (room == NULL || !lobby_shows(room))
            continue;
        notice_row_words(room, row);
        notice_own_words(room, presence_side_of(room, call->from), call->now_ms, own);
        session_sayf(call->from, "| game %lld %s watchers=%d %s", (long long)room->id,
                     row, room->feed.watcher_count, own);
        count++;
    }
    answer_list(call, "games", count, "");
}

static void games_run(struct call *call)
{
    if (call->argc == 1)
        games_all(call);
    else if (strcmp(call->argv[1], "mine") != 0)
        call_usage(call, "it lists all games, or mine");
    else if (call->from->account == NULL)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=login : a guest plays no games; login NAME");
    else
        games_mine(call);
}

const struct command cmd_games = {
    .name = "games",
    .usage = "games [mine]",
    .help = "list the games that are being played, or your own",
    .args_max = 1,
    .states = BY_READERS,
    .run = games_run,
};

static void watchers_run(struct call *call)
{
    const struct room *room = call_game(call, GAME_READ);
    const struct cursor *cursor;
    char game[40];
    int count = 0;

    if (room == NULL)
        return;
    for (cursor = room->feed.watchers; cursor != NULL; cursor = cursor->next)
        if (count++ < ROWS_MAX)
            session_sayf(call->from, "| watcher %s", cursor->session->name);
    snprintf(game, sizeof game, "watchers game=%lld", (long long)room->id);
    answer_list(call, game, count, "");
}

const struct command cmd_watchers = {
    .name = "watchers",
    .usage = "watchers [GAME]",
    .help = "list who watches a game",
    .game = GAME_ARG_OPTIONAL,
    .states = BY_READERS,
    .run = watchers_run,
};

static void who_run(struct call *call)
{
    int count = 0;

    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = sessions_next(s)) {
        char games[GAME_LIST_BYTES] = "-";

        if ((s->state != SESSION_MEMBER && s->state != SESSION_GUEST) ||
            count++ >= ROWS_MAX)
            continue;
        if (s->account != NULL)
            lobby_list_games(call->world->lobby, s->account, games, sizeof games);
        session_sayf(call->from, "| player %s games=%s watching=%d", s->name, games,
                     presence_count_watched(s));
    }
    answer_list(call, "who", count, "");
}

const struct command cmd_who = {
    .name = "who",
    .usage = "who",
    .help = "list who is here",
    .states = BY_READERS,
    .run = who_run,
};

/* --- history --- */

struct recall {
    struct world *world;
    uint64_t session;
    char name[NAME_BYTES];
};

static void on_past(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->world->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    if (session == NULL)
        return;
    lobby_past_words(words, past, ' ');
    session_sayf(session, "| %s", words);
}

static void on_past_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->world->sessions, recall->session);

    if (session != NULL && session->state != SESSION_LEAVING)
        session_ok(session, "history name=%s count=%d", recall->name, count);
    free(recall);
}

static void history_run(struct call *call)
{
    enum { HISTORY_MAX = 50 };
    const char *name = call->argc > 1 ? call->argv[1] : call->from->name;
    const struct account *account = accounts_find(call->world->accounts, name);
    struct recall *recall;

    if (account == NULL) {
        session_err(call->from, REPLY_NO_SUCH, ": nobody has that name");
        return;
    }
    recall = mem_new(sizeof *recall);
    recall->world = call->world;
    recall->session = call->from->id;
    text_copy(recall->name, sizeof recall->name, account->shown);
    session_hold(call->from);
    store_read_history(call->world->store, account->folded, HISTORY_MAX, on_past,
                       on_past_end, recall);
}

const struct command cmd_history = {
    .name = "history",
    .usage = "history [NAME]",
    .help = "list ended games, newest first",
    .args_max = 1,
    .states = BY_READERS,
    .run = history_run,
};
