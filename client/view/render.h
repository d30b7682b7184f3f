/* A game as a picture for a terminal of 80x24: Martin's figure with a panel beside it,
 * the prompt, and what a player asks to see. Text only: writes into a buffer, prints
 * nothing. One-line words about events and notices are words.h. */
#ifndef CLIENT_VIEW_RENDER_H
#define CLIENT_VIEW_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/look.h"
#include "client/view/model.h"
#include "common/base/text.h"

struct manner;

enum {
    RENDER_COLUMNS = 76, /* of figure and panel together */
    RENDER_SCREEN_BYTES = 8192,
    RENDER_LINE_BYTES = 4608, /* more than any line that is shown */
    RENDER_PROMPT_BYTES = 256,
    RENDER_LOW_MS = 30000 /* less time than this is low */
};

struct render_view {
    int64_t now_ms;
    bool has_color;
    bool is_marked; /* the prompt's colours stand in \001 \002, for the line editor */
    bool is_spoken; /* read aloud: sentences in place of boards, and a prompt that does
                       not change by itself */
    bool takes_enter; /* an empty line chooses what the screen proposes */
    bool is_private;  /* a private board is on: */
    int at;           /* so many plies of the game stand on it, */
    int tried;        /* and so many moves more */
    enum look_pieces pieces;
    enum look_board board;
};

/* Figure and panel: at most 20 lines of 76 columns. */
void render_screen(struct text *out, const struct model *model,
                   const struct model_game *game, const struct render_view *view);

/* Whether the board is to be shown now, after an event of game. */
bool render_wants_board(const struct model_game *game, const struct render_view *view);

/* "[7:55, red 8:12] 17 blue> ", with "(red's turn)" behind the side when the opponent is
 * to move; "3 watch> ", "janggi> ". */
void render_prompt(struct text *out, const struct model *model,
                   const struct render_view *view);

/* The four line-ups as side will see them, how long there is to choose, and what is
 * proposed: by Enter, if game is the current one. */
void render_setup_choice(struct text *out, const struct model *model,
                         const struct model_game *game, int64_t now_ms);
/* The lines about what is proposed alone. */
void render_setup_proposal(struct text *out, const struct model *model,
                           const struct model_game *game);

/* All moves, a line for each pair. */
void render_moves(struct text *out, const struct model_game *game);

/* The legal moves, of all pieces or of the one on from; words if there are none. */
void render_legal(struct text *out, const struct model_game *game, int from);
/* The figure with the targets of the piece on from marked, and its moves below; read
 * aloud, only these. */
void render_show(struct text *out, const struct model_game *game, int from,
                 const struct render_view *view);

/* Adds words, whose lines end with LF, for a terminal with that many columns: a wider
 * line is broken between words and continues three columns to the right. Colours take
 * no columns. A word that is too wide is left whole. */
void render_wrapped(struct text *out, const char *words, int columns);

/* A board after each move, and words about what it does not show; and one line for each
 * event, for scripts. */
extern const struct manner render_screen_manner, render_plain_manner;

#endif
