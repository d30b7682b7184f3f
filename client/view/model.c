/* See model.h. */
#include "client/view/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/language.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "common/record/record.h"

void model_init(struct model *model)
{
    memset(model, 0, sizeof *model);
}

static void game_free(struct model_game *game)
{
    game_clear(&game->game);
    free(game);
}

void model_clear(struct model *model)
{
    struct model_game *game, *next;

    for (game = model->games; game != NULL; game = next) {
        next = game->next;
        game_free(game);
    }
    free(model->verbs);
    model_init(model);
}

void model_take_verb(struct model *model, const struct proto_line *row)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const char *usage = proto_line_value(row, "usage");
    const char *group = proto_line_value(row, "group");
    const char *brief = proto_line_value(row, "brief");
    struct model_verb *verb;

    if (row->words < 2 || strcmp(row->word[0], "verb") != 0 || usage == NULL ||
        strspn(row->word[1], letters) != strlen(row->word[1]) ||
        model->verb_count == MODEL_VERBS_MAX)
        return;
    model->verbs =
        mem_resize(model->verbs, (size_t)model->verb_count + 1, sizeof *model->verbs);
    verb = &model->verbs[model->verb_count];
    *verb = (struct model_verb){.is_for_staff = proto_line_value(row, "role") != NULL};
    if (!text_copy(verb->name, sizeof verb->name, row->word[1]))
        return;
    (void)text_copy(verb->usage, sizeof verb->usage, usage);
    (void)text_copy(verb->group, sizeof verb->group, group != NULL ? group : "");
    (void)text_copy(verb->brief, sizeof verb->brief, brief != NULL ? brief : "");
    (void)text_copy(verb->help, sizeof verb->help, row->human);
    model->verb_count++;
}

const struct model_verb *model_find_verb(const struct model *model, const char *name)
{
    for (int i = 0; i < model->verb_count; i++)
        if (strcmp(model->verbs[i].name, name) == 0)
            return &model->verbs[i];
    return NULL;
}

struct model_game *model_find(const struct model *model, int64_t id)
{
    for (struct model_game *game = model->games; game != NULL; game = game->next)
        if (game->id == id)
            return game;
    return NULL;
}

/* Returns the weight of `game`. The game with the lowest weight is removed first. */
static int game_weight(const struct model *model, const struct model_game *game)
{
    if (game == model->current || game->pending.state != PENDING_NONE)
        return 4;
    if (game->game.phase == GAME_EMPTY || game->is_left)
        return 0;
    return 1 + game->is_ours + (game->game.phase != GAME_OVER);
}

/* Removes the oldest of the games with the lowest weight. A server may name any number
 * of games, so memory must be bounded. */
static void forget_one(struct model *model)
{
    struct model_game **at, **least = NULL;

    for (at = &model->games; *at != NULL; at = &(*at)->next)
        if (least == NULL || game_weight(model, *at) <= game_weight(model, *least))
            least = at;
    if (least != NULL && game_weight(model, *least) < 4) {
        struct model_game *game = *least;

        *least = game->next;
        game_free(game);
        model->game_count--;
    }
}

struct model_game *model_get(struct model *model, int64_t id)
{
    struct model_game *game = model_find(model, id);

    if (game != NULL)
        return game;
    if (model->game_count >= MODEL_GAMES_MAX)
        forget_one(model);
    model->game_count++;
    game = mem_new(sizeof *game);
    game->id = id;
    game->side = SIDE_NONE;
    game_init(&game->game);
    game->next = model->games;
    model->games = game;
    return game;
}

bool model_is_same_name(const char *a, const char *b)
{
    char fold_a[NAME_BYTES], fold_b[NAME_BYTES];

    if (strlen(a) >= NAME_BYTES || strlen(b) >= NAME_BYTES)
        return false;
    utf8_fold_name(fold_a, a);
    utf8_fold_name(fold_b, b);
    return strcmp(fold_a, fold_b) == 0;
}

