/* Handles lines from the server: events update the model and the screen, answers are
 * matched with commands, notices are shown. `owner` is a struct client. */
#ifndef CLIENT_ONLINE_HEARD_H
#define CLIENT_ONLINE_HEARD_H

#include <stdint.h>

#include "client/net/visit.h"
#include "common/net/proto.h"

struct client;
struct model_game;

/* The callbacks of a visit: see visit.h. */
void heard_on_event(void *owner, int64_t game, int number, const char *text,
                    int64_t now_ms);
void heard_on_notice(void *owner, const struct proto_line *line, int64_t now_ms);
void heard_on_answer(void *owner, const struct visit_request *asked,
                     const struct proto_line *line, int64_t now_ms);
void heard_on_text(void *owner, const struct visit_request *asked, const char *line);
void heard_on_bad_line(void *owner);
void heard_on_heard(void *owner);
/* Requests the missing events of the game, unless they were already requested or we
 * have left the game. */
void heard_resume(struct client *client, struct model_game *game);
/* Tells the player how many unprintable lines have arrived since the last report, if
 * there were any. */
void heard_say_bad_lines(struct client *client);

#endif
