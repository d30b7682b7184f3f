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

/* game, ply, move, number, line and words are members of struct action. */
enum action_kind {
    ACTION_NOTHING,
    ACTION_SAY,     /* show words */
    ACTION_REFUSE,  /* show words: the input was refused */
    ACTION_SEND,    /* send line */
    ACTION_ASK,     /* show words as a question; send line if the answer is yes */
    ACTION_MOVE,    /* play move as ply of game */
    ACTION_BOARD,   /* show the board of game */
    ACTION_FLIP,    /* rotate the board of game and show it */
    ACTION_CHOOSE,  /* make game the current one, for typed moves */
    ACTION_SAVE,    /* save the game with that number to the file named by words,
                     * or to a default file if words is "" */
    ACTION_SET,     /* change the setting line to the value words */
    ACTION_TRY,     /* try move on a private board of game */
    ACTION_REPLAY,  /* show ply `number` of game on a private board; -1: the next ply */
    ACTION_ANALYSE, /* analyse game, which has ended */
    ACTION_PUZZLE,  /* show the next position in which one move was far better */
    ACTION_BACK,    /* close the private board; in a replay or lesson, go one step
                    * back */
    ACTION_COMPUTER, /* start a computer player; number: its level */
    ACTION_STOP,     /* stop automatic reconnection */
    ACTION_QUIT,
    /* in a game at one terminal */
    ACTION_HINT,
    ACTION_TAKEBACK, /* number of plies; 0: up to a person's last move */
    ACTION_LOAD,     /* load the game in the file named by words */
    ACTION_NEW,      /* another game */
    ACTION_LEVEL,    /* set the computer's level to number; 0: show it */
    /* in a replay */
    ACTION_NEXT,  /* the next move, or task */
    ACTION_GO_TO, /* go to ply `number` */
    ACTION_PLAY,  /* play automatically; number: speed in thousandths, 0: unchanged */
    ACTION_PAUSE,
    /* in a lesson */
    ACTION_LESSON, /* go to the lesson that words names; "": list the lessons */
    ACTION_SETUP,  /* number: the line-up to choose */
    /* in "janggi puzzles" */
    ACTION_SOLUTION
};

enum {
    ACTION_WORDS_BYTES = 64 * 1024, /* enough for all moves of a long game */
    VERB_PLIES_MOST = 9999          /* the largest number of plies that can be typed */
};

struct action {
    enum action_kind kind;
    bool is_certain; /* "quit!": do not ask */
    struct model_game *game;
    int64_t number; /* a game's number, which may not be in the model, or as the kind
                     * says */
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

/* The server that received a command, for answers that contain a link to it. */
struct verb_server {
    const struct link *to;
    bool is_loopback; /* reached through the loopback interface */
    const struct tls_key *key;
};

/* The OK or ERR to a command. */
struct verb_answer {
    struct model *model;
    const struct proto_line *line;
    const char *about; /* the command's first argument, or "" */
    int64_t game;      /* the game that the command referred to; -1: none */
    int64_t now_ms;
    const struct verb_server *server; /* NULL: unknown */
};

/* The purpose of a command sent to the server. */
enum verb_use {
    VERB_ACTS,
    VERB_LOOKS, /* only reads: can be sent again */
    VERB_TALKS
};

struct verb_call {
    const struct verb_book *book;
    const struct model *model;
    const struct verb *verb;
    const struct render_view *view;
    struct typed_board board; /* the board for a typed move */
    struct args args;
    struct action *action;
    struct text line;  /* into action->line */
    struct text words; /* into action->words */
};

/* Groups of verbs; each is a part of the help page. */
enum verb_group {
    VERB_OTHER,
    VERB_PLAY,
    VERB_SEE,
    VERB_FIND,
    VERB_WATCH,
    VERB_STAFF /* for members and staff; these verbs cannot be abbreviated */
};

struct verb {
    const char *name;
    const char *alias;         /* other names, separated by spaces; may be NULL */
    struct arg args[ARGS_MAX]; /* arguments; checked before run */
    bool may_be_certain;       /* "resign!" skips the question */
    enum verb_group group;
    const char *shown; /* its form on the help page; NULL: the name */
    const char *brief; /* its description there, in 20 columns; NULL: list only the
                        * name */
    const char *help;  /* one line */
    const char *more;  /* examples and further notes; NULL: the name is the example */
    const char *see;   /* "See also" */
    /* What it does, if it is not just sent with its arguments (verb_send()). */
    void (*run)(struct verb_call *call);
    /* In place of run: the kind of the action. The action has the number, file or text
     * that was typed and, if is_about_game, the typed or the current game. */
    enum action_kind gives;
    bool is_about_game;
    /* In place of both: adds the words about the game that was named, or the current
     * one. */
    void (*tell)(struct verb_call *call, const struct model_game *game);

