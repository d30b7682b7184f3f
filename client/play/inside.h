/* What the parts of the client share: client.c (life), entry.c (trust, name, login,
 * what to do first), lost.c (a lost connection and the way back), heard.c (lines from
 * the server), typed.c (lines from the keyboard) and screen.c (all output). Nobody else
 * includes this. */
#ifndef CLIENT_PLAY_INSIDE_H
#define CLIENT_PLAY_INSIDE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "client/base/prefs.h"
#include "client/console/edit.h"
#include "client/net/visit.h"
#include "client/play/client.h"
#include "client/play/trial.h"
#include "client/verb/complete.h"
#include "client/verb/known.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "common/base/base.h"
#include "common/net/proto.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

struct event_base;

/* What the next typed line answers. */
enum client_question {
    QUESTION_NONE,
    QUESTION_KEY,
    QUESTION_NAME,
    QUESTION_SURE,
    QUESTION_MOVE /* whether to send one that may not have arrived */
};

/* A game on its way into a file. */
struct save {
    bool is_on;
    bool is_running; /* from its events; else the record of an ended game */
    int64_t game;
    char path[PATH_MAX];
    struct record_text text; /* of the record so far */
    struct record record;    /* of the events so far */
    int events;              /* how many there will be; 0: not known yet */
};

/* What a link says to do after login. */
enum client_errand { ERRAND_NONE, ERRAND_JOIN, ERRAND_WATCH };

enum { CLIENT_WATCH_MAX = 2 };

struct client {
    struct prefs *prefs;
    const struct link *to;
    struct event_base *base;
    struct edit *edit;
    struct visit *visit;
    struct model model;
    struct known known;
    struct complete complete; /* while Tab is pressed */
    FILE *log;

    bool is_screen;  /* a person looks at a terminal; else --plain */
    bool is_editing; /* with the line editor */
    bool has_color;
    bool is_script;     /* commands come from -c or from a pipe */
    const char *script; /* what is left of -c */
    bool is_ended;      /* no more will be typed */
    bool is_refused;    /* a move in a script was refused */
    int exit_code;

    enum client_question question;
    char sure_line[PROTO_LINE_MAX + 1]; /* sent when QUESTION_SURE is answered yes */
    bool is_name_refused;               /* one was, so there is none to fall back on */
    int bad_lines;      /* that could not be shown and were not yet told of */
    char lost_why[256]; /* why the connection is lost; "": it is not */
    int64_t doubt;      /* the game of QUESTION_MOVE */
    bool is_homecoming; /* the games of ours are being told after the first login */
    int mine;           /* how many were */
    char mine_rows[4096], mine_turns[256]; /* of the table */
    int missed;                            /* events that came to pass meanwhile */
    int64_t interrupt_ms;

    struct save save;
    struct trial trial; /* the private board */
    pid_t partner;      /* the computer that was started; 0: none */
    int partner_level;
    uint32_t partner_tag; /* of the invitation that it will take up; 0: none */

    enum client_errand errand;
    bool is_looking;                   /* it was said that there is none */
    int64_t look_ms;                   /* when to look again for a game to watch */
    int64_t running[CLIENT_WATCH_MAX]; /* games found by looking */
    int running_count;
};

/* --- client.c --- */

