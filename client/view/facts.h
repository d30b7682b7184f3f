/* The facts of an event, or of a game as it stands, that every manner of output tells:
 * computed once, and said by words, speech, json and render in their own way. */
#ifndef CLIENT_VIEW_FACTS_H
#define CLIENT_VIEW_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/model.h"

struct facts {
    const struct model_game *game;
    const struct event *event; /* NULL: the game as it stands */

    bool has_last; /* a move has been made, */
    struct model_last last;
    char move[MOVE_BYTES]; /* and this is it: "I2xI3" */

    enum check check; /* while the board stands: in play, and after the end */
    enum side turn;   /* to move or to set up; SIDE_NONE: neither side is */
    bool is_our_turn;

    bool is_timed;
    int64_t left_ms[SIDES];
    int periods[SIDES];

    enum outcome outcome; /* of the end event, or of a game that is over */
    enum reason reason;
    enum side ended_by;
};

/* "I2xI3", "pass". */
void facts_format_move(char out[MOVE_BYTES], const struct model_last *last);

/* Of an event that was just folded in; news is borrowed. */
void facts_take_event(struct facts *out, const struct model_news *news, int64_t now_ms);
void facts_take_game(struct facts *out, const struct model_game *game, int64_t now_ms);

/* The checks that facts->check is made of. */
bool facts_is_piece_check(const struct facts *facts);
bool facts_is_bare_kings(const struct facts *facts);

#endif
