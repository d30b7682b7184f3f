/* See game.h: applying events, and judging acts. */
#include "common/game/game.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/board.h"

enum { PLIES_FIRST = 8 };

static const struct game nothing = {.phase = GAME_EMPTY, .ended_by = SIDE_NONE};

void game_init(struct game *game)
{
    *game = nothing;
}

void game_clear(struct game *game)
{
    free(game->ply);
    *game = nothing;
}

/* --- One ply ahead --- */

/* True when the rules have ended the game and its end event must follow. */
static bool is_due(const struct game *game)
{
    return game->due_reason != REASON_NONE;
}

/* Fills *history with what rules_ending() must know about the plies that led to
 * step->after. */
static void look_back(const struct game *game, const struct game_step *step,
                      struct history_view *history)
{
    static const struct game_ply none;
    const struct game_ply *ply = game->ply != NULL ? game->ply : &none;
    const struct past_view past = {.key = &ply->undo.key,
                                   .gave_check = &ply->gave_check,
                                   .stride = sizeof *ply,
                                   .plies = game->plies + 1,
                                   .own = INT_MAX,
                                   .last_gave_check = step->gave_check};

    history->was_bare = rules_kings_are_bare(&game->position);
    rules_look_back(&step->after, &past, history);
}

/* Computes the state after move, which must be legal in game. */
static void look_ahead(const struct game *game, struct move move,
                       struct game_step *step)
{
    struct history_view history;
    enum check check;

    step->after = game->position;
    rules_make(game->rules, &step->after, move, &step->undo);
    check = rules_check(&step->after);
    step->gave_check = check == CHECK_PIECE || check == CHECK_BOTH;
    look_back(game, step, &history);
    step->reason = rules_ending(game->rules, &step->after, &history, &step->outcome);
}

/* --- Turns --- */

enum side game_turn(const struct game *game)
{
    if (game->phase == GAME_SETUP) /* Red chooses first: rules.h */
        return game->has_lineup[SIDE_RED] ? SIDE_BLUE : SIDE_RED;
    if (game->phase == GAME_PLAY && !is_due(game) && !game->is_adjourned)
        return (enum side)game->position.side;
    return SIDE_NONE;
}

/* Returns the side that has chosen its line-up; SIDE_NONE if neither side has. Used
 * during set-up, when at most one side has chosen. */
static enum side side_set_up(const struct game *game)
{
    for (int side = 0; side < SIDES; side++)
        if (game->has_lineup[side])
            return (enum side)side;
    return SIDE_NONE;
}

enum lineup game_usual_lineup(const struct game *game)
{
    enum side other = side_set_up(game);

    return other == SIDE_NONE ? LINEUP_NBNB : game->lineup[other];
}

bool game_find_lineup(const struct game *game, const char *word, enum lineup *out)
{
    enum side other = side_set_up(game);

    if (strcmp(word, "same") != 0)
        return lineup_parse(word, out);
    if (other != SIDE_NONE)
        *out = game->lineup[other];
    return other != SIDE_NONE;
}

struct position game_start(const struct game *game)
{
    struct position position = game->position;

    for (int i = game->plies - 1; i >= 0; i--)
        rules_unmake(&position, game->ply[i].move, &game->ply[i].undo);
    return position;
}

enum side game_side_of_ply(const struct game *game, int ply)
{
    return ply % 2 == 1 ? game->first : side_other(game->first);
}

int game_number_of_ply(const struct game *game, int ply)
{
    bool starts_second = game->first != ruleset_first_mover(game->rules);

    return game->first_number + (ply - 1 + (starts_second ? 1 : 0)) / 2;
}

bool game_last(const struct game *game, struct game_last *out)
{
    struct position before = game->position;
    const struct game_ply *ply;

    if (game->plies == 0)
        return false;
    ply = &game->ply[game->plies - 1];
    rules_unmake(&before, ply->move, &ply->undo);
    out->move = ply->move;
    out->side = game_side_of_ply(game, game->plies);
    out->number = game_number_of_ply(game, game->plies);
    out->mover = out->taken = KIND_NONE;
    if (move_is_pass(ply->move))
        return true;
    out->mover = position_kind(&before, ply->move.from);
    out->taken = position_kind(&before, ply->move.to);
    return true;
}

