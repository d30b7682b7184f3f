/* A manner is an output format: it turns events, boards, notices and answers into text
 * for a screen, a pipe, a screen reader or a program. It is chosen once, from the
 * settings and the terminal, and all output uses it. Writes the exact bytes to print
 * into a buffer. */
#ifndef CLIENT_VIEW_MANNER_H
#define CLIENT_VIEW_MANNER_H

#include <stdbool.h>

#include "client/base/prefs.h"
#include "client/view/facts.h"
#include "client/view/render.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* The input of a manner of output besides the facts. */
struct manner_scene {
    const struct model *model;
    struct render_view view;
    int columns;           /* width of the terminal; 0: output is not a terminal */
    bool wants_board;      /* show the board after this event */
    const char *head;      /* printed above the choice of a line-up */
    const char *after_end; /* the commands to offer after the end; NULL: none */
};

struct manner {
    const char *name;
    const char *mark; /* precedes a line that is not an event, if events and other lines
                       * are mixed */
    bool is_spoken;   /* sentences instead of boards, even if a board is requested */
    void (*event)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    void (*board)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    /* The choice of a line-up, for a terminal. NULL: shows nothing, because programs know
     * the line-ups. */
    void (*setup_choice)(struct text *out, const struct model *model,
                         const struct model_game *game, int64_t now_ms);
    /* Any other words. */
    void (*say)(struct text *out, const char *words, int columns);
    /* If one of the following is NULL, the words are passed to say(). */
    void (*notice)(struct text *out, const struct proto_line *line, const char *words);
    void (*answer)(struct text *out, const char *verb, const struct proto_line *line,
                   const char *words);
    void (*item)(struct text *out, const char *verb, const char *row);
    void (*question)(struct text *out, const char *words);
    void (*refusal)(struct text *out, const char *words);
};

/* is_screen: standard output is a terminal used by a person. */
const struct manner *manner_choose(const struct prefs *prefs, bool is_screen);

/* Adds the choice of a line-up below the head of the scene, at a terminal. */
void manner_setup_choice(const struct manner *manner, struct text *out,
                         const struct manner_scene *scene,
                         const struct model_game *game);
/* Adds a notice of the server. words: the text for a person, or "". */
void manner_notice(const struct manner *manner, struct text *out,
                   const struct proto_line *line, const char *words, int columns);
/* Adds the OK or ERR to a command that began with verb. */
void manner_answer(const struct manner *manner, struct text *out, const char *verb,
                   const struct proto_line *line, const char *words, int columns);
/* Adds a row of the list that verb requested; words are for a person at a terminal. */
void manner_item(const struct manner *manner, struct text *out, const char *verb,
                 const char *row, const char *words, int columns);
/* Adds a question: the next typed line answers it. */
void manner_question(const struct manner *manner, struct text *out, const char *words,
                     int columns);
/* Adds the reason why typed input was refused. */
void manner_refusal(const struct manner *manner, struct text *out, const char *words,
                    int columns);

#endif
