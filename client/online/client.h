/* One visit to one server, from connecting to leaving: connects keyboard, network, model
 * and screen. The files of this folder share struct client; each member names its file. */
#ifndef CLIENT_ONLINE_CLIENT_H
#define CLIENT_ONLINE_CLIENT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <sys/types.h>

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "client/console/console.h"
#include "client/net/visit.h"
#include "client/session/session.h"
#include "client/verb/complete.h"
#include "client/view/model.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* The question that the next typed line answers. */
enum client_question {
    QUESTION_SURE = SESSION_QUESTION_SURE,
    QUESTION_KEY = SESSION_QUESTIONS,
    QUESTION_NAME,
    QUESTION_MOVE /* whether to send a move that the server may not have received */
};

/* What the link on the command line asks for: to join a game, or to find one to watch. */
struct link_action {
    bool is_done;       /* carried out or refused */
    bool is_looking;    /* the player was told that no game is running */
    int64_t look_at_ms; /* time of the next search for a game to watch; 0: none */
    int64_t game;       /* the first game that the search found */
    int games;          /* the number of games that it found */
};

/* What the client asks the server by itself, or is told after a login. */
struct lookup {
    char name[MODEL_WATCHERS_MAX]
             [NAME_BYTES]; /* the watchers in the answer that arrives
                                                * now */
    int names;
    bool is_listing; /* the server lists our own games */
    int games;
    char rows[4096], turns[256]; /* rows: the table of these games; turns: the numbers
                                  * of the games in which it is our turn */
};

/* Programs of the player: on-turn is started when it becomes the player's turn, or when
 * the player's next game of a club evening (a tournament) begins soon; on-match when a
 * game of the player begins. A program gets the facts in JANGGI_ variables. Its arguments
 * come only from the settings, so no text from a server or an opponent becomes an
 * argument. A slow or failing program delays nothing. It may outlive the client. */
enum hook_kind { HOOK_TURN, HOOK_MATCH };
enum { HOOK_KINDS = HOOK_MATCH + 1, HOOK_FACTS_MAX = 12, HOOK_FACT_BYTES = 600 };

struct hook_facts {
    char line[HOOK_FACTS_MAX][HOOK_FACT_BYTES]; /* such as "JANGGI_GAME=17" */
    int count;
};

struct hook_run {
    pid_t pid; /* the running program; 0: none */
    int64_t began_ms;
    bool is_killed;
    bool has_failed; /* the player was told that the program failed */
    bool has_next;   /* `next` waits for the end of the running program */
    struct hook_facts next;
};

struct hook {
    struct hook_run runs[HOOK_KINDS];
    int64_t evening, round; /* the player's game that was announced last: its evening
                             * and its round */
    bool is_first;          /* since the first login, no connection was lost */
};

/* A process of "janggi bot" that accepts our invitation, and ends with our visit. */
struct bot_process {
    pid_t pid; /* 0: none */
    int level;
    int64_t told_game; /* the game of the newest hint that it can come back; 0:
                        * none */
    uint32_t tag;      /* tag of the request for the invitation that the computer player
                        * will accept; 0: none */
};

/* Saving a game to a file. Without a connection, or idle: zeroed. */
struct save {
    bool is_on;
    bool is_running; /* save the events of a running game; false: the record of an ended
                      * one */
    int64_t game;
    char path[PATH_MAX];
    struct record_text text; /* the part of the record that has arrived */
    struct record record;    /* the events that have arrived */
    int events;              /* total number of events; 0: not known yet */
};

/* The commands whose result the player waits for: tv (for the best game), seeks on (for
 * news of seeks), and seek or play (for an opponent). The server forgets them with the
 * connection, so they are sent again. */
enum {
    RECONNECT_TV,
    RECONNECT_NEWS,
    RECONNECT_SEEKS,
    RECONNECT_WAITS = RECONNECT_SEEKS + 4
};

struct reconnect_wait {
    char *line;       /* the command; NULL: nothing to send again */
    int64_t id;       /* number of the seek, or of the game that tv shows; 0: not known
                       * yet */
    uint32_t tag;     /* tag of the request that sent `line` again; 0: not sent again */
    int64_t until_ms; /* for play: when the minutes of the command are over; 0: no
                       * limit */
};

struct reconnect {
    struct reconnect_wait waits[RECONNECT_WAITS];
    int64_t heard_ms;   /* when the server's last line came; unchanged during a loss */
    char why[256];      /* why the connection was lost; "": it is not lost */
    int missed;         /* events that happened while the connection was lost; set to 0
                         * before the games are resumed */
    int64_t asked_game; /* number of the game whose move QUESTION_MOVE asks about */
};

