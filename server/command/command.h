/* Defines struct command and struct call. A struct command describes a verb. A struct
 * call is a command that is being run. Also has functions that several verbs use, for
 * example functions that answer with a fault. server/verb/verbs.c finds the command for
 * a line, and runs it. */
#ifndef SERVER_COMMAND_COMMAND_H
#define SERVER_COMMAND_COMMAND_H

#include <stdint.h>

#include "common/base/base.h"
#include "common/game/rules.h"
#include "common/net/proto.h"
#include "server/account/account.h"
#include "server/account/house.h"
#include "server/account/marks.h"
#include "server/base/world.h"
#include "server/command/meant.h"
#include "server/lobby/lobby.h"
#include "server/lobby/terms.h"
#include "server/net/session.h"
#include "server/room/room.h"

struct account;
struct fetch_calls;
struct room;
struct text;

/* A command that is being run. Valid until the handler returns. */
struct call {
    struct world *world;
    struct session *from;
    const struct command *command;
    enum role role;                  /* of the caller; at the control socket: owner */
    const char *usage;               /* of the act in the first argument, such as
                                      * "evening join ID"; NULL: that of the command */
    int argc;                        /* including the verb */
    char **argv;                     /* argv[0] is the verb */
    const char *rest;                /* everything after the verb and the game, as
                                      * typed */
    int64_t game;                    /* the number of the game, which is removed from
                                      * argv; -1 if it was omitted */
    const char *code;                /* code of the watch link of a private game, from
                                      * the argument code=; NULL: none */
    const char *raw;                 /* the whole line, as typed */
    int64_t now_ms;                  /* arrival of the line */
    const struct fetch_calls *fetch; /* functions that run the line again when its game
                                      * has been read from disk */
};

/* How a verb gets the game from its first argument. */
enum game_arg {
    GAME_ARG_NONE,
    GAME_ARG_OPTIONAL, /* [GAME]: game=N, or a number before the other arguments of the
                        * verb */
    GAME_ARG_NEEDED,   /* GAME, required: game=N, or a number before the other
                        * arguments */
    GAME_ARG_KEYED     /* [game=GAME] TEXT: a plain number belongs to the text */
};

/* What the answers of a verb may tell, which is what they wait for (gate.h). */
enum output {
    OUTPUT_NEWEST, /* anything: the newest row. During an outage the verb is refused */
    OUTPUT_URGENT, /* the same, but it also runs during an outage, and then sets its
                    * stamp itself */
    OUTPUT_GAME,   /* its game: the last row of the game */
    OUTPUT_FREE    /* nothing of any row */
};

/* The parts of a client's help page. The verbs of members and staff, which have a
 * `role`, are a part of their own. */
enum verb_group {
    GROUP_OTHER,
    GROUP_PLAY,
    GROUP_FIND,
    GROUP_WATCH,
    GROUP_PROGRAM /* no person types it in a client: `help verbs` leaves it out */
};

struct command {
    const char *usage; /* the first word is the name of the verb */
    enum verb_group group;
    const char *brief;    /* for a help page with two columns, in 20 columns; NULL: the
                           * page has only the name */
    const char *help;     /* one line */
    const char *examples; /* lines; NULL: none */
    int args_min, args_max; /* where the usage does not tell them; 0: it does */
    bool may_cost_chat;     /* a use of the verb can cost as much as a chat message */
    bool is_list;           /* it only sends a list that is kept ready for all clients
                         * (below) */
    int cost;        /* lines that a use takes from the client's budget, besides the
                         * line itself; output is charged separately */
    unsigned states; /* IN(state) for each state in which it is allowed; 0: BY_STAFF if
                         * it has a role, otherwise BY_MEMBERS */
    enum role role;  /* the lowest role that may use the verb, and that sees it in
                         * help */
    enum output output;
    bool is_talk; /* it reaches other people: a muted player may not use it */
    /* Returns false if the verb was refused; the answer was sent. */
    bool (*run)(struct call *call);
    /* A verb has `run_in` in place of `run` if it looks for its game before it checks
     * its arguments. `run_in` is called with the game that the command means (meant.h):
     * one that the caller may read if guests may use the verb, otherwise one that the
     * caller plays. */
    bool (*run_in)(struct call *call, struct room *room);
};

