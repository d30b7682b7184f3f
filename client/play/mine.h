/* A short table of the player's own games, which the server lists after the first
 * login. */
#ifndef CLIENT_PLAY_MINE_H
#define CLIENT_PLAY_MINE_H

#include <stdbool.h>

#include "client/play/talk.h"

/* All members except `talk` are zeroed at first. */
struct mine {
    struct talk *talk; /* borrowed */
    bool is_on;        /* the games are being listed */
    int count;
    char rows[4096], turns[256]; /* rows: the text of the table; turns: the numbers
                                  * of the games in which it is our turn */
};

/* To be called after a login. is_on: it is the first login, so a table is shown. */
void mine_begin(struct mine *mine, bool is_on);
/* Stores one of the player's running games for the table. */
void mine_take(struct mine *mine, const struct proto_line *line);
/* Prints the table, once, after all games were listed. */
void mine_say(struct mine *mine);

#endif
