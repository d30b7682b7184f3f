/* See clock_checker.h. Has its own arithmetic, independent of common/clock. */
#include "tests/checker/clock_checker.h"

#include <stdio.h>

#include "common/base/mono.h"
#include "common/game/event.h"
#include "common/game/game.h"

enum { FAULTS_SHOWN = 10 };

/* --- While it is played --- */

static void note_begin(struct clock_record *record, int ply, struct clock_span span)
{
    record->ply = ply;
    if (ply < CLOCK_PLIES)
        record->began[ply] = span;
}

static bool is_turn_of(const struct clock_record *record, const struct bot *bot)
{
    const struct game *game = &bot->match->game; /* may lack the last moves */
    bool is_as_known = (record->ply - game->plies) % 2 != 0;

    return (game_turn(game) == bot->match->side) == is_as_known;
}

/* Notes when a clock starts. The answer to a move starts the other side's clock. The
 * answer to the second line-up starts the clock of the side that moves first. After a
 * restart the clock waits until the side to move logs in, which may be after the other
 * side has moved. */
static void note_answer(struct clock_record *record, const struct bot *bot,
                        enum bot_ask asked, struct clock_span span)
{
    const struct bot_match *match = bot->match;

    if (match == NULL)
        return;
    record->game = match->history.game;
    if (asked == ASK_SETUP) {
        note_begin(record, 1, span);
    } else if (asked == ASK_MOVE && bot->answered_ply < CLOCK_PLIES) {
        record->moved[bot->answered_ply] = span;
        note_begin(record, bot->answered_ply + 1, span);
    } else if (asked == ASK_LOGIN && record->is_away[bot->is_maker]) {
        record->is_away[bot->is_maker] = false;
        if (match->game.phase != GAME_PLAY || record->ply >= CLOCK_PLIES ||
            !is_turn_of(record, bot))
            return;
        if (span.from_us < record->began[record->ply].from_us)
            span.from_us = record->began[record->ply].from_us;
        note_begin(record, record->ply, span);
    }
}

void clock_checker_note_step(struct clock_record *record, struct bot *bot,
                             enum bot_step step, enum bot_ask asked)
{
    struct clock_span *last = &record->last[bot->is_maker];

    if (step == BOT_ASKS && asked != ASK_RESUME)
        last->from_us = mono_now_us();
    if (step != BOT_ANSWERED || asked == ASK_RESUME)
        return;
    last->to_us = mono_now_us();
    note_answer(record, bot, asked, *last);
}

void clock_checker_ask(struct clock_record *record, struct bot *bot)
{
    if (bot->state != BOT_IN || bot->match == NULL || bot->asking != ASK_NONE ||
        bot->resumes_due > 0 || bot->match->game.phase != GAME_PLAY ||
        game_turn(&bot->match->game) == bot->match->side ||
        bot->answered_ply > bot->match->game.plies || record->asked_us != 0)
        return;
    record->asked_us = mono_now_us();
    bot_ask_clock(bot, bot->match->history.game);
}

void clock_checker_note_told(struct clock_record *record, const struct bot *bot,
                             const struct proto_line *line)
{
    struct clock_told *told = &record->told[record->tolds];
    int ply;

    if (bot->match == NULL || record->tolds == CLOCK_TOLDS || record->asked_us == 0)
        return; /* asked_us is 0 if the server was killed after it had sent this answer:
                 * see clock_checker_note_outage() */
    ply = bot->match->game.plies + 1;
    if (ply >= CLOCK_PLIES || record->began[ply].from_us == 0 ||
        record->is_away[!bot->is_maker]) {
        record->asked_us = 0; /* the beginning of that ply is not recorded, or the
                               * answer to the last move has not come yet, or the
                               * clock waits for the side to move */
        return;
    }
    told->asked = (struct clock_span){record->asked_us, mono_now_us()};
    told->events = bot->match->game.events;
    told->began = record->began[ply];
    told->shown_ms[SIDE_RED] = proto_line_number(line, "red_ms", -1);
    told->shown_ms[SIDE_BLUE] = proto_line_number(line, "blue_ms", -1);
    told->periods[SIDE_RED] = (int)proto_line_number(line, "red_periods", 0);
    told->periods[SIDE_BLUE] = (int)proto_line_number(line, "blue_periods", 0);
    record->asked_us = 0;
    record->tolds++;
}

void clock_checker_note_outage(struct clock_record *record, const struct bot *bot)
{
    struct clock_span from_now = {mono_now_us(), INT64_MAX / 2};

    record->asked_us = 0;
    record->is_away[bot->is_maker] = true;
    if (bot->match != NULL)
        note_begin(record, bot->match->game.plies + 1, from_now);
}

/* --- Our own arithmetic --- */

/* Returns the main time and the whole periods of a side as one sum. */
static int64_t whole_ms(const struct time_terms *time, struct time_left left)
{
    return left.main_ms + left.periods * time->period_ms;
}

/* Returns the clock after a move of spent_ms. A period that was not used up is whole
 * again. */
