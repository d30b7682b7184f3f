/* The state of a learner in the tutorial, and the check of each answer against the
 * rules. Pure: no event loop and no screen; results are written to a buffer. */
#ifndef CLIENT_LEARN_LEARN_COURSE_H
#define CLIENT_LEARN_LEARN_COURSE_H

#include <stdbool.h>

#include "client/learn/learn_lessons.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "common/game/position.h"
#include "common/game/rules.h"

struct learn_course {
    int lesson; /* index of the lesson, from 0; after the last lesson:
                 * learn_lessons() */
    int task;
    int moves_left;
    struct position position; /* the learner's board */
    struct move last;         /* the last move; a pass if no move was made yet */
};

enum learn_verdict {
    LEARN_WRONG, /* wrong; if the answer was a legal move, the board was reset to the
                  * start of the task */
    LEARN_ON,    /* correct so far: another move is needed */
    LEARN_RIGHT
};

/* Goes to the first task of the lesson with index `lesson`. */
void learn_course_begin(struct learn_course *course, int lesson);
/* Goes to the next task, or from the last task of a lesson to the first task of the
 * next lesson. Returns false if there is none: the tutorial is then done. */
bool learn_course_next(struct learn_course *course);
/* Goes to the previous task, or from the first task of a lesson to the last task of the
 * previous lesson. Returns false at the very first task. */
bool learn_course_back(struct learn_course *course);

/* Returns the current lesson, or NULL after the last lesson. */
const struct learn_lesson *learn_course_lesson(const struct learn_course *course);
/* Returns the current task. Do not call this function after the last lesson. */
const struct learn_task *learn_course_task(const struct learn_course *course);
/* Returns true after the last lesson. */
bool learn_course_is_done(const struct learn_course *course);

/* Each of these functions checks a typed answer and writes the response to `out`.
 * claimed: the kind of piece that the player named with the move, or KIND_NONE.
 * learn_course_try_move() also sets *at: the point that explains why the move is
 * illegal (`at` of struct fault), or POINT_NONE. */
enum learn_verdict learn_course_try_move(struct learn_course *course, struct move move,
                                         enum kind claimed, struct text *out, int *at);
enum learn_verdict learn_course_try_point(struct learn_course *course, int point,
                                          struct text *out);
enum learn_verdict learn_course_try_lineup(struct learn_course *course,
                                           enum lineup lineup, struct text *out);

#endif
