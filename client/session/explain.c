/* See explain.h. */
#include "client/session/explain.h"

#include <stdlib.h>

#include "client/analyse/analyst.h"
#include "client/analyse/report.h"
#include "client/console/console.h"
#include "common/base/translate.h"

/* Handles the end of the analysis: shows the result. */
static void on_done(void *owner)
{
    struct explain *explain = owner;
    struct console *console = explain->console;
    const struct analysis *analysis = analyst_analysis(explain->analyst);
    char *text = console_is_spoken(console) ? report_write_speech(analysis)
                                            : report_write_text(analysis);

    explain_clear(explain);
    console_say(console, text);
    free(text);
    console_go_on(console);
}

void explain_begin(struct explain *explain, struct console *console,
                   const struct game *game)
{
    static const struct analyst_calls calls = {.on_done = on_done};
    const struct analyst_wish wish = {.seconds = ANALYST_SECONDS};

    if (explain->analyst != NULL) {
        console_refuse(console,
                       _("-- a game is being analysed already; Ctrl-C ends that\n"));
        return;
    }
    if (game->plies == 0) {
        console_refuse(console, _("-- the game has no moves to analyse\n"));
        return;
    }
    explain->console = console;
    explain->analyst = analyst_new(console_base(console), game, &wish, &calls, explain);
    if (explain->analyst != NULL)
        console_sayf(console, _("-- analysing, at most %d seconds; Ctrl-C ends it\n"),
                     ANALYST_SECONDS);
    else
        console_refuse(console, _("-- the analysis cannot start\n"));
}

bool explain_is_busy(const struct explain *explain)
{
    return explain->analyst != NULL;
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
}
