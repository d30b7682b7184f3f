/* Handles moves that the server has not acknowledged: typed while there was no
 * connection, or sent and not answered before the connection was lost. Asks the player
 * about them one after the other, as soon as the missed events of their games have
 * arrived. */
#ifndef CLIENT_PLAY_DOUBT_H
#define CLIENT_PLAY_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "client/play/talk.h"

struct doubt {
    struct talk *talk; /* borrowed */
    int64_t game;      /* number of the game whose move QUESTION_MOVE asks about */
};

/* Handles the unacknowledged moves of the games whose missed events have arrived. On a
 * screen, asks the player about one move at a time, and drops a move that cannot be
 * played any more. In a script, sends or drops each move. Does nothing before the
 * login, or while requested events are still missing. */
void doubt_look_at_moves(struct doubt *doubt);
/* Tells the player that the server has received the unacknowledged move of `game`. To
 * be called when the move arrives as an event of the game. */
void doubt_say_found(struct doubt *doubt, const struct model_game *game);
/* Handles the answer to QUESTION_MOVE. Returns false if `line` is not an answer but
 * another command. */
bool doubt_take_answer(struct doubt *doubt, const char *line);
/* Withdraws QUESTION_MOVE if it is open. doubt_look_at_moves() asks it again when its
 * conditions are met. */
void doubt_drop(struct doubt *doubt);

#endif