/* --- Folding --- */

static void set_up_position(struct game *game)
{
    position_set_up(&game->position, game->lineup[SIDE_RED], game->lineup[SIDE_BLUE],
                    ruleset_first_mover(game->rules));
}

static void begin_play(struct game *game)
{
    game->first = (enum side)game->position.side;
    game->first_number = (int)game->position.move_number;
    game->phase = GAME_PLAY;
    game->due_reason = rules_ending(game->rules, &game->position, &rules_no_history,
                                    &game->due_outcome);
}

static bool apply_start(struct game *game, const struct event *event, int64_t now_ms)
{
    (void)now_ms;
    if (game->phase != GAME_EMPTY || event->rules == NULL)
        return false;
    if (event->has_position && !rules_position_ok(event->rules, &event->position, NULL))
        return false;
    memcpy(game->name, event->name, sizeof game->name);
    game->rules = event->rules;
    game->manners = event->manners;
    game->has_position = event->has_position;
    clock_init(&game->clock, &event->terms);
    memcpy(game->left_at_ply, game->clock.left, sizeof game->left_at_ply);
    game->phase = GAME_SETUP;
    set_up_position(game);
    if (event->has_position) {
        game->position = event->position;
        begin_play(game);
    }
    return true;
}

/* Returns false if another line-up was agreed for side. */
static bool is_agreed_lineup(const struct game *game, enum side side,
                             enum lineup lineup)
{
    return !game->manners.has_setup || game->manners.setup[side] == lineup;
}

static bool apply_setup(struct game *game, const struct event *event, int64_t now_ms)
{
    (void)now_ms;
    if (game->phase != GAME_SETUP || event->side != game_turn(game) ||
        !is_agreed_lineup(game, event->side, event->lineup))
        return false;
    game->has_lineup[event->side] = true;
    game->lineup[event->side] = event->lineup;
    set_up_position(game);
    if (game->has_lineup[SIDE_RED] && game->has_lineup[SIDE_BLUE])
        begin_play(game);
    return true;
}

/* Checks the times of event. An event has times if and only if the game is timed. The
 * time of side may grow by at most gain_ms, and its periods may decrease only after its
 * main time is used up. The time of the other side must not change. */
static bool times_follow(const struct game *game, const struct event *event,
                         enum side side, int64_t gain_ms)
{
    const struct clock *clock = &game->clock;
    enum side other = side_other(side);
    const struct time_left *before = &clock->left[side];
    const struct time_left *after = &event->left[side];

    if (event->has_times == clock->terms.is_untimed)
        return false;
    if (clock->terms.is_untimed)
        return true;
    return after->main_ms >= 0 && after->periods >= 0 &&
           after->main_ms <= before->main_ms + gain_ms &&
           after->periods <= before->periods &&
           (after->periods == before->periods || after->main_ms == 0) &&
           event->left[other].main_ms == clock->left[other].main_ms &&
           event->left[other].periods == clock->left[other].periods;
}

static void take_times(struct game *game, const struct event *event)
{
    game->clock.running = SIDE_NONE;
    game->clock.used_ms[SIDE_RED] = game->clock.used_ms[SIDE_BLUE] = 0;
    if (event->has_times)
        memcpy(game->clock.left, event->left, sizeof game->clock.left);
}

/* Sets the clocks to the times of `event`. Also stores these times in left_at_ply,
 * because they belong to the new position. */
static void take_times_at_ply(struct game *game, const struct event *event)
{
    take_times(game, event);
    memcpy(game->left_at_ply, game->clock.left, sizeof game->left_at_ply);
}

static struct game_ply *next_ply(struct game *game)
{
    if (game->plies == game->ply_room) {
        game->ply_room += game->ply_room / 2 + PLIES_FIRST;
        game->ply = mem_resize(game->ply, (size_t)game->ply_room, sizeof *game->ply);
    }
    return &game->ply[game->plies];
}

static void take_step(struct game *game, const struct event *event,
                      const struct game_step *step)
{
    struct game_ply *ply = next_ply(game);

    *ply = (struct game_ply){
        .move = event->move, .undo = step->undo, .gave_check = step->gave_check};
    memcpy(ply->left_before, game->left_at_ply, sizeof ply->left_before);
    game->plies++;
    game->position = step->after;
    game->due_reason = step->reason;
    game->due_outcome = step->outcome;
    take_times_at_ply(game, event);
}

