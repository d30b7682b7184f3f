/* See offline.h: the options, the table of questions (the subcommands such as `legal`
 * and `perft`), and the processing of one task per command line or per line of standard
 * input. */
#include "client/tools/offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/tools/rules_answer.h"
#include "client/view/primer.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/words/guide.h"
#include "common/words/names.h"

static const char usage[] = N_(
    "Usage: janggi rules [PAGE]                  the rulesets compared, or a page\n"
    "       janggi rules legal START             the legal moves\n"
    "       janggi rules play START MOVE...      the state after the moves\n"
    "       janggi rules why START MOVE          whether it is legal, or why not\n"
    "       janggi rules perft START DEPTH [--divide]\n"
    "       janggi rules show START|BOARD [--from POINT] [--flip] [--svg]\n"
    "\n"
    "START is a position (BOARD SIDE FORFEITS PASSES QUIET MOVE), fig1, fig2 or a\n"
    "set-up like NBNB/NBBN (Red/Blue). If START is -, each line of standard\n"
    "input has a START and the words that would follow it, and is answered by one\n"
    "line, or by \"error: ...\".\n"
    "BOARD: rows 9 to 0, with or without kings, as 9/9/9/9/9/4C4/4P4/9/9/9.\n"
    "PAGE: a ruleset; a piece, like rook or chariot; \"names\" (what the pieces are\n"
    "called); \"xiangqi\" (for players of Chinese chess); \"bikjang\",\n"
    "\"pass\", \"setup\".\n"
    "\n"
    "  -r, --rules RULESET   martin (default), courier, vchess or kja\n"
    "\n"
    "Exit: 0 ok, 1 cannot write, 2 bad input, 6 an illegal move.\n");

/* The options as bits. A question lists the options that it allows. */
enum option { OPTION_DIVIDE = 1, OPTION_FLIP = 2, OPTION_FROM = 4, OPTION_SVG = 8 };

static const struct question {
    const char *name;
    enum rules_status (*answer)(struct task *task);
    unsigned options;
} questions[] = {
    {"legal", rules_answer_legal, 0},
    {"play", rules_play_answer, 0},
    {"why", rules_answer_why, 0},
    {"perft", rules_answer_perft, OPTION_DIVIDE},
    {"show", rules_answer_show, OPTION_FROM | OPTION_FLIP | OPTION_SVG},
};

static const struct question *find_question(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(questions); i++)
        if (strcmp(name, questions[i].name) == 0)
            return &questions[i];
    return NULL;
}

/* --- The command line --- */

struct command_line {
    const struct question *question; /* NULL: no question was named */
    const char *page;                /* the page to print; NULL: no page was named */
    struct task task;                /* has the words of the command line, without the
                                      * options */
    unsigned given;
    bool wants_help;
};

static int complain(const char *why)
{
    fprintf(stderr, "error: %s\n", why);
    return RULES_BAD;
}

static bool take_rules(struct task *task, const char *name)
{
    char quote[WORDS_QUOTE_BYTES];

    task->rules = ruleset_find(name);
    return task->rules != NULL ||
           words_refuse(task->why, _("unknown ruleset %s; \"janggi rules\" lists them"),
                        words_quote(quote, name));
}

static bool take_flag(struct command_line *line, const char *option)
{
    char quote[WORDS_QUOTE_BYTES];

    if (strcmp(option, "--divide") == 0) {
        line->task.divides = true;
        line->given |= OPTION_DIVIDE;
    } else if (strcmp(option, "--flip") == 0) {
        line->task.is_flipped = true;
        line->given |= OPTION_FLIP;
    } else if (strcmp(option, "--svg") == 0) {
        line->task.is_picture = true;
        line->given |= OPTION_SVG;
    } else if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        line->wants_help = true;
    } else {
        return words_refuse(line->task.why, _("unknown option %s; see --help"),
                            words_quote(quote, option));
    }
    return true;
}

/* If argv[*at] is the option `name`, returns the value of the option: the text after
 * "=", or the next word ("" if there is no next word). If argv[*at] is another option,
 * returns NULL. */
static const char *value_of(const char *name, int argc, char **argv, int *at)
{
    size_t len = strlen(name);

    if (strncmp(argv[*at], name, len) != 0)
        return NULL;
    if (argv[*at][len] == '=')
        return argv[*at] + len + 1;
    if (argv[*at][len] != '\0')
        return NULL;
    return *at + 1 < argc ? argv[++*at] : "";
}

/* Parses the option at argv[*at] and its value. */
static bool take_option(struct command_line *line, int argc, char **argv, int *at)
{
    struct task *task = &line->task;
    const char *value;

    if ((value = value_of("-r", argc, argv, at)) != NULL ||
        (value = value_of("--rules", argc, argv, at)) != NULL)
        return take_rules(task, value);
    if ((value = value_of("--from", argc, argv, at)) != NULL) {
        task->from = value;
        line->given |= OPTION_FROM;
        return true;
    }
    return take_flag(line, argv[*at]);
}

