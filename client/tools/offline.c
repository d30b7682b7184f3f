/* See offline.h: the questions about a position (subcommands such as `legal` and
 * `perft`), the options, and one task for a command line or for each line of standard
 * input. */
#include "client/tools/offline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/options.h"
#include "client/tools/rules_words.h"
#include "client/view/primer.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/game.h"
#include "common/game/position.h"
#include "common/game/rules.h"
#include "common/words/diagram.h"
#include "common/words/guide.h"
#include "common/words/names.h"
#include "common/words/sentence.h"
#include "common/words/svg.h"
#include "common/words/term.h"

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

/* The exit status of the program. A function that answers a question writes to standard
 * output only if it returns RULES_OK. */
enum rules_status { RULES_OK = 0, RULES_FAILED = 1, RULES_BAD = 2, RULES_ILLEGAL = 6 };

/* A question with its words (of the command line or of one line) and its options. */
struct task {
    const struct ruleset *rules; /* the value of --rules; NULL: not given */
    struct words words;
    bool divides;
    bool is_flipped;
    bool is_picture;           /* "rules show" prints SVG instead of the diagram */
    const char *from;          /* the value of --from; NULL if not given */
    char why[RULES_WHY_BYTES]; /* the reason, unless the status is RULES_OK */
};

/* --- For all questions --- */

static const struct ruleset *task_rules(const struct task *task)
{
    return task->rules != NULL ? task->rules : ruleset_at(0);
}

static bool is_ok(struct task *task, const struct position *position)
{
    struct position_fault fault;

    return rules_position_ok(task_rules(task), position, &fault) ||
           words_refuse_position(task->why, &fault);
}

/* Takes the words of a start and checks that a game may begin from it. Returns false
 * with the reason in task->why. */
static bool take_start(struct task *task, struct position *out)
{
    return words_take_start(&task->words, task_rules(task), false, out, task->why) &&
           is_ok(task, out);
}

/* Judges a move. kind: the kind of piece whose letter was written in front of the move,
 * or KIND_NONE. */
static struct fault judge(const struct ruleset *rules, const struct position *position,
                          struct move move, enum kind kind)
{
    struct move meant =
        rules_read_move(rules, position, (enum side)position->side, move);
    struct fault fault = rules_judge_claim(position, move, kind);

    return fault.code != FAULT_NONE ? fault : rules_judge(rules, position, meant);
}

/* Formats a fault as one line, such as "leg-blocked at=C0 : the bishop on C0 blocks the
 * knight's step". */
enum { TASK_FAULT_BYTES = SENTENCE_BYTES + 48 };
static void format_fault(char out[TASK_FAULT_BYTES], struct fault fault)
{
    char words[SENTENCE_BYTES], at[POINT_BYTES] = "";
    struct text text = text_into(out, TASK_FAULT_BYTES);

    sentence_fault(words, fault);
    text_add(&text, fault_name(fault.code));
    if (fault.at != POINT_NONE) {
        side_format_point(at, fault.at);
        text_addf(&text, " at=%s", at);
    }
    text_addf(&text, " : %s", words);
}

/* --- legal --- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Writes the legal moves as sorted texts. Returns their number. */
static int sorted_moves(const struct ruleset *rules, const struct position *position,
                        char out[MOVES_MAX][MOVE_BYTES])
{
    struct move_list list;

    rules_legal_moves(rules, position, &list);
    for (int i = 0; i < list.count; i++)
        move_format(out[i], list.move[i]);
    qsort(out, (size_t)list.count, sizeof out[0], compare_texts);
    return list.count;
}

static enum rules_status answer_legal(struct task *task)
{
    char moves[MOVES_MAX][MOVE_BYTES];
    struct position position;
    int count;

    if (!take_start(task, &position) || !words_must_end(&task->words, task->why))
        return RULES_BAD;
    count = sorted_moves(task_rules(task), &position, moves);
    for (int i = 0; i < count; i++)
        printf("%s%s", i > 0 ? " " : "", moves[i]);
    putchar('\n');
    return RULES_OK;
}

/* --- perft --- */

enum { DEPTH_MOST = 12 };

/* Prints for each first move the number of lines of play after it; these numbers add up
 * to the total. */