/* At most this many rows of a list are sent; the others are only counted. */
enum { LIST_ROWS_MAX = 200 };

/* Sets of states. */
enum {
    BY_ALL = IN(SESSION_HELLO) | IN(SESSION_GUEST) | IN(SESSION_MEMBER),
    BY_READERS = IN(SESSION_GUEST) | IN(SESSION_MEMBER),
    BY_MEMBERS = IN(SESSION_MEMBER),
    BY_HOST = IN(SESSION_HOST), /* janggid ctl */
    BY_STAFF = BY_MEMBERS | BY_HOST
};

enum { COMMAND_NAME_BYTES = 16 };
/* Writes the name of the verb, and returns it. */
const char *command_name(char out[COMMAND_NAME_BYTES], const struct command *command);

/* Returns what the usage of the verb says about its arguments: whether the first is a
 * game, and how many others it takes. Words in brackets may be omitted. TEXT, REASON and
 * MANNERS are any number of words. */
struct command_args {
    enum game_arg game;
    int min, max; /* not counting the game */
};
struct command_args command_args(const struct command *command);
/* Returns the states in which the verb is allowed. */
unsigned command_states(const struct command *command);

/* Returns the role of the session's account; at the control socket, owner. */
enum role command_role(const struct session *session);
/* True when the role of the session is high enough for the verb. */
bool command_is_for(const struct command *command, const struct session *session);

/* Answers ERR to a guest, because the verb needs a name. */
bool command_refuse_guest(struct session *session);

/* Answers ERR, because the verb needs the role `role`. */
bool command_refuse_role(struct session *session, enum role role);

/* --- For handlers --- */

/* Functions that refuse return false, for handlers to return, as session_err() does. */

/* Answers that the game is unknown. The words are the same for a missing game and for a
 * game that is hidden from the caller. */
bool call_no_game(struct session *session, int64_t game);
/* Answers that the name is unknown. */
bool call_no_name(struct session *session);
/* Answers "ERR reply KEYS game=N". */
bool call_err_game(const struct call *call, enum reply reply, const char *keys,
                   int64_t game);
/* Answers that a limit is reached; `what` is the protocol's word for the limited things. */
bool call_err_limit(const struct call *call, const char *what, int max);
/* Finds the account whose name is the first argument; without arguments, the caller's
 * own. Returns NULL after answering if there is none. */
struct account *call_find_person(struct call *call) MUST_USE;

/* True when call->rest is a text of at most CHAT_BYTES_MAX bytes. False: it is empty or
 * too long; has answered. */
enum { CHAT_BYTES_MAX = 1000 };
bool call_has_text(struct call *call);

/* Removes the first argument that begins with `key`, such as "code=", and returns what
 * follows the key. NULL: there is none. */
const char *call_take(struct call *call, const char *key);

/* True when there is budget for a chat message: in the budget of the account, or in the
 * caller's own budget if `account` is NULL. False: too many messages; has answered with
 * the message "slow-down#what". For verbs with may_cost_chat. */
bool call_has_chat(struct call *call, const struct account *account,
                   const char *what) MUST_USE;
/* Charges a chat message to the account, or to the caller if `account` is NULL. */
void call_charge_chat(struct call *call, struct account *account);
/* Charges the caller with a chat message, if one may be sent; otherwise answers like
 * call_has_chat() and returns false. */
bool call_spend_chat(struct call *call, const char *what) MUST_USE;

/* False, after answering, if the store cannot write now: the answer would come only when
 * it can. */
bool call_can_write(struct call *call) MUST_USE;

/* False, after answering, if no new game may start now: the server will end when the
 * running games are over, or within a minute. */
bool call_takes_games(const struct call *call) MUST_USE;

/* Returns the reply code of a fault: REPLY_NOT_NOW if the act is not possible in the
 * present state, otherwise REPLY_ILLEGAL. */
