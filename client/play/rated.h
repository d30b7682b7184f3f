/* Shows the ratings of the players of a game beside their names. The server is asked
 * for them when the game's start event arrives. */
#ifndef CLIENT_PLAY_RATED_H
#define CLIENT_PLAY_RATED_H

#include "client/play/talk.h"

/* Asks for the ratings of both players. rated_take_row() and rated_take_answer() take
 * the answers. */
void rated_ask(struct talk *talk, const struct model_game *game);
/* Takes a row of the answer to the "rank NAME" that rated_ask() has sent. */
void rated_take_row(struct talk *talk, const struct visit_request *asked,
                    const char *row);
/* To be called at the end of the answer to a "rank NAME" that rated_ask() has sent.
 * rated_ask() asks about Red first and about Blue second. After the answer about Blue,
 * prints the ratings if the game is the current game and is being played: its board was
 * already shown without the ratings. */
void rated_take_answer(struct talk *talk, const struct visit_request *asked);

#endif
