/* See rated.h. */
#include "server/lobby/rated.h"

#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/rules.h"
#include "server/account/accounts.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/lobby/terms.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { SHORT_PLIES = 10, POINTS_MAX = 9999 };

/* --- Opponents --- */

bool rated_parse_range(struct range *range, const char *value, const char **why)
{
    char low[8], high[8] = "";
    const char *dash = strchr(value, '-');
    int64_t from = 0, to;

    *why = "a range is 1400-1700, or 200 for ratings at most 200 from yours, or any";
    range->low = range->high = 0;
    if (strcmp(value, "any") == 0)
        return true;
    if (!text_copy(high, sizeof high, dash != NULL ? dash + 1 : value) ||
        !text_to_int(high, 1, POINTS_MAX, &to))
        return false;
    if (dash != NULL &&
        ((size_t)(dash - value) >= sizeof low ||
         snprintf(low, sizeof low, "%.*s", (int)(dash - value), value) < 0 ||
         !text_to_int(low, 1, to, &from)))
        return false;
    range->low = (int)from;
    range->high = (int)to;
    return true;
}

void rated_format_range(char out[RATED_RANGE_BYTES], const struct range *range)
{
    struct text text = text_into(out, RATED_RANGE_BYTES);

    if (range->low > 0)
        text_addf(&text, " range=%d-%d", range->low, range->high);
    else if (range->high > 0)
        text_addf(&text, " range=%d", range->high);
}

bool rated_fits_range(const struct range *range, const struct ratings_view *maker,
                      const struct ratings_view *other)
{
    bool is_span = range->low == 0;
    int low = is_span ? maker->points - range->high : range->low;
    int high = is_span ? maker->points + range->high : range->high;

    return !other->is_firm || range->high == 0 ||
           (other->points >= low && other->points <= high);
}

/* --- Before a game --- */

bool rated_may_play(const struct account *account, int64_t now_wall_s)
{
    bool is_old =
        account->made_wall_s == 0 || now_wall_s - account->made_wall_s >= DAY_S;

    return !account_is_bot(account) && (is_old || account_role(account) >= ROLE_MEMBER);
}

enum side rated_side(const struct ratings *ratings, const struct terms *terms,
                     const struct account *maker, const struct account *taker)
{
    enum rating_pool pool = ratings_pool_of(terms->rules, &terms->time);
    enum side first = ratings_first_side(pool);
    int makers = ratings_first_moves(ratings, maker->number, pool);
    int takers = ratings_first_moves(ratings, taker->number, pool);

    if (makers == takers)
        return SIDE_NONE;
    return makers < takers ? first : side_other(first);
}

enum side rated_side_by_rank(const struct ratings *ratings, const struct terms *terms,
                             const struct account *maker, const struct account *taker,
                             int64_t now_wall_s)
{
    enum rating_pool pool = ratings_pool_of(terms->rules, &terms->time);
    struct ratings_view makers, takers;

    (void)ratings_view(ratings, maker->number, pool, now_wall_s, &makers);
    (void)ratings_view(ratings, taker->number, pool, now_wall_s, &takers);
    if (strcmp(makers.rank, takers.rank) == 0)
        return SIDE_NONE;
    if (makers.is_firm != takers.is_firm)
        return makers.is_firm ? SIDE_RED : SIDE_BLUE;
    return makers.points > takers.points ? SIDE_RED : SIDE_BLUE;
}

/* Finds the address of an account. If the account is absent, takes the address of its
 * last login since the server's start. So two accounts of one person at one address are
 * found even if they play each other by invitation, and only one of them is logged in
 * at a time. */
static bool source_of(struct sessions *sessions, const struct account *account,
                      struct prefix *out)
{
    enum { V4_BITS = 32, V6_BITS = 64 };
    const struct session *session = session_find(sessions, account->session);
    struct prefix address = account->last_address;
    bool is_known = session != NULL
                        ? prefix_parse(wire_peer_address(session->wire), &address)
                        : account->is_address_known;

    if (is_known)
        *out = prefix_network(&address, V4_BITS, V6_BITS);
    return is_known;
}

void rated_words(char out[RATINGS_WORDS_BYTES], const struct ratings *ratings,
                 const struct account *account, const struct terms *terms)
{
    ratings_words(out, ratings, account->number,
                  ratings_pool_of(terms->rules, &terms->time), mono_wall_s());
}

bool rated_is_near(struct sessions *sessions, const struct account *one,
                   const struct account *other, bool *is_known)
{
    struct prefix a, b;

    *is_known = source_of(sessions, one, &a) && source_of(sessions, other, &b);
    return *is_known && prefix_equal(&a, &b);
}

/* --- The end --- */

static bool has_row(const struct room *room)
{
    const struct game *game = &room->game;

    return game->manners.is_rated && game->plies >= SIDES &&
           game->outcome != OUTCOME_NONE && room->seat[SIDE_RED] != NULL &&
           room->seat[SIDE_BLUE] != NULL;
}

void rated_write(const struct world *world, const struct room *room, bool may_be_near,
                 bool is_excluded)
{
    const struct game *game = &room->game;
    enum rating_pool pool;
    struct store_rating row;
    bool is_known, is_near = room->near == ROOM_NEAR;

    if (!has_row(room))
        return;
    pool = ratings_pool_of(game->rules, &game->clock.terms);
    row = (struct store_rating){
        .wall_s = mono_wall_s(),
        .pool = ratings_pool_name(pool),
        .game = room->id,
        .account = {accounts_number(world->accounts, room->seat[SIDE_RED]),
                    accounts_number(world->accounts, room->seat[SIDE_BLUE])},
        .score = game->outcome == OUTCOME_RED    ? GLICKO_RED_WON
                 : game->outcome == OUTCOME_BLUE ? GLICKO_RED_LOST
                                                 : GLICKO_DRAWN,
        .is_timeout = game->reason == REASON_TIME && game->outcome != OUTCOME_DRAW};
    if (room->near == ROOM_NEAR_UNKNOWN) /* after a restart: as it is now */
        is_near = rated_is_near(world->sessions, room->seat[SIDE_RED],
                                room->seat[SIDE_BLUE], &is_known);
    if (is_excluded)
        row.why = "host";
    else if (game->reason == REASON_AGREEMENT && game->plies < SHORT_PLIES)
        row.why = "short";
    else if (is_near && !may_be_near)
        row.why = "address";
    else
        row.why = ratings_judge(world->ratings, &row);
    ratings_add(world->ratings, &row);
    store_put(world->store, STORE_RATING, &row);
}

void rated_tell(struct ratings *ratings, struct room *room, int64_t now_wall_s)
{
    struct ratings_result result;
    char words[200];
    struct text text = text_into(words, sizeof words);

    if (!has_row(room) || !ratings_result(ratings, room->id, &result))
        return;
    if (result.why[0] != '\0')
        text_addf(&text, " counted=no why=%s", result.why);
    else
        text_addf(&text, " pool=%s", ratings_pool_name(result.pool));
    for (int side = 0; side < SIDES && result.why[0] == '\0'; side++) {
        const char *name = side_name((enum side)side);
        struct ratings_view view;

        if (room->seat[side] == NULL || !ratings_view(ratings, room->seat[side]->number,
                                                      result.pool, now_wall_s, &view))
            continue;
        text_addf(&text, " %s=%d%s %s_by=%+d", name, result.points[side],
                  view.is_firm ? "" : "?", name, result.by[side]);
        if (view.is_firm)
            text_addf(&text, " %s_rank=%s", name, view.rank);
    }
    notice_tell(room, TO_ALL, "! rating game=%lld%s", (long long)room->id, words);
}