static void print_divided(const struct ruleset *rules, struct position *position,
                          int depth)
{
    char moves[MOVES_MAX][MOVE_BYTES];
    bool was_bare = rules_kings_are_bare(position);
    int count = sorted_moves(rules, position, moves);

    if (rules_ends_at_once(rules, position, false) != REASON_NONE)
        return;
    for (int i = 0; i < count; i++) {
        struct undo undo;
        struct move move;

        if (!move_parse(moves[i], &move, NULL))
            continue;
        rules_make(rules, position, move, &undo);
        printf("%s %" PRIu64 "\n", moves[i],
               rules_perft(rules, position, depth - 1, was_bare));
        rules_unmake(position, move, &undo);
    }
}

static enum rules_status answer_perft(struct task *task)
{
    char quote[WORDS_QUOTE_BYTES];
    struct position position;
    const char *word;
    int depth = 0;

    if (!take_start(task, &position))
        return RULES_BAD;
    word = words_next(&task->words);
    if (word == NULL)
        words_refuse(task->why, _("missing DEPTH"));
    else if (!text_to_int32(word, 0, DEPTH_MOST, &depth))
        words_refuse(task->why, _("%s is not a DEPTH from 0 to %d"),
                     words_quote(quote, word), DEPTH_MOST);
    if (word == NULL || task->why[0] != '\0' ||
        !words_must_end(&task->words, task->why))
        return RULES_BAD;
    if (task->divides && depth > 0)
        print_divided(task_rules(task), &position, depth);
    printf("%" PRIu64 "\n", rules_perft(task_rules(task), &position, depth, false));
    return RULES_OK;
}

/* --- why --- */

static enum rules_status answer_why(struct task *task)
{
    const struct ruleset *rules = task_rules(task);
    char words[TASK_FAULT_BYTES];
    struct position position;
    struct fault fault;
    struct move move;
    enum kind kind;

    if (!take_start(task, &position) ||
        !words_take_move(&task->words, &move, &kind, task->why) ||
        !words_must_end(&task->words, task->why))
        return RULES_BAD;
    fault = judge(rules, &position, move, kind);
    if (fault.code == FAULT_NONE && rules_is_over(rules, &position))
        fault = (struct fault){.code = FAULT_OVER, .at = POINT_NONE, .move = move};
    format_fault(words, fault);
    puts(fault.code == FAULT_NONE ? "legal" : words);
    return RULES_OK;
}

/* --- show --- */

/* Marks the points that the piece on task->from can move to. In a diagram, this can be
 * a piece of either side. */
static bool mark_targets(struct task *task, const struct position *position,
                         bool marks[BOARD_POINTS])
{
    char quote[WORDS_QUOTE_BYTES];
    int from = strlen(task->from) == 2 ? side_parse_point(task->from) : POINT_NONE;
    bool is_diagram = position_is_diagram(position);
    struct move_list list;

    if (from == POINT_NONE)
        return words_refuse(task->why, _("%s is not a point from A0 to I9"),
                            words_quote(quote, task->from));
    if (position->at[from] == 0)
        return words_refuse(task->why, _("no piece stands on %s"), task->from);
    if (!is_diagram && position_side(position, from) != (enum side)position->side)
        return words_refuse(task->why, _("the piece on %s is %s's, and %s is to move"),
                            task->from, term_side_title(position_side(position, from)),
                            term_side_title((enum side)position->side));
    if (is_diagram)
        rules_free_moves(position, from, &list);
    else
        rules_legal_moves(task_rules(task), position, &list);
    for (int i = 0; i < list.count; i++)
        if (list.move[i].from == from)
            marks[list.move[i].to] = true;
    return true;
}

static enum rules_status answer_show(struct task *task)
{
    char figure[DIAGRAM_BYTES], *picture;
    bool marks[BOARD_POINTS] = {false};
    struct position position;

    /* a diagram need not have kings */
    if (!words_take_start(&task->words, task_rules(task), true, &position, task->why) ||
        !(position_is_diagram(&position) || is_ok(task, &position)) ||
        !words_must_end(&task->words, task->why) ||
        (task->from != NULL && !mark_targets(task, &position, marks)))
        return RULES_BAD;
    if (task->is_picture) {
        picture = svg_write(&position, task->is_flipped, marks);
        fputs(picture, stdout);
        free(picture);
    } else {
        diagram_format(figure, &position, task->is_flipped, marks);
        fputs(figure, stdout);
    }
    return RULES_OK;
}

