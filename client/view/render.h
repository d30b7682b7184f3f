/* Draws a game for a terminal of 80x24: the board with a panel beside it, the prompt,
 * and the lists that a player requests. Writes text into a buffer, prints nothing. For
 * one-line texts about events and notices, see words.h. */
#ifndef CLIENT_VIEW_RENDER_H
#define CLIENT_VIEW_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/look.h"
#include "client/view/model.h"
#include "common/base/text.h"

struct manner;

enum {
    RENDER_COLUMNS = 76, /* width of figure and panel together */
    RENDER_SCREEN_BYTES = 8192,
    RENDER_LINE_BYTES = 4608, /* longer than any line that is shown */
    RENDER_PROMPT_BYTES = 256,
    RENDER_LOW_MS = 30000 /* if a clock shows less, its player is short of time */
};

struct render_view {
    int64_t now_ms;
    bool has_color;
    bool is_marked;   /* colours in the prompt are enclosed in \001 \002, for the line
                       * editor */
    bool is_spoken;   /* for a screen reader: sentences instead of boards, and a prompt
                       * that does not change by itself */
    bool takes_enter; /* an empty line accepts the proposed line-up or move */
    bool is_private;  /* a private board is open */
    int at;           /* how many plies of the game the private board shows */
    int tried;        /* how many moves were tried on it after those plies */
    enum look_pieces pieces;
    int columns; /* the width at which lines are wrapped; 0: they are not */
};

/* Adds the figure and beside it the panel: at most 20 lines of 76 columns. On a narrow
 * terminal the panel is above the figure. */
void render_screen(struct text *out, const struct model *model,
                   const struct model_game *game, const struct render_view *view);

/* Returns true if the board must be shown after an event of `game`. */
bool render_wants_board(const struct model_game *game, enum look_board board);

/* Adds the prompt: "[7:55, red 8:12] 17 blue> ", with "(red's turn)" after the side
 * when the opponent is to move; "3 watch> ", "janggi> ". If the current game is over and
 * another game of ours goes on: "[game 5: your move, 3:58] janggi> ". */
void render_prompt(struct text *out, const struct model *model,
                   const struct render_view *view);

/* Adds only the lines about the proposed line-up. */
void render_setup_proposal(struct text *out, const struct model *model,
                           const struct model_game *game);

/* Adds all moves, one line for each pair. */
void render_moves(struct text *out, const struct model_game *game);

/* Adds the legal moves of the piece on the point `from`. The piece may belong to either
 * side. If `from` is POINT_NONE, adds all legal moves of the side to move. If there are
 * no legal moves, adds the reason. */
void render_legal(struct text *out, const struct model_game *game, int from);
/* Adds the figure, with marks on the points that the piece on `from` can go to. Adds
 * the moves of this piece below the figure. For a screen reader, adds only the
 * moves. */
void render_show(struct text *out, const struct model_game *game, int from,
                 const struct render_view *view);

/* Adds the text `words`, whose lines end with LF, for a terminal that is `columns`
 * wide. A longer line is wrapped between words and continues three columns to the
 * right. Colours take no columns. A word that is too wide is not broken. columns 0:
 * output is not a terminal, and the text is added unchanged. */
void render_wrapped(struct text *out, const char *words, int columns);

/* Shows boards, and sentences about what a board does not show. A pipe gets a sentence
 * for each event, and a board only if it is requested. */
extern const struct manner render_manner;

#endif
