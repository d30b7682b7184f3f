/* The facts of an event, or of the current state of a game. Every output format reports
 * these facts. The facts are computed once. The files words.c, speech.c, json.c and
 * render.c each present the facts in a different way. */
#ifndef CLIENT_VIEW_FACTS_H
#define CLIENT_VIEW_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/model.h"

struct facts {
    const struct model_game *game;
    const struct event *event; /* NULL: the current state of the game */

    bool has_last; /* a move has been made */
    struct game_last last;
    char move[MOVE_BYTES]; /* the move of `last` as text: "I2xI3" */

    enum check check; /* the check in the current position; set during play and after
                       * the end */
    enum side turn;   /* the side to move or to set up; SIDE_NONE: neither */
    bool is_our_turn;

    bool is_timed;
    int64_t left_ms[SIDES];
    int periods[SIDES];      /* overtime periods left, including the current one */
    int more_periods[SIDES]; /* overtime periods that follow the time in left_ms */
};

/* Writes the text of the move: "I2xI3", "pass". */
void facts_format_move(char out[MOVE_BYTES], const struct game_last *last);

/* facts_take_event() computes the facts of an event that model_take_event() has just
 * applied; *out then points into *news. facts_take_game() computes the facts of the
 * current state of a game. */
void facts_take_event(struct facts *out, const struct model_news *news, int64_t now_ms);
void facts_take_game(struct facts *out, const struct model_game *game, int64_t now_ms);

/* facts_is_piece_check() returns true if a piece gives check. facts_is_bare_kings()
 * returns true if the kings face each other and there is no piece between them. Both
 * may be true. */
bool facts_is_piece_check(const struct facts *facts);
bool facts_is_bare_kings(const struct facts *facts);

#endif
