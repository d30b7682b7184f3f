/* Where a learner stands in the tour, and what the rules say to what was typed. Pure:
 * no loop and no screen; answers are words in a buffer. */
#ifndef CLIENT_LEARN_LEARN_COURSE_H
#define CLIENT_LEARN_LEARN_COURSE_H

#include <stdbool.h>

#include "client/learn/learn_lessons.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/move.h"

struct learn_course {
    int lesson; /* from 0; learn_lessons() after the last */
    int task;
    int moves_left;
    struct position position; /* the learner's board */
    struct move last;         /* the pass: none yet */
};

enum learn_verdict {
    LEARN_WRONG, /* the board is as the task began */
    LEARN_ON,    /* so far so good: the next move, please */
    LEARN_RIGHT
};

/* To the first task of lesson. */
void learn_begin(struct learn_course *course, int lesson);
/* The next task, or the first of the next lesson. False: that was the last. */
bool learn_next(struct learn_course *course);
/* The task before; at the beginning of a lesson the last one of the lesson before.
 * False: there is none. */
bool learn_back(struct learn_course *course);

const struct learn_lesson *learn_lesson(const struct learn_course *course);
const struct learn_task *learn_task(const struct learn_course *course);
bool learn_is_done(const struct learn_course *course);

/* Tries what was typed; says in out what comes of it. *at: the point that explains why
 * not, or POINT_NONE. */
enum learn_verdict learn_try_move(struct learn_course *course, struct move move,
                                  enum kind claimed, struct text *out, int *at);
enum learn_verdict learn_try_point(struct learn_course *course, int point,
                                   struct text *out);
enum learn_verdict learn_try_lineup(struct learn_course *course, enum lineup lineup,
                                    struct text *out);

#endif