static bool apply_move(struct game *game, const struct event *event, int64_t now_ms)
{
    struct game_step step;

    (void)now_ms;
    if (game_turn(game) != event->side || game->phase != GAME_PLAY ||
        event->ply != game->plies + 1 ||
        !times_follow(game, event, event->side, game->clock.terms.increment_ms) ||
        rules_judge(game->rules, &game->position, event->move).code != FAULT_NONE)
        return false;
    look_ahead(game, event->move, &step);
    take_step(game, event, &step);
    return true;
}

static bool apply_takeback(struct game *game, const struct event *event, int64_t now_ms)
{
    const struct time_left *left;

    (void)now_ms;
    if (game_turn(game) == SIDE_NONE || game->phase != GAME_PLAY || event->ply < 0 ||
        event->ply >= game->plies || event->has_times == game->clock.terms.is_untimed)
        return false;
    left = game->ply[event->ply].left_before;
    for (int side = 0; side < SIDES && event->has_times; side++)
        if (event->left[side].main_ms != left[side].main_ms ||
            event->left[side].periods != left[side].periods)
            return false;
    while (game->plies > event->ply) {
        game->plies--;
        rules_unmake(&game->position, game->ply[game->plies].move,
                     &game->ply[game->plies].undo);
    }
    take_times_at_ply(game, event);
    return true;
}

/* Checks the times of an adjournment. They only decrease. used_ms, the used part of a
 * byoyomi period, is 0 while the side to move has main time. */
static bool adjourn_follows(const struct game *game, const struct event *event)
{
    const struct clock *clock = &game->clock;
    enum side turn = (enum side)game->position.side;
    const struct time_left *before = &clock->left[turn], *after = &event->left[turn];
    bool is_in_period = after->main_ms == 0 && after->periods > 0;

    if (!times_follow(game, event, turn, 0) || event->used_ms < 0)
        return false;
    if (!is_in_period)
        return event->used_ms == 0;
    return event->used_ms < clock->terms.period_ms &&
           (after->periods < before->periods || before->main_ms > 0 ||
            event->used_ms >= clock->used_ms[turn]);
}

static bool apply_adjourn(struct game *game, const struct event *event, int64_t now_ms)
{
    (void)now_ms;
    if (game->phase != GAME_PLAY || game_turn(game) == SIDE_NONE ||
        !adjourn_follows(game, event))
        return false;
    game->is_adjourned = true;
    take_times(game, event);
    game->clock.used_ms[game->position.side] = event->used_ms;
    return true;
}

static bool apply_continue(struct game *game, const struct event *event, int64_t now_ms)
{
    (void)event;
    (void)now_ms;
    if (!game->is_adjourned)
        return false;
    game->is_adjourned = false;
    return true;
}

/* True if an end event with this reason may name event->side as the side whose act
 * ended the game. SIDE_NONE names neither side. */
static bool act_follows(const struct game *game, const struct event *event)
{
    enum side by = event->side;

    switch (event->reason) {
    case REASON_RESIGNATION:
        return by == SIDE_NONE ||
               event->outcome ==
                   rules_outcome_of_loss(game->rules, &game->position, by);
    case REASON_TIME:
        return by == SIDE_NONE || by == (enum side)game->position.side;
    case REASON_ABSENCE:
    case REASON_ABORTED:
        return true;
    default:
        return by == SIDE_NONE;
    }
}

