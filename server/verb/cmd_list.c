/* Verbs that list: seeks, pending, games, due, watchers, who, history, and those about
 * ratings: rank, top, annul. */

#include <stdio.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/rules.h"
#include "server/account/accounts.h"
#include "server/account/ratings.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/meant.h"
#include "server/lobby/lobby.h"
#include "server/room/notice.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

enum { SEEK_ROW_BYTES = SEEK_WORDS_BYTES + RATINGS_WORDS_BYTES + 2 * NAME_BYTES + 48 };

/* Writes the row of a seek, or of a challenge. */
static void seek_row(char out[SEEK_ROW_BYTES], const struct world *world,
                     const struct seek *seek)
{
    const char *target = seek->target != NULL ? seek->target->shown : NULL;
    char words[SEEK_WORDS_BYTES], rating[RATINGS_WORDS_BYTES];

    seeks_format(words, seek);
    rated_words(rating, world->ratings, seek->maker, &seek->terms);
    snprintf(out, SEEK_ROW_BYTES, "| %s %lld by=%s%s%s%s %s",
             target == NULL ? "seek" : "challenge", (long long)seek->id,
             seek->maker->shown, rating,
             target == NULL ? "" : " to=", target == NULL ? "" : target, words);
}

static int make_seeks(struct world *world, struct shared *list, bool is_for_host)
{
    const struct seeks *seeks = lobby_seeks(world->lobby);
    const struct seek *seek = seeks_first(seeks);
    char row[SEEK_ROW_BYTES];

    (void)is_for_host; /* the host does not ask for it */
    for (int i = 0; i < LIST_ROWS_MAX && seek != NULL; i++, seek = seek->open_next) {
        seek_row(row, world, seek);
        shared_addf(list, "%s", row);
    }
    return seeks_count(seeks);
}

static bool seeks_run(struct call *call)
{
    bool is_on = call->argc > 1 && strcmp(call->argv[1], "on") == 0;
    int count;

    if (call->argc == 1) {
        count = shared_send(call, SHARED_SEEKS, make_seeks);
        return call_ok_count(call, count,
                             count > 0 ? " : accept NUMBER begins one of them"
                                       : " : no open seeks; \"seek\" makes one");
    }
    if (!is_on && strcmp(call->argv[1], "off") != 0)
        return call_usage(call, "seeks is on or off, or nothing for the list");
    if (call->from->account == NULL)
        return session_err(call->from, REPLY_NOT_NOW, "why=login#plays");
    seeks_listen(lobby_seeks(call->world->lobby), call->from, is_on);
    return session_ok(call->from, "seeks news=%s", call->argv[1]);
}

const struct command cmd_seeks = {
    .is_list = true,
    .usage = "seeks [on|off]",
    .group = GROUP_FIND,
    .brief = N_("games on offer"),
    .help = N_("games on offer; accept NUMBER begins one of them"),
    .examples = N_("seeks\n"
                   "accept 12\n"
                   "seeks on     get news of new ones"),
    .states = BY_READERS,
    .run = seeks_run,
};

/* --- pending --- */

static bool pending_run(struct call *call)
{
    const size_t mark = 2; /* 2 bytes: the mark of a notice, and one space */
    const struct account *me = call->from->account;
    int count = me->open[QUOTA_SEEK] + me->open[QUOTA_CHALLENGE] + me->asked_count,
        rows = 0;
    char words[TERMS_BYTES], offer_text[OFFER_WORDS_BYTES], row[SEEK_ROW_BYTES];
    const struct seek *seek;
    const struct invite *invite;
    const struct cursor *cursor;

    DL_FOREACH2 (me->made, seek, made_next) {
        seek_row(row, call->world, seek);
        session_sayf(call->from, "%s", row);
    }
    for (seek = me->asked; seek != NULL && rows < LIST_ROWS_MAX;
         seek = seek->asked_next, rows++) {
        seek_row(row, call->world, seek);
        session_sayf(call->from, "%s", row);
    }
    DL_FOREACH2 (me->invites, invite, owner_next) {
        if (invites_is_old(invite))
            continue;
        terms_format(words, &invite->terms);
        session_sayf(call->from, "| invite %s%s%s %s", invite->code,
                     invite->is_hosts ? "" : " by=", invite->is_hosts ? "" : me->shown,
                     words);
        count++;
    }
    DL_FOREACH2 (call->from->cursors, cursor, session_next) {
        const struct room *room = cursor->feed->owner;
        const struct offer *offer = NULL;

        while ((offer = offer_next(room, offer)) != NULL) {
            if (offer->is_taken || presence_side_of(room, call->from) == SIDE_NONE)
                continue;
            offer_words(room, offer, offer_text);
            session_sayf(call->from, "| %s", offer_text + mark);
            count++;
        }
    }
    return session_ok(call->from, "pending count=%d%s", count,
                      count > 0 ? " : accept NUMBER, decline NUMBER, withdraw NUMBER"
                                : "");
}

