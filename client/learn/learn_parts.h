/* What the parts of "janggi learn" share: learn.c (options, life), learn_show.c
 * (output) and learn_typed.c (what can be typed). Nobody else includes this. */
#ifndef CLIENT_LEARN_LEARN_PARTS_H
#define CLIENT_LEARN_LEARN_PARTS_H

#include <stdbool.h>

#include "client/base/prefs.h"
#include "client/console/edit.h"
#include "client/learn/learn_course.h"
#include "client/verb/complete.h"
#include "common/base/base.h"

struct event_base;

struct learn {
    struct prefs prefs; /* with the options taken in */
    struct learn_course course;
    struct event_base *base;
    struct edit *edit;
    struct complete complete; /* while Tab is pressed */
    struct model no_game;     /* verbs here ask for none */
    bool is_screen;
    bool has_color;
    bool is_script;  /* lines come from -c or from a pipe */
    bool is_refused; /* a try in a script was wrong */
    bool is_leaving;
    int exit_code;
};

/* --- learn.c --- */

void learn_leave(struct learn *learn, int code);
/* Done, or at the end of what is typed: 6 when a script has tried something wrong. */
void learn_finish(struct learn *learn);

/* --- learn_show.c --- */

void learn_say(struct learn *learn, const char *format, ...) PRINTF_LIKE(2, 3);
/* The task, with the lesson's words before it if it is the first; at the end of the
 * tour what to do next. */
void learn_show_task(struct learn *learn);
/* The board; at: a point to be marked, or POINT_NONE. */
void learn_show_board(struct learn *learn, int at);
void learn_show_lessons(struct learn *learn);
void learn_show_prompt(struct learn *learn);

/* --- learn_typed.c --- */

/* For edit_calls. */
void learn_on_line(void *owner, const char *line);
const char *learn_on_complete(void *owner, const char *before, size_t i);

/* The lesson that word names, by number, title or piece; -1 for none. */
int learn_find_lesson(const char *word);

#endif