/* --- play --- */

static bool apply_news(struct game *game, const struct game_news *news)
{
    for (int i = 0; i < news->count; i++)
        if (!game_apply(game, &news->event[i], 0))
            return false;
    return true;
}

static enum rules_status play_move(struct task *task, struct game *game, int number)
{
    char why[RULES_WHY_BYTES], text[MOVE_BYTES], words[TASK_FAULT_BYTES];
    struct game_news news;
    struct fault fault, claim;
    struct move move;
    enum kind kind;

    if (!words_take_move(&task->words, &move, &kind, why)) {
        words_refuse(task->why, _("move %d: %.280s"), number, why);
        return RULES_BAD;
    }
    move_format(text, move);
    fault = game_judge_move(game, (enum side)game->position.side, move, 0, &news);
    claim = judge(game->rules, &game->position, move, kind);
    if (fault.code != FAULT_OVER && claim.code == FAULT_WRONG_PIECE)
        fault = claim;
    if (fault.code != FAULT_NONE) {
        format_fault(words, fault);
        words_refuse(task->why, _("move %d %s: %s"), number, text, words);
        return RULES_ILLEGAL;
    }
    if (!apply_news(game, &news)) {
        words_refuse(task->why, _("move %d %s is not possible here"), number, text);
        return RULES_FAILED;
    }
    return RULES_OK;
}

static void print_state(const struct game *game)
{
    char position[POSITION_BYTES], points[POINTS_BYTES];
    bool is_over = game->phase == GAME_OVER;

    position_format(position, &game->position);
    printf("status=%s result=%s reason=%s check=%s fen=\"%s\"",
           is_over ? "over" : "ongoing", is_over ? outcome_name(game->outcome) : "-",
           is_over ? reason_name(game->reason) : "-",
           check_name(rules_check(&game->position)), position);
    rules_points_format(points, game->rules, &game->position);
    if (ruleset_counts_points(game->rules))
        printf(" points=%s", points);
    putchar('\n');
}

/* Makes and applies the same events as the server and the client, so that repetition,
 * perpetual check and bikjang are counted in the same way. If the start ends a game, the
 * game is over at once. */
static enum rules_status answer_play(struct task *task)
{
    enum rules_status status = RULES_OK;
    struct position position;
    struct game_news news;
    struct game game;

    if (!take_start(task, &position))
        return RULES_BAD;
    if (!game_begin_at(&game, task_rules(task), &position) ||
        (game_judge_due(&game, &news) && !apply_news(&game, &news))) {
        words_refuse(task->why, _("no game can begin from this position"));
        status = RULES_BAD;
    }
    for (int number = 1; words_peek(&task->words) != NULL && status == RULES_OK;
         number++)
        status = play_move(task, &game, number);
    if (status == RULES_OK)
        print_state(&game);
    game_clear(&game);
    return status;
}

/* --- The questions --- */

enum { OPTION_DIVIDE = 256, OPTION_FLIP, OPTION_FROM, OPTION_SVG };

static const struct option_row options[] = {
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"divide", OPTION_DIVIDE, NULL},
    {"flip", OPTION_FLIP, NULL},
    {"from", OPTION_FROM, N_("a point from A0 to I9")},
    {"svg", OPTION_SVG, NULL},
    {"help", 'h', NULL},
    {NULL, 0, NULL},
};

/* A question lists the options that it allows, besides the first and the last. */
#define BIT(option) (1u << ((option)-OPTION_DIVIDE))

static const struct question {
    const char *name;
    enum rules_status (*answer)(struct task *task);
    unsigned options;
} questions[] = {
    {"legal", answer_legal, 0},
    {"play", answer_play, 0},
    {"why", answer_why, 0},
    {"perft", answer_perft, BIT(OPTION_DIVIDE)},
    {"show", answer_show, BIT(OPTION_FROM) | BIT(OPTION_FLIP) | BIT(OPTION_SVG)},
};

/* --- The command line --- */

struct command_line {
    const struct question *question; /* NULL: no question was named */
    const char *page;                /* the page to print; NULL: no page was named */
    struct task task;                /* has the words of the command line, without the
                                      * options */
    unsigned given;
    struct options read;
};

