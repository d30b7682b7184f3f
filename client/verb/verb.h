/* One word that a player may type, and what comes of it: an action, which the program
 * then carries out. A verb looks at the model and changes nothing, so that all of this
 * can be tried without a network or a screen. */
#ifndef CLIENT_VERB_VERB_H
#define CLIENT_VERB_VERB_H

#include <stdbool.h>
#include <stdint.h>

#include "client/verb/args.h"
#include "client/view/model.h"
#include "client/view/render.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "common/net/proto.h"

enum action_kind {
    ACTION_NOTHING,
    ACTION_SAY,    /* show words */
    ACTION_REFUSE, /* show words: it was a mistake, and nothing is done */
    ACTION_SEND,   /* send line */
    ACTION_ASK,    /* send line if words are answered with yes */
    ACTION_MOVE,   /* play move as ply of game */
    ACTION_BOARD,  /* show the board of game */
    ACTION_FLIP,   /* turn the board of game round and show it */
    ACTION_CHOOSE, /* typed moves are about game from now on */
    ACTION_SAVE, /* the game with that number into the file words, or one of its own */
    ACTION_SET,  /* the setting line gets the value words */
    ACTION_TRY,  /* move on a private board of game */
    ACTION_REPLAY, /* on a private board of game its ply number; -1: the next */
    ACTION_BACK,   /* no private board any more; in a replay or lesson, one step back */
    ACTION_COMPUTER, /* bring one that plays at level number */
    ACTION_STOP,     /* no further attempt to come back by itself */
    ACTION_QUIT,
    /* in a game at one terminal */
    ACTION_HINT,
    ACTION_TAKEBACK, /* number plies; 0: a person's last move */
    ACTION_LOAD,     /* the game in the file words */
    ACTION_NEW,      /* another game */
    ACTION_LEVEL,    /* of the computer; 0: say which */
    /* in a replay */
    ACTION_NEXT,  /* the next move, or task */
    ACTION_GO_TO, /* ply number */
    ACTION_PLAY, /* moves come by themselves, number thousandths as fast; 0: as before */
    ACTION_PAUSE,
    /* in a lesson */
    ACTION_LESSON, /* the one that words name; "": list them */
    ACTION_SETUP   /* the line-up number */
};

enum {
    ACTION_WORDS_BYTES = 64 * 1024, /* all moves of a long game */
    VERB_PLIES_MOST = 9999          /* that one can type */
};

struct action {
    enum action_kind kind;
    bool is_certain; /* "quit!": do not ask */
    struct model_game *game;
    int64_t number; /* of a game that may not be in the model, or as the kind says */
    int ply;
    struct move move;
    enum kind claimed; /* the piece that was named with move */
    char line[PROTO_LINE_MAX + 1];
    char words[ACTION_WORDS_BYTES];
};

struct verb_book;
struct verb;
struct link;
struct tls_key;

/* The server that a command went to, for answers with a link to it. */
struct verb_server {
    const struct link *to;
    bool is_loopback; /* it is reached on this machine */
    const struct tls_key *key;
};

/* The OK or ERR to a command. */
struct verb_answer {
    struct model *model;
    const struct proto_line *line;
    const char *about; /* the command's first argument, or "" */
    int64_t game;      /* that the command was about; -1: none */
    int64_t now_ms;
    const struct verb_server *server; /* NULL: not known */
};

/* What a command that is sent to the server is for. */
enum verb_use {
    VERB_ACTS,
    VERB_LOOKS, /* it only asks: it can be sent again */
    VERB_TALKS
};

struct verb_call {
    const struct verb_book *book;
    const struct model *model;
    const struct verb *verb;
    const struct render_view *view;
    struct typed_board board; /* what a typed move is about */
    int64_t now_ms;           /* of view */
    struct args args;
    struct action *action;
    struct text line;  /* into action->line */
    struct text words; /* into action->words */
};

/* What verbs are for: the page of help has a part for each. */
enum verb_group { VERB_OTHER, VERB_PLAY, VERB_SEE, VERB_FIND, VERB_WATCH };

struct verb {
    const char *name;
    const char *alias;         /* other names, spaces between; may be NULL */
    struct arg args[ARGS_MAX]; /* what may follow; checked before run */
    bool may_be_certain;       /* "resign!": without the question */
    enum verb_group group;
    const char *shown; /* what one types, on the page of help; NULL: the name */
    const char *brief; /* there, what that does, in 20 columns; NULL: only the name */
    const char *help;  /* one line */
    const char *more;  /* examples and what else is good to know; may be NULL */
    const char *see;   /* "See also" */
    void (*run)(struct verb_call *call);

