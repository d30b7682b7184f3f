/* What the client asks the server by itself, or is told after a login, to show it beside
 * the games: who watches our games, the ratings of the players, and a short table of our
 * own games. */
#ifndef CLIENT_PLAY_LOOKUP_H
#define CLIENT_PLAY_LOOKUP_H

#include <stdbool.h>

#include "client/play/talk.h"

/* All members except `talk` are zeroed at first. */
struct lookup {
    struct talk *talk; /* borrowed */
    char name[MODEL_WATCHERS_MAX]
             [NAME_BYTES]; /* the watchers in the answer that arrives
                                                * now */
    int names;
    bool is_listing; /* the server lists our own games */
    int games;
    char rows[4096], turns[256]; /* rows: the text of the table; turns: the numbers
                                  * of the games in which it is our turn */
};

/* Asks who watches `game`, if it is a running game of ours, there is a screen, and the
 * client has asked fewer than 8 times in this second. The server's notices are not
 * enough: they say nothing about those who watched before we came, and they only count
 * those who come and go while we are quiet. `game` may be NULL. */
void lookup_watchers(struct lookup *lookup, struct model_game *game);
/* Asks for the ratings of both players. */
void lookup_ratings(struct lookup *lookup, const struct model_game *game);

/* To be called for every notice that the model has taken, every row and every answer. */
void lookup_take_notice(struct lookup *lookup, const struct proto_line *line);
void lookup_take_row(struct lookup *lookup, const struct visit_request *asked,
                     const char *row);
void lookup_take_answer(struct lookup *lookup, const struct visit_request *asked,
                        const struct proto_line *line);

/* The table of our own games after the first login: takes one of them; then, after all
 * were listed, prints the table once. */
void lookup_take_own_game(struct lookup *lookup, const struct proto_line *line);
void lookup_say_own_games(struct lookup *lookup);

#endif
