/* Games at a terminal, refereed by a server or by this process. A typed line becomes an
 * action. This module carries out the actions that all such modes share and passes
 * those that change a game to the referee. It also shows the result: on a screen a
 * board after each move, otherwise one line for each event. */
#ifndef CLIENT_SESSION_SESSION_H
#define CLIENT_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/session/explain.h"
#include "client/session/trial.h"
#include "client/verb/complete.h"
#include "client/verb/known.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "client/view/render.h"
#include "common/base/text.h"

/* A callback that is NULL is skipped; send, move and run must be set. */
struct session_referee {
    /* Sends a command in the form of the protocol; game -1: it concerns no known
     * game. */
    void (*send)(void *owner, const char *line, int64_t game);
    void (*move)(void *owner, const struct action *action);
    /* Carries out an action that the session itself does not handle. */
    void (*run)(void *owner, const struct action *action);
    /* The player rotated the board of game. */
    void (*on_flip)(void *owner, struct model_game *game);
    /* A setting has changed. */
    void (*on_set)(void *owner);
    /* Returns true if commands are accepted now; NULL: always. */
    bool (*is_ready)(void *owner);
};

struct session {
    struct prefs *prefs;
    struct console *console;
    struct model *model;
    const struct verb_book *verbs;
    const struct known *known; /* for completion; may be NULL */
    bool is_against_computer;  /* true if every game of this mode is against a
                                * computer */
    const struct session_referee *referee;
    void *owner;

    /* owned by the session */
    struct trial trial;     /* the private board; end it when the game on the table
                               * is replaced by another game or by an earlier state
                               * of itself */
    struct explain explain; /* the analysis of a game that has ended, of which it has a
                               * copy; a script waits for it, and Ctrl-C stops it */
    struct complete complete; /* in use while Tab is pressed */
    char sure_line[PROTO_LINE_MAX + 1], sure_words[128]; /* to send; the question */
};

/* The question for session_answer(); the questions of a mode have higher numbers. */
enum { SESSION_QUESTION_SURE = 1, SESSION_QUESTIONS };

/* Frees the members that the session owns. */
void session_clear(struct session *session);

/* --- Lines --- */

void session_line(struct session *session, const char *line);
/* Handles the answer to SESSION_QUESTION_SURE. Asks again if it is neither yes nor no. */
void session_answer(struct session *session, const char *line);
const char *session_complete(struct session *session, const char *before,
                             const char *word, size_t i);

/* --- What is shown --- */

/* Returns how boards and prompts are drawn now. */
struct render_view session_view(const struct session *session);
void session_show_board(struct session *session, const struct model_game *game);
/* On a screen, shows the four line-ups below the words head. */
void session_show_setup_choice(struct session *session, const struct model_game *game,
                               const char *head);
/* Shows an event: on a screen the board, or only the move if no board is due; otherwise
 * one line. after_end: the commands to offer if this is the end of the game; may be
 * NULL. */
void session_show_event(struct session *session, const struct model_news *news,
                        int64_t now_ms, const char *after_end);
void session_add_prompt(const struct session *session, struct text *out);
/* Closes the private board if it is a copy of game and game has changed. */
void session_follow(struct session *session, const struct model_game *game);

#endif