static struct time_left after_move(const struct time_terms *time, struct time_left left,
                                   int64_t spent_ms)
{
    int64_t over_ms = spent_ms - left.main_ms;

    if (spent_ms < 0)
        spent_ms = 0;
    if (over_ms < 0) {
        left.main_ms -= spent_ms;
    } else {
        left.main_ms = 0;
        if (time->periods > 0)
            left.periods -= (int)(over_ms / time->period_ms);
    }
    left.main_ms += time->increment_ms;
    return left;
}

/* Computes the lower and the upper bound of the time between begin and end. */
static void spent_between(struct clock_span begin, struct clock_span end,
                          int64_t *least_ms, int64_t *most_ms)
{
    *least_ms = (end.from_us - begin.to_us) / 1000 - CLOCK_SLACK_MS;
    *most_ms = (end.to_us - begin.from_us) / 1000 + 1 + CLOCK_SLACK_MS;
}

static void judge_figure(struct clock_check *check, const struct clock_record *record,
                         const char *what, int number, int64_t is_ms, int64_t least_ms,
                         int64_t most_ms)
{
    int64_t off_ms = is_ms < least_ms ? least_ms - is_ms : is_ms - most_ms;

    check->figures++;
    if (off_ms > check->off_most_ms)
        check->off_most_ms = off_ms;
    if (off_ms <= 0 || check->faults++ >= FAULTS_SHOWN)
        return;
    printf(
        "# game %lld, %s %d: the server says %lld ms, which is not in %lld to %lld\n",
        (long long)record->game, what, number, (long long)is_ms, (long long)least_ms,
        (long long)most_ms);
}

/* --- Judging a game --- */

/* The lower and upper bounds of the time that each side has left. They are computed
 * from the time terms and from our own clock, without the server's values. */
struct sums {
    struct time_left least[SIDES], most[SIDES];
};

static void judge_move(struct clock_check *check, const struct clock_record *record,
                       const struct game *before, const struct event *event,
                       struct sums *sums)
{
    const struct time_terms *time = &before->clock.terms;
    enum side side = event->side;
    struct time_left had = before->clock.left[side];
    int64_t is_ms = whole_ms(time, event->left[side]), least_ms, most_ms;
    struct clock_span moved = record->moved[event->ply],
                      began = record->began[event->ply];

    spent_between(began, moved, &least_ms, &most_ms);
    if (moved.to_us - began.from_us - (moved.from_us - began.to_us) > check->widest_us)
        check->widest_us = moved.to_us - began.from_us - (moved.from_us - began.to_us);
    judge_figure(check, record, "move", event->ply, is_ms,
                 whole_ms(time, after_move(time, had, most_ms)),
                 whole_ms(time, after_move(time, had, least_ms)));
    sums->least[side] = after_move(time, sums->least[side], most_ms - CLOCK_SLACK_MS);
    sums->most[side] = after_move(time, sums->most[side], least_ms + CLOCK_SLACK_MS);
    judge_figure(check, record, "all moves up to", event->ply, is_ms,
                 whole_ms(time, sums->least[side]) - CLOCK_SLACK_MS,
                 whole_ms(time, sums->most[side]) + CLOCK_SLACK_MS);
}

/* Checks one answer to a request for the clocks. While a side thinks, its periods are
 * used up, and do not become whole again (after_move()). So the main time and the
 * periods of this side are compared as one sum. */
static void judge_told(struct clock_check *check, const struct clock_record *record,
                       const struct game *game, const struct clock_told *told)
{
    const struct time_terms *time = &game->clock.terms;
    enum side side = game_turn(game), other = side_other(side);
    struct time_left had = game->clock.left[side];
    int64_t least_ms, most_ms, is_ms = told->shown_ms[side];

    spent_between(told->began, told->asked, &least_ms, &most_ms);
    if (least_ms < 0)
        least_ms = 0;
    if (least_ms < had.main_ms && most_ms >= had.main_ms && time->periods > 0) {
        check->skipped++; /* skipped: the value may be main time or the rest of a
                           * period */
        return;
    }
    if (time->periods > 0)
        is_ms += (told->periods[side] - (most_ms >= had.main_ms)) * time->period_ms;
    judge_figure(check, record, "thinking for ply", game->plies + 1, is_ms,
                 whole_ms(time, had) - most_ms, whole_ms(time, had) - least_ms);
    if (game->clock.left[other].main_ms > 0)
        judge_figure(check, record, "not thinking for ply", game->plies + 1,
                     told->shown_ms[other], game->clock.left[other].main_ms,
                     game->clock.left[other].main_ms);
}

void clock_checker_check(struct clock_check *check, const struct clock_record *record,
                         const struct bot_match *match)
{
    struct event event;
    struct game game;
    struct sums sums = {0};

    game_init(&game);
    for (int number = 0; number < match->game.events; number++) {
        if (event_parse(match->history.event[number], &event) != EVENT_OK)
            break;
        if (event.kind == EVENT_MOVE && event.ply < CLOCK_PLIES)
            judge_move(check, record, &game, &event, &sums);
        if (!game_apply(&game, &event, 0))
            break;
        if (event.kind == EVENT_START)
            for (int side = 0; side < SIDES; side++)
                sums.least[side] = sums.most[side] = game.clock.left[side];
        for (int i = 0; i < record->tolds && game.phase == GAME_PLAY; i++)
            if (record->told[i].events == number + 1)
                judge_told(check, record, &game, &record->told[i]);
    }
    game_clear(&game);
}
