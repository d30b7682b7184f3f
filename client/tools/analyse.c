/* See analyse.h. */
#include "client/tools/analyse.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/analyse/analyst.h"
#include "client/analyse/report.h"
#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/base/options.h"
#include "client/formats/record_gib.h"
#include "client/formats/record_pgn.h"
#include "client/formats/records.h"
#include "client/replay/fetch.h"
#include "common/base/log.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi analyse [OPTION...] FILE|-\n"
    "       janggi analyse [OPTION...] LINK/NUMBER | HOST[:PORT] NUMBER\n"
    "\n"
    "Says what each position of the game was worth, which moves were mistakes, and\n"
    "what would have been better. It thinks on this machine, for 15 seconds; Ctrl-C\n"
    "ends it and shows what is known so far.\n"
    "\n"
    "      --seconds N       think for N seconds\n"
    "      --nodes N         search N positions for each move, however long it\n"
    "                        takes; the result is the same each time\n"
    "      --to FORMAT       text (default), json, svg (the graph), or the game with\n"
    "                        comments as gib or pgn\n"
    "      --speech          sentences, for screen readers\n"
    "      --from FORMAT     record, gib or pgn, if the file does not show it\n"
    "  -r, --rules RULESET   the rules of a GIB or PGN file, whatever the file says\n"
    "      --game N          the Nth game of the file, from 1\n"
    "      --help            print this\n"
    "\n"
    "Marks: the move lowered the player's chances by at least 10 (?!), 20 (?) or 30\n"
    "(?\?) percentage points.\n"
    "Exit: 0 ok, 1 cannot be read or written, 2 usage, 130 interrupted.\n");

enum { OPTION_SECONDS = 256, OPTION_NODES, OPTION_TO, OPTION_HELP, NODES_MIN = 100 };

static const struct option_row options[] = {
    {"seconds", OPTION_SECONDS, N_("a number, at least 1")},
    {"nodes", OPTION_NODES, N_("a number, at least 100")},
    {"to", OPTION_TO, N_("text, gib, pgn, svg or json")},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"from", FETCH_OPTION_FROM, N_("record, gib or pgn")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"game", FETCH_OPTION_GAME, N_("a number, at least 1")},
    {"help", OPTION_HELP, NULL},
    {NULL, 0, NULL},
};

struct analyse {
    struct prefs prefs; /* the settings, changed by the options */
    struct records_wish wish;
    struct analyst_wish limits;
    const char *to;
    struct options options;
    struct records_file file;
    struct event_base *base;
    struct event *interrupt; /* SIGINT, from Ctrl-C */
    struct analyst *analyst;
    bool shows_progress;
    bool is_interrupted;
};

/* --- Options --- */

static bool take_option(void *arg, int option, const char *value)
{
    static const char *const formats[] = {"text", "gib", "pgn", "svg", "json"};
    struct analyse *analyse = arg;
    int64_t number = 0;
    bool is_good;

    switch (option) {
    case OPTION_SECONDS:
        return text_to_int32(value, 1, ANALYST_SECONDS_MAX, &analyse->limits.seconds);
    case OPTION_NODES:
        is_good = text_to_int(value, NODES_MIN, INT64_MAX, &number);
        analyse->limits.nodes = (uint64_t)number;
        return is_good;
    case OPTION_TO:
        analyse->to = value;
        return text_find_word(formats, ARRAY_LEN(formats), value) >= 0;
    default:
        return fetch_take_option(&analyse->wish, option, value) ||
               prefs_take_option(&analyse->prefs, option, value);
    }
}

/* --- The search --- */

static void on_progress(void *owner)
{
    const struct analyse *analyse = owner;
    const struct analysis *analysis = analyst_analysis(analyse->analyst);
    int left_s = analyst_left_s(analyse->analyst);

    if (!analyse->shows_progress)
        return;
    fputs("\r", stderr);
    fprintf(stderr, _("analysing %d/%d"), analysis_done(analysis), analysis->plies + 1);
    if (left_s >= 0)
        fprintf(stderr, _(", %d s left"), left_s);
    fputs("   ", stderr);
}

static void on_done(void *owner)
{
    struct analyse *analyse = owner;

    if (analyse->shows_progress)
        fputs("\r\033[K", stderr);
    event_base_loopbreak(analyse->base);
}

static void on_interrupt(evutil_socket_t number, short what, void *arg)
{
    struct analyse *analyse = arg;

    (void)number;
    (void)what;
    analyse->is_interrupted = true;
    analyst_stop(analyse->analyst);
}

static void search(struct analyse *analyse)
{
    static const struct analyst_calls calls = {on_progress, on_done};

    analyse->base = loop_new();
    analyse->shows_progress = isatty(STDERR_FILENO) && !analyse->prefs.is_speech;
    analyse->analyst = analyst_new(analyse->base, &analyse->file.game, &analyse->limits,
                                   &calls, analyse);
    analyse->interrupt = loop_event(analyse->base, SIGINT, EV_SIGNAL | EV_PERSIST,
                                    on_interrupt, analyse);
    loop_add(analyse->interrupt, -1);
    if (analyse->analyst == NULL)
        log_die("analyse: cannot start the search");
    event_base_dispatch(analyse->base);
}

/* --- The result --- */

static char *write_result(const struct analyse *analyse)
{
    const struct analysis *analysis = analyst_analysis(analyse->analyst);
    const struct record *record = &analyse->file.record;
    const struct game *game = &analyse->file.game;
    struct record_note *notes;
    char *text;

    if (strcmp(analyse->to, "json") == 0)
        return report_write_json(analysis);
    if (strcmp(analyse->to, "svg") == 0)
        return report_write_svg(analysis);
    if (strcmp(analyse->to, "text") == 0)
        return analyse->prefs.is_speech ? report_write_speech(analysis)
                                        : report_write_text(analysis);
    notes = report_make_notes(analysis);
    text = strcmp(analyse->to, "gib") == 0 ? record_gib_write(record, game, notes)
                                           : record_pgn_write(record, game, notes);
    free(notes);
    return text;
}

static int run(struct analyse *analyse)
{
    bool is_printed;
    char *text;

    if (analyse->file.game.plies == 0) {
        fputs(_("janggi: the game has no moves to analyse\n"), stderr);
        return CLIENT_EXIT_ERROR;
    }
    search(analyse);
    text = write_result(analyse);
    is_printed = records_print(text, false);
    free(text);
    analyst_free(analyse->analyst);
    event_free(analyse->interrupt);
    event_base_free(analyse->base);
    if (!is_printed)
        return CLIENT_EXIT_ERROR;
    return analyse->is_interrupted ? CLIENT_EXIT_INTERRUPT : CLIENT_EXIT_OK;
}

int analyse_run(int argc, char **argv, const struct prefs *prefs)
{
    struct analyse analyse = {.prefs = *prefs,
                              .wish = {.number = 1},
                              .limits = {.seconds = ANALYST_SECONDS},
                              .to = "text"};
    int code;

    if (!options_read(&analyse.options, options, argc, argv, take_option, &analyse) ||
        !fetch_has_file(&analyse.options, 2))
        return CLIENT_EXIT_USAGE;
    if (analyse.options.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (!fetch_game(&analyse.file, &analyse.prefs, &analyse.wish, &analyse.options))
        return CLIENT_EXIT_ERROR;
    code = run(&analyse);
    records_clear(&analyse.file);
    return code;
}