enum reply call_reply_of(enum fault_code fault);
/* Answers ERR with the contents of `fault`: its code, its point of the board, and its
 * words. */
bool call_refuse(struct call *call, const struct room *room, struct fault fault);
/* Answers ERR args with the usage of the verb. */
bool call_usage(const struct call *call, const char *words);
/* Answers OK after a list of `count` rows: "VERB count=N", shown= if only LIST_ROWS_MAX of
 * them were sent, and the words, such as " : accept NUMBER". */
bool call_ok_count(const struct call *call, int count, const char *words);
/* Returns " shown=200" if the list is longer than that, otherwise "". */
const char *call_shown(int count);

/* --- Acts in a game --- */

/* Prepares the answer to an act, "VERB game=N". The caller of this function can add
 * further words to it. */
struct asker call_asker(const struct call *call, const struct room *room,
                        const char *verb);

/* Returns true, after answering OK, if the game has already ended with this outcome and
 * reason, and the opponent did not end it. In this case the caller only repeats the act
 * that ended the game, for example because the answer was lost. */
bool call_is_repeated(struct call *call, const struct room *room, const char *verb,
                      enum outcome outcome, enum reason reason) MUST_USE;

/* If fault.code is not FAULT_NONE, answers with the fault. Otherwise the act has been
 * answered (struct asker). */
bool call_finish(struct call *call, const struct room *room, struct fault fault);

/* Makes the caller's offer, or accepts the same offer of the opponent. `to` is the
 * number of plies that a take-back leaves; other offers ignore it. */
bool call_offer(struct call *call, struct room *room, enum offer_kind kind, int to);

/* Sets a mark of the caller, for example puts `subject` on the list of ignored names.
 * The caller answers. False: the lists are full; has answered. */
bool call_put_mark(struct call *call, enum mark_kind kind, const char *subject,
                   const char *value) MUST_USE;

enum { CALL_EVENTS_MAX = 20000 };
/* True if the game has less than CALL_EVENTS_MAX events. False: has answered. Call it
 * for take-backs and adjournments: they could make the log of the game longer without
 * end. */
bool call_may_grow(struct call *call, const struct room *room) MUST_USE;

/* Limits the lines that strangers send to the player of session `to`: charges one line
 * to a budget that all strangers share. If the caller and this player play a game
 * against each other now, or if the server has no quotas, returns true and charges
 * nothing. False: the budget is used up; has not answered. */
bool call_may_reach(const struct call *call, struct session *to) MUST_USE;

/* Adds the addresses at which other machines reach this server: see
 * announce_places(). */
void call_add_places(struct text *out, const struct call *call);
/* Adds the address of the page for browsers, if there is a page. If the host in this
 * address comes neither from the configuration nor from the certificate, other machines
 * perhaps cannot reach it. In this case, adds the address only for a client on this
 * machine. */
void call_add_web(struct text *out, const struct call *call);

/* --- A game to come --- */

/* True if the caller may play rated games. False: has answered. */
bool call_may_rate(struct call *call) MUST_USE;
/* Reads terms as people and programs write them, one in each word: key=value, or a value
 * alone: a time ("10+5", "blitz", or minutes and seconds in two words, "10 5"), a
 * ruleset, a side, "rated" or "private". `allowed`: the keys that may occur, separated by
 * spaces; NULL: all. The other terms of *terms stay. Returns false, with the reason in
 * *why, if a word is no term or a term is given twice. */
bool call_read_words(struct terms *terms, char *const *words, int count,
                     const char *allowed, const char **why) MUST_USE;
/* Reads the terms of a game from argv[from] on, as call_read_words() does. False: has
 * answered. */
bool call_read_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* Checks that the terms fit together, and that the caller may play a rated game if they are
 * for one. False: has answered. */
bool call_judge_terms(struct call *call, struct terms *terms) MUST_USE;
/* Both, for terms of which those that are omitted are the server's default. */
bool call_take_terms(struct call *call, int from, struct terms *terms) MUST_USE;
/* Answers that the storage is full: the database accepts new games, names, messages and
 * reports only when it has room again. */
