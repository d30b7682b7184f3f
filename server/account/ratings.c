/* See ratings.h. A row has the standings of both players after the game. For each
 * player, the row also has the index of the player's previous row in the pool. So the
 * present standing of a player is in the player's last row. An annulment changes only
 * the rows whose standings depend on the annulled game. */
#include "server/account/ratings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/game/rules.h"

enum {
    NO_ROW = -1,
    PAIR_MAX = 3,          /* counted games of two players on one day */
    OPPONENTS_MIN = 5,     /* different opponents that a listed player has had */
    LISTED_S = 30 * DAY_S, /* a player who is idle for longer is not listed */
    FIRSTS_MAX = 20,       /* `firsts` has a bit for this many of a player's latest
                            * games */
    VALUE_SLACK = 2,       /* allowed difference between a stored and a computed value,
                            * because math libraries round differently */
};

/* Why a game does not count; "": it counts. "other" stands for any word that only a
 * later version of the server knows. */
static const char *const whys[] = {"",       "pair", "address",  "short",
                                   "series", "host", "annulled", "other"};
enum { WHY_ANNULLED = 6, WHY_OTHER };

/* The numbers of a player in one pool after one of the player's games. Before the first
 * game all members but `glicko` are zero. */
struct standing {
    struct glicko glicko;
    int games[3]; /* by the player's result: lost, drawn, won */
    int best;
    uint32_t firsts; /* a bit for each of the last 20 games: the player moved first */
    int64_t played_wall_s;
};

struct player {
    int64_t account;
    int last[RATING_POOLS]; /* index of the player's last row; NO_ROW: none */
    int64_t opponent[RATING_POOLS][OPPONENTS_MIN];
    int opponents[RATING_POOLS];
    bool is_listed[RATING_POOLS];
    int64_t timeout_wall_s; /* the player's last loss on time in a correspondence game
                             * that counts; 0: none */
    UT_hash_handle hh;
};

struct row {
    int64_t game, wall_s;
    struct player *player[SIDES]; /* NULL: an annulment */
    int before[SIDES]; /* index of each player's previous row in the pool; NO_ROW:
                        * none */
    struct standing after[SIDES];
    unsigned char pool, score;
    unsigned char why; /* index in whys; 0: it counts */
    bool is_timeout;
};

/* Counted games of two players on the present day. */
struct pair {
    struct pair_key {
        int64_t low, high;
        int64_t pool;
    } key;
    int games;
    UT_hash_handle hh;
};

/* Players in the order of their ratings, the best first. */
struct ladder {
    struct player **player;
    int count, room;
};

struct ratings {
    struct row *row; /* row i has the seq i + 1 */
    int count, room;
    struct player *players;
    struct pair *pairs;
    int64_t pairs_day;
    struct ladder ladder[RATING_POOLS];
};

/* --- Pools --- */

static const char *const pool_names[] = {[POOL_KJA] = "kja",
                                         [POOL_MARTIN] = "martin",
                                         [POOL_CLASSIC] = "classic",
                                         [POOL_DAYS] = "days"};
static_assert(ARRAY_LEN(pool_names) == RATING_POOLS, "a pool has no name");

const char *ratings_pool_name(enum rating_pool pool)
{
    return pool_names[pool];
}

bool ratings_pool_parse(const char *word, enum rating_pool *out)
{
    for (int pool = 0; pool < RATING_POOLS; pool++)
        if (strcmp(word, pool_names[pool]) == 0) {
            *out = (enum rating_pool)pool;
            return true;
        }
    return false;
}

enum rating_pool ratings_pool_of(const struct ruleset *rules,
                                 const struct time_terms *time)
{
    enum rating_pool pool = POOL_CLASSIC;

    if (time_terms_is_correspondence(time))
        return POOL_DAYS;
    (void)!ratings_pool_parse(ruleset_rating_pool(rules), &pool);
    return pool;
}

/* --- Life --- */

struct ratings *ratings_new(void)
{
    return mem_new(sizeof(struct ratings));
}

