/* One word that a player may type, and what comes of it: a deed, which the client then
 * does. A verb looks at the model and changes nothing, so that all of this can be tried
 * without a network or a screen. */
#ifndef CLIENT_VERB_VERB_H
#define CLIENT_VERB_VERB_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/model.h"
#include "client/view/render.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/move.h"
#include "common/net/proto.h"

enum deed_kind {
    DEED_NOTHING,
    DEED_SAY,    /* show words */
    DEED_REFUSE, /* show words: it was a mistake, and nothing is done */
    DEED_SEND,   /* send line */
    DEED_ASK,    /* send line if words are answered with yes */
    DEED_MOVE,   /* play move as ply of game */
    DEED_BOARD,  /* show the board of game */
    DEED_FLIP,   /* turn the board of game round and show it */
    DEED_CHOOSE, /* typed moves are about game from now on */
    DEED_SAVE,   /* the game with that number into the file words, or one of its own */
    DEED_SET,    /* the setting line gets the value words */
    DEED_TRY,    /* move on a private board of game */
    DEED_BACK,   /* no private board any more */
    DEED_COMPUTER, /* bring one that plays at level ply */
    DEED_STOP,     /* no further attempt to come back by itself */
    DEED_QUIT
};

struct deed {
    enum deed_kind kind;
    struct model_game *game;
    int64_t number; /* of a game that may not be in the model */
    int ply;
    struct move move;
    char line[PROTO_LINE_MAX + 1];
    char words[RENDER_SCREEN_BYTES];
};

struct verb_call {
    const struct model *model;
    const struct verb *verb;
    const struct render_view *view;
    int64_t now_ms;  /* of view */
    bool is_certain; /* "resign!": do not ask */
    struct proto_command typed;
    struct deed *deed;
    struct text line;  /* into deed->line */
    struct text words; /* into deed->words */
};

/* What may stand behind a verb; Tab offers it. */
enum verb_takes {
    TAKES_NOTHING, /* or what nobody can guess */
    TAKES_VERB,
    TAKES_NAME,
    TAKES_OPPONENT, /* a name, then terms */
    TAKES_TERMS,
    TAKES_GAME,
    TAKES_OFFER, /* the number of a seek, a challenge or an offer */
    TAKES_POINT,
    TAKES_MOVE,
    TAKES_RULES,
    TAKES_LINEUP,
    TAKES_PRIZE, /* of a claim */
    TAKES_MINE,
    TAKES_SETTING
};

struct verb {
    const char *name;
    const char *alias; /* other names, spaces between; may be NULL */
    const char *usage;
    const char *help; /* one line */
    const char *more; /* examples and what else is good to know; may be NULL */
    const char *see;  /* "See also" */
    enum verb_takes takes;
    void (*run)(struct verb_call *call);
};

/* --- For the run functions --- */

void verb_refuse(struct verb_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
/* The argument in place i, NULL if there are fewer. */
const char *verb_arg(const struct verb_call *call, int i);
/* The game with the number in argument i, or without one the current. NULL after a
 * refusal. */
struct model_game *verb_game(struct verb_call *call, int i);
/* The same, and we sit in it. */
struct model_game *verb_our_game(struct verb_call *call, int i);

/* "VERB GAME" goes to the server, about a game of ours. */
void verb_send_for_game(struct verb_call *call, const char *verb);
/* What was to be sent waits for a yes to question, which names the game; not after
 * "resign!", nor when the game is over. */
void verb_ask_first(struct verb_call *call, const char *question);

/* --- All verbs, in the file of their kind --- */

/* verb_play.c */
extern const struct verb verb_move, verb_pass, verb_setup, verb_resign, verb_draw,
    verb_takeback, verb_abort, verb_rematch, verb_say;
/* A line that is a move. */
void verb_play_move(struct verb_call *call, struct move move, enum kind claimed);
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
    verb_watch, verb_unwatch, verb_whisper, verb_rules, verb_limits, verb_ping;
/* verb_try.c */
extern const struct verb verb_try, verb_back;
/* verb_computer.c */
extern const struct verb verb_computer;
/* verb_device.c */
extern const struct verb verb_device, verb_devices;

#endif