const struct command cmd_pending = {
    .usage = "pending",
    .group = GROUP_PLAY,
    .brief = N_("what is still open"),
    .help = N_("the open requests and offers: yours, and those made to you"),
    .run = pending_run,
};

/* --- games, watchers, who --- */

/* The host sees private games too, but not what happens in them. */
static int make_games(struct world *world, struct shared *list, bool is_for_host)
{
    int rows = 0, count = 0;

    for (int is_private = 0; is_private <= is_for_host; is_private++) {
        const struct room *room = rooms_first_shown(world->rooms, is_private);
        char row[ROW_WORDS_BYTES];

        for (; room != NULL && rows < LIST_ROWS_MAX;
             rows++, room = rooms_next_shown(room)) {
            notice_row_words(room, false, row);
            shared_addf(list, "| game %lld %s watchers=%d", (long long)room->id, row,
                        room->feed.watcher_count);
        }
        count += rooms_count_shown(world->rooms, is_private);
    }
    return count;
}

/* Prints the running games of the account. due_only: only those in which the account
 * has to move or to choose a line-up. Returns their number. */
static int print_games_of(struct call *call, const struct account *account,
                          bool due_only)
{
    char row[ROW_WORDS_BYTES], own[ROW_WORDS_BYTES];
    int count = 0;

    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        const struct room *room = room_find(call->world->rooms, account->game[i]);
        enum side side;

        if (room == NULL || !lobby_shows(room))
            continue;
        side = room->seat[SIDE_RED] == account ? SIDE_RED : SIDE_BLUE;
        if (due_only && (room->is_frozen || !room_awaits(room, side)))
            continue;
        notice_row_words(room, true, row);
        notice_own_words(room, side, call->now_ms, own);
        session_sayf(call->from, "| game %lld %s watchers=%d %s", (long long)room->id,
                     row, room->feed.watcher_count, own);
        count++;
    }
    return count;
}

static bool games_run(struct call *call)
{
    bool is_hosts = call_is_hosts(call);
    int count;

    if (is_hosts || call->argc == 1) {
        if (!is_hosts && !entry_may_list(call->world, call->from))
            return false;
        count = shared_send(call, SHARED_GAMES, make_games);
        return call_ok_count(call, count,
                             count > 0 && !is_hosts ? " : watch NUMBER shows one" : "");
    }
    if (strcmp(call->argv[1], "mine") != 0)
        return call_usage(call, "it lists all games, or mine");
    if (call->from->account == NULL)
        return session_err(call->from, REPLY_NOT_NOW, "why=login#games");
    return call_ok_count(call, print_games_of(call, call->from->account, false), "");
}

const struct command cmd_games = {
    .is_list = true,
    .usage = "games [mine]",
    .group = GROUP_FIND,
    .brief = N_("running games"),
    .help = N_("games being played; watch NUMBER shows one"),
    .examples =
        N_("games mine    your own, also adjourned ones and those by correspondence"),
    .states = BY_READERS | BY_HOST,
    .run = games_run,
};

/* --- due --- */

static bool due_run(struct call *call)
{
    const struct account *account = call->from->account;

    if (call->argc > 2 && strncmp(call->argv[2], "token=", 6) != 0)
        return call_usage(call, "only token=T may follow the name");
    if (call->argc > 1)
        account =
            cmd_login_prove(call, call->argv[1], call->argc > 2 ? call->argv[2] : "");
    else if (account == NULL)
        session_err(call->from, REPLY_NOT_NOW, "why=login#whose");
    return account != NULL &&
           session_ok(call->from, "due count=%d name=%s",
                      print_games_of(call, account, true), account->shown);
}

const struct command cmd_due = {
    .usage = "due [NAME [token=T]]",
    .group = GROUP_PROGRAM,
    .help = "list your games that wait for you, also without logging in",
    .cost = 4,
    .states = BY_ALL,
    .run = due_run,
};

static bool watchers_run(struct call *call, struct room *room)
{
    const struct cursor *cursor = room->feed.watchers;
    int count = room->feed.watcher_count;

    for (int i = 0; i < LIST_ROWS_MAX && cursor != NULL; i++, cursor = cursor->next)
        session_sayf(call->from, "| watcher %s", cursor->session->name);
    return session_ok(call->from, "watchers game=%lld count=%d%s", (long long)room->id,
                      count, call_shown(count));
}

