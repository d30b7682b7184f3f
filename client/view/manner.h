/* A manner of output: how the same events, boards, notices and answers are put into
 * words for a screen, a pipe, a listener or a program. Chosen once, from the settings and
 * the terminal; whatever is printed goes through it. Text only: writes the very bytes to
 * be printed into a buffer. */
#ifndef CLIENT_VIEW_MANNER_H
#define CLIENT_VIEW_MANNER_H

#include <stdbool.h>

#include "client/base/prefs.h"
#include "client/view/facts.h"
#include "client/view/render.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* What a manner looks at besides the facts. */
struct manner_scene {
    const struct model *model;
    struct render_view view;
    int columns;           /* of the terminal; 0: output goes elsewhere */
    bool wants_board;      /* after this event */
    const char *head;      /* above the choice of a line-up; NULL: nothing */
    const char *after_end; /* what can be typed after the end; NULL: nothing */
};

struct manner {
    const char *name;
    const char *mark; /* of a line that is not an event, where both follow each other */
    bool is_spoken;   /* sentences in place of boards, also where they are asked for */
    void (*event)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    void (*board)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    /* NULL: nothing is shown; a program knows the line-ups. */
    void (*setup_choice)(struct text *out, const struct manner_scene *scene,
                         const struct model_game *game);
    /* Any other words. */
    void (*say)(struct text *out, const char *words, int columns);
    /* NULL: the words are said. */
    void (*notice)(struct text *out, const struct proto_line *line, const char *words);
    void (*answer)(struct text *out, const char *verb, const struct proto_line *line,
                   const char *words);
    void (*item)(struct text *out, const char *verb, const char *row);
    void (*question)(struct text *out, const char *words);
    void (*refusal)(struct text *out, const char *words);
};

/* is_screen: a person looks at a terminal. */
const struct manner *manner_choose(const struct prefs *prefs, bool is_screen);

/* A notice of the server; words: what a person is told of it, "" for nothing. */
void manner_notice(const struct manner *manner, struct text *out,
                   const struct proto_line *line, const char *words, int columns);
/* The OK or ERR to a command that began with verb. */
void manner_answer(const struct manner *manner, struct text *out, const char *verb,
                   const struct proto_line *line, const char *words, int columns);
/* A row of the list that verb asked for; words are for a person at a terminal. */
void manner_item(const struct manner *manner, struct text *out, const char *verb,
                 const char *row, const char *words, int columns);
/* The next line that is typed is the answer. */
void manner_question(const struct manner *manner, struct text *out, const char *words,
                     int columns);
/* Something that was typed and is not done, and why. */
void manner_refusal(const struct manner *manner, struct text *out, const char *words,
                    int columns);

#endif
