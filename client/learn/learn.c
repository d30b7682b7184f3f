/* See learn.h: the options, and the life of a tour. */
#include "client/learn/learn.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/learn/learn_parts.h"
#include "client/play/client.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi learn [OPTION...] [LESSON]\n"
    "\n"
    "A tour of Korean chess for beginners: each piece, check, mate and the rest, with\n"
    "tasks to be solved at the board. LESSON is a number or a word: 5, cannon.\n"
    "help at the prompt lists what can be typed.\n"
    "\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences in place of boards, to be read aloud\n"
    "      --plain           no prompt, no escape codes\n"
    "      --color WHEN      auto, always or never\n"
    "  -c 'WORDS; WORDS'     do this, as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 6 a try in a script was wrong, 130 interrupted.\n");

enum option_code {
    OPTION_PIECES = 256,
    OPTION_SPEECH,
    OPTION_PLAIN,
    OPTION_COLOR,
    OPTION_HELP
};

static const struct option options[] = {
    {"pieces", required_argument, NULL, OPTION_PIECES},
    {"speech", no_argument, NULL, OPTION_SPEECH},
    {"plain", no_argument, NULL, OPTION_PLAIN},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* --- Life --- */

void learn_leave(struct learn *learn, int code)
{
    if (!learn->is_leaving)
        learn->exit_code = code;
    learn->is_leaving = true;
    event_base_loopbreak(learn->base);
}

void learn_finish(struct learn *learn)
{
    learn_leave(learn, learn->is_script && learn->is_refused ? CLIENT_EXIT_MOVE
                                                             : CLIENT_EXIT_OK);
}

static void on_end(void *owner)
{
    learn_finish(owner);
}

static void on_interrupt(void *owner)
{
    learn_leave(owner, CLIENT_EXIT_INTERRUPT);
}

static void look_round(struct learn *learn)
{
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    learn->is_screen =
        is_terminal && !learn->prefs.is_plain && learn->prefs.script == NULL;
    learn->is_script = learn->prefs.script != NULL || !isatty(STDIN_FILENO);
    learn->has_color = prefs_wants_color(&learn->prefs, learn->is_screen);
}

static void open_keyboard(struct learn *learn)
{
    static const struct edit_calls calls = {learn_on_line, on_end, on_interrupt,
                                            learn_on_complete};
    const char *term = getenv("TERM");
    struct edit_options with = {.has_keys = learn->is_screen && term != NULL &&
                                            strcmp(term, "dumb") != 0,
                                .has_prompt = learn->is_screen};

    learn->edit = edit_open(learn->base, &with, &calls, learn);
}

/* The words of -c, one after the other; then it is over. */
static void run_script(struct learn *learn)
{
    for (const char *at = learn->prefs.script; !learn->is_leaving && *at != '\0';) {
        size_t len = strcspn(at, ";");
        char line[PROTO_LINE_MAX + 2]; /* one that is too long stays so */

        snprintf(line, sizeof line, "%.*s", (int)len, at);
        learn_on_line(learn, line);
        at += len + (at[len] == ';');
    }
    if (!learn->is_leaving)
        learn_finish(learn);
}

static int live(struct learn *learn, int lesson)
{
    look_round(learn);
    learn->base = loop_new();
    open_keyboard(learn);
    learn_begin(&learn->course, lesson);
    learn_show_task(learn);
    learn_show_prompt(learn);
    if (learn->prefs.script != NULL)
        run_script(learn);
    edit_hold(learn->edit, false);
    if (!learn->is_leaving)
        event_base_dispatch(learn->base);
    edit_close(learn->edit);
    event_base_free(learn->base);
    return learn->exit_code;
}

/* --- Options --- */

static bool complain(const char *what, const char *value)
{
    fprintf(stderr, "janggi: learn: %s%s; see janggi learn --help\n", what, value);
    return false;
}

static bool take_option(struct learn *learn, int option, const char *value,
                        bool *wants_help)
{
    char why[PREFS_WHY_BYTES];

    switch (option) {
    case OPTION_PIECES:
        return prefs_set(&learn->prefs, "pieces", value, why);
    case OPTION_COLOR:
        return prefs_set(&learn->prefs, "color", value, why);
    case 'c':
        learn->prefs.script = value;
        return true;
    default:
        learn->prefs.is_speech |= option == OPTION_SPEECH;
        learn->prefs.is_plain |= option == OPTION_PLAIN;
        *wants_help |= option == OPTION_HELP;
        return true;
    }
}

static bool take_options(struct learn *learn, int argc, char **argv, bool *wants_help)
{
    int option;

    opterr = 0; /* the program's name in its messages would be "learn" */
    optind = 0;
    while ((option = getopt_long(argc, argv, "c:", options, NULL)) != -1) {
        if (option == '?')
            return complain(_("there is no such option, or its value is missing: "),
                            argv[optind - 1]);
        if (!take_option(learn, option, optarg, wants_help))
            return complain(_("this value is not known: "), optarg);
    }
    return *wants_help || optind >= argc - 1 ||
           complain(_("one lesson at a time: "), argv[optind + 1]);
}

int learn_run(int argc, char **argv, const struct prefs *prefs)
{
    struct learn learn = {.prefs = *prefs};
    bool wants_help = false;
    int lesson = 0;

    if (!take_options(&learn, argc, argv, &wants_help))
        return CLIENT_EXIT_USAGE;
    if (wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (optind < argc)
        lesson = learn_find_lesson(argv[optind]);
    if (lesson < 0) {
        complain(_("there is no such lesson: "), argv[optind]);
        return CLIENT_EXIT_USAGE;
    }
    return live(&learn, lesson);
}