static bool take_option(void *arg, int option, const char *value)
{
    struct command_line *line = arg;

    if (option == 'r') {
        line->task.rules = ruleset_find(value);
        return line->task.rules != NULL;
    }
    line->given |= BIT(option);
    line->task.divides |= option == OPTION_DIVIDE;
    line->task.is_flipped |= option == OPTION_FLIP;
    line->task.is_picture |= option == OPTION_SVG;
    if (option == OPTION_FROM)
        line->task.from = value;
    return true;
}

/* Takes a word that is not an option. The first one names the question or a page, the
 * others belong to the task. */
static bool take_word(struct command_line *line, const char *word)
{
    char quote[WORDS_QUOTE_BYTES];

    if (line->question != NULL) {
        words_add(&line->task.words, word);
        return true;
    }
    if (line->page != NULL)
        return words_refuse_more(line->task.why, word);
    for (size_t i = 0; i < ARRAY_LEN(questions); i++)
        if (strcmp(word, questions[i].name) == 0)
            line->question = &questions[i];
    for (size_t i = 0; guide_topic_at(i) != NULL; i++)
        if (strcmp(word, guide_topic_at(i)) == 0)
            line->page = word;
    if (ruleset_find(word) != NULL || names_find_kind(word) != KIND_NONE)
        line->page = word;
    return line->question != NULL || line->page != NULL ||
           words_refuse(line->task.why, _("unknown command or page %s; see --help"),
                        words_quote(quote, word));
}

/* --- Lines --- */

/* Answers `text`, one line of standard input. The words of its task are those of the
 * line, and after them those that come after the "-" on the command line. */
static enum rules_status answer_line(const struct command_line *line, char *text,
                                     size_t len)
{
    struct task task = line->task;
    enum rules_status status = RULES_BAD;

    task.words = (struct words){.word = NULL};
    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        text[--len] = '\0';
    if (memchr(text, '\0', len) != NULL) {
        words_refuse(task.why, _("a NUL byte at character %zu"), strlen(text) + 1);
    } else {
        words_add(&task.words, text);
        for (int i = 1; i < line->task.words.count; i++)
            words_add(&task.words, line->task.words.word[i]);
        status = line->question->answer(&task);
    }
    if (status != RULES_OK)
        printf("error: %s\n", task.why);
    words_clear(&task.words);
    return status;
}

/* Returns the worst of the exit statuses: bad input is worse than an illegal move. */
static int answer_lines(const struct command_line *line)
{
    enum rules_status status = RULES_OK, now;
    char *text = NULL;
    size_t room = 0;
    ssize_t len;

    while ((len = getline(&text, &room, stdin)) >= 0) {
        now = answer_line(line, text, (size_t)len);
        if (now != RULES_OK && status != RULES_BAD)
            status = now;
    }
    free(text);
    return (int)status;
}

/* --- Answers --- */

enum { PAGE_BYTES = 4096 };

static void print_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static void explain(const struct command_line *line)
{
    const struct ruleset *rules =
        line->page != NULL ? ruleset_find(line->page) : line->task.rules;
    char page[PAGE_BYTES];
    struct text text = text_into(page, sizeof page);

    if (line->read.wants_help)
        fputs(_(usage), stdout);
    else if (rules != NULL)
        guide_page(rules, print_line, NULL);
    else if (line->page == NULL)
        guide_compare(print_line, NULL);
    else if (primer_tell(&text, line->page, LOOK_LETTERS, false, false))
        fputs(page, stdout);
}

static int answer(struct command_line *line)
{
    const char *first = words_peek(&line->task.words);
    int status;

    if (line->question == NULL || line->read.wants_help) {
        explain(line);
        return RULES_OK;
    }
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
    int status = RULES_BAD;
    bool is_good = true;

    if (!options_read(&line.read, options, argc, argv, take_option, &line))
        return RULES_BAD;
    for (int i = line.read.rest; i < line.read.argc && is_good; i++)
        is_good = take_word(&line, line.read.argv[i]);
    if (is_good &&
        (line.given & ~(line.question != NULL ? line.question->options : 0)) != 0)
        is_good = words_refuse(
            line.task.why, _("an option is not valid for this command; see --help"));
    if (is_good)
        status = answer(&line);
    else
        fprintf(stderr, "error: %s\n", line.task.why);
    words_clear(&line.task.words);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("janggi rules");
        return RULES_FAILED;
    }
    return status;
}
