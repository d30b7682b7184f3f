/* The ratings of the players of a game: the server is asked for them when the game
 * comes, and they are shown beside the names. */
#ifndef CLIENT_PLAY_RATED_H
#define CLIENT_PLAY_RATED_H

#include "client/play/talk.h"

/* Asks for the ratings of both players. The next two functions take the answers. */
void rated_ask(struct talk *talk, const struct model_game *game);
/* Takes a row of the answer to the "rank NAME" that rated_ask() has sent. */
void rated_take_row(struct talk *talk, const struct visit_request *asked,
                    const char *row);
/* Call it at the end of that answer. Prints the ratings if the board was shown without
 * them. */
void rated_take_answer(struct talk *talk, const struct visit_request *asked);

#endif
