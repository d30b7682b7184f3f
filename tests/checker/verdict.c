/* See verdict.h. */
#include "tests/checker/verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/game/event.h"
#include "common/game/game.h"

enum { FINDINGS_SHOWN = 20 };

int verdict_faults(const struct verdict *verdict)
{
    return verdict->lost + verdict->changed + verdict->doubled + verdict->illegal +
           verdict->clock;
}

void verdict_note(struct verdict *verdict, int *kind, int64_t game, const char *format,
                  ...)
{
    va_list args;

    ++*kind;
    if (verdict->is_silent || verdict_faults(verdict) > FINDINGS_SHOWN) {
        verdict->quiet++;
        return;
    }
    printf("# game %lld: ", (long long)game);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fputc('\n', stdout);
}

/* True if the event is these words ("move 7 red B0-C2"), or begins with them and a
 * space. */
static bool is_acked_by(const char *text, const char *words)
{
    size_t len = strlen(words);

    return strncmp(text, words, len) == 0 && (text[len] == '\0' || text[len] == ' ');
}

static void check_ack(struct verdict *verdict, const struct history_log *log,
                      const char *words)
{
    int kept = 0;

    for (int i = 0; i < log->count; i++)
        kept += is_acked_by(log->text[i], words);
    verdict->checked++;
    if (kept == 0)
        verdict_note(verdict, &verdict->lost, log->game,
                     "\"%s\" was acknowledged and is not there", words);
    else if (kept > 1)
        verdict_note(verdict, &verdict->doubled, log->game, "\"%s\" is there %d times",
                     words, kept);
}

void verdict_check_history(struct verdict *verdict, const struct history *history,
                           const struct history_log *log)
{
    for (int i = 0; i < history->events; i++) {
        const char *seen = history->event[i];

        if (seen == NULL)
            continue;
        verdict->checked++;
        if (i >= log->count)
            verdict_note(verdict, &verdict->lost, history->game,
                         "event %d \"%s\" was seen and lost", i, seen);
        else if (strcmp(seen, log->text[i]) != 0)
            verdict_note(verdict, &verdict->changed, history->game,
                         "event %d was seen as \"%s\" and is \"%s\"", i, seen,
                         log->text[i]);
    }
    for (int i = 0; i < history->acks; i++)
        check_ack(verdict, log, history->ack[i]);
}

void verdict_check_equal(struct verdict *verdict, const struct history_log *one,
                         const struct history_log *other)
{
    int shorter = one->count < other->count ? one->count : other->count;

    if (one->count != other->count)
        verdict_note(verdict, &verdict->lost, one->game,
                     "one log has %d events, another %d", one->count, other->count);
    for (int i = 0; i < shorter; i++) {
        verdict->checked++;
        if (strcmp(one->text[i], other->text[i]) != 0)
            verdict_note(verdict, &verdict->changed, one->game,
                         "event %d is \"%s\" here and \"%s\" there", i, one->text[i],
                         other->text[i]);
    }
}

/* Returns the total time of a side. Unused byoyomi periods count as time. */
static int64_t whole_ms(const struct time_terms *terms, struct time_left left)
{
    return left.main_ms + left.periods * terms->period_ms;
}

/* Checks that a move does not add more than the increment to the mover's clock, and
 * does not change the other side's clock. */
static void check_clock(struct verdict *verdict, const struct history_log *log,
                        int number, const struct game *before,
                        const struct event *event, int64_t charged_ms[SIDES])
{
    const struct time_terms *terms = &before->clock.terms;

    for (int side = 0; side < SIDES; side++) {
        int64_t had_ms = whole_ms(terms, before->clock.left[side]);
        int64_t has_ms = whole_ms(terms, event->left[side]);
        int64_t gain_ms = side == (int)event->side ? terms->increment_ms : 0;

        charged_ms[side] += had_ms + gain_ms - has_ms;
        if (has_ms > had_ms + gain_ms)
            verdict_note(verdict, &verdict->clock, log->game,
                         "event %d: %s's clock went up", number,
                         side_name((enum side)side));
        if (side != (int)event->side && has_ms != had_ms)
            verdict_note(verdict, &verdict->clock, log->game,
                         "event %d: %s was charged for the other's move", number,
                         side_name((enum side)side));
    }
}