static bool is_page(const char *word)
{
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        if (strcmp(word, guide_topic_at(i)) == 0)
            return true;
    return ruleset_find(word) != NULL || names_find_kind(word) != KIND_NONE;
}

/* Takes a word that is not an option. The first one names the question or a page, the
 * others belong to the task. "-" alone is not an option, because positions contain
 * it. */
static bool take_word(struct command_line *line, const char *word)
{
    char quote[WORDS_QUOTE_BYTES];

    if (line->question != NULL) {
        words_add(&line->task.words, word);
        return true;
    }
    if (line->page != NULL)
        return words_refuse_more(line->task.why, word);
    line->question = find_question(word);
    if (is_page(word))
        line->page = word;
    return line->question != NULL || line->page != NULL ||
           words_refuse(line->task.why, _("unknown command or page %s; see --help"),
                        words_quote(quote, word));
}

static bool take_arguments(struct command_line *line, int argc, char **argv)
{
    unsigned allowed;

    for (int i = 1; i < argc; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1] != '\0';

        if (is_option ? !take_option(line, argc, argv, &i) : !take_word(line, argv[i]))
            return false;
    }
    allowed = line->question == NULL ? 0 : line->question->options;
    return (line->given & ~allowed) == 0 ||
           words_refuse(line->task.why,
                        _("an option is not valid for this command; see --help"));
}

/* --- Lines --- */

/* Makes the task for `text`, which is one line of standard input. The words of the task
 * are the words of `text`, followed by the words that come after the "-" on the command
 * line. If the line contains a NUL byte, returns false and writes the reason to
 * task->why. */
static bool take_line(struct task *task, const struct task *command, char *text,
                      size_t len)
{
    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        text[--len] = '\0';
    if (memchr(text, '\0', len) != NULL)
        return words_refuse(task->why, _("a NUL byte at character %zu"),
                            strlen(text) + 1);
    words_add(&task->words, text);
    for (int i = 1; i < command->words.count; i++)
        words_add(&task->words, command->words.word[i]);
    return true;
}

static enum rules_status answer_line(const struct command_line *line, char *text,
                                     size_t len)
{
    struct task task = line->task;
    enum rules_status status = RULES_BAD;

    task.words = (struct words){.word = NULL};
    if (take_line(&task, &line->task, text, len))
        status = line->question->answer(&task);
    if (status != RULES_OK)
        printf("error: %s\n", task.why);
    words_clear(&task.words);
    return status;
}

/* Returns the worse of two exit statuses: bad input is worse than an illegal move. */
static int worse(int status, enum rules_status now)
{
    if (now == RULES_OK || status == RULES_BAD)
        return status;
    return (int)now;
}

static int answer_lines(const struct command_line *line)
{
    int status = RULES_OK;
    char *text = NULL;
    size_t room = 0;
    ssize_t len;

    while ((len = getline(&text, &room, stdin)) >= 0)
        status = worse(status, answer_line(line, text, (size_t)len));
    free(text);
    return status;
}

/* --- Answers --- */

enum { PAGE_BYTES = 4096 };

static void print_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

/* Prints the help page `name`. is_page() must be true for it. */
static void print_page(const char *name)
{
    const struct ruleset *rules = ruleset_find(name);
    char page[PAGE_BYTES];
    struct text text = text_into(page, sizeof page);

    if (rules != NULL)
        guide_page(rules, print_line, NULL);
    else if (primer_tell(&text, name, LOOK_LETTERS, false, false))
        fputs(page, stdout);
}

static int explain(const struct command_line *line)
{
    if (line->wants_help)
        fputs(_(usage), stdout);
    else if (line->page != NULL)
        print_page(line->page);
    else if (line->task.rules != NULL)
        guide_page(line->task.rules, print_line, NULL);
    else
        guide_compare(print_line, NULL);
    return RULES_OK;
}

static int answer(struct command_line *line)
{
    const char *first = words_peek(&line->task.words);
    int status;

    if (line->question == NULL || line->wants_help)
        return explain(line);
    if (first != NULL && strcmp(first, "-") == 0)
        return answer_lines(line);
    status = (int)line->question->answer(&line->task);
    if (status != RULES_OK)
        fprintf(stderr, "error: %s\n", line->task.why);
    return status;
}

int offline_rules(int argc, char **argv)
{
    struct command_line line = {.question = NULL};
    int status;

    if (take_arguments(&line, argc, argv))
        status = answer(&line);
    else
        status = complain(line.task.why);
    words_clear(&line.task.words);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("janggi rules");
        return RULES_FAILED;
    }
    return status;
}