static bool end_follows(const struct game *game, const struct event *event)
{
    const struct ruleset *rules = game->rules;
    const struct position *position = &game->position;
    bool is_play = game->phase == GAME_PLAY;
    bool is_loss = event->outcome == rules_outcome_of_loss(rules, position, SIDE_RED) ||
                   event->outcome == rules_outcome_of_loss(rules, position, SIDE_BLUE);

    if (is_due(game))
        return event->reason == game->due_reason && event->outcome == game->due_outcome;
    switch (event->reason) {
    case REASON_RESIGNATION:
        return is_loss;
    case REASON_TIME:
        return is_play && !game->is_adjourned && !game->clock.terms.is_untimed &&
               event->outcome ==
                   rules_outcome_of_loss(rules, position, (enum side)position->side);
    case REASON_ABSENCE:
        if (event->outcome == OUTCOME_NONE)
            return game->plies < SIDES; /* neither player came to the game */
        return event->outcome == OUTCOME_DRAW ? is_play
                                              : is_loss && !game->is_adjourned;
    case REASON_AGREEMENT:
        return is_play && event->outcome == OUTCOME_DRAW;
    case REASON_ABORTED:
        return event->outcome == OUTCOME_NONE;
    case REASON_HOST:
        return true;
    default: /* only the rules end a game for these reasons */
        return false;
    }
}

static bool apply_end(struct game *game, const struct event *event, int64_t now_ms)
{
    if ((game->phase != GAME_SETUP && game->phase != GAME_PLAY) ||
        !end_follows(game, event) || !act_follows(game, event))
        return false;
    clock_stop(&game->clock, now_ms);
    if (event->reason == REASON_TIME)
        game->clock.left[game->position.side] = (struct time_left){0, 0};
    game->phase = GAME_OVER;
    game->is_adjourned = false;
    game->outcome = event->outcome;
    game->reason = event->reason;
    game->ended_by = event->side;
    game->due_outcome = OUTCOME_NONE;
    game->due_reason = REASON_NONE;
    return true;
}

void game_format_reason(char out[GAME_REASON_BYTES], const struct game *game)
{
    struct text text = text_into(out, GAME_REASON_BYTES);

    text_add(&text, reason_name(game->reason));
    if (game->ended_by != SIDE_NONE)
        text_addf(&text, " by=%s", side_name(game->ended_by));
}

bool game_apply(struct game *game, const struct event *event, int64_t now_ms)
{
    static bool (*const apply[])(struct game *, const struct event *, int64_t) = {
        [EVENT_START] = apply_start,     [EVENT_SETUP] = apply_setup,
        [EVENT_MOVE] = apply_move,       [EVENT_TAKEBACK] = apply_takeback,
        [EVENT_ADJOURN] = apply_adjourn, [EVENT_CONTINUE] = apply_continue,
        [EVENT_END] = apply_end,
    };

    if (!apply[event->kind](game, event, now_ms))
        return false;
    game->events++;
    return true;
}

void game_apply_move(struct game *game, const struct game_news *news)
{
    const struct event *event = &news->event[0];

    assert(event->kind == EVENT_MOVE && event->ply == game->plies + 1);
    take_step(game, event, &news->step);
    game->events++;
}

void game_go(struct game *game, int64_t now_ms)
{
    if (game->phase == GAME_PLAY && game_turn(game) != SIDE_NONE &&
        !game->clock.terms.is_untimed)
        clock_start(&game->clock, (enum side)game->position.side, now_ms);
}

void game_allow_lag(struct game *game, int lag_ms)
{
    bool is_paid =
        game->manners.bars_lag || time_terms_is_correspondence(&game->clock.terms);

    if (game->clock.running != SIDE_NONE && !is_paid)
        clock_allow(&game->clock, lag_ms);
}

void game_stop(struct game *game, int64_t now_ms)
{
    clock_stop(&game->clock, now_ms);
}

/* --- Judging: what may be done now, and what follows --- */

static struct fault refusal(enum fault_code code)
{
    return (struct fault){.code = code, .at = POINT_NONE, .move = move_pass()};
}

/* Empties *news. During set-up and play, returns FAULT_NONE. If the game has not
 * started or is over, or if its end is due, returns the fault that refuses every
 * act. */
static struct fault judge_phase(const struct game *game, struct game_news *news)
{
    news->count = 0;
    if (game->phase == GAME_EMPTY)
        return refusal(FAULT_NOT_STARTED);
    if (game->phase == GAME_OVER || is_due(game))
        return refusal(FAULT_OVER);
    return refusal(FAULT_NONE);
}

static struct fault judge_in_play(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    return game->phase == GAME_SETUP ? refusal(FAULT_NOT_STARTED) : fault;
}

/* Like judge_in_play(), for an act that an adjourned game does not allow. */
static struct fault judge_running(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_in_play(game, news);

    if (fault.code == FAULT_NONE && game->is_adjourned)
        return refusal(FAULT_ADJOURNED);
    return fault;
}

