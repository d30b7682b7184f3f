/* Look up, check, call. Every check that is the same for all verbs is made here, once,
 * so that a handler begins where its own work begins. */
#ifndef SERVER_COMMAND_H
#define SERVER_COMMAND_H

#include <stddef.h>
#include <stdint.h>

#include "common/base.h"
#include "common/proto.h"
#include "common/rules.h"
#include "server/session.h"
#include "server/world.h"

struct account;
struct room;

/* One command on its way. Lives as long as the handler. */
struct call {
    struct world *world;
    struct session *from;
    const struct command *command;
    int argc;         /* the verb included */
    char **argv;      /* argv[0] is the verb */
    const char *rest; /* all after the verb, as typed */
    const char *raw;  /* the whole line, as typed */
    int64_t now_ms;   /* when the line arrived */
};

struct command {
    const char *name;
    const char *usage;
    const char *help;
    int args_min, args_max;
    int args_after_game; /* of a verb that takes [GAME]: what may follow it */
    unsigned states;     /* IN(state) of each state that may use it */
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

/* Takes a game's number off the front of the arguments from argv[1] on, or finds the
 * one game that can be meant. NULL: it was answered, or the call waits for an unsettled
 * room and comes again. */
enum game_wanted { GAME_SEATED, GAME_READ };
struct room *call_game(struct call *call, enum game_wanted wanted);
/* The same where TEXT follows: a number in front is a game only if the caller sees that
 * game, so that "say 5 minutes left" says it. call->rest is the text. */
struct room *call_game_for_text(struct call *call, enum game_wanted wanted);

/* False when call->rest is empty or too long to pass on; that was answered. */
enum { CHAT_BYTES_MAX = 1000 };
bool call_has_text(struct call *call);

/* False when that is more chat, or as much as chat, than one may send at once; that was
 * answered, with words for a person. */
bool call_spend_chat(struct call *call, const char *words) MUST_USE;

/* True when no new game may begin, because the server ends soon; that was answered. */
bool call_is_draining(struct call *call);

/* Answers ERR with the fault's code, point and words. */
void call_refuse(struct call *call, const struct room *room, struct fault fault);
/* ERR args with the verb's usage. */
void call_usage(struct call *call, const char *words);

#endif
