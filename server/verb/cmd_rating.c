/* Verbs about ratings: rank, top, annul. */
#include <stdio.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/rules.h"
#include "server/account/accounts.h"
#include "server/account/ratings.h"
#include "server/command/command.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

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
    .name = "rank",
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
    .name = "top",
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
        return session_err(call->from, REPLY_NOT_NOW, "why=not-counted game=%lld",
                           (long long)game);
    if (call->role != ROLE_OWNER && actor != NULL &&
        (result.account[SIDE_RED] == actor->number ||
         result.account[SIDE_BLUE] == actor->number))
        return session_err(call->from, REPLY_NOT_NOW, "why=seated#staff game=%lld",
                           (long long)game);
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
    .name = "annul",
    .usage = "annul GAME REASON",
    .help = N_("take a game out of the ratings"),
    .examples = N_("annul 3 one person played both sides"),
    .role = ROLE_MODERATOR,
    .run = annul_run,
};
