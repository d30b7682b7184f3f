/* What the parts of the client share: client.c (life), entry.c (trust, name, login,
 * what to do first), lost.c (a lost connection and the way back), heard.c (lines from
 * the server), typed.c (lines from the console) and screen.c (what the server sent, as
 * it is shown). Only these include it. */
#ifndef CLIENT_PLAY_INSIDE_H
#define CLIENT_PLAY_INSIDE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/console/edit.h"
#include "client/net/visit.h"
#include "client/play/client.h"
#include "client/play/session.h"
#include "client/verb/known.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "common/base/base.h"
#include "common/net/proto.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* What the next typed line answers. */
enum client_question {
    QUESTION_SURE = SESSION_QUESTION_SURE,
    QUESTION_KEY = SESSION_QUESTIONS,
    QUESTION_NAME,
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
    struct console *console;
    struct session session;
    struct visit *visit;
    struct model model;
    struct known known;
    FILE *log;

    bool is_own_server;   /* make play started the server, and stops it */
    bool is_name_refused; /* one was, so there is no default name */
    int bad_lines;        /* lines that could not be shown and were not reported yet */
    char lost_why[256];   /* why the connection is lost; "": it is not */
    int64_t doubt;        /* the game of QUESTION_MOVE */
    bool is_homecoming;   /* our games are being listed after the first login */
    int mine;             /* how many were listed */
    char mine_rows[4096], mine_turns[256]; /* of the table */
    int missed;                            /* events that came to pass meanwhile */

    struct save save;
    pid_t partner; /* the computer that was started; 0: none */
    int partner_level;
    uint32_t partner_tag; /* of the invitation that it will take up; 0: none */

    enum client_errand errand;
    bool is_looking;                   /* it was said that there is none */
    int64_t look_ms;                   /* when to look again for a game to watch */
    int64_t running[CLIENT_WATCH_MAX]; /* games found by looking */
    int running_count;
};

/* --- client.c --- */

/* The console and the session; then the visit, which takes tls over. */
void client_open(struct client *client, struct prefs *prefs, const struct link *to);
void client_open_visit(struct client *client, SSL_CTX *tls);
void client_close(struct client *client);
/* Ends with words on standard error. */
void client_fail(struct client *client, int code, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* --- entry.c --- */

/* What a visit calls: visit.h. */
void entry_on_met(void *owner, const char *words, bool keeps_other);
void entry_on_ask_key(void *owner, const char *words);
void entry_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused);
void entry_on_beside(void *owner, const char *busy, const char *name);
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
/* The same, where somebody else has that seat and we stay at our own server. False: that
 * is not so. */
bool entry_goes_on(struct client *client);
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

/* For console_calls. */
void typed_line(void *owner, const char *line);
void typed_answer(void *owner, int id, const char *line);
void typed_end(void *owner);
bool typed_interrupt(void *owner, bool is_last);
const char *typed_complete(void *owner, const char *before, const char *word, size_t i);

/* What the session hands on. */
extern const struct session_referee typed_referee;

/* Sends a command: visit_send(). One of the player's that cannot be sent now is told. */
uint32_t typed_send(struct client *client, const char *line, int64_t game,
                    bool is_quiet);
uint32_t typed_sendf(struct client *client, int64_t game, bool is_quiet,
                     const char *format, ...) PRINTF_LIKE(4, 5);
/* Sends the move that waits in game. */
void typed_send_pending(struct client *client, const struct model_game *game);

/* --- screen.c --- */

/* An event that was just folded in. */
void screen_event(struct client *client, const struct model_news *news, int64_t now_ms);
void screen_setup_choice(struct client *client, const struct model_game *game);
/* For console_calls. */
void screen_add_prompt(void *owner, struct text *out);

#endif
