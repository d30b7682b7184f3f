/* See learn_course.h. */
#include "client/learn/learn_course.h"

#include <string.h>

#include "common/base/log.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/rules.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

const struct learn_lesson *learn_course_lesson(const struct learn_course *course)
{
    return learn_lesson_at(course->lesson);
}

const struct learn_task *learn_course_task(const struct learn_course *course)
{
    return &learn_course_lesson(course)->tasks[course->task];
}

bool learn_course_is_done(const struct learn_course *course)
{
    return learn_course_lesson(course) == NULL;
}

static void set_board(struct learn_course *course)
{
    const struct learn_task *task;

    if (learn_course_is_done(course))
        return;
    task = learn_course_task(course);
    if (!position_parse(task->position, &course->position, NULL))
        log_die("learn: \"%s\" is no position",
                task->position); /* a bug in the lessons */
    course->moves_left = task->moves;
    course->last = move_pass();
}

void learn_course_begin(struct learn_course *course, int lesson)
{
    course->lesson = lesson;
    course->task = 0;
    set_board(course);
}

bool learn_course_next(struct learn_course *course)
{
    if (learn_course_is_done(course))
        return false;
    if (++course->task == learn_course_lesson(course)->count) {
        course->lesson++;
        course->task = 0;
    }
    set_board(course);
    return !learn_course_is_done(course);
}

bool learn_course_back(struct learn_course *course)
{
    if (course->task == 0 && course->lesson == 0)
        return false;
    if (course->task > 0)
        course->task--;
    else
        course->task = learn_lesson_at(--course->lesson)->count - 1;
    set_board(course);
    return true;
}

/* --- Moves --- */

/* Returns true if `move`, which changed the position `before` into `after`, reaches the
 * goal of the task. */
static bool is_goal(const struct learn_task *task, const struct position *before,
                    const struct position *after, struct move move)
{
    bool has_piece =
        !move_is_pass(move) &&
        (task->kind == KIND_NONE || position_kind(before, move.from) == task->kind);
    enum check check = rules_check(after);
    enum outcome outcome;

    switch (task->goal) {
    case LEARN_REACH:
    case LEARN_TAKE:
        return has_piece && move.to == side_parse_point(task->to);
    case LEARN_CHECK:
        return check == CHECK_PIECE;
    case LEARN_ESCAPE:
        return true;
    case LEARN_MATE:
        return rules_ending(ruleset_at(0), after, &rules_no_history, &outcome) ==
               REASON_CHECKMATE;
    case LEARN_BARE:
        return check == CHECK_KINGS;
    case LEARN_PASS:
        return move_is_pass(move);
    default:
        return false;
    }
}

static enum learn_verdict play(struct learn_course *course, struct move move,
                               struct text *out)
{
    const struct learn_task *task = learn_course_task(course);
    struct position before = course->position;
    struct undo undo;

    rules_make(ruleset_at(0), &course->position, move, &undo);
    course->last = move;
    if (is_goal(task, &before, &course->position, move)) {
        text_addf(out, "%s\n", _(task->done));
        return LEARN_RIGHT;
    }
    if (--course->moves_left > 0) {
        position_turn_over(&course->position); /* the opponent does not move */
        text_addf(out,
                  translate_count("Good. %d more move.\n", "Good. %d more moves.\n",
                                  course->moves_left),
                  course->moves_left);
        return LEARN_ON;
    }
    text_add(out, _("This move is legal, but it does not solve the task. The board was "
                    "reset.\n"));
    set_board(course);
    return LEARN_WRONG;
}

enum learn_verdict learn_course_try_move(struct learn_course *course, struct move move,
                                         enum kind claimed, struct text *out, int *at)
{
    enum learn_goal goal = learn_course_task(course)->goal;
    char words[SENTENCE_BYTES];
    struct fault fault;

    *at = POINT_NONE;
    if (goal == LEARN_POINT || goal == LEARN_LINEUP) {
        text_add(out, goal == LEARN_POINT
                          ? _("That is a move. Type one point, like A0.\n")
                          : _("That is a move. Type a line-up: setup 1 to setup 4.\n"));
        return LEARN_WRONG;
    }
    fault = rules_judge(ruleset_at(0), &course->position, move);
    if (fault.code == FAULT_NONE)
        fault = rules_judge_claim(&course->position, move, claimed);
    if (fault.code == FAULT_NONE)
        return play(course, move, out);
    *at = fault.at;
    sentence_fault(words, fault);
    text_addf(out, _("That move is not legal: %s.\n"), words);
    return LEARN_WRONG;
}

/* --- Points and line-ups --- */

enum learn_verdict learn_course_try_point(struct learn_course *course, int point,
                                          struct text *out)
{
    const struct learn_task *task = learn_course_task(course);
    enum kind kind = position_kind(&course->position, point);
    enum side side = position_side(&course->position, point);
    char name[POINT_BYTES];

    if (task->goal != LEARN_POINT) {
        text_add(out,
                 _("That is one point. A move has two: from where, and where to.\n"));
        return LEARN_WRONG;
    }
    if (point != side_parse_point(task->to)) {
        side_format_point(name, point);
        if (kind == KIND_NONE)
            text_addf(out, _("No: %s is empty.\n"), name);
        else
            text_addf(out, _("No: the piece on %s is %s's %s.\n"), name,
                      term_side(side), term_piece(kind, side));
        return LEARN_WRONG;
    }
    text_addf(out, "%s\n", _(task->done));
    return LEARN_RIGHT;
}

enum learn_verdict learn_course_try_lineup(struct learn_course *course,
                                           enum lineup lineup, struct text *out)
{
    const struct learn_task *task = learn_course_task(course);

    if (task->goal != LEARN_LINEUP) {
        text_add(out, _("The pieces are set up already.\n"));
        return LEARN_WRONG;
    }
    if (strcmp(lineup_name(lineup), task->to) != 0) {
        text_addf(out, _("No: that is %s, but the task asks for %s.\n"),
                  lineup_name(lineup), task->to);
        return LEARN_WRONG;
    }
    text_addf(out, "%s\n", _(task->done));
    return LEARN_RIGHT;
}