bool model_is_bot(const char *name)
{
    size_t len = strlen(name), mark = sizeof MODEL_BOT_MARK - 1;

    return len > mark && strcmp(name + len - mark, MODEL_BOT_MARK) == 0;
}

int64_t model_number(const struct proto_line *line, const char *key, int64_t lo,
                     int64_t hi, int64_t fallback)
{
    int64_t number = proto_line_number(line, key, fallback);

    return number < lo || number > hi ? fallback : number;
}

/* --- Clocks --- */

/* Returns true if the time that the server reported for `side` is the rest of an
 * overtime period. An old server does not report this. For an old server, uses the
 * clock as it was after the last event. This result is wrong if the main time has ended
 * since that event. */
static bool is_in_period(const struct model_game *game, enum side side)
{
    if (game->clock.left[side].periods == 0)
        return false;
    return game->told.has_in_period ? game->told.is_in_period[side]
                                    : game->game.clock.left[side].main_ms == 0;
}

static void start_told_side(struct model_game *game, enum side side)
{
    struct clock *clock = &game->clock;
    int64_t shown_ms = game->told.shown_ms[side], period_ms = clock->terms.period_ms;
    int periods = game->told.periods[side];

    clock->left[side].periods =
        periods < clock->terms.periods ? periods : clock->terms.periods;
    clock->left[side].main_ms = shown_ms;
    clock->used_ms[side] = 0;
    if (!is_in_period(game, side))
        return;
    clock->left[side].main_ms = 0;
    clock->used_ms[side] = shown_ms < period_ms ? period_ms - shown_ms : 0;
}

/* Sets the local clock from the values that the server reported, if they belong to the
 * present position. */
static void set_clock(struct model_game *game)
{
    game->clock = game->game.clock;
    if (!game->told.is_told || game->told.event != game->next_event ||
        game->clock.terms.is_untimed)
        return;
    for (enum side side = SIDE_RED; side != SIDE_NONE; side++)
        start_told_side(game, side);
    game->clock.running = game->told.running;
    game->clock.since_ms = game->told.at_ms;
}

void model_take_clock(struct model_game *game, const struct proto_line *line,
                      int64_t now_ms)
{
    const char *running = proto_line_value(line, "running");
    const char *in_period = proto_line_value(line, "in_period"); /* "red,blue" */
    struct model_clock *told = &game->told;

    told->is_told = model_number(line, "red_ms", 0, MODEL_MS_MAX, -1) >= 0 &&
                    model_number(line, "blue_ms", 0, MODEL_MS_MAX, -1) >= 0;
    told->event =
        (int)model_number(line, "events", 0, MODEL_COUNT_MAX, game->next_event);
    if (told->event > game->known_events)
        game->known_events = told->event;
    told->at_ms = now_ms;
    told->shown_ms[SIDE_RED] = model_number(line, "red_ms", 0, MODEL_MS_MAX, 0);
    told->shown_ms[SIDE_BLUE] = model_number(line, "blue_ms", 0, MODEL_MS_MAX, 0);
    told->periods[SIDE_RED] = (int)model_number(line, "red_periods", 0, 99, 0);
    told->periods[SIDE_BLUE] = (int)model_number(line, "blue_periods", 0, 99, 0);
    told->has_in_period = in_period != NULL;
    for (enum side side = SIDE_RED; side != SIDE_NONE; side++)
        told->is_in_period[side] =
            in_period != NULL && strstr(in_period, side_name(side)) != NULL;
    told->running = running == NULL ? SIDE_NONE : side_parse(running);
    set_clock(game);
}

int model_follow(struct model_game *game, const struct proto_line *line, int64_t now_ms)
{
    int before = game->next_event;

    game->is_asked = game->is_left = false;
    model_take_clock(game, line, now_ms);
    game->is_catching_up = before < game->known_events;
    game->is_from_zero = before == 0;
    return game->known_events - before;
}

struct time_left model_left_before(const struct model_game *game, int ply,
                                   enum side side)
{
    return record_left(&game->game, ply, side);
}

/* --- Events --- */

/* Removes what the event makes obsolete: our move that was sent and not answered, and
 * offers about the position before the event. (The server reports later that these
 * offers have ended.) */
