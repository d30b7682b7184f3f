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
    struct model_game *game; /* the game that the verb is about: see enum verb_about */
    struct action *action;
    struct text line;  /* writes to action->line */
    struct text words; /* writes to action->words */
};

/* The modes that have a verb, as bits. */
enum {
    VERB_ONLINE = 1, /* a client that is connected to a server */
    VERB_LOCAL = 2,  /* a game at one terminal */
    VERB_REPLAY = 4,
    VERB_LEARN = 8,
    VERB_ASKS = 16, /* not a mode: before it acts, the verb asks the player; a "!" after
                     * its name, as in "resign!", skips this question */
    VERB_GAMES = VERB_ONLINE | VERB_LOCAL,
    VERB_BOARDS = VERB_GAMES | VERB_REPLAY
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

/* The game that a verb is about: the game whose number was typed, or the current game if no
 * number was typed. The verb is refused if there is no such game, or if it is not ours. */
enum verb_about { VERB_NO_GAME, VERB_ANY_GAME, VERB_OUR_GAME };

/* A row of a table of verbs. A table ends with a row without a name. */
struct verb {
    const char *name;
    unsigned modes;
    enum verb_group group;
    const struct arg
        *args;         /* ARGS_MAX rules for the arguments, which are checked before
                             * `run`; NULL: it has none */
    const char *shown; /* what the help page shows for the verb; NULL: the name */
    const char *brief; /* its description on the help page, in 20 columns; NULL: the
                        * page has only the name */
    const char *help;  /* its description in "help VERB", one line */
    const char *more;  /* examples and further notes; NULL: the name is the only
                        * example */
    const char *see;   /* related verbs, as "a, b"; may be NULL */
    enum verb_about about;
    enum action_kind gives; /* the kind of the action, which `run` can change */
    /* Fills the action. NULL: the action gets the typed number, file or text. */
    void (*run)(struct verb_call *call);
};

/* The verbs of one mode. */
struct verb_book {
    unsigned mode;
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

/* --- All verbs, in the file of their kind --- */

/* verb_play.c: in a game, and to find one */
extern const struct verb verbs_to_play[];
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

/* verbs.c: rules, help, settings, leaving */
extern const struct verb verbs_of_program[];

/* verb_see.c: the board, the private board; in a replay or a lesson */
extern const struct verb verbs_to_see[], verbs_to_tour[];
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

#endif
