/* Look up, check, call. Every check that is the same for all verbs is made here, once,
 * so that a handler begins where its own work begins. */
#ifndef SERVER_COMMAND_COMMAND_H
#define SERVER_COMMAND_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/rules.h"
#include "common/net/proto.h"
#include "server/base/world.h"
#include "server/net/session.h"

struct account;
struct room;

/* One command on its way. Lives as long as the handler. */
struct call {
    struct world *world;
    struct session *from;
    const struct command *command;
    int argc;         /* the verb included */
    char **argv;      /* argv[0] is the verb */
    const char *rest; /* all after the verb and GAME, as typed */
    int64_t game;     /* GAME, which is in argv no more; -1 if it was left out */
    const char *raw;  /* the whole line, as typed */
    int64_t now_ms;   /* when the line arrived */
};

/* How a verb names the game that it is about, in its first argument. */
enum game_arg {
    GAME_ARG_NONE,
    GAME_ARG_OPTIONAL, /* [GAME]: a number that all the verb needs follows, or game=N */
    GAME_ARG_NEEDED,   /* GAME: the same, and it may not be left out */
    GAME_ARG_KEYED     /* [game=GAME] TEXT: a number would belong to the text */
};

struct command {
    const char *name;
    const char *usage;
    const char *help;
    enum game_arg game;
    int args_min, args_max; /* besides GAME */
    bool may_cost_chat;     /* it can cost as much as a line of chat */
    unsigned states;        /* IN(state) of each state that may use it */
    void (*run)(struct call *call);
};

/* Who may. */
enum {
    BY_ALL = IN(SESSION_HELLO) | IN(SESSION_GUEST) | IN(SESSION_MEMBER),
    BY_READERS = IN(SESSION_GUEST) | IN(SESSION_MEMBER),
    BY_MEMBERS = IN(SESSION_MEMBER)
};

/* The index of all verbs (verbs.c), ended by NULL. */
extern const struct command *const commands[];

/* Runs one line (which is changed) of a session. When this returns it is answered, or
 * the session is held for an answer that follows; an empty line is neither. */
void command_run(struct world *world, struct session *session, char *line,
                 int64_t now_ms);

/* --- For handlers --- */

/* The game that call->game names, or the one game that can be meant. A handler reads its
 * other arguments first, so that a line that cannot be read is refused whatever games
 * there are. NULL: it was answered, or the call waits for an unsettled room and comes
 * again. */
enum game_wanted { GAME_SEATED, GAME_READ };
struct room *call_game(struct call *call, enum game_wanted wanted);

/* False when call->rest is empty or too long to pass on; that was answered. */
enum { CHAT_BYTES_MAX = 1000 };
bool call_has_text(struct call *call);

/* False when that is more chat, or as much as chat, than one may send at once; that was
 * answered, with words for a person. The verb says may_cost_chat. */
bool call_spend_chat(struct call *call, const char *words) MUST_USE;

/* True when no new game may begin, because the server is draining or ends within a
 * minute; that was answered. */
bool call_is_draining(struct call *call);

/* The code that a fault is answered with: the rules refuse it, or the state of the game
 * does. */
enum reply call_reply_of(enum fault_code fault);
/* Answers ERR with the fault's code, point and words. */
void call_refuse(struct call *call, const struct room *room, struct fault fault);
/* ERR args with the verb's usage. */
void call_usage(struct call *call, const char *words);

#endif
