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

/* A text for a person, and what it is about, for programs. */
enum said_kind {
    SAID_WORDS,
    SAID_NOTICE,   /* of the server; words "": it has none for a person */
    SAID_ANSWER,   /* OK or ERR */
    SAID_ROW,      /* of a list */
    SAID_QUESTION, /* the next typed line answers it */
    SAID_REFUSAL   /* of typed input */
};
struct said {
    enum said_kind kind;
    const char *words;
    const struct proto_line *line; /* the notice or the answer */
    const char *verb;              /* that was sent for the answer or the row */
    const char *row;               /* as the server sent it */
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
    /* Adds any other text; NULL: `said` is called instead. */
    void (*say)(struct text *out, const char *words, int columns);
    void (*said)(struct text *out, const struct said *said);
};

/* Returns the manner that `prefs` asks for: JSON, speech, or else boards and
 * sentences. */
const struct manner *manner_choose(const struct prefs *prefs);

/* At a terminal, adds scene->head and below it the line-ups from which the player can
 * choose; otherwise one line about whose turn it is to choose. */
void manner_setup_choice(const struct manner *manner, struct text *out,
                         const struct manner_scene *scene,
                         const struct model_game *game);
void manner_say(const struct manner *manner, struct text *out, const struct said *said,
                int columns);

#endif