static void forget_pairs(struct ratings *ratings)
{
    struct pair *pair, *next;

    HASH_ITER (hh, ratings->pairs, pair, next) {
        HASH_DEL(ratings->pairs, pair);
        free(pair);
    }
}

void ratings_free(struct ratings *ratings)
{
    struct player *player, *next;

    if (ratings == NULL)
        return;
    forget_pairs(ratings);
    HASH_ITER (hh, ratings->players, player, next) {
        HASH_DEL(ratings->players, player);
        free(player);
    }
    for (int pool = 0; pool < RATING_POOLS; pool++)
        free(ratings->ladder[pool].player);
    free(ratings->row);
    free(ratings);
}

/* --- Players and standings --- */

static struct player *find_player(const struct ratings *ratings, int64_t account)
{
    struct player *player;

    HASH_FIND(hh, ratings->players, &account, sizeof account, player);
    return player;
}

/* The side that lost, if the game was not drawn. */
static int loser_in(int score)
{
    return score == GLICKO_RED_WON ? SIDE_BLUE : SIDE_RED;
}

static int side_in(const struct row *row, const struct player *player)
{
    return row->player[SIDE_RED] == player ? SIDE_RED : SIDE_BLUE;
}

static struct standing standing_at(const struct ratings *ratings, int index,
                                   const struct player *player)
{
    const struct row *row;

    if (index == NO_ROW)
        return (struct standing){.glicko = glicko_start()};
    row = &ratings->row[index];
    return row->after[side_in(row, player)];
}

static struct standing standing_in(const struct ratings *ratings,
                                   const struct player *player, enum rating_pool pool)
{
    return standing_at(ratings, player->last[pool], player);
}

static int games_of(const struct standing *standing)
{
    return standing->games[0] + standing->games[1] + standing->games[2];
}

/* Returns the rating at that time: its deviation has grown since the last game. */
static struct glicko aged(const struct standing *standing, int64_t now_wall_s)
{
    int64_t idle_s = now_wall_s - standing->played_wall_s;

    return glicko_age(standing->glicko, games_of(standing) > 0 ? idle_s : 0);
}

enum side ratings_first_side(enum rating_pool pool)
{
    return pool == POOL_KJA ? SIDE_BLUE : SIDE_RED;
}

/* --- The fold --- */

static void play(struct standing *standing, const struct row *row, int side,
                 struct glicko after)
{
    int result = side == SIDE_RED ? row->score : 2 - row->score;
    uint32_t mask = (UINT32_C(1) << FIRSTS_MAX) - 1;

    standing->glicko = after;
    standing->games[result]++;
    standing->firsts =
        (standing->firsts << 1 | (side == (int)ratings_first_side(row->pool))) & mask;
    standing->played_wall_s = row->wall_s;
    if (after.rd < GLICKO_RD_FIRM && glicko_points(after) > standing->best)
        standing->best = glicko_points(after);
}

/* Sets the standings after the row to those before it: all there is to do if the game
 * does not count. */
static void carry(const struct ratings *ratings, struct row *row)
{
    for (int side = 0; side < SIDES; side++)
        row->after[side] = standing_at(ratings, row->before[side], row->player[side]);
}

/* Computes the standings after the row from those before it. */
static void fold(const struct ratings *ratings, struct row *row)
{
    struct glicko glicko[SIDES];

    carry(ratings, row);
    if (row->why != 0)
        return;
    for (int side = 0; side < SIDES; side++)
        glicko[side] = aged(&row->after[side], row->wall_s);
    glicko_play(glicko, (enum glicko_score)row->score);
    for (int side = 0; side < SIDES; side++)
        play(&row->after[side], row, side, glicko[side]);
}

/* --- Which games count --- */

static struct pair_key key_of(int64_t red, int64_t blue, enum rating_pool pool)
{
    return (struct pair_key){
        .low = red < blue ? red : blue, .high = red < blue ? blue : red, .pool = pool};
}

static struct pair *find_pair(const struct ratings *ratings, struct pair_key key,
                              int64_t wall_s)
{
    struct pair *pair = NULL;

    if (wall_s / DAY_S == ratings->pairs_day)
        HASH_FIND(hh, ratings->pairs, &key, sizeof key, pair);
    return pair;
}