struct client {
    struct prefs *prefs;   /* borrowed; the command `set` may change it */
    const struct link *to; /* borrowed */
    struct console *console;
    struct session session;
    struct visit *visit;
    struct model model;
    struct known known;
    FILE *log;           /* --log; NULL: none */
    bool is_own_server;  /* `make play` has started the server and will stop it */
    bool asks_owner;     /* QUESTION_NAME asks whether the name that is here becomes the
                          * owner */
    bool has_no_default; /* the server has refused a name: a default is not offered */
    bool keeps_other;    /* another key is stored for this address, so that the address
                          * alone leads to a refusal */
    int bad_lines;       /* unprintable lines that were not reported yet */
    struct event *after_end; /* screen.c: timer that shows the delayed line about the
                              * game ended_game */
    int64_t ended_game;
    struct link_action link_action; /* login.c */
    struct lookup lookup;           /* server_events.c */
    struct hook hook;               /* programs.c */
    struct bot_process bot_process; /* programs.c */
    struct save save;
    struct reconnect reconnect;
};

/* --- client.c: start and end --- */

/* Runs until the player or the server ends the visit. Returns the exit status. */
int client_run(struct prefs *prefs, const struct link *to);
/* The steps of client_run(), for tests. client_open_visit() takes ownership of `tls`. */
void client_open(struct client *client, struct prefs *prefs, const struct link *to);
void client_open_visit(struct client *client, SSL_CTX *tls);
void client_close(struct client *client);

/* Sends a command about the game with the number `game` and returns the request's tag
 * (visit_send()). If it cannot be sent now, returns 0, and says so unless is_quiet is
 * true. */
uint32_t client_send(struct client *client, const char *line, int64_t game,
                     bool is_quiet);
uint32_t client_sendf(struct client *client, int64_t game, bool is_quiet,
                      const char *format, ...) PRINTF_LIKE(4, 5);
/* Sends the pending move of game. */
void client_send_pending(struct client *client, const struct model_game *game);
/* Prints an error message, on the screen or on standard error, and ends the client with
 * the exit status `code`. */
void client_fail(struct client *client, int code, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* --- login.c: trust, name, greeting, and what the link asks for --- */

/* The callbacks of a visit: see visit.h. */
void login_on_met(void *owner, const char *words, bool keeps_other);
void login_on_ask_key(void *owner, const char *words);
void login_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused);
void login_on_beside(void *owner, const char *busy, const char *name);
void login_on_refused(void *owner, const struct proto_line *line);
void login_on_resume(void *owner, const char *games);
void login_on_ready(void *owner, const struct proto_line *line, bool is_first);
void login_on_end(void *owner, enum visit_end end);
/* Handle the answers to QUESTION_KEY and QUESTION_NAME. */
void login_take_key(struct client *client, const char *line);
void login_take_name(struct client *client, const char *line);

/* Handle the answer to join: login_take_join() an OK, login_refuse_join() an
 * ERR. login_goes_on() returns true if it has told the player instead that the game
 * has both players already: the ERR to the link of `make play`, which does not end the
 * client. */
void login_take_join(struct client *client, const struct proto_line *line);
void login_refuse_join(struct client *client, const struct proto_line *line);
bool login_goes_on(struct client *client, const struct proto_line *line);
/* Take the answer to the search for a game: a row of the list of games, and its end. */
void login_note_game(struct client *client, const struct proto_line *row);
void login_take_games(struct client *client);
/* Searches again for a game to watch. Call it once a second. */
void login_look_again(struct client *client, int64_t now_ms);

/* --- server_events.c: lines from the server --- */

/* The callbacks of a visit: see visit.h. */
void server_events_on_event(void *owner, int64_t game, int number, const char *text,
                            int64_t now_ms);
void server_events_on_notice(void *owner, const struct proto_line *line,
                             int64_t now_ms);
void server_events_on_answer(void *owner, const struct visit_request *asked,
                             const struct proto_line *line, int64_t now_ms);
void server_events_on_text(void *owner, const struct visit_request *asked,
                           const char *line);
void server_events_on_bad_line(void *owner);
void server_events_on_heard(void *owner);
/* Requests the missing events of the game, unless they were already requested or we
 * have left the game. */
void server_events_resume(struct client *client, struct model_game *game);
/* Tells the player how many unprintable lines have arrived since the last report. */
void server_events_say_bad_lines(struct client *client);

/* --- command_input.c: lines from the console --- */

/* The callbacks of the console (struct console_calls) and of the session. */
void command_input_line(void *owner, const char *line);
void command_input_answer(void *owner, int id, const char *line);
void command_input_end(void *owner);
bool command_input_interrupt(void *owner, bool is_last);
const char *command_input_complete(void *owner, const char *before, const char *word,
                                   size_t i);
extern const struct session_referee command_input_referee;

/* --- screen.c: which events and which game are shown; the bell and the title --- */