const struct command cmd_watchers = {
    .usage = "watchers [GAME]",
    .group = GROUP_WATCH,
    .help = N_("who watches a game"),
    .examples = "watchers\n"
                "watchers 3",
    .states = BY_READERS,
    .run_in = watchers_run,
};

/* The rating in a row is that of the pool in which the player has the most games. The host
 * sees the addresses too, and private games. */
static int make_who(struct world *world, struct shared *list, bool is_for_host)
{
    const struct session *s = sessions_first_here(world->sessions);

    for (int i = 0; i < LIST_ROWS_MAX && s != NULL; i++, s = sessions_next_here(s)) {
        char games[GAME_LIST_BYTES] = "-", hidden[24] = "", from[80] = "";
        char rating[RATINGS_WORDS_BYTES + 16] = "";
        struct text pool_words = text_into(rating, sizeof rating);
        enum rating_pool pool;
        int private_games = 0;

        if (s->account != NULL)
            private_games = lobby_list_games(world->lobby, s->account, is_for_host,
                                             games, sizeof games);
        if (private_games > 0 && !is_for_host)
            snprintf(hidden, sizeof hidden, " private=%d", private_games);
        if (is_for_host)
            snprintf(from, sizeof from, " from=%.64s", wire_peer_address(s->wire));
        if (s->account != NULL &&
            ratings_main_pool(world->ratings, s->account->number, &pool)) {
            char words[RATINGS_WORDS_BYTES];

            ratings_words(words, world->ratings, s->account->number, pool,
                          mono_wall_s());
            text_addf(&pool_words, " pool=%s%s", ratings_pool_name(pool), words);
        }
        shared_addf(list, "| player %s%s games=%s%s watching=%d%s", s->name, from,
                    games, hidden, presence_count_watched(s), rating);
    }
    return sessions_count_here(world->sessions);
}

static bool who_run(struct call *call)
{
    return call_ok_count(call, shared_send(call, SHARED_WHO, make_who), "");
}

const struct command cmd_who = {
    .is_list = true,
    .usage = "who",
    .group = GROUP_FIND,
    .help = N_("who is here"),
    .examples = "who\n"
                "challenge kim 10 5",
    .states = BY_READERS | BY_HOST,
    .run = who_run,
};

/* --- history --- */

struct recall {
    struct world *world;
    uint64_t session;
    char name[NAME_BYTES];
    int shown;
};

enum { HISTORY_MAX = 50, HISTORY_READ_MAX = 4 * HISTORY_MAX };

static void on_past(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->world->sessions, recall->session);
    struct readable what = {.game = past->game,
                            .is_private = past->is_private,
                            .is_over = true,
                            .player = {[SIDE_RED] = past->summary.red_shown,
                                       [SIDE_BLUE] = past->summary.blue_shown}};
    char words[ENDS_WORDS_BYTES];

    if (session == NULL || recall->shown == HISTORY_MAX ||
        !privacy_may_read(recall->world->rooms, &what, session, NULL))
        return;
    recall->shown++;
    lobby_format_end(words, past, ' ');
    session_sayf(session, "| %s", words);
}

static void on_past_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session =
        session_find_open(recall->world->sessions, recall->session);

    (void)count; /* not used: it includes games that the session may not read */
    if (session != NULL)
        session_ok(session, "history name=%s count=%d", recall->name, recall->shown);
    store_arg_free(recall);
}

static bool history_run(struct call *call)
{
    const struct account *account = call_find_person(call);
    struct recall *recall;

    if (account == NULL ||
        (account != call->from->account && !entry_may_list(call->world, call->from)))
        return false;
    recall = store_arg_new(call->world->store, sizeof *recall, NULL);
    recall->world = call->world;
    recall->session = call->from->id;
    text_copy(recall->name, sizeof recall->name, account->shown);
    session_hold(call->from);
    store_read_history(call->world->store, account->folded, account->first_game,
                       HISTORY_READ_MAX, on_past, on_past_end, recall);
    return true;
}

const struct command cmd_history = {
    .usage = "history [NAME]",
    .group = GROUP_FIND,
    .help = N_("games that have ended"),
    .examples = "history\n"
                "history kim",
    .cost = 10,
    .states = BY_READERS,
    .run = history_run,
};

/* --- rank --- */