bool call_refuse_storage(struct call *call);
/* False, after answering, if the caller must wait before the next game, because the
 * caller has left several games right after their start. */
bool call_has_stayed(struct call *call) MUST_USE;
/* Answers with the result of an attempt to start a game, unless it has started: then
 * the room has answered. */
bool call_answer_start(struct call *call, enum lobby_start start);

/* --- For verbs of the staff --- */

/* True if `janggid ctl` sent the command. */
bool call_is_hosts(const struct call *call);
/* Answers with the lines of a text, which it changes: a row each, and OK. */
bool call_say_lines(const struct call *call, char *lines);

/* Returns the rest of the line as typed, from argument number `from` on (1: the first):
 * a text, such as a reason. NULL, after answering: it is empty, has more than
 * CALL_TEXT_MAX bytes, or characters that cannot be shown. */
enum { CALL_TEXT_MAX = 1000 };
const char *call_text(const struct call *call, int from);
/* Reads "[for=SPAN] TEXT" from the second argument on. Returns the text as call_text()
 * does; *span_s changes if a span is given (0: "ever"). */
const char *call_timed_text(const struct call *call, int64_t *span_s);
/* Parses a span of time: 90s 10m 12h 7d, at most 3650d. False: not a span. */
bool call_parse_span(const char *word, int64_t *span_s) MUST_USE;

/* Finds the account on which the caller acts. NULL, after answering: there is none, or
 * its role is not lower than the caller's. An owner may act on all accounts. */
struct account *call_account(const struct call *call, const char *name);

/* Spends one act from the caller's budget (account.h); owners have no limit. False: too
 * many acts; has answered. Call it last, when nothing else forbids the act. */
bool call_spend_act(const struct call *call) MUST_USE;

/* Sends an entry of the audit log as a row. If its words have several lines, each
 * further line is a row too. Returns the number of rows. */
int call_say_act(struct session *session, const struct house_act *act);
/* Writes the act to the audit log, as done by the caller. Answers OK with the words that
 * `format` makes. */
bool call_record(const struct call *call, const struct house_act *act,
                 const char *format, ...) PRINTF_LIKE(3, 4);
/* The same for a game that the caller has ended; is_counted: its ratings change. Answers OK
 * with "game=N : words". */
bool call_record_end(const struct call *call, int64_t game, enum outcome outcome,
                     bool is_counted, const char *reason, const char *words);

/* --- Lists that are kept ready for all clients --- */

/* Caches the rows of `who`, `games` and `seeks` as one text for all clients. A request
 * rebuilds the text if the text is max_age_ms old (usually one second), or if the
 * client has acted since its last request. A client always pays for the bytes of the
 * list. If the text is rebuilt only because this client has acted, the client also pays
 * SHARED_COST lines. A shared list must not contain private rows. The host gets a list of
 * its own, which may, and which is made for each request. */
enum shared_kind { SHARED_WHO, SHARED_GAMES, SHARED_SEEKS };
enum { SHARED_KINDS = SHARED_SEEKS + 1 };

struct shared;       /* one list */
struct shared_lists; /* all of them */

/* Makes the lists. A list that is max_age_ms old is rebuilt at the next request. */
struct shared_lists *shared_lists_new(int64_t max_age_ms) MUST_USE;
/* `lists` may be NULL. */
void shared_lists_free(struct shared_lists *lists);

/* Writes the rows with shared_addf(), at most LIST_ROWS_MAX. Returns how many rows the
 * list would have without that limit. */
typedef int shared_make_fn(struct world *world, struct shared *list, bool is_for_host);

/* Adds one line, "| ...", and its LF. */
void shared_addf(struct shared *list, const char *format, ...) PRINTF_LIKE(2, 3);

/* Sends the rows of the list `kind` to the caller, and returns their count. If the list
 * must be rebuilt for this client alone, the client pays SHARED_COST lines. */
enum { SHARED_COST = 10 };
int shared_send(struct call *call, enum shared_kind kind, shared_make_fn *make);

#endif
