/* The judging half of game.h: what may be done in a game now, and what would follow. */
#include <string.h>

#include "common/game/game.h"
#include "common/game/game_step.h"

static struct fault refusal(enum fault_code code)
{
    return (struct fault){.code = code, .at = POINT_NONE, .move = move_pass()};
}

/* Why nothing can be done any more, or yet: FAULT_NONE in set-up and in play. */
static struct fault judge_phase(const struct game *game)
{
    if (game->phase == GAME_EMPTY)
        return refusal(FAULT_NOT_STARTED);
    if (game->phase == GAME_OVER || game_is_due(game))
        return refusal(FAULT_OVER);
    return refusal(FAULT_NONE);
}

static struct fault judge_in_play(const struct game *game)
{
    if (game->phase == GAME_SETUP)
        return refusal(FAULT_NOT_STARTED);
    return judge_phase(game);
}

/* The same for what needs a running game. */
static struct fault judge_running(const struct game *game)
{
    struct fault fault = judge_in_play(game);

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

static void add_end(struct game_news *news, enum outcome outcome, enum reason reason)
{
    struct event *event = add_news(news, EVENT_END);

    event->outcome = outcome;
    event->reason = reason;
}

struct fault game_judge_setup(const struct game *game, enum side side,
                              enum lineup lineup, struct game_news *news)
{
    struct fault fault = judge_phase(game);
    struct event *event;

    news->count = 0;
    if (fault.code != FAULT_NONE)
        return fault;
    if (game->phase != GAME_SETUP || side != game_turn(game))
        return refusal(FAULT_NOT_SETUP);
    event = add_news(news, EVENT_SETUP);
    event->side = side;
    event->lineup = lineup;
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
}

struct fault game_judge_move(const struct game *game, enum side side, struct move move,
                             int64_t now_ms, struct game_news *news)
{
    struct fault fault = judge_running(game);
    struct time_left left;
    struct game_step step;

    news->count = 0;
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
    game_look_ahead(game, move, &step);
    add_move(game, side, move, now_ms, news);
    if (step.reason != REASON_NONE)
        add_end(news, step.outcome, step.reason);
    return fault;
}

struct fault game_judge_resign(const struct game *game, enum side side,
                               struct game_news *news)
{
    struct fault fault = judge_phase(game);

    news->count = 0;
    if (fault.code == FAULT_NONE)
        add_end(news, rules_outcome_of_loss(game->rules, &game->position, side),
                REASON_RESIGNATION);
    return fault;
}

struct fault game_judge_draw(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_in_play(game);

    news->count = 0;
    if (fault.code == FAULT_NONE)
        add_end(news, OUTCOME_DRAW, REASON_AGREEMENT);
    return fault;
}

struct fault game_judge_abort(const struct game *game, struct game_news *news)
{
    struct fault fault = judge_phase(game);

    news->count = 0;
    if (fault.code == FAULT_NONE)
        add_end(news, OUTCOME_NONE, REASON_ABORTED);
    return fault;
}

struct fault game_judge_takeback(const struct game *game, int plies,
                                 struct game_news *news)
{
    struct fault fault = judge_running(game);
    struct event *event;

    news->count = 0;
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
    struct fault fault = judge_running(game);
    enum side turn = (enum side)game->position.side;
    struct clock clock = game->clock;
    struct time_left left;
    struct event *event;

    news->count = 0;
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
    struct fault fault = judge_in_play(game);

    news->count = 0;
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
    struct fault fault = wants_win ? judge_running(game) : judge_in_play(game);
    enum side absent = side_other(present);

    news->count = 0;
    if (fault.code == FAULT_NONE)
        add_end(news,
                wants_win ? rules_outcome_of_loss(game->rules, &game->position, absent)
                          : OUTCOME_DRAW,
                REASON_ABSENCE);
    return fault;
}

bool game_judge_flag(const struct game *game, int64_t now_ms, struct game_news *news)
{
    enum side running = game->clock.running;
    struct time_left left;

    news->count = 0;
    if (game->phase != GAME_PLAY || game_is_due(game) || running == SIDE_NONE ||
        clock_left(&game->clock, running, now_ms, &left))
        return false;
    add_end(news, rules_outcome_of_loss(game->rules, &game->position, running),
            REASON_TIME);
    return true;
}

bool game_judge_due(const struct game *game, struct game_news *news)
{
    news->count = 0;
    if (!game_is_due(game))
        return false;
    add_end(news, game->due_outcome, game->due_reason);
    return true;
}
