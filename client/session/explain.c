/* See explain.h. */
#include "client/session/explain.h"

#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>

#include "client/analyse/analyst.h"
#include "client/analyse/puzzle_book.h"
#include "client/analyse/report.h"
#include "client/base/loop.h"
#include "client/console/console.h"
#include "common/base/translate.h"

/* --- Puzzles --- */

bool explain_keep_puzzle(const struct explain *explain, const struct puzzle *puzzle)
{
    return puzzle_book_add(explain->book_path, &explain->result, puzzle,
                           explain->players);
}

static void end_hunt(struct explain *explain)
{
    puzzle_hunt_free(explain->hunt);
    explain->hunt = NULL;
    if (explain->hunt_timer != NULL)
        event_free(explain->hunt_timer);
    explain->hunt_timer = NULL;
}

static void keep_puzzles(const struct explain *explain)
{
    int kept = 0;

    for (int i = 0; i < explain->puzzles; i++)
        if (explain->puzzle[i].side == explain->keeps)
            kept += explain_keep_puzzle(explain, &explain->puzzle[i]);
    if (kept > 0)
        console_sayf(
            explain->console,
            translate_count("-- %d puzzle of this game is kept for you: type "
                            "\"janggi puzzles\" at a shell\n",
                            "-- %d puzzles of this game are kept for you: type "
                            "\"janggi puzzles\" at a shell\n",
                            kept),
            kept);
}

static void step_hunt(struct explain *explain)
{
    enum puzzle_step step =
        explain->puzzles < EXPLAIN_PUZZLES_MAX
            ? puzzle_hunt_step(explain->hunt, &explain->puzzle[explain->puzzles])
            : PUZZLE_END;

    if (step == PUZZLE_FOUND)
        explain->puzzles++;
    if (step != PUZZLE_END)
        return;
    end_hunt(explain);
    keep_puzzles(explain);
}

static void on_hunt_timer(evutil_socket_t fd, short what, void *arg)
{
    struct explain *explain = arg;

    (void)fd;
    (void)what;
    step_hunt(explain);
    if (explain->hunt != NULL) {
        loop_add(explain->hunt_timer, 0);
        return;
    }
    console_go_on(explain->console);
}

static void begin_hunt(struct explain *explain)
{
    explain->hunt_timer =
        loop_event(console_base(explain->console), -1, 0, on_hunt_timer, explain);
    explain->hunt = puzzle_hunt_new(&explain->result);
    loop_add(explain->hunt_timer, 0);
}

const struct puzzle *explain_next_puzzle(struct explain *explain, int after_ply)
{
    for (int i = 0;; i++) {
        while (i >= explain->puzzles && explain->hunt != NULL)
            step_hunt(explain);
        if (i >= explain->puzzles)
            return NULL;
        if (explain->puzzle[i].ply > after_ply)
            return &explain->puzzle[i];
    }
}

/* --- The analysis --- */

/* Handles the end of the analysis: shows the result and begins to search for
 * puzzles. */
static void on_done(void *owner)
{
    struct explain *explain = owner;
    struct console *console = explain->console;
    const struct analysis *analysis = analyst_analysis(explain->analyst);
    char *text = console_is_spoken(console) ? report_write_speech(analysis)
                                            : report_write_text(analysis);

    explain->result = analyst_take_analysis(explain->analyst);
    analyst_free(explain->analyst);
    explain->analyst = NULL;
    console_say(console, text);
    free(text);
    begin_hunt(explain);
    console_prompt(console);
}

static void begin(struct explain *explain, const struct game *game)
{
    static const struct analyst_calls calls = {.on_done = on_done};
    const struct analyst_wish wish = {.seconds = ANALYST_SECONDS};
    struct console *console = explain->console;

    explain->analyst = analyst_new(console_base(console), game, &wish, &calls, explain);
    if (explain->analyst != NULL)
        console_sayf(console, _("-- analysing, at most %d seconds; Ctrl-C ends it\n"),
                     ANALYST_SECONDS);
    else
        console_refuse(console, _("-- the analysis cannot start\n"));
}

void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game, enum side side, const char *book_path)
{
    if (explain->analyst != NULL) {
        console_refuse(console,
                       _("-- a game is being analysed already; Ctrl-C ends that\n"));
        return;
    }
    if (game->plies == 0) {
        console_refuse(console, _("-- the game has no moves to analyse\n"));
        return;
    }
    explain_clear(explain);
    explain->console = console;
    explain->keeps = side;
    explain->book_path = book_path;
    snprintf(explain->players, sizeof explain->players, "%s-%s", game->name[SIDE_RED],
             game->name[SIDE_BLUE]);
    begin(explain, game);
}

bool explain_is_busy(const struct explain *explain)
{
    return explain->analyst != NULL || explain->hunt != NULL;
}

bool explain_has_result(const struct explain *explain)
{
    return explain->result.rules != NULL;
}

bool explain_stop(struct explain *explain)
{
    if (explain->analyst == NULL)
        return false;
    analyst_stop(explain->analyst);
    return true;
}

void explain_clear(struct explain *explain)
{
    analyst_free(explain->analyst);
    explain->analyst = NULL;
    end_hunt(explain);
    explain->puzzles = 0;
    analysis_clear(&explain->result);
}