const char *ratings_judge(const struct ratings *ratings, const struct store_rating *row)
{
    const struct player *loser =
        find_player(ratings, row->account[loser_in((int)row->score)]);
    const struct pair *pair;
    enum rating_pool pool;
    int64_t since_s;

    if (!ratings_pool_parse(row->pool, &pool))
        return "";
    pair = find_pair(ratings,
                     key_of(row->account[SIDE_RED], row->account[SIDE_BLUE], pool),
                     row->wall_s);
    if (pair != NULL && pair->games >= PAIR_MAX)
        return "pair";
    if (pool != POOL_DAYS || !row->is_timeout || loser == NULL ||
        loser->timeout_wall_s == 0)
        return "";
    since_s = row->wall_s - loser->timeout_wall_s; /* a series of losses on time */
    return since_s >= 0 && since_s < DAY_S ? "series" : "";
}

/* --- The ladder --- */

/* Returns the place of the player in the ladder, which is ordered by rating and then by
 * account number. */
static int place_of(const struct ratings *ratings, const struct player *player,
                    enum rating_pool pool)
{
    const struct ladder *ladder = &ratings->ladder[pool];
    int rating = standing_in(ratings, player, pool).glicko.rating;
    int low = 0, high = ladder->count;

    while (low < high) {
        int middle = (low + high) / 2;
        const struct player *other = ladder->player[middle];
        int his = standing_in(ratings, other, pool).glicko.rating;

        if (his > rating || (his == rating && other->account < player->account))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list(struct ratings *ratings, struct player *player, enum rating_pool pool)
{
    struct ladder *ladder = &ratings->ladder[pool];
    int place;

    if (standing_in(ratings, player, pool).glicko.rd >= GLICKO_RD_LISTED ||
        player->opponents[pool] != OPPONENTS_MIN)
        return;
    ladder->player = mem_grow(ladder->player, ladder->count, &ladder->room, 64,
                              sizeof(struct player *));
    place = place_of(ratings, player, pool);
    memmove(ladder->player + place + 1, ladder->player + place,
            (size_t)(ladder->count - place) * sizeof(struct player *));
    ladder->player[place] = player;
    ladder->count++;
    player->is_listed[pool] = true;
}

/* --- Adding rows --- */

static void add_opponent(struct player *player, enum rating_pool pool, int64_t account)
{
    int count = player->opponents[pool];

    for (int i = 0; i < count; i++)
        if (player->opponent[pool][i] == account)
            return;
    if (count < OPPONENTS_MIN)
        player->opponent[pool][player->opponents[pool]++] = account;
}

static struct row *new_row(struct ratings *ratings)
{
    ratings->row = mem_grow(ratings->row, ratings->count, &ratings->room, 256,
                            sizeof *ratings->row);
    ratings->row[ratings->count] = (struct row){.wall_s = 0};
    return &ratings->row[ratings->count++];
}

/* Adds a row, and records what the rules for later games depend on: the games of the
 * pair, losses on time, and opponents. The caller sets row->after, and lists the
 * players, who are taken off the ladder here. */
static struct row *add_game(struct ratings *ratings, const struct store_rating *stored,
                            enum rating_pool pool)
{
    struct row *row = new_row(ratings);
    int index = ratings->count - 1;
    struct pair_key key =
        key_of(stored->account[SIDE_RED], stored->account[SIDE_BLUE], pool);
    struct pair *pair;

    row->game = stored->game;
    row->wall_s = stored->wall_s;
    row->pool = (unsigned char)pool;
    row->score = (unsigned char)stored->score;
    row->is_timeout = stored->is_timeout;
    while (row->why < WHY_OTHER && strcmp(stored->why, whys[row->why]) != 0)
        row->why++;
    for (int side = 0; side < SIDES; side++) {
        struct player *player = find_player(ratings, stored->account[side]);
        struct ladder *ladder = &ratings->ladder[pool];

        if (player == NULL) {
            player = mem_new(sizeof *player);
            player->account = stored->account[side];
            for (int i = 0; i < RATING_POOLS; i++)
                player->last[i] = NO_ROW;
            HASH_ADD(hh, ratings->players, account, sizeof player->account, player);
        } else if (player->is_listed[pool]) {
            int place = place_of(ratings, player, pool);

            ladder->count--;
            memmove(ladder->player + place, ladder->player + place + 1,
                    (size_t)(ladder->count - place) * sizeof(struct player *));
            player->is_listed[pool] = false;
        }
        row->player[side] = player;
        row->before[side] = player->last[pool];
    }
    for (int side = 0; side < SIDES; side++)
        row->player[side]->last[pool] = index;
    if (row->why != 0)
        return row;
    /* Games are counted for one day only: a row of another day clears the counts, also
     * when the clock was set back. */
    pair = find_pair(ratings, key, row->wall_s);
    if (row->wall_s / DAY_S != ratings->pairs_day)
        forget_pairs(ratings);
    ratings->pairs_day = row->wall_s / DAY_S;
    if (pair == NULL) {
        pair = mem_new(sizeof *pair);
        pair->key = key;
        HASH_ADD(hh, ratings->pairs, key, sizeof pair->key, pair);
    }
    pair->games++;
    if (pool == POOL_DAYS && row->is_timeout && row->score != GLICKO_DRAWN)
        row->player[loser_in(row->score)]->timeout_wall_s = row->wall_s;
    for (int side = 0; side < SIDES; side++)
        add_opponent(row->player[side], pool, stored->account[!side]);
    return row;
}

void ratings_add(struct ratings *ratings, struct store_rating *stored)
{
    enum rating_pool pool = POOL_CLASSIC;
    struct row *row;

    if (!ratings_pool_parse(stored->pool, &pool))
        return;
    row = add_game(ratings, stored, pool);
    fold(ratings, row);
    for (int side = 0; side < SIDES; side++) {
        list(ratings, row->player[side], pool);
        stored->after[side] = row->after[side].glicko;
    }
    stored->seq = ratings->count;
}

/* --- Annulment --- */

/* Annuls the row at the index `first`. Folds again the rows of the pool whose players'
 * standings it has changed. */
static void annul(struct ratings *ratings, int first)
{
    struct row *annulled = &ratings->row[first];
    enum rating_pool pool = annulled->pool;
    struct player *loser = annulled->player[loser_in(annulled->score)], *player, *next;
    struct pair *pair = find_pair(ratings,
                                  key_of(annulled->player[SIDE_RED]->account,
                                         annulled->player[SIDE_BLUE]->account, pool),
                                  annulled->wall_s);
    /* is_changed[i]: the standings after the row first + i have changed */
    bool *is_changed = mem_new((size_t)(ratings->count - first) * sizeof *is_changed);

    annulled->why = WHY_ANNULLED;
    /* ratings_judge() judges later games as if the game had never counted */
    if (pair != NULL && pair->games > 0)
        pair->games--;
    if (pool == POOL_DAYS && annulled->is_timeout &&
        loser->timeout_wall_s == annulled->wall_s)
        loser->timeout_wall_s = 0;
    for (int i = first; i < ratings->count; i++) {
        struct row *row = &ratings->row[i];
        bool is_touched = i == first;

        if (row->player[SIDE_RED] == NULL || row->pool != pool)
            continue;
        for (int side = 0; side < SIDES; side++)
            is_touched = is_touched || (row->before[side] >= first &&
                                        is_changed[row->before[side] - first]);
        if (!is_touched)
            continue;
        is_changed[i - first] = true;
        fold(ratings, row);
    }
    free(is_changed);
    for (int side = 0; side < SIDES; side++) {
        int index = annulled->player[side]->last[pool];

        player = annulled->player[side];
        player->opponents[pool] = 0;
        while (index != NO_ROW && player->opponents[pool] < OPPONENTS_MIN) {
            const struct row *row = &ratings->row[index];
            int own = side_in(row, player);

            if (row->why == 0)
                add_opponent(player, pool, row->player[!own]->account);
            index = row->before[own];
        }
    }
    ratings->ladder[pool].count = 0;
    HASH_ITER (hh, ratings->players, player, next) {
        player->is_listed[pool] = false;
        if (player->last[pool] != NO_ROW)
            list(ratings, player, pool);
    }
}

/* --- Rows that were read --- */

static int index_of(const struct ratings *ratings, int64_t game)
{
    int index = ratings->count - 1;

    while (index >= 0 && (ratings->row[index].game != game ||
                          ratings->row[index].player[SIDE_RED] == NULL))
        index--;
    return index;
}

static bool is_close(int one, int other)
{
    return abs(one - other) <= VALUE_SLACK;
}

const char *ratings_take(struct ratings *ratings, const struct store_rating *stored,
                         bool is_checked)
{
    enum rating_pool pool;
    struct row *row;
    bool is_right = true;
    int index;

    if (strcmp(stored->why, whys[WHY_ANNULLED]) == 0) {
        index = index_of(ratings, stored->game);
        new_row(ratings)->game = stored->game;
        if (index == NO_ROW || ratings->row[index].why != 0)
            return "it annuls a game that does not count";
        row = &ratings->row[index];
        annul(ratings, index);
        for (int side = 0; side < SIDES; side++)
            if (!is_close(
                    standing_in(ratings, row->player[side], row->pool).glicko.rating,
                    stored->after[side].rating))
                return "its ratings are not those without the game";
        return NULL;
    }
    if (stored->score < GLICKO_RED_LOST || stored->score > GLICKO_RED_WON ||
        stored->account[SIDE_RED] == stored->account[SIDE_BLUE] ||
        !ratings_pool_parse(stored->pool, &pool)) {
        new_row(ratings);
        return "its pool is unknown";
    }
    row = add_game(ratings, stored, pool);
    if (is_checked)
        fold(ratings, row);
    for (int side = 0; side < SIDES && is_checked; side++) {
        const struct glicko *is = &row->after[side].glicko, *was = &stored->after[side];

        is_right = is_right && is_close(is->rating, was->rating) &&
                   is_close(is->rd, was->rd) &&
                   is_close(is->volatility, was->volatility);
    }
    carry(ratings, row);
    for (int side = 0; side < SIDES && row->why == 0; side++)
        play(&row->after[side], row, side, stored->after[side]);
    for (int side = 0; side < SIDES; side++)
        list(ratings, row->player[side], pool);
    return is_right ? NULL : "its ratings do not follow from the games before it";
}

/* --- The row of a game --- */

bool ratings_result(const struct ratings *ratings, int64_t game,
                    struct ratings_result *out)
{
    int index = index_of(ratings, game);
    const struct row *row;

    if (index == NO_ROW)
        return false;
    row = &ratings->row[index];
    *out = (struct ratings_result){
        .seq = index + 1, .pool = row->pool, .why = whys[row->why]};
    for (int side = 0; side < SIDES; side++) {
        struct standing before =
            standing_at(ratings, row->before[side], row->player[side]);

        out->account[side] = row->player[side]->account;
        out->points[side] = glicko_points(row->after[side].glicko);
        out->by[side] = out->points[side] - glicko_points(before.glicko);
    }
    return true;
}

static struct store_rating stored_of(const struct ratings *ratings, int index)
{
    const struct row *row = &ratings->row[index];
    struct store_rating out = {.seq = index + 1,
                               .wall_s = row->wall_s,
                               .pool = pool_names[row->pool],
                               .game = row->game,
                               .score = row->score,
                               .is_timeout = row->is_timeout,
                               .why = whys[row->why]};

    for (int side = 0; side < SIDES; side++) {
        out.account[side] = row->player[side]->account;
        out.after[side] = row->after[side].glicko;
    }
    return out;
}

void ratings_annul(struct ratings *ratings, int64_t game, int64_t now_wall_s,
                   struct store_rating *out)
{
    int index = index_of(ratings, game);
    const struct row *row;

    annul(ratings, index);
    new_row(ratings)->game = game;
    row = &ratings->row[index];
    *out = stored_of(ratings, index);
    out->seq = ratings->count;
    out->wall_s = now_wall_s;
    for (int side = 0; side < SIDES; side++)
        out->after[side] = standing_in(ratings, row->player[side], row->pool).glicko;
}

/* --- Reading --- */

void ratings_each(const struct ratings *ratings, int64_t account, enum rating_pool pool,
                  ratings_row_fn *see, void *arg)
{
    const struct player *player = find_player(ratings, account);
    int index = player != NULL ? player->last[pool] : NO_ROW;

    while (index != NO_ROW) {
        struct store_rating row = stored_of(ratings, index);

        see(arg, &row);
        index = ratings->row[index].before[side_in(&ratings->row[index], player)];
    }
}

static void fill_view(struct ratings_view *out, const struct standing *standing,
                      int64_t now_wall_s)
{
    struct glicko now = aged(standing, now_wall_s);

    *out = (struct ratings_view){.points = glicko_points(now),
                                 .rd = (now.rd + 50) / 100,
                                 .is_firm = now.rd < GLICKO_RD_FIRM,
                                 .lost = standing->games[0],
                                 .drawn = standing->games[1],
                                 .won = standing->games[2],
                                 .best = standing->best};
    if (out->is_firm)
        glicko_rank(out->rank, out->points);
}

bool ratings_view(const struct ratings *ratings, int64_t account, enum rating_pool pool,
                  int64_t now_wall_s, struct ratings_view *out)
{
    const struct player *player = find_player(ratings, account);
    struct standing standing = {.glicko = glicko_start()};

    if (player != NULL)
        standing = standing_in(ratings, player, pool);
    fill_view(out, &standing, now_wall_s);
    return games_of(&standing) > 0;
}

void ratings_words(char out[RATINGS_WORDS_BYTES], const struct ratings *ratings,
                   int64_t account, enum rating_pool pool, int64_t now_wall_s)
{
    struct ratings_view view;

    out[0] = '\0';
    if (ratings_view(ratings, account, pool, now_wall_s, &view))
        snprintf(out, RATINGS_WORDS_BYTES, " rating=%d%s%s", view.points,
                 view.is_firm ? " rank=" : "?", view.rank);
}

bool ratings_main_pool(const struct ratings *ratings, int64_t account,
                       enum rating_pool *out)
{
    const struct player *player = find_player(ratings, account);
    int most = 0;

    for (int pool = 0; player != NULL && pool < RATING_POOLS; pool++) {
        struct standing standing = standing_in(ratings, player, (enum rating_pool)pool);

        if (games_of(&standing) > most) {
            most = games_of(&standing);
            *out = (enum rating_pool)pool;
        }
    }
    return most > 0;
}

int ratings_first_moves(const struct ratings *ratings, int64_t account,
                        enum rating_pool pool)
{
    const struct player *player = find_player(ratings, account);
    unsigned count = 0;

    if (player == NULL)
        return 0;
    for (uint32_t bits = standing_in(ratings, player, pool).firsts; bits != 0;
         bits >>= 1)
        count += bits & 1;
    return (int)count;
}

/* Goes through the ladder once, from the top. Calls `see` for the players that may be
 * listed. Removes the other players from the ladder. A removed player is listed again
 * after the player's next game. */
int ratings_top(struct ratings *ratings, enum rating_pool pool, int64_t now_wall_s,
                ratings_top_fn *see, void *arg)
{
    struct ladder *ladder = &ratings->ladder[pool];
    int count = 0, at = 0;

    for (; at < ladder->count && count < RATINGS_TOP_MAX; at++) {
        struct player *player = ladder->player[at];
        struct standing last = standing_in(ratings, player, pool);
        struct ratings_view view;

        fill_view(&view, &last, now_wall_s);
        if (now_wall_s - last.played_wall_s < LISTED_S &&
            aged(&last, now_wall_s).rd < GLICKO_RD_LISTED &&
            see(arg, count + 1, player->account, &view))
            ladder->player[count++] = player;
        else
            player->is_listed[pool] = false;
    }
    if (count < at)
        memmove(ladder->player + count, ladder->player + at,
                (size_t)(ladder->count - at) * sizeof(struct player *));
    ladder->count -= at - count;
    return count;
}
