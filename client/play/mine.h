/* A short table of the player's own games, which the server lists after the first
 * login. */
#ifndef CLIENT_PLAY_MINE_H
#define CLIENT_PLAY_MINE_H

#include "client/play/talk.h"

struct mine;

/* Borrows talk. The caller owns the result. */
struct mine *mine_new(struct talk *talk) MUST_USE;
/* Accepts NULL. */
void mine_free(struct mine *mine);

/* Call it after a login; is_on: it was the first one, so a table is shown. */
void mine_begin(struct mine *mine, bool is_on);
/* Stores one of the player's running games for the table. */
void mine_take(struct mine *mine, const struct proto_line *line);
/* Prints the table, once, after all games were listed. */
void mine_say(struct mine *mine);

#endif