static void settle(struct model_game *game, const struct event *event)
{
    bool is_sent = game->pending.state == PENDING_SENT;

    if (event->kind != EVENT_START && event->kind != EVENT_SETUP)
        game->offers.count = 0;
    if (event->kind == EVENT_ADJOURN) /* the times in claim_at_ms are no longer valid */
        game->claim_at_ms[SIDE_RED] = game->claim_at_ms[SIDE_BLUE] = 0;
    if (is_sent && (event->kind == EVENT_END || event->kind == EVENT_TAKEBACK ||
                    (event->kind == EVENT_MOVE && event->ply >= game->pending.ply)))
        game->pending.state = PENDING_NONE;
}

/* Returns true if the event is our pending move in state PENDING_LOST. The server had
 * received that move, so it is no longer pending. */
static bool find_lost(struct model_game *game, const struct event *event)
{
    const struct model_pending *pending = &game->pending;

    if (pending->state != PENDING_LOST || event->kind != EVENT_MOVE ||
        event->ply != pending->ply || event->side != game->side ||
        !move_is_same(event->move, pending->move))
        return false;
    game->pending.state = PENDING_NONE;
    return true;
}

/* Applies the event to the game. Returns false if it does not fit the events before
 * it. */
static bool fold(const struct model *model, struct model_game *game,
                 const struct event *event, int64_t now_ms)
{
    if (!game_apply(&game->game, event, now_ms))
        return false;
    if (event->kind == EVENT_START)
        game->is_of_round = true;
    for (enum side side = SIDE_RED; event->kind == EVENT_START && side != SIDE_NONE;
         side++) {
        if (model->name[0] != '\0' &&
            model_is_same_name(model->name, game->game.name[side])) {
            game->side = side;
            game->is_ours = true;
        }
        game->is_of_round &=
            model_is_same_name(model->round[side], game->game.name[side]);
    }
    if (event->kind == EVENT_MOVE)
        game->lag_ms[event->side] = event->lag_ms;
    game_go(&game->game, now_ms);
    settle(game, event);
    return true;
}

static enum model_took take(const struct model *model, struct model_game *game,
                            const char *text, struct event *event, int64_t now_ms)
{
    switch (event_parse(text, event)) {
    case EVENT_UNKNOWN:
        return MODEL_SKIPPED;
    case EVENT_OK:
        if (!game->is_broken && fold(model, game, event, now_ms))
            return MODEL_NEW;
        break;
    case EVENT_BAD:
        break;
    }
    game->is_broken = true;
    return MODEL_BROKEN;
}

void model_take_event(struct model *model, int64_t id, int number, const char *text,
                      int64_t now_ms, struct model_news *out)
{
    struct model_game *game = model_get(model, id);

    out->game = game;
    out->is_found = false;
    out->took = number < game->next_event   ? MODEL_OLD
                : number > game->next_event ? MODEL_GAP
                                            : MODEL_NEW;
    if (number >= game->known_events)
        game->known_events = number + 1;
    if (out->took != MODEL_NEW)
        return;
    out->took = take(model, game, text, &out->event, now_ms);
    out->is_found = out->took == MODEL_NEW && find_lost(game, &out->event);
    game->next_event = number + 1;
    out->is_late = game->next_event < game->known_events;
    if (game->game.phase != GAME_SETUP)
        game->setup_until_ms = 0;
    set_clock(game);
}

/* --- Offers --- */

static void remove_offer(struct model_offers *offers, int64_t id)
{
    for (int i = 0; i < offers->count; i++)
        if (offers->at[i].id == id) {
            memmove(&offers->at[i], &offers->at[i + 1],
                    (size_t)(offers->count - i - 1) * sizeof offers->at[0]);
            offers->count--;
            return;
        }
}

void model_add_offer(struct model_offers *offers, const struct model_offer *offer)
{
    remove_offer(offers, offer->id);
    if (offers->count == MODEL_OFFERS_MAX)
        remove_offer(offers, offers->at[0].id);
    offers->at[offers->count++] = *offer;
}