    /* The following members are only for commands sent to the server. */
    enum verb_use use;
    bool is_secret;                /* do not keep the arguments in the history */
    bool has_rows;                 /* the answer is a list, if it has a count */
    const char *if_none, *if_some; /* printed below the list; may be NULL */
    /* The words for an OK: each %s is the value of a key. NULL: answer() adds them.
     * told_off: for an OK with off=. told_none: for an OK with count=0 and without the
     * first key. If either is set, any other OK without the first key has no words. */
    const char *told, *told_off, *told_none;
    const char *keys[WORDS_KEYS_MAX];
    /* Adds the words for an OK, perhaps none; called before take. Words that end with
     * an LF are printed without a mark. NULL: the server's words. */
    void (*answer)(struct text *out, const struct verb_answer *answer);
    /* Updates the model after an OK or ERR; may be NULL. Returns false if the command
     * failed for good, which ends a script. */
    bool (*take)(const struct verb_answer *answer);
};

/* The verbs of one mode. */
struct verb_book {
    const struct verb *const *verbs; /* ends with NULL */
    bool has_games; /* several games are possible, so a verb may take a game's number */
    /* Handles a line that is a move. */
    void (*on_move)(struct verb_call *call, const struct typed_move *typed);
    /* Handles an empty line on a screen; may be NULL. */
    void (*on_empty)(struct verb_call *call);
    bool is_short;         /* help has one line for each verb, without groups */
    const char *first;     /* printed before those lines; may be NULL */
    const char *elsewhere; /* the message for a verb that needs a server and is not in
                            * this book, with %s for the verb; may be NULL */
};

/* --- For the run functions --- */

void verb_refuse(struct verb_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
/* Returns false, after a refusal, if the move is ambiguous. */
bool verb_is_clear(struct verb_call *call, const struct typed_move *typed);
/* Returns the game whose number was typed, or the current one. Returns NULL after a
 * refusal. */
struct model_game *verb_game(struct verb_call *call);
/* Like verb_game(), but we must be a player in it. */
struct model_game *verb_our_game(struct verb_call *call);

/* Sends the name of the verb and the arguments that were given, as typed. */
void verb_send(struct verb_call *call);
/* Sends "VERB GAME" for one of our games. */
void verb_send_for_game(struct verb_call *call);
/* Asks question, which names the game, before the line is sent. Does not ask after
 * "resign!", or when the game is over. */
void verb_ask_first(struct verb_call *call, const char *question);

/* --- For the answers --- */

/* Adds nothing: the effect of the command is shown anyway. */
void verb_answer_nothing(struct text *out, const struct verb_answer *answer);
/* Adds the server's words. */
void verb_answer_human(struct text *out, const struct verb_answer *answer);
/* Adds "draw offered to kim (offer 14)", or the server's words if the answer names no
 * offer. */
void verb_answer_offer(struct text *out, const struct verb_answer *answer);
/* The terms as the server has understood them: " (10m+5s, kja, you play red)"; "" if the
 * answer has none, as that of an older server. Returns out. */
enum { VERB_TERMS_BYTES = 640 };
const char *verb_terms(char out[VERB_TERMS_BYTES], const struct proto_line *line);
/* Adds the words for a challenge that was sent. For another offer as
 * verb_answer_offer(). */
void verb_answer_challenge(struct text *out, const struct verb_answer *answer);
/* The parts of a link to the server of an answer, for use on other machines. */
struct verb_link {
    struct link to;
    enum link_reach reach;
    char where[LINK_SERVER_BYTES]; /* the server's address, */
    char key[TLS_KEY_TEXT_BYTES];  /* and its key */
};
/* Makes the parts of the link to answer->server, which must not be NULL. */
void verb_make_link(struct verb_link *link, const struct verb_answer *answer);
/* Adds the link for a browser below the line for janggi, if the server lets browsers in:
 * https://HOST:PORT/WORD#CODE. */
void verb_add_web_link(struct text *out, const struct verb_answer *answer,
                       const char *word, const char *code);
/* Returns the code in the answer and makes *link. If there is no code or the server is
 * unknown, adds the server's words and returns NULL. */
const char *verb_take_code(struct verb_link *link, const struct verb_answer *answer,
                           struct text *out);
/* Adds the line to send to a friend. */
void verb_answer_invite(struct text *out, const struct verb_answer *answer);
/* Follows the game that the OK to watch or tv names: it becomes the current one, unless
 * we play. */
void verb_follow_game(const struct verb_answer *answer, int64_t id);
/* For take: closes the offer, seek or challenge if it was answered or withdrawn, or if
 * the server does not know it. */
bool verb_take_closed(const struct verb_answer *answer);

/* --- All verbs, in the file of their kind --- */

/* verb_play.c */
extern const struct verb verb_move, verb_pass, verb_setup, verb_resign, verb_draw,
    verb_takeback, verb_abort, verb_rematch, verb_rematch_here, verb_say, verb_swap;
/* Returns true if we are to set up in the current game. */
bool verb_awaits_lineup(const struct model *model);
/* Handles an empty line: chooses the usual line-up if we are to set up in the current
 * game. */
void verb_take_usual_lineup(struct verb_call *call);
/* Plays a typed move in our game. */
void verb_play_typed(struct verb_call *call, const struct typed_move *typed);
/* verb_wait.c */
extern const struct verb verb_adjourn, verb_continue, verb_claim, verb_record,
    verb_save;
/* verb_see.c */
extern const struct verb verb_board, verb_flip, verb_moves, verb_last, verb_clock,
    verb_captured, verb_legal, verb_show, verb_score, verb_game_choice;
/* verb_aloud.c */
extern const struct verb verb_describe, verb_where, verb_scan, verb_opponent;
/* verb_find.c */
extern const struct verb verb_seek, verb_play_now, verb_counter, verb_seeks, verb_match,
    verb_accept, verb_decline, verb_withdraw, verb_games, verb_who, verb_history,
    verb_rank, verb_top, verb_annul, verb_invite, verb_door, verb_join, verb_watch,
    verb_unwatch, verb_whisper, verb_rules, verb_limits, verb_ping, verb_pending,
    verb_watchers, verb_computer;
/* verb_try.c */
extern const struct verb verb_try, verb_replay, verb_back, verb_analyse,
    verb_analyse_record, verb_puzzle;
/* Handles an empty line on a screen: the next move of a replayed game, or the proposed
 * line-up. */
void verb_take_empty(struct verb_call *call);
/* Handles a line that is a move: tries it on the private board if one is open,
 * otherwise plays it. */
void verb_take_move(struct verb_call *call, const struct typed_move *typed);
/* Tries a move on the private board. */
void verb_try_move(struct verb_call *call, const struct typed_move *typed);
/* verb_device.c */
extern const struct verb verb_device, verb_devices;
/* verb_peace.c */
extern const struct verb verb_let, verb_unlet, verb_watchlink, verb_ignore,
    verb_unignore, verb_block, verb_unblock, verb_quiet, verb_report;
/* verb_people.c */
extern const struct verb verb_tell, verb_messages, verb_notify, verb_contact,
    verb_follow, verb_tv;
/* verb_evening.c */
extern const struct verb verb_evening;
/* verb_staff.c */
extern const struct verb verb_kick, verb_ban, verb_unban, verb_bans, verb_mute,
    verb_unmute, verb_end, verb_role, verb_members, verb_notice, verb_motd, verb_name,
    verb_audit, verb_reports, verb_reload, verb_export, verb_erase, verb_doors,
    verb_access, verb_guests, verb_watching, verb_reset;
/* verbs.c: lists the verbs of verb_staff.c */
extern const struct verb verb_staff;
/* verb_alone.c */
extern const struct verb verb_hint, verb_undo, verb_save_here, verb_load, verb_new,
    verb_level, verb_quit_game, verb_next, verb_back_one, verb_go_to, verb_play,
    verb_pause, verb_leave, verb_puzzle_hint, verb_solution, verb_puzzle_skip,
    verb_puzzle_board, verb_task_hint, verb_skip, verb_task_before, verb_task,
    verb_lesson, verb_lessons, verb_task_setup;

#endif
