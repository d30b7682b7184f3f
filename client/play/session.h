/* Games at a terminal, whoever judges them: a server, or the game in this process. A
 * typed line becomes an action; what every such mode does is done here, and what
 * changes a game is handed to the referee. What follows from it is shown here as well:
 * on a screen a board after each move, otherwise one line for each event. */
#ifndef CLIENT_PLAY_SESSION_H
#define CLIENT_PLAY_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/play/trial.h"
#include "client/verb/complete.h"
#include "client/verb/known.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "client/view/render.h"
#include "common/base/text.h"

/* Those that are NULL are not called. */
struct session_referee {
    /* A command, as a server would get it; game -1: about none that is known. */
    void (*send)(void *owner, const char *line, int64_t game);
    void (*move)(void *owner, const struct action *action);
    /* An action that is not known here. */
    void (*run)(void *owner, const struct action *action);
    /* The board of game has been turned round. */
    void (*on_flip)(void *owner, struct model_game *game);
    /* A setting has changed. */
    void (*on_set)(void *owner);
    /* True when commands are taken now; NULL: always. */
    bool (*is_ready)(void *owner);
};

struct session {
    struct prefs *prefs;
    struct console *console;
    struct model *model;
    const struct verb_book *verbs;
    const struct known *known; /* for completion; may be NULL */
    bool is_against_computer;  /* in every game of this mode */
    const struct session_referee *referee;
    void *owner;

    /* its own */
    struct trial trial;       /* the private board */
    struct complete complete; /* while Tab is pressed */
    char sure_line[PROTO_LINE_MAX + 1];
};

/* The question that session_answer() takes; the mode's own have greater numbers. */
enum { SESSION_QUESTION_SURE = 1, SESSION_QUESTIONS };

/* Ends what is its own. */
void session_clear(struct session *session);

/* --- Lines --- */

void session_line(struct session *session, const char *line);
/* The answer to SESSION_QUESTION_SURE. */
void session_answer(struct session *session, const char *line);
const char *session_complete(struct session *session, const char *before,
                             const char *word, size_t i);

/* --- What is shown --- */

/* How boards and prompts are to be drawn now. */
struct render_view session_view(const struct session *session);
void session_show_board(struct session *session, const struct model_game *game);
/* The four line-ups under the words head, on a screen. */
void session_show_setup_choice(struct session *session, const struct model_game *game,
                               const char *head);
/* On a screen the board, or the move where no board is due; otherwise a line. after_end:
 * what can be typed when this is the end; may be NULL. */
void session_show_event(struct session *session, const struct model_news *news,
                        int64_t now_ms, const char *after_end);
void session_add_prompt(const struct session *session, struct text *out);
/* The private board ends when game, of which it is a copy, has gone on. */
void session_follow(struct session *session, const struct model_game *game);

#endif
