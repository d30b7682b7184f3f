/* See learn.h: the options, the commands, and their output. learn_course.h decides
 * which answers are correct. */
#include "client/learn/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/base/exit.h"
#include "client/base/options.h"
#include "client/learn/learn_course.h"
#include "client/session/session.h"
#include "client/verb/verbs.h"
#include "client/view/figure.h"
#include "client/view/primer.h"
#include "client/view/speech.h"
#include "common/base/translate.h"
#include "common/words/names.h"

struct learn {
    struct prefs prefs; /* with the options applied */
    struct learn_course course;
    struct session session;
    struct console *console; /* of the session */
    struct model no_game;    /* always empty: no command of this mode needs a game */
    bool is_task_due; /* the words of the lesson are shown; Enter shows the task */
};

static const char usage[] = N_(
    "Usage: janggi learn [OPTION...] [LESSON]\n"
    "\n"
    "A tour of Korean chess for beginners: each piece, check, mate and the rest, with\n"
    "tasks to be solved at the board. LESSON is a number or a word: 5, cannon.\n"
    "Type \"help\" at the prompt for the commands.\n"
    "\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences instead of boards, for screen readers\n"
    "      --plain           no prompt, no escape codes\n"
    "      --color WHEN      auto, always or never\n"
    "  -c 'WORDS; WORDS'     run these commands as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 6 a try in a script was wrong, 130 interrupted.\n");

enum option_code { OPTION_HELP = 256 };

