/* The lessons of the tutorial and their tasks, as data. learn_course.c evaluates
 * them. */
#ifndef CLIENT_LEARN_LEARN_LESSONS_H
#define CLIENT_LEARN_LEARN_LESSONS_H

#include <stddef.h>

#include "common/game/side.h"

/* The goal of a task. */
enum learn_goal {
    LEARN_POINT,  /* type the name of the point in `to` */
    LEARN_REACH,  /* bring a piece of the kind `kind` to the empty point in `to` */
    LEARN_TAKE,   /* capture the piece on the point in `to` with a piece of the kind
                   * `kind` */
    LEARN_CHECK,  /* give check with any piece */
    LEARN_ESCAPE, /* any legal move: the king is in check */
    LEARN_MATE,
    LEARN_BARE, /* put the kings face to face */
    LEARN_PASS,
    LEARN_LINEUP /* choose the line-up named in `to` */
};

struct learn_task {
    enum learn_goal goal;
    enum kind kind;       /* the piece that must move; KIND_NONE: any piece */
    const char *to;       /* a point such as "E1", or a line-up; NULL: not needed */
    int moves;            /* moves to make; the last one must reach the goal, and the
                           * opponent does not move */
    const char *position; /* in the format of board.h; the learner is the side to
                           * move */
    int lowest, highest;  /* the rows shown on the small board */
    const char *words;    /* the task's text */
    const char *hint;
    const char *done; /* shown after the correct answer */
};

struct learn_lesson {
    const char *title; /* such as "the cannon" */
    enum kind kind;    /* KIND_NONE: the text of the lesson is in `words`. Otherwise the
                        * lesson shows the text about this piece: see primer_get() */
    const char *words; /* lines of at most 76 columns, each with an LF */
    const struct learn_task *tasks;
    int count;
};

/* Returns the lesson with index `i`, or NULL after the last one. */
const struct learn_lesson *learn_lesson_at(int i);
/* Returns the number of lessons. */
int learn_lessons(void);

#endif