static struct event *add_news(struct game_news *news, enum event_kind kind)
{
    struct event *event = &news->event[news->count++];

    *event = (struct event){.kind = kind};
    return event;
}

/* Adds an end event. by: the side whose act or flag ends the game; SIDE_NONE: the rules
 * or both sides end it. */
static void add_end(struct game_news *news, enum outcome outcome, enum reason reason,
                    enum side by)
{
    struct event *event = add_news(news, EVENT_END);

    event->side = by;
    event->outcome = outcome;
    event->reason = reason;
}

static void add_setup(struct game_news *news, enum side side, enum lineup lineup)
{
    struct event *event = add_news(news, EVENT_SETUP);

    event->side = side;
    event->lineup = lineup;
}

void game_begin(const struct event *start, struct game_news *news)
{
    const struct manners *manners = &start->manners;

    news->count = 1;
    news->event[0] = *start;
    if (!manners->has_setup || start->has_position)
        return;
    for (int side = 0; side < SIDES; side++)
        add_setup(news, (enum side)side, (enum lineup)manners->setup[side]);
}

struct fault game_judge_setup(const struct game *game, enum side side,
                              enum lineup lineup, struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code != FAULT_NONE)
        return fault;
    if (game->phase != GAME_SETUP || side != game_turn(game) ||
        !is_agreed_lineup(game, side, lineup))
        return refusal(FAULT_NOT_SETUP);
    add_setup(news, side, lineup);
    return fault;
}

bool game_is_sealed(const struct game *game)
{
    return game->phase == GAME_SETUP && game->manners.is_sealed &&
           !game->has_lineup[SIDE_RED] && !game->has_lineup[SIDE_BLUE];
}

struct fault game_judge_setups(const struct game *game, const enum lineup lineup[SIDES],
                               struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code != FAULT_NONE)
        return fault;
    if (!game_is_sealed(game))
        return refusal(FAULT_NOT_SETUP);
    for (int side = 0; side < SIDES; side++)
        add_setup(news, (enum side)side, lineup[side]);
    return fault;
}

static void add_move(const struct game *game, enum side side, struct move move,
                     int64_t now_ms, struct game_news *news)
{
    struct event *event = add_news(news, EVENT_MOVE);

    event->ply = game->plies + 1;
    event->side = side;
    event->move = move;
    event->has_times = !game->clock.terms.is_untimed;
    memcpy(event->left, game->clock.left, sizeof event->left);
    event->left[side] = clock_after_move(&game->clock, side, now_ms);
    event->lag_ms =
        game->clock.running == side ? clock_used_lag_ms(&game->clock, now_ms) : 0;
}

struct fault game_judge_move(const struct game *game, enum side side, struct move move,
                             int64_t now_ms, struct game_news *news)
{
    struct fault fault = judge_running(game, news);
    struct time_left left;

    if (fault.code != FAULT_NONE)
        return fault;
    if (side != game_turn(game))
        return refusal(FAULT_NOT_YOUR_TURN);
    if (!clock_left(&game->clock, side, now_ms, &left))
        return refusal(FAULT_TIME);
    move = rules_read_move(game->rules, &game->position, side, move);
    fault = rules_judge(game->rules, &game->position, move);
    if (fault.code != FAULT_NONE)
        return fault;
    look_ahead(game, move, &news->step);
    add_move(game, side, move, now_ms, news);
    if (news->step.reason != REASON_NONE)
        add_end(news, news->step.outcome, news->step.reason, SIDE_NONE);
    return fault;
}

bool game_begin_at(struct game *game, const struct ruleset *rules,
                   const struct position *position)
{
    const struct event start = {.kind = EVENT_START,
                                .rules = rules,
                                .terms = {.is_untimed = true},
                                .has_position = true,
                                .position = *position};

    game_init(game);
    return game_apply(game, &start, 0);
}

struct fault game_play(struct game *game, struct move move)
{
    struct game_news news;
    struct fault fault = game_judge_move(game, game_turn(game), move, 0, &news);