    /* What follows only matters for a command that goes to the server. */
    enum verb_use use;
    bool is_secret;                /* what stands behind it is not kept */
    bool has_rows;                 /* the answer is a list, */
    const char *if_none, *if_some; /* and this stands below it; may be NULL */
    /* The words for an OK, before the model takes it in; perhaps none. Words that end
     * with a line end are a text of their own. NULL: the server's words. */
    void (*answer)(struct text *out, const struct verb_answer *answer);
    /* What the model does with an OK or ERR; may be NULL. False: what was asked is
     * refused for good, and a script ends with that. */
    bool (*take)(const struct verb_answer *answer);
};

/* The verbs that one can type somewhere. */
struct verb_book {
    const struct verb *const *verbs; /* NULL ends them */
    bool has_games; /* several: a verb may name the one that is meant */
    /* A line that is a move. */
    void (*on_move)(struct verb_call *call, const struct typed_move *typed);
    /* An empty line on a screen; may be NULL. */
    void (*on_empty)(struct verb_call *call);
    bool is_short;         /* help has a line for each verb, and no groups */
    const char *first;     /* in front of those lines, or NULL */
    const char *elsewhere; /* said of a verb for a server that is not in this book, with
                              %s for it; or NULL */
};

/* --- For the run functions --- */

void verb_refuse(struct verb_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
/* False after a refusal: it is not clear which move is meant. */
bool verb_is_clear(struct verb_call *call, const struct typed_move *typed);
/* The game whose number was given, or without one the current. NULL after a refusal. */
struct model_game *verb_game(struct verb_call *call);
/* The same, and we sit in it. */
struct model_game *verb_our_game(struct verb_call *call);

/* "VERB GAME" goes to the server, about a game of ours. */
void verb_send_for_game(struct verb_call *call, const char *verb);
/* What was to be sent waits for a yes to question, which names the game; not after
 * "resign!", nor when the game is over. */
void verb_ask_first(struct verb_call *call, const char *question);

/* --- For the answers --- */

/* An OK whose effect shows itself. */
void verb_answer_nothing(struct text *out, const struct verb_answer *answer);
/* The server's words. */
void verb_answer_human(struct text *out, const struct verb_answer *answer);
/* "draw offered to kim (offer 14)": who is asked for what; else the server's words. */
void verb_answer_offer(struct text *out, const struct verb_answer *answer);
/* The line to send to a friend. */
void verb_answer_invite(struct text *out, const struct verb_answer *answer);
/* An offer, a seek or a challenge is answered or withdrawn, or the server does not know
 * it: it is no longer open. */
bool verb_take_closed(const struct verb_answer *answer);

/* --- All verbs, in the file of their kind --- */

/* verb_play.c */
extern const struct verb verb_move, verb_pass, verb_setup, verb_resign, verb_draw,
    verb_takeback, verb_abort, verb_rematch, verb_say, verb_swap;
/* An empty line: the current game's usual line-up, if it is ours to set up now. */
void verb_take_usual_lineup(struct verb_call *call);
/* A line that is a move: on the private board, if one is on; else it is played. */
void verb_take_move(struct verb_call *call, const struct typed_move *typed);
/* verb_wait.c */
extern const struct verb verb_adjourn, verb_continue, verb_claim, verb_record,
    verb_save;
/* verb_see.c */
extern const struct verb verb_board, verb_flip, verb_moves, verb_last, verb_clock,
    verb_captured, verb_legal, verb_show, verb_score, verb_game_choice;
/* verb_aloud.c */
extern const struct verb verb_describe, verb_where, verb_scan, verb_opponent;
/* verb_find.c */
extern const struct verb verb_seek, verb_seeks, verb_match, verb_accept, verb_decline,
    verb_withdraw, verb_games, verb_who, verb_history, verb_invite, verb_join,
    verb_watch, verb_unwatch, verb_whisper, verb_rules, verb_limits, verb_ping,
    verb_pending, verb_watchers;
/* verb_try.c */
extern const struct verb verb_try, verb_replay, verb_back;
/* An empty line on a screen: the next move of a game that is seen again, or the line-up
 * that is proposed. */
void verb_take_empty(struct verb_call *call);
/* A move on the private board. */
void verb_try_move(struct verb_call *call, const struct typed_move *typed);
/* verb_computer.c */
extern const struct verb verb_computer;
/* verb_device.c */
extern const struct verb verb_device, verb_devices;
/* verb_alone.c */
extern const struct verb verb_hint, verb_undo, verb_save_here, verb_load, verb_new,
    verb_level, verb_quit_game, verb_next, verb_back_one, verb_go_to, verb_play,
    verb_pause, verb_leave, verb_task_hint, verb_skip, verb_task_before, verb_task,
    verb_lesson, verb_lessons, verb_task_setup;

#endif
