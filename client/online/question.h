/* Asks a server one command, without a terminal, and collects the answer. Asks the user
 * no question: an unknown key is refused. */
#ifndef CLIENT_ONLINE_QUESTION_H
#define CLIENT_ONLINE_QUESTION_H

#include <stdbool.h>

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "common/base/utf8.h"
#include "common/record/record_text.h"

struct visit;

struct question {
    const struct prefs *prefs; /* borrowed */
    const struct link *to;     /* borrowed */
    const char *command;       /* sent by a guest; NULL: `due`, which needs no login */
    struct record_text rows;   /* the rows of the answer, each with an LF; the caller
                                * frees rows.at */
    char name[NAME_BYTES];     /* `name` of the answer */
    bool is_passing; /* a later attempt can succeed: the server is full, restarts, says
                      * slow-down, or was not reached */
    int code;
    struct visit *visit;
};

/* Returns CLIENT_EXIT_OK if the answer is OK; otherwise the exit code of the failure,
 * which was printed. */
int question_ask(struct question *question);

/* The task `janggi due`: prints the games that wait for the player, without logging in, so
 * that another client of the same player, on any machine, keeps its connection. words:
 * [LINK|HOST[:PORT]]; none: the server of prefs. Returns CLIENT_EXIT_OK if there are any
 * games, QUESTION_NO_GAME, or the exit code of an error, which was printed.
 * waits: the task `janggi wait`, with [SECONDS] as the last word. It asks again every
 * SECONDS until a game waits. A failure ends it, except a later one that can pass
 * (is_passing). */
enum { QUESTION_NO_GAME = 1 };
int question_due(const struct prefs *prefs, bool waits, int count, char **words);

#endif