void model_close_offer(struct model *model, int64_t id)
{
    remove_offer(&model->challenges, id);
    for (struct model_game *game = model->games; game != NULL; game = game->next)
        remove_offer(&game->offers, id);
}

void model_take_seek(struct model *model, const struct proto_line *row)
{
    const char *by = proto_line_value(row, "by");

    if (by == NULL || model_is_same_name(by, model->name))
        return;
    model->seeks++;
    if (row->words < 2 || !text_to_int(row->word[1], 1, INT64_MAX, &model->seek_id) ||
        model->seeks > 1)
        model->seek_id = 0;
}

void model_lose_connection(struct model *model)
{
    model->challenges.count = 0;
    model->seek_id = 0;
    model->restart_at_ms = 0;
    for (struct model_game *game = model->games; game != NULL; game = game->next) {
        game->offers.count = 0;
        game->watchers = game->unnamed_watchers = 0;
        game->is_asked = false;
        game->setup_until_ms = 0; /* the server may have stopped its clocks */
        game->resume_at_ms = 0;
        game->pending.is_told = false;
        game->pending.again_ms = 0;
        if (game->pending.state == PENDING_SENT)
            game->pending.state = PENDING_LOST;
        game->is_away[SIDE_RED] = game->is_away[SIDE_BLUE] = false;
        game->claim_at_ms[SIDE_RED] = game->claim_at_ms[SIDE_BLUE] = 0;
    }
}

/* --- Asking --- */

bool model_is_playing(const struct model_game *game)
{
    return game->is_ours &&
           (game->game.phase == GAME_SETUP || game->game.phase == GAME_PLAY);
}

enum side model_turn(const struct model_game *game)
{
    if (!game_is_sealed(&game->game) || !game->is_ours)
        return game_turn(&game->game);
    return game->has_sealed[game->side] ? side_other(game->side) : game->side;
}

bool model_is_our_turn(const struct model_game *game)
{
    /* the server sets up by itself the line-ups that the terms of the game contain */
    bool is_set_up_by_terms =
        game->game.phase == GAME_SETUP && game->game.manners.has_setup;

    return model_is_playing(game) && !is_set_up_by_terms &&
           model_turn(game) == game->side;
}

const char *model_rating_pool(const struct model_game *game)
{
    return time_terms_is_correspondence(&game->game.clock.terms)
               ? "days"
               : ruleset_rating_pool(game->game.rules);
}

void model_set_rating(struct model_game *game, enum side side, const char *rating)
{
    snprintf(game->rating[side], sizeof game->rating[side], "%s", rating);
}

bool model_is_slow(const struct model_game *game)
{
    return game->game.is_adjourned ||
           time_terms_is_correspondence(&game->game.clock.terms);
}

int64_t model_turn_left(const struct model_game *game, int64_t now_ms)
{
    enum side turn = model_turn(game);
    int64_t left_ms = game->setup_until_ms - now_ms;

    if (game->game.phase == GAME_SETUP && game->setup_until_ms != 0)
        return left_ms > 0 ? left_ms : 0;
    if (game->game.phase == GAME_SETUP || turn == SIDE_NONE)
        return -1;
    return clock_shown_ms(&game->clock, turn, now_ms, &(int){0});
}

/* Returns true if `a` needs its player sooner than `b`. */
static bool is_more_urgent(const struct model_game *a, const struct model_game *b,
                           int64_t now_ms)
{
    int64_t a_ms = model_turn_left(a, now_ms), b_ms = model_turn_left(b, now_ms);

    if (model_is_our_turn(a) != model_is_our_turn(b))
        return model_is_our_turn(a);
    return a_ms >= 0 && (b_ms < 0 || a_ms < b_ms);
}

struct model_game *model_next_game(const struct model *model, int64_t now_ms)
{
    struct model_game *next = NULL;

