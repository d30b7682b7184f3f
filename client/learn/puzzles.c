/* See puzzles.h. */
#include "client/learn/puzzles.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/analyse/puzzle_book.h"
#include "client/base/exit.h"
#include "client/base/options.h"
#include "client/learn/learn.h"
#include "client/learn/learn_course.h"
#include "client/verb/complete.h"
#include "client/verb/verbs.h"
#include "common/base/mem.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

struct puzzles {
    struct prefs prefs; /* with the options applied */
    bool wants_all;     /* --all: puzzles that are not due are asked as well */
    struct puzzle_kept *kept;
    int count; /* number of puzzles to ask */
    int at;
    bool has_failed; /* a wrong answer to the current puzzle was given */
    struct console *console;
    struct complete complete; /* state of a completion with Tab */
    struct model no_game;     /* always empty: no command of this mode needs a game */
};

static const char usage[] = N_(
    "Usage: janggi puzzles [OPTION...]\n"
    "\n"
    "Shows positions of your own games in which one move was far better than all\n"
    "others, but you played another one. They are kept when you type \"analyse\"\n"
    "after a game, or \"puzzle\" in janggi replay. A solved puzzle comes again after\n"
    "1, 3 and 8 days. Type \"help\" at the prompt for the commands.\n"
    "\n"
    "      --all             all puzzles, not only those that are due today\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences instead of boards, for screen readers\n"
    "      --plain           no prompt, no escape codes\n"
    "      --color WHEN      auto, always or never\n"
    "  -c 'WORDS; WORDS'     run these commands as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 6 a try in a script was wrong, 130 interrupted.\n");

enum { OPTION_ALL = 256, OPTION_HELP };

