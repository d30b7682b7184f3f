/* A manner is an output format: it turns events, boards, notices and answers into text
 * for a screen, a pipe, a screen reader or a program. The settings and the terminal
 * decide which manner is used for all output. Writes the exact bytes to print into a
 * buffer. */
#ifndef CLIENT_VIEW_MANNER_H
#define CLIENT_VIEW_MANNER_H

#include <stdbool.h>

#include "client/base/prefs.h"
#include "client/view/facts.h"
#include "client/view/render.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* What a manner needs to know besides the facts. */
struct manner_scene {
    const struct model *model;
    struct render_view view;
    int columns;           /* width of the terminal; 0: output is not a terminal */
    bool wants_board;      /* show the board after this event */
    const char *head;      /* printed above the line-ups from which the player can
                            * choose */
    const char *after_end; /* the commands to offer after the end of the game; NULL:
                            * offer no commands */
};

struct manner {
    const char *name;
    bool is_spoken; /* sentences instead of boards, even if a board is requested */
    void (*event)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    void (*board)(struct text *out, const struct manner_scene *scene,
                  const struct facts *facts);
    /* Adds the line-ups from which the player can choose; called only at a terminal.
     * NULL: nothing is shown, because programs know them. */
    void (*setup_choice)(struct text *out, const struct model *model,
                         const struct model_game *game, int64_t now_ms);
    /* Adds any other text. */
    void (*say)(struct text *out, const char *words, int columns);
    /* If one of the following callbacks is NULL, say() prints `words` instead. */
    void (*notice)(struct text *out, const struct proto_line *line, const char *words);
    void (*answer)(struct text *out, const char *verb, const struct proto_line *line,
                   const char *words);
    void (*item)(struct text *out, const char *verb, const char *row);
    void (*question)(struct text *out, const char *words);
    void (*refusal)(struct text *out, const char *words);
};

/* Returns the manner that `prefs` asks for: JSON, speech, or else boards and
 * sentences. */
const struct manner *manner_choose(const struct prefs *prefs);

/* At a terminal, adds scene->head and below it the line-ups from which the player can
 * choose; otherwise one line about whose turn it is to choose. */
void manner_setup_choice(const struct manner *manner, struct text *out,
                         const struct manner_scene *scene,
                         const struct model_game *game);
/* Adds a notice of the server. words: the text for a person, or "". */
void manner_notice(const struct manner *manner, struct text *out,
                   const struct proto_line *line, const char *words, int columns);
/* Adds the answer, OK or ERR, to a command that began with the word `verb`. */
void manner_answer(const struct manner *manner, struct text *out, const char *verb,
                   const struct proto_line *line, const char *words, int columns);
/* Adds a row of the list that the command `verb` requested; words: the row for a
 * person. */
void manner_item(const struct manner *manner, struct text *out, const char *verb,
                 const char *row, const char *words, int columns);
/* Adds a question: the next typed line answers it. */
void manner_question(const struct manner *manner, struct text *out, const char *words,
                     int columns);
/* Adds the reason why typed input was refused. */
void manner_refusal(const struct manner *manner, struct text *out, const char *words,
                    int columns);

#endif