    if (model->current == NULL || model->current->game.phase != GAME_OVER)
        return NULL;
    for (struct model_game *game = model->games; game != NULL; game = game->next)
        if (model_is_playing(game) && !model_is_slow(game) && !game->is_left &&
            (game->game.phase != GAME_PLAY || model_turn(game) != SIDE_NONE) &&
            (next == NULL || is_more_urgent(game, next, now_ms)))
            next = game;
    return next;
}

bool model_claim_left(const struct model_game *game, int64_t now_ms, int64_t *left_ms)
{
    enum side other;

    if (!model_is_playing(game))
        return false;
    other = side_other(game->side);
    if (!game->is_away[other] || game->claim_at_ms[other] == 0)
        return false;
    *left_ms =
        game->claim_at_ms[other] > now_ms ? game->claim_at_ms[other] - now_ms : 0;
    return true;
}

bool model_is_first_seen(const struct model_game *game)
{
    return game->is_catching_up && game->is_from_zero;
}

bool model_is_caught_up(const struct model_game *game)
{
    return !game->is_asked && game->next_event >= game->known_events;
}

bool model_is_flipped(const struct model_game *game)
{
    bool is_blue_below =
        game->side == SIDE_BLUE || (game->side == SIDE_NONE && language_is_korean());

    return is_blue_below != game->is_turned;
}

static void count_kinds(const struct position *position, enum side side,
                        int count[KIND_PAWN + 1])
{
    memset(count, 0, (KIND_PAWN + 1) * sizeof count[0]);
    for (int point = 0; point < BOARD_POINTS; point++)
        if (position_side(position, point) == side)
            count[position_kind(position, point)]++;
}

void model_taken(const struct model_game *game, enum side side,
                 char out[MODEL_TAKEN_BYTES])
{
    static const struct {
        enum kind kind;
        char letter;
    } by_value[] = {
        {KIND_ROOK, 'R'},   {KIND_CANNON, 'C'}, {KIND_KNIGHT, 'N'},
        {KIND_BISHOP, 'B'}, {KIND_GUARD, 'G'},  {KIND_PAWN, 'P'},
    };
    struct position start = game_start(&game->game);
    int before[KIND_PAWN + 1], now[KIND_PAWN + 1];
    size_t len = 0;

    count_kinds(&start, side_other(side), before);
    count_kinds(&game->game.position, side_other(side), now);
    for (size_t i = 0; i < ARRAY_LEN(by_value); i++)
        for (int n = now[by_value[i].kind]; n < before[by_value[i].kind]; n++)
            if (len + 1 < MODEL_TAKEN_BYTES)
                out[len++] = by_value[i].letter;
    out[len] = '\0';
    if (side == SIDE_RED)
        text_lower(out); /* Red captures Blue's pieces, whose letters are lower case */
}

const struct model_offer *model_offer_to_us(const struct model *model,
                                            const struct model_game *game)
{
    for (int i = game->offers.count - 1; i >= 0; i--)
        if (!model_is_same_name(game->offers.at[i].by, model->name))
            return &game->offers.at[i];
    return NULL;
}

struct model_game *model_find_offer(const struct model *model, int64_t id,
                                    const struct model_offer **offer)
{
    for (struct model_game *game = model->games; game != NULL; game = game->next)
        for (int i = 0; i < game->offers.count; i++)
            if (game->offers.at[i].id == id) {
                *offer = &game->offers.at[i];
                return game;
            }
    return NULL;
}

/* Appends the offers made by others. Returns the new count. */
static int list_offers(const struct model *model, const struct model_offers *offers,
                       const struct model_game *game,
                       struct model_open out[MODEL_OPEN_MAX], int count)
{
    for (int i = 0; i < offers->count && count < MODEL_OPEN_MAX; i++)
        if (!model_is_same_name(offers->at[i].by, model->name))
            out[count++] = (struct model_open){&offers->at[i], game};
    return count;
}

int model_list_open(const struct model *model, struct model_open out[MODEL_OPEN_MAX])
{
    int count = 0;

    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        if (game->is_ours)
            count = list_offers(model, &game->offers, game, out, count);
    return list_offers(model, &model->challenges, NULL, out, count);
}