    if (fault.code != FAULT_NONE)
        return fault;
    game_apply_move(game, &news);
    if (news.count > 1)
        (void)!game_apply(game, &news.event[1], 0); /* accepted, because this end is
                                                     * due */
    return fault;
}

struct fault game_judge_resign(const struct game *game, enum side side,
                               struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code == FAULT_NONE)
        add_end(news, rules_outcome_of_loss(game->rules, &game->position, side),
                REASON_RESIGNATION, side);
    return fault;
}

struct fault game_judge_draw(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_in_play(game, news);

    if (fault.code == FAULT_NONE)
        add_end(news, OUTCOME_DRAW, REASON_AGREEMENT, SIDE_NONE);
    return fault;
}

struct fault game_judge_abort(const struct game *game, enum side by,
                              struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code == FAULT_NONE)
        add_end(news, OUTCOME_NONE, REASON_ABORTED, by);
    return fault;
}

struct fault game_judge_host(const struct game *game, enum outcome outcome,
                             struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code == FAULT_NONE)
        add_end(news, outcome, REASON_HOST, SIDE_NONE);
    return fault;
}

struct fault game_judge_takeback(const struct game *game, int plies,
                                 struct game_news *news)
{
    struct fault fault = judge_running(game, news);
    struct event *event;

    if (fault.code != FAULT_NONE)
        return fault;
    if (plies < 0 || plies >= game->plies)
        return refusal(FAULT_NO_SUCH_PLY);
    event = add_news(news, EVENT_TAKEBACK);
    event->ply = plies;
    event->has_times = !game->clock.terms.is_untimed;
    memcpy(event->left, game->ply[plies].left_before, sizeof event->left);
    return fault;
}

struct fault game_judge_adjourn(const struct game *game, int64_t now_ms,
                                struct game_news *news)
{
    struct fault fault = judge_running(game, news);
    enum side turn = (enum side)game->position.side;
    struct clock clock = game->clock;
    struct time_left left;
    struct event *event;

    if (fault.code != FAULT_NONE)
        return fault;
    if (!clock_left(&clock, turn, now_ms, &left))
        return refusal(FAULT_TIME);
    clock_stop(&clock, now_ms);
    event = add_news(news, EVENT_ADJOURN);
    event->has_times = !clock.terms.is_untimed;
    memcpy(event->left, clock.left, sizeof event->left);
    event->used_ms = clock.used_ms[turn];
    return fault;
}

struct fault game_judge_continue(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_in_play(game, news);

    if (fault.code != FAULT_NONE)
        return fault;
    if (!game->is_adjourned)
        return refusal(FAULT_NOT_ADJOURNED);
    add_news(news, EVENT_CONTINUE);
    return fault;
}

struct fault game_judge_absence(const struct game *game, enum side present,
                                bool wants_win, struct game_news *news)
{
    struct fault fault =
        wants_win ? judge_running(game, news) : judge_in_play(game, news);
    enum side absent = side_other(present);

    if (fault.code == FAULT_NONE)
        add_end(news,
                wants_win ? rules_outcome_of_loss(game->rules, &game->position, absent)
                          : OUTCOME_DRAW,
                REASON_ABSENCE, present);
    return fault;
}

struct fault game_judge_missed(const struct game *game, enum side present,
                               struct game_news *news)
{
    struct fault fault = judge_phase(game, news);

    if (fault.code == FAULT_NONE)
        add_end(news,
                present == SIDE_NONE
                    ? OUTCOME_NONE
                    : rules_outcome_of_loss(game->rules, &game->position,
                                            side_other(present)),
                REASON_ABSENCE, present);
    return fault;
}

bool game_judge_flag(const struct game *game, int64_t now_ms, struct game_news *news)
{
    enum side running = game->clock.running;
    struct time_left left;

    news->count = 0;
    if (game->phase != GAME_PLAY || is_due(game) || running == SIDE_NONE ||
        clock_left(&game->clock, running, now_ms, &left))
        return false;
    add_end(news, rules_outcome_of_loss(game->rules, &game->position, running),
            REASON_TIME, running);
    return true;
}

bool game_judge_due(const struct game *game, struct game_news *news)
{
    news->count = 0;
    if (!is_due(game))
        return false;
    add_end(news, game->due_outcome, game->due_reason, SIDE_NONE);
    return true;
}