static bool rank_run(struct call *call)
{
    const struct account *account = call_find_person(call);
    int count = 0;

    if (account == NULL)
        return false;
    for (int i = 0; i < RATING_POOLS; i++) {
        enum rating_pool pool = (enum rating_pool)i;
        struct ratings_view view;
        char rank[GLICKO_RANK_BYTES + 8] = "", best[24] = "";

        if (!ratings_view(call->world->ratings, account->number, pool, mono_wall_s(),
                          &view))
            continue;
        if (view.is_firm)
            snprintf(rank, sizeof rank, " rank=%s", view.rank);
        if (view.best > 0)
            snprintf(best, sizeof best, " best=%d", view.best);
        session_sayf(
            call->from,
            "| rank pool=%s rating=%d rd=%d firm=%s%s won=%d drawn=%d lost=%d%s",
            ratings_pool_name(pool), view.points, view.rd, view.is_firm ? "yes" : "no",
            rank, view.won, view.drawn, view.lost, best);
        count++;
    }
    return session_ok(call->from, "rank name=%s count=%d%s", account->shown, count,
                      count == 0 ? " : no rated game yet" : "");
}

const struct command cmd_rank = {
    .usage = "rank [NAME]",
    .group = GROUP_FIND,
    .help = N_("the ratings of a player, or yours"),
    .examples = N_(
        "rank kim\n"
        "A rating is firm after about 11 games; until then it is shown as 1512?.\n"
        "A rank is a name for a firm rating, from 18k (lowest) to 1k, then 1d to 9d."),
    .cost = 2,
    .states = BY_READERS,
    .run = rank_run,
};

/* --- top --- */

static bool say_place(void *arg, int place, int64_t number,
                      const struct ratings_view *view)
{
    struct call *call = arg;
    const struct account *account = accounts_find_number(call->world->accounts, number);

    if (account == NULL)
        return false;
    session_sayf(call->from, "| top %d name=%s rating=%d rank=%s games=%d", place,
                 account->shown, view->points, view->rank,
                 view->won + view->drawn + view->lost);
    return true;
}

static bool top_run(struct call *call)
{
    enum rating_pool pool = POOL_CLASSIC;
    const char *word = call->argc > 1 ? call->argv[1] : ruleset_name(ruleset_at(0));
    int count;

    if (!ratings_pool_parse(word, &pool))
        return call_usage(call, "the pools are kja, martin, classic and days");
    count = ratings_top(call->world->ratings, pool, mono_wall_s(), say_place, call);
    return session_ok(call->from, "top pool=%s count=%d%s", ratings_pool_name(pool),
                      count,
                      count == 0 ? " : nobody has played enough rated games yet" : "");
}

const struct command cmd_top = {
    .usage = "top [kja|martin|classic|days]",
    .group = GROUP_FIND,
    .help = N_("the players with the highest ratings"),
    .examples = N_("top kja\ntop days    games by correspondence"),
    .cost = 10,
    .states = BY_READERS,
    .run = top_run,
};

/* --- annul --- */

/* Annuls a game for the ratings. The act of the staff and the new row of the game are
 * one batch: neither is on disk without the other. */
static bool annul_run(struct call *call)
{
    const char *reason = call_text(call, 1);
    struct store *store = call->world->store;
    struct house_act act = {.kind = "annul", .words = reason};
    struct store_rating row;
    const struct account *actor =
        accounts_find(call->world->accounts, call->from->name);
    int64_t game = call->game;
    char target[24];
    struct ratings_result result;

    if (reason == NULL)
        return false;
    if (!ratings_result(call->world->ratings, game, &result))
        return session_err(call->from, REPLY_NO_SUCH, "#rated");
    if (result.why[0] != '\0')
        return call_err_game(call, REPLY_NOT_NOW, "why=not-counted", game);
    if (call->role != ROLE_OWNER && actor != NULL &&
        (result.account[SIDE_RED] == actor->number ||
         result.account[SIDE_BLUE] == actor->number))
        return call_err_game(call, REPLY_NOT_NOW, "why=seated#staff", game);
    if (!call_spend_act(call))
        return false;
    snprintf(target, sizeof target, "%lld", (long long)game);
    act.target = target;
    ratings_annul(call->world->ratings, game, mono_wall_s(), &row);
    store_put(store, STORE_RATING, &row);
    call_record(call, &act,
                "annul game=%lld pool=%s : game %lld no longer counts; the ratings are "
                "as if it had never been played",
                (long long)game, row.pool, (long long)game);
    return true;
}

const struct command cmd_annul = {
    .usage = "annul GAME REASON",
    .help = N_("take a game out of the ratings"),
    .examples = N_("annul 3 one person played both sides"),
    .role = ROLE_MODERATOR,
    .run = annul_run,
};
