/* The beginner's tour as data: lessons, and in each some tasks on a board. learn_course
 * knows what to do with them. */
#ifndef CLIENT_LEARN_LEARN_LESSONS_H
#define CLIENT_LEARN_LEARN_LESSONS_H

#include <stddef.h>

#include "common/game/board.h"

/* What a task asks for. */
enum learn_goal {
    LEARN_POINT,  /* type the point to */
    LEARN_REACH,  /* bring a piece of kind to the point to, where nothing stands */
    LEARN_TAKE,   /* take what stands on to with a piece of kind */
    LEARN_CHECK,  /* give check with a piece */
    LEARN_ESCAPE, /* any legal move: there is a check to answer */
    LEARN_MATE,
    LEARN_BARE, /* put the kings face to face */
    LEARN_PASS,
    LEARN_LINEUP /* choose the line-up named in to */
};

struct learn_task {
    enum learn_goal goal;
    enum kind kind;
    const char *to;
    int moves;            /* of which the last must reach the goal; the enemy waits */
    const char *position; /* as text, board.h; the side to move is the learner's */
    int lowest, highest;  /* the rows that the small board shows */
    const char *words;    /* what is asked */
    const char *hint;
    const char *done; /* what is said when it is right */
};

struct learn_lesson {
    const char *title; /* "the cannon" */
    enum kind kind;    /* its words are those of primer.h; KIND_NONE: its own */
    const char *words; /* lines of at most 76 columns, a LF after each */
    const struct learn_task *tasks;
    int count;
};

/* The i-th lesson, NULL after the last. */
const struct learn_lesson *learn_lesson_at(int i);
int learn_lessons(void);

#endif
