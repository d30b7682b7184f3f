/* Games at a terminal, refereed by a server or by this process. A typed line becomes an
 * action. The session carries out the actions that do not depend on the referee, and
 * passes the actions that change a game to the referee. It also shows the events of the
 * games: as boards on a screen, as one line for each event otherwise. */
#ifndef CLIENT_SESSION_SESSION_H
#define CLIENT_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/session/trial.h"
#include "client/verb/complete.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "client/view/render.h"
#include "common/base/text.h"

struct analyst;
struct game;

/* Decides what the actions do that change a game: a server, the computer and the rules, a
 * record, a lesson. `run` must be set, and `send` if a verb of the mode sends something.
 * The other callbacks may be NULL. */
struct session_referee {
    /* Sends a command in the form of the protocol. game: the number of the game that
     * the command is about; -1: the command is not about a game that we know. */
    void (*send)(void *owner, const char *line, int64_t game);
    /* Carries out an action. Returns false if the session shall do it in its own way. */
    bool (*run)(void *owner, const struct action *action);
    /* The player rotated the board of game. */
    void (*on_flip)(void *owner, struct model_game *game);
    /* A setting has changed. */
    void (*on_set)(void *owner);
    /* Returns true if commands are accepted now; NULL: always. */
    bool (*is_ready)(void *owner);

    /* Only for a session with a console of its own: see session_begin(). */
    /* Handles a typed line before it is read. Returns true if that was all. */
    bool (*take_line)(void *owner, const char *line);
    /* A line or an answer was handled. */
    void (*on_done)(void *owner);
    /* The end of the input; NULL: the mode ends. */
    void (*on_end)(void *owner);
    /* Ctrl-C was typed once. */
    void (*on_interrupt)(void *owner);
    /* Returns true if the next command of a script must wait. */
    bool (*is_busy)(void *owner);
    /* NULL: the prompt of a game. */
    void (*add_prompt)(void *owner, struct text *out);
};

/* What a typed line would act on. */
struct session_target {
    int64_t game;     /* the current game; 0: none */
    bool is_private;  /* moves are tried on the private board */
    bool is_choosing; /* a digit or Enter chooses a line-up */
};

struct session {
    struct prefs *prefs;
    struct console *console;
    struct model *model;
    const struct verb_book *verbs;
    const struct known *known; /* for completion; may be NULL */
    bool is_against_computer;  /* true in a mode whose games are all against a
                                * computer */
    const struct session_referee *referee;
    void *owner;
    const struct typed_board *board; /* the board that typed moves refer to; NULL: that
                                      * of the current game */
    bool is_still;                   /* no clock runs, because events have the time 0 */
    bool is_private;                 /* the model has moves that were only tried */

    /* owned by the session */
    struct trial trial;           /* the private board; must be ended when its game is
                             * replaced by another game or by an earlier state of the
                             * same game */
    struct session_target target; /* as the user knows it */
    struct analyst
        *analyst; /* analysis of an ended game; a script waits for the result,
                              * Ctrl-C stops it; NULL: none */
    struct complete complete; /* the words that Tab offers; filled when Tab is
                               * pressed */
    char sure_line[PROTO_LINE_MAX + 1], sure_words[128]; /* for SESSION_QUESTION_SURE.
                                                          * sure_line: the command to
                                                          * send after a yes;
                                                          * sure_words: the question */
};

/* SESSION_QUESTION_SURE: the number of the only question that the session itself asks.
 * The answer must be passed to session_answer(). SESSION_QUESTIONS: the first number
 * for the questions of the session's owner. */
enum { SESSION_QUESTION_SURE = 1, SESSION_QUESTIONS };

/* Creates the console of a session whose other members are set, with callbacks that pass
 * typed lines to the session. history_path: see console_new(). */
void session_begin(struct session *session, const char *history_path);
/* Frees the members that the session owns; session_end() also frees the console. */
void session_clear(struct session *session);
void session_end(struct session *session);

/* --- Lines --- */

void session_line(struct session *session, const char *line);
/* Handles the answer to SESSION_QUESTION_SURE. Asks again if the answer is neither yes
 * nor no. */
void session_answer(struct session *session, const char *line);
/* Asks `words`; after a yes, sends `line` to the referee. */
void session_ask(struct session *session, const char *line, const char *words);
const char *session_complete(struct session *session, const char *before,
                             const char *word, size_t i);

/* --- What is shown --- */

/* Returns how boards and prompts are to be drawn. */
struct render_view session_view(const struct session *session);
void session_show_board(struct session *session, const struct model_game *game);
/* On a screen, shows the four line-ups below the text `head`. */
void session_show_setup_choice(struct session *session, const struct model_game *game,
                               const char *head);
/* Shows an event. If games are shown as boards, the settings decide whether the board
 * after the event is shown. If the board is not shown, a move is shown in words. In
 * other forms of output, prints the event as a line. after_end: the commands to offer
 * if this is the end of the game; may be NULL. */
void session_show_event(struct session *session, const struct model_news *news,
                        int64_t now_ms, const char *after_end);
void session_add_prompt(struct session *session, struct text *out);
/* If a typed line would now act on something else than the user could know, clears the
 * line that is being typed. Call it when an event has changed the current game, before
 * the event is shown. */
void session_check_target(struct session *session);
/* Analyses a copy of `game` while the terminal remains usable, and then shows the result.
 * Says why if the analysis does not begin. */
void session_analyse(struct session *session, const struct game *game);
/* Ends the analysis and shows its results so far. Returns false if none is running. */
bool session_stop_analysis(struct session *session);
/* Closes the private board if it shows a copy of an earlier state of `game`. */
void session_follow(struct session *session, const struct model_game *game);

#endif
