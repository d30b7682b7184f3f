/* Contains the objects that all parts of a visit share (console, session, connection
 * and model), and the function that sends a command. The parts themselves, such as
 * doubt.h and errand.h, are not used here. */
#ifndef CLIENT_PLAY_TALK_H
#define CLIENT_PLAY_TALK_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/net/visit.h"
#include "client/session/session.h"
#include "client/view/model.h"
#include "common/base/base.h"

struct event;

/* The question that the next typed line answers. */
enum talk_question {
    QUESTION_SURE = SESSION_QUESTION_SURE,
    QUESTION_KEY = SESSION_QUESTIONS,
    QUESTION_NAME,
    QUESTION_MOVE /* whether to send a move that the server may not have received */
};

/* Borrows prefs and `to`. The owner of the struct frees the other objects. */
struct talk {
    struct prefs *prefs;
    const struct link *to;
    struct console *console;
    struct session session;
    struct visit *visit;
    struct model model;
    struct event *after_end; /* screen.c: timer that shows the delayed line about the
                              * game ended_game */
    int64_t ended_game;
    bool is_own_server; /* `make play` has started the server and will stop it */
};

/* Sends a command about the game with the number `game` and returns the request's tag
 * (visit_send()). If it cannot be sent now, returns 0, and says so unless is_quiet is
 * true. */
uint32_t talk_send(struct talk *talk, const char *line, int64_t game, bool is_quiet);
uint32_t talk_sendf(struct talk *talk, int64_t game, bool is_quiet, const char *format,
                    ...) PRINTF_LIKE(4, 5);
/* Sends the pending move of game. */
void talk_send_pending(struct talk *talk, const struct model_game *game);

/* Prints an error message, on the screen or on standard error, and ends the client with
 * the exit status `code`. */
void talk_fail(struct talk *talk, int code, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