static const struct option_row options[] = {
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

/* Finds a lesson. word: the number of the lesson (counted from 1), its title or its
 * piece. Returns the index of the lesson (counted from 0), or -1 if there is no such
 * lesson. */
static int find_lesson(const char *word)
{
    static const struct {
        const char *word, *title;
    } also[] = {{"setup", N_("the set-up")},
                {"pass", N_("passing")},
                {"bikjang", N_("bare kings")}};
    enum kind kind = names_find_kind(word);
    int64_t number;

    for (size_t i = 0; i < ARRAY_LEN(also); i++)
        if (strcasecmp(word, also[i].word) == 0)
            word = also[i].title;
    if (text_to_int(word, 1, learn_lessons(), &number))
        return (int)number - 1;
    for (int i = 0; i < learn_lessons(); i++) {
        const char *title = learn_lesson_at(i)->title;
        const char *short_title = strncmp(title, "the ", 4) == 0 ? title + 4 : title;

        if (strcasecmp(title, word) == 0 || strcasecmp(short_title, word) == 0)
            return i;
        if (kind != KIND_NONE && learn_lesson_at(i)->kind == kind)
            return i;
    }
    return -1;
}

/* --- What is shown --- */

enum { SHOWN_BYTES = 4096, ROWS_FOR_BOTH = 40 };

/* Shows the board, or lists its pieces for a screen reader. at: the point to mark, or
 * POINT_NONE. */
static void show_board(struct learn *learn, int at)
{
    const struct learn_task *task = learn_course_task(&learn->course);
    bool marks[BOARD_POINTS] = {false};
    const struct figure figure = {.position = &learn->course.position,
                                  .last = learn->course.last,
                                  .marks = marks,
                                  .pieces = learn->prefs.pieces,
                                  .has_color = console_has_color(learn->console)};
    char words[SHOWN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (at != POINT_NONE)
        marks[at] = true;
    if (console_is_spoken(learn->console))
        speech_pieces(&text, figure.position);
    else
        figure_rows(&text, &figure, task->lowest, task->highest);
    console_say(learn->console, words);
}

/* Shows the lesson's own text, or the text about its piece. */
static void show_words(struct learn *learn, const struct learn_lesson *lesson)
{
    char words[SHOWN_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, _("\nLesson %d of %d: %s"), learn->course.lesson + 1,
              learn_lessons(), _(lesson->title));
    if (lesson->kind == KIND_NONE) {
        text_addf(&text, "\n\n%s", _(lesson->words));
        console_say(learn->console, words);
        return;
    }
    text_add(&text, " (");
    names_describe(&text, lesson->kind);
    text_addf(&text, ")\n\n%s", _(primer_get(lesson->kind)->words));
    if (console_is_spoken(learn->console))
        primer_targets(&text, lesson->kind);
    else
        primer_board(&text, lesson->kind, learn->prefs.pieces,
                     console_has_color(learn->console));
    console_say(learn->console, words);
}

static void show_board_and_task(struct learn *learn)
{
    const struct learn_course *course = &learn->course;

    learn->is_task_due = false;
    console_say(learn->console, "\n");
    show_board(learn, POINT_NONE);
    console_sayf(learn->console, _("Task %d of %d\n%s\n"), course->task + 1,
                 learn_course_lesson(course)->count,
                 _(learn_course_task(course)->words));
}

/* Shows the current task. Before the first task of a lesson, also shows the text of the
 * lesson. After the last lesson, says what to do next. */
static void show_task(struct learn *learn)
{
    const struct learn_course *course = &learn->course;
    struct winsize size;

    if (learn_course_is_done(course)) {
        console_say(learn->console, _("\nThis was the last lesson. Now play a game:\n"
                                      "  janggi computer --level 1\n"));
        return;
    }
    if (course->task == 0)
        show_words(learn, learn_course_lesson(course));
    /* On a small screen the board would scroll the words of the lesson away: it waits for
     * Enter. */
    learn->is_task_due =
        course->task == 0 && console_is_screen(learn->console) &&
        !learn->prefs.is_speech &&
        (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < ROWS_FOR_BOTH);
    if (!learn->is_task_due)
        show_board_and_task(learn);
}

/* --- Tries --- */

static void go_on(struct learn *learn)
{
    (void)learn_course_next(&learn->course);
    show_task(learn);
    if (learn_course_is_done(&learn->course))
        console_finish(learn->console);
}

/* Shows `words`, the response to an answer. If the answer is wrong, also shows the
 * board with a mark on `at`, the point that explains the mistake. If the answer is
 * right so far, shows the board for the next move. If the answer solves the task, shows
 * the next task. */
static void take(struct learn *learn, enum learn_verdict verdict, const char *words,
                 int at)
{
    console_say(learn->console, words);
    if (verdict == LEARN_WRONG) {
        console_note_refusal(learn->console);
        if (at != POINT_NONE && console_has_boards(learn->console))
            show_board(learn, at);
        return;
    }
    if (verdict == LEARN_ON) {
        show_board(learn, POINT_NONE);
        return;
    }
    go_on(learn);
}

/* --- Actions --- */

static void do_lesson(struct learn *learn, const char *word)
{
    int lesson = word[0] == '\0' ? -1 : find_lesson(word);

    if (lesson < 0 && word[0] != '\0')
        console_sayf(learn->console, _("Unknown lesson \"%s\". The lessons are:\n"),
                     word);
    if (lesson < 0) {
        for (int i = 0; i < learn_lessons(); i++)
            console_sayf(learn->console, "%s %2d  %s\n",
                         i == learn->course.lesson ? ">" : " ", i + 1,
                         _(learn_lesson_at(i)->title));
        return;
    }
    learn_course_begin(&learn->course, lesson);
    show_task(learn);
}

static bool carry_out(void *owner, const struct action *action)
{
    struct learn *learn = owner;
    struct learn_course *course = &learn->course;
    char words[512] = "";
    struct text text = text_into(words, sizeof words);
    enum learn_verdict verdict;
    int at;

    switch (action->kind) {
    case ACTION_NOTHING:
    case ACTION_BOARD:
        if (learn->is_task_due) {
            show_board_and_task(learn);
            break;
        }
        show_board(learn, POINT_NONE);
        console_sayf(learn->console, "%s\n", _(learn_course_task(course)->words));
        break;
    case ACTION_MOVE:
        verdict =
            learn_course_try_move(course, action->move, action->claimed, &text, &at);
        take(learn, verdict, words, at);
        break;
    case ACTION_SETUP:
        verdict = learn_course_try_lineup(course, (enum lineup)action->number, &text);
        take(learn, verdict, words, POINT_NONE);
        break;
    case ACTION_HINT:
        console_sayf(learn->console, "%s\n", _(learn_course_task(course)->hint));
        break;
    case ACTION_NEXT:
        go_on(learn);
        break;
    case ACTION_BACK:
        if (learn_course_back(course))
            show_task(learn);
        else
            console_say(learn->console, _("This is the beginning.\n"));
        break;
    case ACTION_LESSON:
        do_lesson(learn, action->words);
        break;
    case ACTION_QUIT:
        if (console_is_screen(learn->console))
            console_sayf(learn->console,
                         _("To continue with this lesson: janggi learn %d\n"),
                         course->lesson + 1);
        console_finish(learn->console);
        break;
    default:
        return false;
    }
    return true;
}

/* --- From the console --- */

/* Handles a line that is one point. */
static bool take_line(void *owner, const char *line)
{
    struct learn *learn = owner;
    char words[512];
    struct text text = text_into(words, sizeof words);
    size_t len;
    int point;

    line += strspn(line, " ");
    len = strcspn(line, " ");
    point = len == 2 && line[len + strspn(line + len, " ")] == '\0'
                ? side_parse_point(line)
                : POINT_NONE;
    if (point != POINT_NONE)
        take(learn, learn_course_try_point(&learn->course, point, &text), words,
             POINT_NONE);
    return point != POINT_NONE;
}

static void add_prompt(void *owner, struct text *out)
{
    const struct learn *learn = owner;

    text_addf(out,
              learn->is_task_due ? _("lesson %d of %d, Enter for the task> ")
                                 : _("lesson %d of %d> "),
              learn->course.lesson + 1, learn_lessons());
}

/* --- Options --- */

static bool take_option(void *arg, int option, const char *value)
{
    return prefs_take_option(arg, option, value);
}

int learn_run(int argc, char **argv, const struct prefs *prefs)
{
    static const struct session_referee referee = {
        .run = carry_out, .take_line = take_line, .add_prompt = add_prompt};
    struct learn learn = {.prefs = *prefs};
    const struct typed_board board = {ruleset_at(0), &learn.course.position};
    struct options read;
    int lesson = 0, code;

    if (!options_read(&read, options, argc, argv, take_option, &learn.prefs))
        return CLIENT_EXIT_USAGE;
    if (read.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (read.rest < argc - 1) {
        (void)options_complain(&read, _("only one lesson can be given"),
                               argv[read.rest + 1]);
        return CLIENT_EXIT_USAGE;
    }
    if (read.rest < argc && (lesson = find_lesson(argv[read.rest])) < 0) {
        (void)options_complain(&read, _("unknown lesson"), argv[read.rest]);
        return CLIENT_EXIT_USAGE;
    }
    learn.session = (struct session){.prefs = &learn.prefs,
                                     .model = &learn.no_game,
                                     .verbs = &verbs_of_learn,
                                     .referee = &referee,
                                     .owner = &learn,
                                     .board = &board};
    session_begin(&learn.session, NULL);
    learn.console = learn.session.console;
    learn_course_begin(&learn.course, lesson);
    show_task(&learn);
    console_start(learn.console);
    code = console_run(learn.console);
    session_end(&learn.session);
    return code;
}
