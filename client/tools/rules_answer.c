/* Answers the questions of "janggi rules" about one position: its legal moves, the
 * number of lines of play (perft), why a move is illegal, and its diagram. See
 * rules_answer.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/tools/rules_answer.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/diagram.h"
#include "common/words/sentence.h"
#include "common/words/svg.h"
#include "common/words/term.h"

/* --- For all --- */

const struct ruleset *task_rules(const struct task *task)
{
    return task->rules != NULL ? task->rules : ruleset_at(0);
}

static bool is_ok(struct task *task, const struct position *position)
{
    struct position_fault fault;

    return rules_position_ok(task_rules(task), position, &fault) ||
           words_refuse_position(task->why, &fault);
}

bool task_take_start(struct task *task, struct position *out)
{
    return words_take_start(&task->words, task_rules(task), out, task->why) &&
           is_ok(task, out);
}

struct fault task_judge(const struct ruleset *rules, const struct position *position,
                        struct move move, enum kind kind)
{
    struct move meant =
        rules_read_move(rules, position, (enum side)position->side, move);
    struct fault fault = rules_judge_claim(position, move, kind);

    return fault.code != FAULT_NONE ? fault : rules_judge(rules, position, meant);
}

void task_format_fault(char out[TASK_FAULT_BYTES], struct fault fault)
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

enum rules_status rules_answer_legal(struct task *task)
{
    char moves[MOVES_MAX][MOVE_BYTES];
    struct position position;
    int count;

    if (!task_take_start(task, &position) || !words_must_end(&task->words, task->why))
        return RULES_BAD;
    count = sorted_moves(task_rules(task), &position, moves);
    for (int i = 0; i < count; i++)
        printf("%s%s", i > 0 ? " " : "", moves[i]);
    putchar('\n');
    return RULES_OK;
}

/* --- perft --- */

enum { DEPTH_MOST = 12 };

static bool take_depth(struct words *words, int *depth, char *why)
{
    const char *word = words_next(words);
    char quote[WORDS_QUOTE_BYTES];

    if (word == NULL)
        return words_refuse(why, _("missing DEPTH"));
    if (!text_to_int32(word, 0, DEPTH_MOST, depth))
        return words_refuse(why, _("%s is not a DEPTH from 0 to %d"),
                            words_quote(quote, word), DEPTH_MOST);
    return words_must_end(words, why);
}

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

enum rules_status rules_answer_perft(struct task *task)
{
    struct position position;
    int depth = 0;

    if (!task_take_start(task, &position) ||
        !take_depth(&task->words, &depth, task->why))
        return RULES_BAD;
    if (task->divides && depth > 0)
        print_divided(task_rules(task), &position, depth);
    printf("%" PRIu64 "\n", rules_perft(task_rules(task), &position, depth, false));
    return RULES_OK;
}

/* --- why --- */

enum rules_status rules_answer_why(struct task *task)
{
    const struct ruleset *rules = task_rules(task);
    char words[TASK_FAULT_BYTES];
    struct position position;
    struct fault fault;
    struct move move;
    enum kind kind;

    if (!task_take_start(task, &position) ||
        !words_take_move(&task->words, &move, &kind, task->why) ||
        !words_must_end(&task->words, task->why))
        return RULES_BAD;
    fault = task_judge(rules, &position, move, kind);
    if (fault.code == FAULT_NONE && rules_is_over(rules, &position))
        fault = (struct fault){.code = FAULT_OVER, .at = POINT_NONE, .move = move};
    task_format_fault(words, fault);
    puts(fault.code == FAULT_NONE ? "legal" : words);
    return RULES_OK;
}

/* --- show --- */

/* Parses the next words as a start (a position from which a game can begin) or as a
 * diagram, which need not have kings. */
static bool take_board(struct task *task, struct position *out)
{
    return words_take_board(&task->words, task_rules(task), out, task->why) &&
           (position_is_diagram(out) || is_ok(task, out));
}

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

static void print_board(const struct task *task, const struct position *position,
                        const bool marks[BOARD_POINTS])
{
    char figure[DIAGRAM_BYTES], *picture;

    if (task->is_picture) {
        picture = svg_write(position, task->is_flipped, marks);
        fputs(picture, stdout);
        free(picture);
        return;
    }
    diagram_format_marked(figure, position, task->is_flipped, marks);
    fputs(figure, stdout);
}

enum rules_status rules_answer_show(struct task *task)
{
    bool marks[BOARD_POINTS] = {false};
    struct position position;

    if (!take_board(task, &position) || !words_must_end(&task->words, task->why))
        return RULES_BAD;
    if (task->from != NULL && !mark_targets(task, &position, marks))
        return RULES_BAD;
    print_board(task, &position, marks);
    return RULES_OK;
}