/* Makes the visit, which takes tls over. */
void client_open_visit(struct client *client, SSL_CTX *tls);
/* Ends in order; code is the exit code unless one was set before. */
void client_leave(struct client *client, int code);
/* Ends with words on standard error. */
void client_fail(struct client *client, int code, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* In a script: takes the next command if nothing is unanswered. */
void client_go_on(struct client *client);

/* --- entry.c --- */

/* What a visit calls: visit.h. */
void entry_on_met(void *owner, const char *words, bool keeps_other);
void entry_on_ask_key(void *owner, const char *words);
void entry_on_ask_name(void *owner, const char *bad, bool is_refused);
void entry_on_refused(void *owner, const struct proto_line *line);
void entry_on_resume(void *owner, const char *games);
void entry_on_ready(void *owner, const struct proto_line *line, bool is_first);
void entry_on_end(void *owner, enum visit_end end);
/* The answer to QUESTION_KEY or QUESTION_NAME. */
void entry_take_key(struct client *client, const char *line);
void entry_take_name(struct client *client, const char *line);
/* Answers to what was asked for a link. */
void entry_take_join(struct client *client, const struct proto_line *line);
void entry_refuse_join(struct client *client, const struct proto_line *line);
void entry_take_games(struct client *client);
void entry_look_for_game(struct client *client);

/* --- lost.c --- */

/* The connection is gone, or one more attempt has failed. False: there is no other, and
 * nobody who could ask for one. */
bool lost_begin(struct client *client);
void lost_try_now(struct client *client);
void lost_give_up(struct client *client);
/* "(no connection, attempt 2 in 4 s) "; nothing while it stands. */
void lost_add_prompt(struct text *out, const struct client *client, int64_t now_ms);
void lost_on_back(void *owner, int64_t away_ms);
/* Moves of which nobody knows whether they arrived: asked about, one after the other,
 * as soon as their games have caught up. */
void lost_look_at_moves(struct client *client);
/* One of them was in the log. */
void lost_say_found(struct client *client, const struct model_game *game);
/* The answer to QUESTION_MOVE. False: line is none, but something else that was typed.
 */
bool lost_take_answer(struct client *client, const char *line);

/* --- save.c --- */

/* Keeps game in the file at path, or with "" in one of its own name. */
void save_begin(struct client *client, int64_t game, const char *path);
/* A line of a record, an event, and the answer to what was asked for it. */
void save_take_line(struct client *client, const char *line);
void save_take_event(struct client *client, int64_t game, int number,
                     const char *event);
void save_take_answer(struct client *client, const struct visit_request *asked,
                      const struct proto_line *line);
/* Nothing is being saved any more. */
void save_clear(struct client *client);

/* --- mine.c --- */

/* A running game of the player's, told after login: kept for the table. */
void mine_take(struct client *client, const struct proto_line *line);
/* The table, once, when all have been told. */
void mine_say(struct client *client);

/* --- attention.c --- */

/* A bell, if it is wanted. */
void attention_ring(struct client *client);
/* The bell for little time. */
void attention_look_at_clocks(struct client *client, int64_t now_ms);
/* The title that fits what is going on, if it is wanted. */
void attention_title(struct client *client);

/* --- heard.c --- */

/* What a visit calls: visit.h. */
void heard_on_event(void *owner, int64_t game, int number, const char *text,
                    int64_t now_ms);
void heard_on_notice(void *owner, const struct proto_line *line, int64_t now_ms);
void heard_on_answer(void *owner, const struct visit_request *asked,
                     const struct proto_line *line, int64_t now_ms);
void heard_on_text(void *owner, const struct visit_request *asked, const char *line);
void heard_on_bad_line(void *owner);
void heard_on_heard(void *owner);
/* Tells of lines that could not be shown, if there were some. */
void heard_say_bad_lines(struct client *client);

/* --- typed.c --- */

void typed_line(void *owner, const char *line);
void typed_end(void *owner);
void typed_interrupt(void *owner);
const char *typed_complete(void *owner, const char *before, size_t i);

/* Sends a command: visit_send(). One of the player's that cannot be sent now is told. */
uint32_t typed_send(struct client *client, const char *line, int64_t game,
                    bool is_quiet);
uint32_t typed_sendf(struct client *client, int64_t game, bool is_quiet,
                     const char *format, ...) PRINTF_LIKE(4, 5);
/* Sends the move that waits in game. */
void typed_send_pending(struct client *client, const struct model_game *game);

/* --- screen.c --- */

void screen_say(struct client *client, const char *words);
void screen_sayf(struct client *client, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same for a line of the server, of which words is what a person is told, and for
 * something typed that is not done: with --json what a script needs of it. */
void screen_notice(struct client *client, const struct proto_line *line,
                   const char *words);
void screen_answer(struct client *client, const char *verb,
                   const struct proto_line *line, const char *words);
void screen_item(struct client *client, const char *verb, const char *line,
                 const char *words);
void screen_refuse(struct client *client, const char *words);
void screen_event(struct client *client, const struct model_news *news, int64_t now_ms);
/* How boards and prompts are to be drawn now. */
struct render_view screen_view(const struct client *client);
void screen_board(struct client *client, const struct model_game *game);
void screen_setup_choice(struct client *client, const struct model_game *game);
/* Shows the prompt that fits what is going on. */
void screen_prompt(struct client *client);
/* Puts a question in the prompt's place. */
void screen_ask(struct client *client, enum client_question question,
                const char *words);

#endif