static const struct option_row options[] = {
    {"all", OPTION_ALL, NULL},
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

/* --- What is shown --- */

static struct puzzle_kept *current(const struct puzzles *puzzles)
{
    return &puzzles->kept[puzzles->at];
}

/* Shows the board from the solver's side. at: the point to mark, or POINT_NONE. */
static void show_board(const struct puzzles *puzzles, int at)
{
    const struct position *position = &current(puzzles)->position;
    const struct figure figure = {.position = position,
                                  .last = move_pass(),
                                  .pieces = puzzles->prefs.pieces,
                                  .is_flipped = position->side == SIDE_BLUE};

    learn_show_figure(puzzles->console, figure, at, 0, BOARD_ROWS - 1);
}

static void show_task(struct puzzles *puzzles)
{
    const struct puzzle_kept *kept = current(puzzles);

    console_sayf(puzzles->console, _("\nPuzzle %d of %d: %s, move %d\n"),
                 puzzles->at + 1, puzzles->count, kept->players,
                 (int)kept->position.move_number);
    show_board(puzzles, POINT_NONE);
    console_sayf(puzzles->console,
                 _("It is %s's move. One move is far better than all others; which?\n"),
                 term_side((enum side)kept->position.side));
}

/* Says when the puzzle comes again. */
static void say_due(const struct puzzles *puzzles)
{
    console_sayf(puzzles->console, _("It comes again on %s.\n"), current(puzzles)->due);
}

static void say_solution(const struct puzzles *puzzles)
{
    char best[TERM_MOVE_BYTES], played[TERM_MOVE_BYTES];

    console_sayf(puzzles->console,
                 _("The best move was %s; in the game, %s was played.\n"),
                 term_move(best, current(puzzles)->solution),
                 term_move(played, current(puzzles)->played));
}

/* --- Answers --- */

/* Stores in the user's file of puzzles whether the puzzle was solved. Returns false
 * after saying that this failed. */
static bool write_answer(const struct puzzles *puzzles, bool is_solved)
{
    const char *path = puzzles->prefs.puzzles_path;

    if (puzzle_book_answer(path, current(puzzles), is_solved))
        return true;
    console_refusef(puzzles->console, _("-- the answer cannot be kept in %s\n"), path);
    return false;
}

static void fail(struct puzzles *puzzles)
{
    if (!puzzles->has_failed)
        (void)write_answer(puzzles, false);
    puzzles->has_failed = true;
}

static void go_on(struct puzzles *puzzles)
{
    puzzles->has_failed = false;
    puzzles->at++;
    if (puzzles->at < puzzles->count) {
        show_task(puzzles);
        return;
    }
    console_say(puzzles->console, _("That was the last puzzle for today.\n"));
    console_finish(puzzles->console);
}

static void do_solution(struct puzzles *puzzles)
{
    fail(puzzles);
    say_solution(puzzles);
    say_due(puzzles);
    go_on(puzzles);
}

/* Handles the right move. The puzzle counts as solved only if it is due and no wrong
 * answer came before. */
static void do_solve(struct puzzles *puzzles)
{
    struct puzzle_kept *kept = current(puzzles);
    int solved = kept->solved;
    bool counts = !puzzles->has_failed && puzzle_is_due(kept);

    console_say(puzzles->console, _("Yes, that is the move.\n"));
    say_solution(puzzles);
    if (counts && write_answer(puzzles, true) && kept->solved == solved)
        console_say(puzzles->console, _("You have solved this puzzle for the last "
                                        "time; it does not come again.\n"));
    else
        say_due(puzzles);
    go_on(puzzles);
}

static void do_move(struct puzzles *puzzles, const struct action *action)
{
    const struct puzzle_kept *kept = current(puzzles);
    struct fault fault =
        learn_course_judge(kept->rules, &kept->position, action->move, action->claimed);
    char words[SENTENCE_BYTES];

    if (fault.code != FAULT_NONE) {
        sentence_fault(words, fault);
        console_refusef(puzzles->console, _("That move is not legal: %s.\n"), words);
    } else if (move_is_same(action->move, kept->solution)) {
        do_solve(puzzles);
    } else {
        fail(puzzles);
        console_refuse(puzzles->console, _("-- no; another move is far better\n"));
    }
}

static void carry_out(struct puzzles *puzzles, const struct action *action)
{
    switch (action->kind) {
    case ACTION_NOTHING:
    case ACTION_BOARD:
        show_task(puzzles);
        break;
    case ACTION_REFUSE:
        console_refuse(puzzles->console, action->words);
        break;
    case ACTION_SAY:
        console_say(puzzles->console, action->words);
        break;
    case ACTION_MOVE:
        do_move(puzzles, action);
        break;
    case ACTION_HINT:
        show_board(puzzles, current(puzzles)->solution.from);
        break;
    case ACTION_SOLUTION:
        do_solution(puzzles);
        break;
    case ACTION_NEXT:
        go_on(puzzles);
        break;
    case ACTION_QUIT:
        console_finish(puzzles->console);
        break;
    default:
        break; /* not a command of this mode */
    }
}

/* --- From the console --- */

static void on_line(void *owner, const char *line)
{
    struct puzzles *puzzles = owner;
    const struct render_view view = {.has_color = console_has_color(puzzles->console),
                                     .is_spoken = console_is_spoken(puzzles->console),
                                     .pieces = puzzles->prefs.pieces};
    const struct typed_board board = {current(puzzles)->rules,
                                      &current(puzzles)->position};
    struct action *action = mem_new(sizeof *action);

    verbs_read(&verbs_of_puzzles, &puzzles->no_game, &board, line, &view, action);
    if (action->kind != ACTION_NOTHING)
        console_remember(puzzles->console, line);
    carry_out(puzzles, action);
    free(action);
}

static void add_prompt(void *owner, struct text *out)
{
    const struct puzzles *puzzles = owner;

    text_addf(out, _("puzzle %d of %d> "), puzzles->at + 1, puzzles->count);
}

static const char *complete(void *owner, const char *before, const char *word, size_t i)
{
    struct puzzles *puzzles = owner;

    return complete_word(&puzzles->complete, &verbs_of_puzzles, &puzzles->no_game, NULL,
                         before, word, i);
}

static int live(struct puzzles *puzzles)
{
    static const struct console_calls calls = {
        .on_line = on_line, .add_prompt = add_prompt, .complete = complete};
    int code;

    puzzles->console = console_new(&puzzles->prefs, NULL, &calls, puzzles);
    show_task(puzzles);
    console_start(puzzles->console);
    code = console_run(puzzles->console);
    console_free(puzzles->console);
    return code;
}

/* --- Life --- */

static bool take_option(void *arg, int option, const char *value)
{
    struct puzzles *puzzles = arg;

    if (option != OPTION_ALL)
        return prefs_take_option(&puzzles->prefs, option, value);
    puzzles->wants_all = true;
    return true;
}

static bool take_options(struct puzzles *puzzles, int argc, char **argv,
                         struct options *read)
{
    return options_read(read, options, argc, argv, take_option, puzzles) &&
           (read->wants_help || read->rest == argc ||
            options_complain(read, _("unexpected word"), argv[read->rest]));
}

/* Reads the user's file of puzzles, and sets puzzles->count, the number of puzzles to
 * ask. With --all, all puzzles are asked. Otherwise only the puzzles that are due are
 * asked; they come first in puzzles->kept. If there is no puzzle to ask, prints this
 * and returns false. */
static bool choose(struct puzzles *puzzles)
{
    int kept = puzzle_book_read(puzzles->prefs.puzzles_path, &puzzles->kept);

    while (puzzles->count < kept &&
           (puzzles->wants_all || puzzle_is_due(&puzzles->kept[puzzles->count])))
        puzzles->count++;
    if (kept == 0)
        printf(_("There are no puzzles yet. Type \"analyse\" after a game of yours, or "
                 "in\n"
                 "\"janggi replay\" first \"analyse\" and then \"puzzle\".\n"));
    else if (puzzles->count == 0)
        printf(_("No puzzle is due today; the next one is due on %s.\n"),
               puzzles->kept[0].due);
    return puzzles->count > 0;
}

int puzzles_run(int argc, char **argv, const struct prefs *prefs)
{
    struct puzzles puzzles = {.prefs = *prefs};
    struct options read;
    int code = CLIENT_EXIT_OK;

    if (!take_options(&puzzles, argc, argv, &read))
        return CLIENT_EXIT_USAGE;
    if (read.wants_help)
        fputs(_(usage), stdout);
    else if (choose(&puzzles))
        code = live(&puzzles);
    free(puzzles.kept);
    return code;
}