void screen_open(struct client *client);
void screen_close(struct client *client);
/* Shows an event that the model has just taken. If the event is the end of our game, a
 * line then tells the player which commands are possible now, and another line which
 * game of ours goes on (model_next_game()). On a screen, these lines are delayed,
 * because whispers and other news of the game may follow. */
void screen_event(struct client *client, const struct model_news *news, int64_t now_ms);
/* Shows the delayed line now, if there is one. To be called before showing anything
 * that is not news of the ended game. */
void screen_say_after_end(struct client *client);
/* Shows the line-ups that the player can choose from. */
void screen_setup_choice(struct client *client, const struct model_game *game);
/* For a game that we watch: reports which side is choosing its line-up. In a sealed
 * game (game_is_sealed()), reports for each side whether it has chosen. */
void screen_setup_of_others(struct client *client, const struct model_game *game);
/* Rings the bell, if it is enabled. */
void screen_ring(struct client *client);
/* Rings the bell when the player has little time left. */
void screen_look_at_clocks(struct client *client, int64_t now_ms);
/* Sets the title for the current state, if titles are enabled. */
void screen_title(struct client *client);

/* --- programs.c --- */

/* To be called after each new event of a game. If the game is ours, starts the programs
 * for that event. */
void programs_take_event(struct client *client, const struct model_news *news);
/* To be called for every notice. If the notice announces the player's next game of an
 * evening, starts the on-turn program. */
void programs_take_notice(struct client *client, const struct proto_line *line);
/* To be called once a second. Reports programs that failed, kills slow programs, and
 * starts a program that must be started once more. Says once how the computer player
 * comes back when it has left our unfinished game. */
void programs_tick(struct client *client, int64_t now_ms);

/* Brings the computer player back to our unfinished game if there is one; otherwise
 * requests an invitation for it from the server. If the computer player cannot be
 * started or is already running, tells the player instead. */
void programs_want_computer(struct client *client, int level);
/* To be called for every OK to a command. If this is the invitation for the computer
 * player, starts it and returns true. */
bool programs_take_invite(struct client *client, const struct visit_request *asked,
                          const struct proto_line *line);
/* Ends the computer player, if it is running. */
void programs_clear(struct client *client);

/* --- save.c --- */

/* Starts to save a game to the file at `path`; "": to a file named after the game's
 * number. */
void save_begin(struct client *client, int64_t game, const char *path);
/* Take what the server sends: a line of a record, an event, or an answer. */
void save_take_line(struct client *client, const char *line);
void save_take_event(struct client *client, int64_t game, int number,
                     const char *event);
void save_take_answer(struct client *client, const struct visit_request *asked,
                      const struct proto_line *line);
/* Cancels saving. */
void save_clear(struct client *client);

/* --- reconnect.c: a lost connection, and moves that the server has not acknowledged --- */

/* To be called for every answer and every notice. They store a command if the player
 * waits for its result from now on, and forget it when an opponent was found, or when
 * the command was ended or refused. */
void reconnect_take_answer(struct client *client, const struct visit_request *asked,
                           const struct proto_line *line);
void reconnect_take_notice(struct client *client, const struct proto_line *line);
/* Handles the loss of the connection, or a failed attempt to reconnect: tells the
 * player and drops what was in progress (saving a game, the question about a move).
 * Returns false if the visit must end, because no further attempt follows and the
 * player cannot start one. */
bool reconnect_begin(struct client *client);
void reconnect_try_now(struct client *client);
void reconnect_give_up(struct client *client);
/* Adds text such as "(no connection, attempt 2 in 4 s) "; adds nothing while
 * connected. */
void reconnect_add_prompt(struct text *out, const struct client *client,
                          int64_t now_ms);
/* Forgets the commands that find an opponent, because one was found. */
void reconnect_forget_seeks(struct client *client);
/* Reports that we are connected again and have all missed events of the games, and
 * sends the kept commands again. If the connection was lost for more than 5 minutes,
 * drops all seek and play commands instead, and tells the player; also a play command
 * whose minutes are over. If the player is in a game with clocks, drops all seek and
 * play commands without a message. */
void reconnect_on_back(void *owner, int64_t away_ms);
void reconnect_clear(struct client *client);

/* Handles the moves that were typed while there was no connection, or sent and not
 * answered before it was lost, of the games whose missed events have arrived. On a
 * screen, asks the player about one move at a time, and drops a move that cannot be
 * played any more. In a script, sends or drops each move. Does nothing before the login,
 * or while requested events are still missing. */
void reconnect_check_moves(struct client *client);
/* Tells the player that the server has received the unacknowledged move of `game`. To
 * be called when the move arrives as an event of the game. */
void reconnect_say_found(struct client *client, const struct model_game *game);
/* Handles the answer to QUESTION_MOVE. Returns false if `line` is not an answer but
 * another command. */
bool reconnect_answer_move(struct client *client, const char *line);

#endif