/* Returns the total time of a side, computed from the values that the client was told:
 * shown_ms and periods. had: the side's clock after the last event. In byoyomi,
 * shown_ms is the rest of the current period. A side with periods is in byoyomi if
 * had.main_ms is 0, or if periods is less than had.periods, or if shown_ms is greater
 * than had.main_ms. */
static int64_t heard_ms(const struct time_terms *terms, struct time_left had,
                        int64_t shown_ms, int periods)
{
    bool is_in_period = periods > 0 && (had.main_ms == 0 || periods < had.periods ||
                                        shown_ms > had.main_ms);

    return shown_ms + (periods - (is_in_period ? 1 : 0)) * terms->period_ms;
}

static void check_told_clock(struct verdict *verdict, const struct history *history,
                             const struct game *game, const struct history_clock *clock)
{
    const struct time_terms *terms = &game->clock.terms;

    for (int side = 0; side < SIDES; side++) {
        struct time_left left = game->clock.left[side];
        int64_t had_ms = whole_ms(terms, left);
        int64_t has_ms =
            heard_ms(terms, left, clock->shown_ms[side], clock->periods[side]);
        int64_t least_ms =
            had_ms - ((enum side)side == clock->running ? clock->run_ms : 0);

        verdict->checked++;
        if (has_ms < least_ms || has_ms > had_ms)
            verdict_note(verdict, &verdict->clock, history->game,
                         "%s had %lld ms after event %d and was said to have %lld "
                         "ms, not %lld ms or more",
                         side_name((enum side)side), (long long)had_ms,
                         clock->events - 1, (long long)has_ms, (long long)least_ms);
    }
}

void verdict_check_clocks(struct verdict *verdict, const struct history *history,
                          const struct history_log *log)
{
    struct event event;
    struct game game;

    game_init(&game);
    for (int number = 0; number < log->count; number++) {
        if (event_parse(log->text[number], &event) != EVENT_OK ||
            !game_apply(&game, &event, 0))
            break; /* verdict_check_play() reports it */
        for (int i = 0; i < history->clocks; i++)
            if (history->clock[i].events == number + 1 && game.phase == GAME_PLAY &&
                !game.clock.terms.is_untimed)
                check_told_clock(verdict, history, &game, &history->clock[i]);
    }
    game_clear(&game);
}

/* Checks one event and applies it to *game. False: the event is illegal here, and
 * nothing after it can be checked. */
static bool check_event(struct verdict *verdict, const struct history_log *log,
                        int number, struct game *game, int64_t charged_ms[SIDES])
{
    char again[EVENT_BYTES];
    struct event event;

    verdict->checked++;
    if (event_parse(log->text[number], &event) != EVENT_OK) {
        verdict_note(verdict, &verdict->illegal, log->game, "event %d is none: \"%s\"",
                     number, log->text[number]);
        return false;
    }
    event_format(again, &event);
    if (strcmp(again, log->text[number]) != 0)
        verdict_note(verdict, &verdict->changed, log->game,
                     "event %d \"%s\" reads back as \"%s\"", number, log->text[number],
                     again);
    if (event.kind == EVENT_MOVE && !game->clock.terms.is_untimed)
        check_clock(verdict, log, number, game, &event, charged_ms);
    if (game_apply(game, &event, 0))
        return true;
    verdict_note(verdict, &verdict->illegal, log->game,
                 "event %d \"%s\" does not follow", number, log->text[number]);
    return false;
}

void verdict_check_play(struct verdict *verdict, const struct history_log *log,
                        int64_t uptime_ms)
{
    int64_t charged_ms[SIDES] = {0, 0};
    struct game game;
    int number = 0;

    game_init(&game);
    while (number < log->count && check_event(verdict, log, number, &game, charged_ms))
        number++;
    if (number == log->count && game.phase != GAME_OVER)
        verdict_note(verdict, &verdict->illegal, log->game,
                     "it has %d events and no end", log->count);
    if (charged_ms[SIDE_RED] + charged_ms[SIDE_BLUE] > uptime_ms)
        verdict_note(verdict, &verdict->clock, log->game,
                     "%lld ms were charged, and the server ran for %lld ms",
                     (long long)(charged_ms[SIDE_RED] + charged_ms[SIDE_BLUE]),
                     (long long)uptime_ms);
    game_clear(&game);
}
