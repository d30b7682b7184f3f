/* A verb is a command that a player types. Running it produces an action, which the
 * caller then carries out. A verb reads the model and changes nothing, so it can be
 * tested without a network or a screen. */
#ifndef CLIENT_VERB_VERB_H
#define CLIENT_VERB_VERB_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/link.h"
#include "client/verb/args.h"
#include "client/view/model.h"
#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "common/net/proto.h"
#include "common/net/tls.h"

/* What the caller shall do. The words, line, game, move and number are the members of
 * struct action. */
enum action_kind {
    ACTION_NOTHING,
    ACTION_SAY,      /* show the words */
    ACTION_REFUSE,   /* show the words: the input was refused */
    ACTION_SEND,     /* send the line to the server */
    ACTION_ASK,      /* show the words as a question; send the line if the answer is
                      * yes */
    ACTION_MOVE,     /* play the move as ply number `ply` of the game */
    ACTION_BOARD,    /* show the board of the game */
    ACTION_FLIP,     /* rotate the board of the game and show it */
    ACTION_CHOOSE,   /* make the game the current one, to which typed moves apply */
    ACTION_SAVE,     /* save the game with this number to the file named in `words`, or
                      * to a default file if `words` is "" */
    ACTION_SET,      /* change the setting named in `line` to the value in `words` */
    ACTION_TRY,      /* try the move on a private board of the game */
    ACTION_REPLAY,   /* show the game after ply `number` on a private board; -1: after
                      * the next ply */
    ACTION_ANALYSE,  /* analyse the game, which has ended */
    ACTION_BACK,     /* close the private board; in a replay or a lesson, go one step
                      * back */
    ACTION_COMPUTER, /* start a computer player; `number` is its level */
    ACTION_STOP,     /* stop automatic reconnection */
    ACTION_QUIT,
    /* in a game at one terminal */
    ACTION_HINT,
    ACTION_TAKEBACK, /* take back `number` plies; 0: up to and including a person's last
                      * move */
    ACTION_LOAD,     /* load the game in the file named in `words` */
    ACTION_NEW,      /* begin another game */
    ACTION_LEVEL,    /* set the computer's level to `number`; 0: show it */
    /* in a replay */
    ACTION_NEXT,  /* show the next move or task */
    ACTION_GO_TO, /* go to ply `number` */
    ACTION_PLAY,  /* play automatically, at `number` thousandths of the speed of the
                   * game; 0: at the same speed as before */
    ACTION_PAUSE,
    /* in a lesson */
    ACTION_LESSON, /* go to the lesson named in `words`; "": list the lessons */
    ACTION_SETUP   /* choose the line-up with the number `number` */
};

enum {
    ACTION_WORDS_BYTES = 64 * 1024, /* enough for all moves of a long game */
    VERB_PLIES_MOST = 9999          /* the largest number of plies that can be typed */
};

struct action {
    enum action_kind kind;
    bool is_certain; /* the verb was typed with "!", as "quit!": do not ask */
    struct model_game *game;
    int64_t number; /* for some kinds: see enum action_kind. For ACTION_SEND, if `game`
                     * is NULL: the number of the game that the command is about, or -1.
                     * The model need not have this game */
    int ply;
    struct move move;
    enum kind claimed; /* the kind of piece that the player named with the move */
    char line[PROTO_LINE_MAX + 1];
    char words[ACTION_WORDS_BYTES];
};

struct verb_book;
struct verb;
struct link;
struct tls_key;

/* The server that answered a command, for answers that contain a link to it. */
struct verb_server {
    const struct link *to;
    bool is_loopback; /* reached through the loopback interface */
    const struct tls_key *key;
};

/* The server's OK or ERR to a command, for the functions that show it. */
struct verb_answer {
    struct model *model;
    const struct proto_line *line;
    const char *about; /* the command's first argument, or "" */
    int64_t game;      /* number of the game that the command was about; -1: none */
    int64_t now_ms;
    const struct verb_server *server; /* NULL: unknown */
};

struct verb_call {
    const struct verb_book *book;
    const struct model *model;
    const struct verb *verb;
    const char *word; /* the verb as it was typed, in lower case */
    const struct render_view *view;
    struct typed_board board; /* the board that a typed move refers to */
    struct args args;
    struct action *action;
    struct text line;  /* writes to action->line */
    struct text words; /* writes to action->words */
};

/* Groups of verbs; each is a part of the help page. */
enum verb_group {
    VERB_OTHER,
    VERB_PLAY,
    VERB_SEE,
    VERB_FIND,
    VERB_WATCH,
    VERB_STAFF, /* for members and staff; cannot be abbreviated */
    VERB_GROUPS
};

