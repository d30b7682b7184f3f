/* Keeps the list of those who watch our games. The server's notices are not enough for
 * it: they say nothing about those who watched before we came, and they only count
 * those who come and go while we are quiet. Then this part asks the server. */
#ifndef CLIENT_ONLINE_WATCHING_H
#define CLIENT_ONLINE_WATCHING_H

#include "client/play/talk.h"

/* All members except `talk` are zeroed at first. */
struct watching {
    struct talk *talk;                         /* borrowed */
    char name[MODEL_WATCHERS_MAX][NAME_BYTES]; /* the names of the answer that arrives
                                                * now */
    int names;
};

/* Asks the server who watches `game`, if it is a running game of ours, there is a
 * screen, and the client has asked fewer than 8 times in this second. `game` may be
 * NULL. */
void watching_ask(struct watching *watching, struct model_game *game);
/* Takes a notice that the model has taken. Asks for the names if it has only numbers. */
void watching_take_notice(struct watching *watching, const struct proto_line *line);
/* Takes a row of the answer to "watchers", whether the player or watching_ask() has
 * sent the command. */
void watching_take_row(struct watching *watching, const char *row);
/* Takes the answer to any command. After "watchers", updates the list. After a command
 * that may have sent watchers away, asks for the list. */
void watching_take_answer(struct watching *watching, const struct visit_request *asked,
                          const struct proto_line *line);

#endif