struct verb {
    const char *name;
    struct arg args[ARGS_MAX]; /* rules for the arguments, which are checked before
                                * `run` */
    bool may_be_certain;       /* before it acts, the verb asks the player; a "!" after
                                * its name, as in "resign!", skips this question */
    enum verb_group group;
    const char *shown; /* what the help page shows for the verb; NULL: the name */
    const char *brief; /* its description on the help page, in 20 columns; NULL: the
                        * page has only the name */
    const char *help;  /* its description in "help VERB", one line */
    const char *more;  /* examples and further notes; NULL: the name is the only
                        * example */
    const char *see;   /* related verbs, as "a, b"; may be NULL */
    /* What the verb does. NULL: see `gives` and `tell`; if they are not set either, the
     * verb is sent with its arguments (verb_send()). */
    void (*run)(struct verb_call *call);
    /* Used if `run` and `tell` are NULL: the kind of the action. The action also gets
     * the typed number, file or text. If is_about_game is true, the action also gets a
     * game: the game whose number was typed, or the current game if no number was
     * typed. */
    enum action_kind gives;
    bool is_about_game;
    /* Used if `run` is NULL: adds words about a game. If a number was typed, this is
     * the game with that number. Otherwise it is the current game. */
    void (*tell)(struct verb_call *call, const struct model_game *game);
};

/* The verbs of one mode. */
struct verb_book {
    const struct verb *const *verbs; /* ends with NULL */
    bool has_games; /* several games are possible, so a verb may take a game's number */
    /* Handles a line that is a move, without a verb. */
    void (*on_move)(struct verb_call *call, const struct typed_move *typed);
    /* Handles an empty line on a screen; may be NULL. */
    void (*on_empty)(struct verb_call *call);
    bool is_short;         /* help has one line for each verb, without groups */
    const char *first;     /* for is_short: printed above the lines; may be NULL */
    const char *elsewhere; /* the answer to a verb that needs a server and is not in
                            * this book, with %s for the verb; may be NULL */
};

/* --- For the run functions --- */

void verb_refuse(struct verb_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
/* Returns true if the typed move is clear. If it is ambiguous, refuses it and returns
 * false. */
bool verb_is_clear(struct verb_call *call, const struct typed_move *typed);
/* Returns the game whose number was typed, or the current game if no number was typed.
 * Refuses the input and returns NULL if there is no such game. */
struct model_game *verb_game(struct verb_call *call);
/* Like verb_game(), but refuses a game in which we are not a player. */
struct model_game *verb_our_game(struct verb_call *call);
/* If a number was typed, sets *id to this number; the model need not have that game. If
 * no number was typed, sets *id to the number of the current game. Returns false after
 * a refusal. */
bool verb_take_game(struct verb_call *call, int64_t *id) MUST_USE;

/* Sends the name of the verb and the arguments that were given, as typed. */
void verb_send(struct verb_call *call);
/* Sends "VERB GAME" for one of our games. */
void verb_send_for_game(struct verb_call *call);
/* Turns the action, which would send a command, into the question `question`, in which
 * %lld is the game's number. The command is sent after a yes. Does nothing if the
 * verb was typed with "!", as "resign!", or if the game is over. */
void verb_ask_first(struct verb_call *call, const char *question);

/* --- All verbs, in the file of their kind --- */

/* verb_play.c */
extern const struct verb verb_move, verb_pass, verb_setup, verb_resign, verb_draw,
    verb_takeback, verb_abort, verb_rematch, verb_rematch_here, verb_say, verb_swap,
    verb_claim, verb_record, verb_save;
/* Returns true if it is our turn to choose a line-up in the current game. */
bool verb_awaits_lineup(const struct model *model);
/* Returns true if a line-up without a verb is taken in the current game: if it is our
 * turn to choose one, or while both sides choose hidden ones. */
bool verb_takes_lineup(const struct model *model);
/* If `typed` is a line-up, and the current game is ours but takes none now, refuses it
 * and returns true. */
bool verb_refuse_lineup(struct verb_call *call, const char *typed);
/* Handles an empty line: if it is our turn to choose a line-up in the current game,
 * chooses the usual one. */
void verb_take_usual_lineup(struct verb_call *call);
/* Plays a typed move in the game that verb_our_game() returns. */
void verb_play_typed(struct verb_call *call, const struct typed_move *typed);
/* verb_see.c */
extern const struct verb verb_board, verb_flip, verb_moves, verb_last, verb_clock,
    verb_captured, verb_legal, verb_show, verb_score, verb_game_choice, verb_describe,
    verb_where, verb_scan, verb_opponent;
/* verb_find.c */
extern const struct verb verb_accept, verb_decline, verb_door, verb_watch, verb_rules,
    verb_computer;
/* verb_see.c; the private board */
extern const struct verb verb_try, verb_replay, verb_back, verb_analyse,
    verb_analyse_record;
/* Handles an empty line on a screen: shows the next move of a replayed game, goes from
 * an ended game to another game of ours, or chooses the proposed line-up. */
void verb_take_empty(struct verb_call *call);
/* Handles a line that is a move: tries it on the private board if one is open,
 * otherwise plays it. */
void verb_take_move(struct verb_call *call, const struct typed_move *typed);
/* Returns what to add to a refusal of "try" while no private board is open: the player
 * may believe that one is open. Returns "" if a typed move is not played in the game,
 * because the player is not one of its players or because it is over. */
const char *verb_no_trial(const struct model_game *game);
/* Tries a move on the private board. */
void verb_try_move(struct verb_call *call, const struct typed_move *typed);
/* verb_alone.c */
extern const struct verb verb_hint, verb_undo, verb_save_here, verb_load, verb_new,
    verb_level, verb_quit_game, verb_next, verb_back_one, verb_go_to, verb_play,
    verb_pause, verb_leave, verb_task_hint, verb_skip, verb_task_before, verb_task,
    verb_lesson, verb_lessons, verb_task_setup;

#endif
